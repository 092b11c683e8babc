"""Episodes that are really played, and rebuilt from their journals."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludus.agents.agent import Agent, agent_from
from ludus.episode.driver import play_episode
from ludus.episode.journal import Journal, Noted, Phase
from ludus.episode.limits import Limits, Policy
from ludus.episode.local_player import player_for
from ludus.episode.opening import setting
from ludus.episode.rebuilt import GameCard, Rebuilt
from ludus.episode.record import Key, Opening, Record
from ludus.episode.replay import Scene, replay
from ludus.games.game import Game, game_from


def played(
    folder: Path, game: Game, agents: Sequence[str | Agent], **fixed: Any
) -> tuple[Record, GameCard, list[Noted]]:
    """An episode that was really played, with its card and its journal."""
    journal = Journal.create(folder / "journal")
    journal.phase(Phase.PLAYING, Key(0, 0, 0))
    players = [player_for(agent_from(agent) if isinstance(agent, str) else agent) for agent in agents]
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


def check_that_it_is_rebuilt(folder: Path, game: str, agents: Sequence[str | Agent], policy: Policy) -> None:
    """Compare every position and the end of an episode with those rebuilt from its journal, answer by answer."""
    rules = game_from(game)
    limits = Limits(policy=policy)
    fixed = {"seed": 7, "limits": limits, "opening": Opening(seed=3)}
    record, card, noted = played(folder, rules, agents, **fixed)
    rebuilt = Rebuilt(card, rules)
    for each in noted:  # one by one, as a watcher may see them
        assert not rebuilt.over
        rebuilt.add([each])
    assert rebuilt.over
    assert rebuilt.record is not None
    assert (rebuilt.record.scores, rebuilt.record.ending) == (record.scores, record.ending)
    assert same_scenes(rebuilt.scenes, without_metrics(record))
    assert rebuilt.known == len(noted)


def check_that_it_is_seen(folder: Path, game: str, agents: Sequence[str | Agent]) -> None:
    """Compare an episode with what is rebuilt from its moves alone."""
    rules = game_from(game)
    record, card, noted = played(folder, rules, agents, opening=Opening(seed=3))
    card.seen = True
    card.opening = Opening(rules.save(next(replay(record)).state))
    rebuilt = Rebuilt(card, rules)
    rebuilt.add(noted)
    assert rebuilt.over
    assert rebuilt.record is None
    assert [[made.move for made in scene.step] for scene in rebuilt.scenes] == [
        [made.move for made in scene.step] for scene in replay(record)
    ]
