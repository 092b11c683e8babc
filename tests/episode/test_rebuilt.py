"""An episode rebuilt from its journal has the same positions, moves, faults and clocks as its record."""

from pathlib import Path

import pytest

from ludus.core.errors import InvalidError
from ludus.episode.cost import Cost
from ludus.episode.journal import Noted
from ludus.episode.limits import Limits, Policy
from ludus.episode.opening import random_opening
from ludus.episode.rebuilt import Rebuilt
from ludus.episode.record import Fault
from ludus.episode.request import Answer
from ludus.games.game import game_from
from support.places import SUPPORT
from support.rebuilding import check_that_it_is_rebuilt, check_that_it_is_seen, played, same_scenes, without_metrics

SIMPLE = SUPPORT / "simple_agents.py"
MS = 10**6


@pytest.mark.parametrize(
    ("game", "agents"),
    [
        ("tic-tac-toe", ["random", "random"]),
        ("2048", ["random"]),
        ("goofspiel", ["random", "random"]),
        ("nim", ["random", f"{SIMPLE}:IllegalAt:turn=2"]),
        ("goofspiel", ["random", f"{SIMPLE}:IllegalAt:turn=3"]),
    ],
)
@pytest.mark.parametrize("policy", [Policy.LOSE, Policy.RANDOM])
def test_rebuilt_episode_is_the_one_that_was_played(
    tmp_path: Path, game: str, agents: list[str], policy: Policy
) -> None:
    check_that_it_is_rebuilt(tmp_path, game, agents, policy)


def test_random_opening_is_part_of_it(tmp_path: Path) -> None:
    game = game_from("connect-four")
    record, card, noted = played(tmp_path, game, ["random", "random"], opening=random_opening(game, 4, 5))
    rebuilt = Rebuilt(card, game)
    assert len(rebuilt.scenes) == 5
    rebuilt.add(noted)
    assert same_scenes(rebuilt.scenes, without_metrics(record))


def test_clocks_run_as_they_did(tmp_path: Path) -> None:
    game = game_from("tic-tac-toe")
    limits = Limits(total=10_000 * MS, move=500 * MS)
    agents = [f"{SIMPLE}:Sleeper:ms=20", "random"]
    _, card, noted = played(tmp_path, game, agents, limits=limits)
    rebuilt = Rebuilt(card, game)
    rebuilt.add(noted[:3])  # both are ready, and the first has moved
    assert rebuilt.left.total is not None
    assert rebuilt.left.total[0] <= 10_000 * MS - 20 * MS
    assert rebuilt.left.total[1] == 10_000 * MS
    assert rebuilt.left.move == 500 * MS


def test_moves_that_were_only_seen_are_played_as_they_are(tmp_path: Path) -> None:
    check_that_it_is_seen(tmp_path, "nim", ["random", "random"])


def test_journal_of_another_game_is_refused(tmp_path: Path) -> None:
    game = game_from("tic-tac-toe")
    _, card, noted = played(tmp_path, game, ["random", "random"])
    wrong = Noted(1, Answer(0))
    with pytest.raises(InvalidError, match="tic-tac-toe"):
        Rebuilt(card, game).add([*noted[:2], wrong])
    with pytest.raises(InvalidError):
        Rebuilt(card, game_from("goofspiel:players=3"))


def test_failed_preparation_ends_it(tmp_path: Path) -> None:
    game = game_from("tic-tac-toe")
    _, card, _ = played(tmp_path, game, ["random", "random"])
    rebuilt = Rebuilt(card, game)
    rebuilt.add([Noted(0, Answer(fault=Fault.FAILED, cost=Cost())), Noted(1, Answer())])
    assert rebuilt.record is not None
    assert rebuilt.record.scores == [-1.0, 1.0]
