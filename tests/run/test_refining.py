from pathlib import Path
from typing import Any

import pytest

from ludus.core.errors import InvalidError
from ludus.core.spec import parse_agent
from ludus.run import runner
from ludus.run.refining import narrowed, refine
from ludus.run.sweep import SweepPlan, read_axis
from ludus.run.sweep_results import Swept
from ludus.store import open_store
from ludus.tournaments.file import Plan
from ludus.tournaments.run_options import RunOptions


@pytest.mark.parametrize(
    ("values", "best", "expected"),
    [
        ("c=0..4/3", "2", [1, 2, 3]),
        ("c=0..4/5", "4", [3.2, 3.4, 3.6, 3.8, 4]),
        ("c=0..4/5", "0", [0, 0.2, 0.4, 0.6, 0.8]),
        ("simulations=1..9/3", "5", [3, 5, 7]),
        ("simulations=1,2,3", "2", [2]),
    ],
)
def test_range_is_narrowed_to_what_lies_between_the_neighbours_of_the_best(
    values: str, best: str, expected: list[float]
) -> None:
    assert narrowed(read_axis(parse_agent("mcts"), values), best) == expected


def rounds(folder: Path, parameters: list[str], budget: int, **content: Any) -> list[Swept]:
    """Refine Monte Carlo at tic-tac-toe, two episodes for each variant."""
    with open_store(str(folder / "s.db")) as store:

        def play(planned: SweepPlan, tournament: Plan) -> Swept:
            return Swept(planned, store, runner.run(tournament.tournament, store, RunOptions(workers=0)).id)

        found = refine("tic-tac-toe", "mc", parameters, ["random"], episodes=1, budget=budget, play=play, **content)
        return [*found]


def test_rounds_go_on_as_long_as_the_budget_allows(tmp_path: Path) -> None:
    found = rounds(tmp_path, ["iterations=2..18/3"], 20)
    played = [int(one.table["episodes"].sum()) for one in found]
    assert played == [8, 8]  # three values and the agent as given, from both seats
    first, second = ([value.number for value in one.sweep.axes[0].values] for one in found)
    assert first == [2, 10, 18]
    assert len(second) == 3
    assert second != first


def test_rounds_have_seeds_of_their_own(tmp_path: Path) -> None:
    rounds(tmp_path, ["iterations=2..18/3"], 16, seed=5, name="fine")
    with open_store(str(tmp_path / "s.db")) as store:
        stored = [store.tournament(summary.id) for summary in store.tournaments()]
    assert [(one.seed, one.name) for one in stored] == [(5, "fine, round 1"), (6, "fine, round 2")]


def test_refining_ends_when_every_whole_number_was_tried(tmp_path: Path) -> None:
    found = rounds(tmp_path, ["iterations=1,2,3"], 1000)
    assert len(found) < 4


def test_budget_below_one_round_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match="8 episodes"):
        rounds(tmp_path, ["iterations=2..18/3"], 7)


@pytest.mark.parametrize("parameter", ["iterations=1,2", "time=1ms..9ms/3"])
def test_only_ranges_of_numbers_are_narrowed(tmp_path: Path, parameter: str) -> None:
    with pytest.raises(InvalidError, match=r"LOW\.\.HIGH"):
        rounds(tmp_path, [parameter], 1000)
