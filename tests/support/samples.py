"""Tournaments with episodes of many kinds, really played."""

import copy
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from ludus import Agent
from ludus.core.seeds import seed_from
from ludus.episode.driver import play_episode
from ludus.episode.finished import Episode, episode
from ludus.episode.limits import UNLIMITED, Limits, Policy
from ludus.episode.opening import random_opening
from ludus.episode.record import FROM_THE_START, Key, Record
from ludus.games.game import game_from
from ludus.store import Store
from ludus.tournaments.formats import default_format
from ludus.tournaments.formats.format import Match
from ludus.tournaments.tournament import Entrant, Tournament
from support.playing import players_for
from support.simple_agents import Failing, IllegalAt, Sleeper


class Sample(NamedTuple):
    """A tournament and the records of one match, in which agent i has seat i."""

    tournament: Tournament
    records: list[Record]

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(range(len(self.tournament.agents)))

    def episodes(self, match: int = 0, repetition: int = 0) -> list[Episode]:
        """The episodes, as if they were of that match."""
        return [
            episode(record, Key(repetition, match, number), 10**6 * (1 + number))
            for number, record in enumerate(self.records)
        ]


_MOST = 8
RANDOM = Limits(plies=40, policy=Policy.RANDOM)
KINDS: dict[str, tuple[str, Sequence[str | Agent], Limits]] = {
    "one mover at a time": ("connect-four", ["random", "random"], UNLIMITED),
    "metrics": ("connect-four", ["mcts:simulations=30", "alphabeta:depth=2"], UNLIMITED),
    "metrics of one player": ("hex:size=3", ["random", "maxn:depth=2"], UNLIMITED),
    "one player, chance": ("2048", ["random"], Limits(plies=30)),
    "all at once": ("goofspiel:cards=5", ["random", "mcts:simulations=30"], UNLIMITED),
    "three players": ("nim:players=3", ["random", "mc:iterations=3", "random"], UNLIMITED),
    "passes": ("othello:size=4", ["random", "random"], UNLIMITED),
    "long moves": ("chess", ["random", "random"], Limits(plies=20)),
    "moves with spaces": ("openspiel:backgammon", ["random", "random"], Limits(plies=20)),
    "illegal": ("tic-tac-toe", ["random", IllegalAt(turn=2)], UNLIMITED),
    "late": ("tic-tac-toe", [Sleeper(ms=3), "random"], Limits(move=10**6, grace=0)),
    "failed": ("tic-tac-toe", ["random", Failing(where="choose")], UNLIMITED),
    "failed while getting ready": ("tic-tac-toe", [Failing(where="begin"), "random"], UNLIMITED),
    "substituted": ("connect-four", ["random", IllegalAt(turn=1)], RANDOM),
    "out of three": ("nim:players=3", ["random", IllegalAt(turn=1), "random"], UNLIMITED),
}


def sample(kind: str, count: int = 4) -> Sample:
    """Some episodes of a kind, always the same; every second one has an opening of a random ply."""
    whole = _sample(kind)
    return whole._replace(records=whole.records[:count])


@cache
def _sample(kind: str) -> Sample:
    game_spec, agents, limits = KINDS[kind]
    game = game_from(game_spec)
    players = players_for(*agents)
    for seat, player in enumerate(players):
        player.name = f"{player.spec} #{seat + 1}"
    records = []
    for number in range(_MOST):
        seed = seed_from(kind, number)
        opening = random_opening(game, 1, seed) if number % 2 else FROM_THE_START
        records.append(play_episode(game, players, limits=limits, seed=seed, opening=opening))
    field = tuple(Entrant(player.name, player.spec) for player in players)
    format = default_format(len(field))
    tournament = Tournament(name=kind, game=game.spec(), agents=field, format=format, episodes=_MOST, limits=limits)
    return Sample(tournament, records)


def left_behind(record: Record) -> Record:
    """The record as if a bot had sat at its first seat, and all were bots where it comes to what is measured."""
    made = copy.deepcopy(record)
    made.seats[0].log = "depth 3\nbye\n"
    made.seats[0].remarks = ["wrote 'hm' unasked", "did not exit"]
    for place, step in enumerate(made.steps):
        for move in step:
            move.waited, move.memory = 7 * place % 5, (place % 3) << 20
    return made


def stored(store: Store, kind: str = "one mover at a time", count: int = 4) -> int:
    """Store the episodes of a kind as match 0 of a tournament; its number."""
    found = sample(kind, count)
    id = store.enter(found.tournament, {}).id
    store.add_matches(id, 0, 0, [Match(0, found.seats)])
    store.add(id, found.episodes())
    return id


def store_metrics(store: Store, metrics: dict[str, Any]) -> int:
    """Store an episode in which an agent reported this of its first move; the tournament's number."""
    found = sample("one mover at a time")
    id = store.enter(found.tournament, {}).id
    store.add_matches(id, 0, 0, [Match(0, found.seats)])
    record = copy.deepcopy(found.records[0])
    record.steps[0][0].metrics = metrics
    store.add(id, [episode(record, Key(0, 0, 0), 10**6)])
    return id
