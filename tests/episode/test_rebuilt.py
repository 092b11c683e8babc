"""An episode rebuilt from its journal has the same positions, moves, faults and clocks as its record."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus.agents.agent import agent_from
from ludus.core.errors import InvalidError
from ludus.episode.cost import Cost
from ludus.episode.driver import play_episode
from ludus.episode.journal import Journal, Noted, Phase
from ludus.episode.limits import Limits, Policy
from ludus.episode.local_player import player_for
from ludus.episode.opening import random_opening, setting
from ludus.episode.rebuilt import GameCard, Rebuilt
from ludus.episode.record import Fault, Key, Opening, Record
from ludus.episode.replay import Scene, replay
from ludus.episode.request import Answer
from ludus.games.game import Game, game_from
from support.places import SUPPORT

SIMPLE = SUPPORT / "simple_agents.py"
MS = 10**6


def played(folder: Path, game: Game, agents: list[str], **fixed: Any) -> tuple[Record, GameCard, list[Noted]]:
    """An episode that was really played, with its card and its journal."""
    journal = Journal.create(folder / "journal")
    journal.phase(Phase.PLAYING, Key(0, 0, 0))
    players = [player_for(agent_from(agent)) for agent in agents]
    record = play_episode(game, players, monitor=journal, **fixed)
    head = journal.head()
    assert head is not None
    noted = journal.noted(head)
    assert noted is not None
    return record, GameCard(game=setting(game).spec, seats=record.seats, **fixed), noted


def same_scenes(ones: list[Scene], others: list[Scene]) -> bool:
    """True if positions and steps, with faults and times, are the same."""
    return [one.step for one in ones] == [other.step for other in others] and all(
        all(np.array_equal(a, b) for a, b in zip(one.state, other.state, strict=True))
        for one, other in zip(ones, others, strict=True)
    )


def without_metrics(record: Record) -> list[Scene]:
    """The scenes of a record, without what a journal does not keep."""
    scenes = list(replay(record))
    for scene in scenes:
        for made in scene.step:
            made.metrics = {}
    return scenes


@pytest.mark.parametrize(
    ("game", "agents"),
    [
        ("tic-tac-toe", ["random", "random"]),
        ("2048", ["random"]),
        ("goofspiel", ["random", "random"]),
        ("speed:players=3,width=12,height=12", ["random"] * 3),
        ("nim", ["random", f"{SIMPLE}:IllegalAt:turn=2"]),
        ("goofspiel", ["random", f"{SIMPLE}:IllegalAt:turn=3"]),
        ("speed:players=3,width=12,height=12", ["random", f"{SIMPLE}:IllegalAt:turn=3", "random"]),
    ],
)
@pytest.mark.parametrize("policy", [Policy.LOSE, Policy.RANDOM])
def test_rebuilt_episode_is_the_one_that_was_played(
    tmp_path: Path, game: str, agents: list[str], policy: Policy
) -> None:
    rules = game_from(game)
    limits = Limits(policy=policy)
    fixed = {"seed": 7, "limits": limits, "opening": Opening(seed=3)}
    record, card, noted = played(tmp_path, rules, agents, **fixed)
    rebuilt = Rebuilt(card, rules)
    for each in noted:  # one by one, as a watcher may see them
        assert not rebuilt.over
        rebuilt.add([each])
    assert rebuilt.over
    assert rebuilt.record is not None
    assert (rebuilt.record.scores, rebuilt.record.ending) == (record.scores, record.ending)
    assert same_scenes(rebuilt.scenes, without_metrics(record))
    assert rebuilt.known == len(noted)


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
    game = game_from("speed:players=3,width=12,height=12")
    record, card, noted = played(tmp_path, game, ["random"] * 3, opening=Opening(seed=3))
    card.seen = True
    card.opening = Opening(game.save(next(replay(record)).state))
    rebuilt = Rebuilt(card, game)
    rebuilt.add(noted)
    assert rebuilt.over
    assert rebuilt.record is None
    assert [[made.move for made in scene.step] for scene in rebuilt.scenes] == [
        [made.move for made in scene.step] for scene in replay(record)
    ]


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
