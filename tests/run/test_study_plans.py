from typing import Any

import pytest

from ludus.core.errors import InvalidError
from ludus.run.study_plans import REPETITIONS, in_both_seatings, plan_study, repeated, with_plies, with_shares
from ludus.tournaments.file import Plan, plan
from support.sentences import missing

FIELD = ("random", "mc:iterations=2", "mc:iterations=4", "mcts:simulations=5")


def base(game: str = "tic-tac-toe", **content: Any) -> Plan:
    return plan(**{"game": game, "agents": FIELD, "name": "cup", "seed": 1, **content})


def test_tournament_of_one_repetition_is_played_ten_times() -> None:
    found = repeated(base()).tournament
    assert (found.repetitions, found.name) == (REPETITIONS, "cup, repeated")


def test_repetitions_of_the_file_make_the_same_tournament() -> None:
    given = base(repetitions=3)
    assert repeated(given) == given
    assert repeated(given, 5).tournament == base(repetitions=5).tournament


def test_number_of_repetitions_does_not_change_the_name() -> None:
    names = {repeated(base(), repetitions).tournament.name for repetitions in (2, 10, 20)}
    assert names == {"cup, repeated"}
    assert repeated(base(), 1).tournament == base().tournament


@pytest.mark.parametrize(
    ("kind", "settings", "named"),
    [
        ("opening", {}, "openings"),
        ("repetition", {"shares": [50]}, "shares fraction repetition"),
        ("fraction", {"random_plies": [0]}, "random_plies openings fraction"),
        ("openings", {"random_plies": [0, 2000]}, "random_plies 2000 1,000"),
        ("openings", {"random_plies": 2}, "random_plies 2 list"),
        ("openings", {"random_plies": []}, "random_plies list"),
        ("fraction", {"shares": ["half"]}, "shares half 100"),
    ],
)
def test_what_does_not_suit_a_study_is_refused(kind: str, settings: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidError) as refusal:
        plan_study(kind, base(), **settings)
    assert not missing(str(refusal.value), named)


def test_every_setting_is_a_tournament_of_its_own_name() -> None:
    given = base(opening_plies=1)
    parts = with_plies(given, [0, 1, 2, 1])
    assert [(part.setting, part.plan.tournament.openings.plies) for part in parts] == [(0, 0), (1, 1), (2, 2)]
    assert parts[1].plan == given
    assert len({part.plan.tournament.name for part in parts}) == 3


def test_pairs_meet_in_both_seatings_whatever_the_format() -> None:
    given = base(format="double-round-robin")
    assert in_both_seatings(given) == given
    found = in_both_seatings(base(format="single-round-robin"))
    assert found.tournament.format == found.parts.format.spec() == "double-round-robin"


def test_shares_begin_with_the_whole_and_leave_out_those_too_small_for_the_field() -> None:
    parts, left_out = with_shares(base(), [6, 50, 75], "random")
    assert [part.setting for part in parts] == [100, 75, 50]
    assert left_out == [6]
    matches = [len(next(part.plan.parts.format.schedule(4, 2, 1))) for part in parts]
    assert matches == [12, 9, 6]
    assert all(part.plan.tournament.format == part.plan.parts.format.spec() for part in parts)


def test_shares_of_a_field_too_small_are_refused() -> None:
    with pytest.raises(InvalidError, match="4 agents"):
        with_shares(base(), [6], "random")


def test_unknown_subset_is_refused() -> None:
    with pytest.raises(InvalidError, match="balanced"):
        with_shares(base(), [50], "best")


def test_studies_of_pairs_need_two_players() -> None:
    three = base("nim:players=3")
    for study in (in_both_seatings, lambda given: with_shares(given, [50], "random")):
        with pytest.raises(InvalidError, match="has 3"):
            study(three)
    assert len(with_plies(three, [0, 1])) == 2
