"""Episodes of the store as the site keeps them for a while: their positions, their film, their neighbours."""

import threading
from collections import OrderedDict
from typing import NamedTuple

from ludus.agents.agent import Agent, agent_from
from ludus.core.errors import LudusError, NotFoundError
from ludus.core.registry import classes
from ludus.core.spec import parse_agent
from ludus.episode.record import Key
from ludus.games.game import game_from
from ludus.store import Store
from ludus.store.entries import episode_name
from ludus.views.boards.seen_layers import has_layers
from ludus.views.boards.timeline import Timeline
from ludus.views.episodes.reel import Reel

_MOST_KEPT = 24


class Kept(NamedTuple):
    """An episode with its film, its name, and its tournament."""

    name: str
    tournament: int
    title: str
    key: Key
    episode: Timeline
    reel: Reel
    before: str | None
    after: str | None


class Episodes:
    """The episodes that were asked for last; a stored episode never changes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[str, Key], Kept] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, name: str) -> Kept:
        """The episode with a name such as 3/1.1."""
        id, key = self._store.find_episode(name)
        tournament = self._store.tournament(id)
        which = f"{id} {tournament.identity}", key
        with self._lock:
            if which in self._kept:
                self._kept.move_to_end(which)
                return self._kept[which]
        record = self._store.record(id, key)
        episode = Timeline(record, game_from(record.game))
        neighbours = [self._neighbour(id, key, step, tournament.repetitions) for step in (-1, 1)]
        full = episode_name(id, key, tournament.repetitions)
        made = Kept(full, id, tournament.name, key, episode, Reel(episode), *neighbours)
        with self._lock:
            self._kept[which] = made
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return made

    def _neighbour(self, id: int, key: Key, step: int, repetitions: int) -> str | None:
        """The name of the episode before or after in the same match."""
        other = key._replace(number=key.number + step)
        if other.number < 0:
            return None
        try:
            self._store.record(id, other)
        except NotFoundError:
            return None
        return episode_name(id, other, repetitions)


def agents_for(episode: Timeline) -> list[str]:
    """The agents of Ludus that can play on: first those of the episode. Bots and people never do."""
    found = [seat.agent for seat in episode.record.seats if _suits(seat.agent, episode)]
    return [*dict.fromkeys([*found, *(name for name in sorted(classes(Agent)) if _suits(name, episode))])]


def agents_with_layers(episode: Timeline) -> list[str]:
    """The agents of the episode that can be asked again what they see."""
    fitting = [seat.agent for seat in episode.record.seats if _suits(seat.agent, episode)]
    return [text for text in fitting if has_layers(agent_from(text))]


def _suits(text: str, episode: Timeline) -> bool:
    try:
        spec = parse_agent(text)
        if spec.file is not None or spec.command is not None:
            return False
        agent = agent_from(text)
        return not (agent.person or agent.outside or agent.unsuited(episode.game))
    except LudusError:
        return False
