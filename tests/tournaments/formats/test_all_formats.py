"""Properties of every format."""

from collections import Counter

import pytest

from ludus.core.registry import classes
from ludus.tournaments.formats import default_format, format_from
from ludus.tournaments.formats.format import Format
from support.playing_formats import always_tied, by_strength, matches_of
from support.sentences import missing, one_sentence

FIXED = [
    "single-round-robin",
    "double-round-robin",
    "variable",
    "variable:fraction=0.7,subset=random",
    "gauntlet:agent=2",
    "gauntlet:swap=no",
    "gauntlet:agent=2,runners=2",
    "seatings",
    "seatings:matches=80",
]
ADAPTIVE = [
    *("swiss", "swiss:rounds=2,swap=yes", "swiss:seeding=random"),
    *("knockout", "knockout:swap=yes,seeding=random"),
    *("drop", "drop:every=1,start=1"),
]


def test_every_module_with_a_format_is_found() -> None:
    assert {text.partition(":")[0] for text in FIXED + ADAPTIVE} | {"solo"} == set(classes(Format))


@pytest.mark.parametrize(
    "text", [*classes(Format), "swiss:rounds=5,swap=yes", "seatings:matches=60", "variable:fraction=0.25"]
)
def test_spec_round_trips(text: str) -> None:
    assert format_from(text).spec() == text


@pytest.mark.parametrize("cls", classes(Format).values())
def test_every_format_and_parameter_is_explained(cls: type) -> None:
    assert cls.summary()  # type: ignore[attr-defined]
    assert all(parameter.help for parameter in cls.parameters())  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("swis", "'swis' 'swiss'"),
        ("mine.py:Cup", "'mine.py'"),
        ("swiss:round=3", "swiss 'round' 'rounds' swap seeding"),
        ("swiss:rounds=0", "swiss rounds=0 1"),
        ("seatings:matches=many", "seatings matches=many 1"),
        ("variable:fraction=2", "variable fraction=2 0 1"),
    ],
)
def test_a_wrong_spec_gets_one_sentence(text: str, words: str) -> None:
    with one_sentence(words):
        format_from(text)


@pytest.mark.parametrize("text", FIXED)
@pytest.mark.parametrize("agents", [4, 5, 9, 12])
def test_number_of_matches_is_known_beforehand(text: str, agents: int) -> None:
    chosen = format_from(text)
    assert chosen.unsuited(agents, 2) is None
    assert len(matches_of(text, agents)) == chosen.most_matches(agents, 2)


@pytest.mark.parametrize("text", ADAPTIVE)
@pytest.mark.parametrize("agents", [4, 5, 9, 12])
def test_announced_number_of_matches_is_never_exceeded(text: str, agents: int) -> None:
    chosen = format_from(text)
    assert chosen.unsuited(agents, 2) is None
    for outcome in (by_strength(agents), always_tied):
        assert len(matches_of(text, agents, outcome=outcome)) <= chosen.most_matches(agents, 2)


@pytest.mark.parametrize("text", FIXED + ADAPTIVE)
def test_one_seed_gives_one_course_and_nobody_plays_himself(text: str) -> None:
    for seed in range(5):
        first, second = (matches_of(text, 9, seed=seed, outcome=by_strength(9, seed)) for _ in range(2))
        assert first == second
        assert all(0 <= a < 9 and 0 <= b < 9 and a != b for _, (a, b) in first)


@pytest.mark.parametrize("text", FIXED + ADAPTIVE)
def test_two_agents_can_meet(text: str) -> None:
    text = text.replace("rounds=2", "rounds=1").replace("runners=2", "runners=1")
    assert format_from(text).unsuited(2, 2) is None
    assert {frozenset(match.seats) for match in matches_of(text, 2)} == {frozenset({0, 1})}


@pytest.mark.parametrize("name", sorted(set(classes(Format)) - {"solo", "seatings", "gauntlet"}))
def test_formats_for_two_seats_refuse_other_numbers(name: str) -> None:
    chosen = format_from(name)
    assert missing(chosen.unsuited(5, 3) or "", "3 seatings") == []
    assert missing(chosen.unsuited(5, 1) or "", "1 solo") == []
    assert missing(chosen.unsuited(1, 2) or "", "2 agents 1") == []


@pytest.mark.parametrize("seats", [1, 2, 3, 8])
def test_the_default_format_suits(seats: int) -> None:
    assert format_from(default_format(seats)).unsuited(9, seats) is None


@pytest.mark.parametrize("games", [1, 2, 4])
@pytest.mark.parametrize("text", ["single-round-robin", "double-round-robin", "swiss", "knockout", "gauntlet"])
def test_every_format_plays_that_many_games_of_a_pairing(text: str, games: int) -> None:
    chosen, episodes = format_from(text).for_games(games, 2)
    meetings = Counter(frozenset(match.seats) for match in matches_of(chosen.spec(), 6))
    assert {number * episodes for number in meetings.values()} == {games}
    seatings = Counter(match.seats for match in matches_of(chosen.spec(), 6))
    assert games == 1 or all(seatings[seats] == seatings[seats[::-1]] for seats in seatings)


@pytest.mark.parametrize("text", ["double-round-robin", "swiss", "knockout", "gauntlet", "drop", "variable"])
def test_games_that_favour_one_agent_are_refused(text: str) -> None:
    with one_sentence("3 games multiple of 2"):
        format_from(text).for_games(3, 2)
