"""Rules for tournaments that grow; `tests/run/test_longer.py` plays longer ones."""

import msgspec
import pytest

from ludus.store.resuming import imported, resumed
from ludus.tournaments.tournament import Entrant, Tournament
from support.sentences import one_sentence

replace = msgspec.structs.replace
A, B, C, D = (Entrant(name, f"mcts:simulations={number}") for number, name in enumerate("abcd", 1))


def cup(*agents: Entrant, format: str = "double-round-robin", **content: object) -> Tournament:
    content = {"episodes": 2, "repetitions": 2, "seed": 7, "deterministic": (), **content}
    return Tournament(name="Cup", game="nim", agents=agents or (A, B), format=format, **content)  # type: ignore[arg-type]


def test_more_episodes_and_repetitions_are_taken_over() -> None:
    assert resumed(1, cup(), cup(episodes=3, repetitions=5)) == cup(episodes=3, repetitions=5)


@pytest.mark.parametrize("field", [(A, B, C, D), (C, A, D, B), (B, C, D, A)])
def test_agents_that_join_come_last_wherever_they_are_listed(field: tuple[Entrant, ...]) -> None:
    joined = resumed(1, cup(), cup(*field))
    assert joined.agents == (A, B, C, D)
    assert joined.founders == 2
    assert resumed(1, joined, cup(*field)) == joined


def test_who_joins_later_does_not_change_who_began() -> None:
    assert resumed(1, resumed(1, cup(), cup(A, B, C)), cup(A, B, C, D)) == resumed(1, cup(), cup(A, B, C, D))


def test_an_order_that_means_nothing_may_change() -> None:
    assert resumed(1, cup(A, B), cup(B, A)) == cup(A, B)
    with one_sentence("Cup order delete"):
        resumed(1, cup(A, B, format="knockout"), cup(B, A, format="knockout"))


def test_agents_that_join_say_whether_they_are_deterministic() -> None:
    stored = cup(deterministic=(A.spec,))
    joined = resumed(1, stored, cup(A, B, C, D, deterministic=(B.spec, D.spec)))
    assert joined.deterministic == (A.spec, D.spec), "what the first ones said stays"
    assert resumed(1, cup(deterministic=None), cup(A, B, C)).deterministic is None


def test_fewer_episodes_or_repetitions_are_refused() -> None:
    with one_sentence("Cup 2 1 --episodes name"):
        resumed(1, cup(), cup(episodes=1))
    with one_sentence("Cup 2 1 --repetitions name"):
        resumed(1, cup(), cup(repetitions=1, episodes=3))


def test_fewer_agents_are_refused() -> None:
    with one_sentence("Cup − c name"):
        resumed(1, cup(A, B, C), cup(A, B))


@pytest.mark.parametrize("format", ["knockout", "swiss", "drop", "variable", "seatings:matches=9"])
def test_formats_whose_matches_depend_on_all_take_no_new_agent(format: str) -> None:
    with one_sentence(f"c Cup {format} name"):
        resumed(1, cup(format=format), cup(A, B, C, format=format))


@pytest.mark.parametrize("format", ["knockout", "swiss", "drop"])
def test_formats_that_depend_on_results_take_repetitions_and_no_episodes(format: str) -> None:
    assert resumed(1, cup(format=format), cup(format=format, repetitions=3)).repetitions == 3
    with one_sentence(f"Cup {format} results name"):
        resumed(1, cup(format=format), cup(format=format, episodes=3))


def test_the_runner_of_a_gauntlet_stays() -> None:
    format = "gauntlet:agent=1"
    assert resumed(1, cup(A, B, format=format), cup(A, C, B, format=format)).agents == (A, B, C)
    with one_sentence("gauntlet:agent=1 c Cup end"):
        resumed(1, cup(A, B, format=format), cup(C, A, B, format=format))


def test_one_that_grew_is_imported_over_one_that_did_not_and_the_other_way_round() -> None:
    grown = resumed(1, cup(), cup(A, B, C, episodes=4))
    assert imported(1, cup(), grown) == grown
    assert imported(1, grown, cup()) == grown
    assert imported(1, cup(repetitions=3), grown) == replace(grown, repetitions=3)


def test_tournaments_that_grew_apart_are_not_united() -> None:
    one, other = (resumed(1, cup(), cup(A, B, new)) for new in (C, D))
    with one_sentence("Cup − c + d"):
        imported(1, one, other)
    with one_sentence("Cup founders"):
        imported(1, resumed(1, cup(), cup(A, B, C)), cup(A, B, C))
