"""All tournaments of the store at a glance: their summaries, and who leads each."""

from threading import Event
from typing import NamedTuple

import polars as pl
from markupsafe import Markup

from ludus.core.text import chance
from ludus.episode.record import Key
from ludus.store import Store, Summary
from ludus.store.entries import episode_name
from ludus.views.facts import planned
from ludus.views.page.head import lead
from ludus.views.short_names import shown_names
from ludus.web.held import HeldResults

_MOST_MATCHES = 20_000  # of which one is looked for to be watched
_MOST_EPISODES = 100


class Overview:
    """The tournaments, the newest first."""

    def __init__(self, store: Store) -> None:
        self.tournaments: list[Summary] = []
        self.ready = Event()
        self._store = store

    def compute(self) -> None:
        """Read them."""
        try:
            self.tournaments = self._store.tournaments()[::-1]
        finally:
            self.ready.set()


class Game(NamedTuple):
    """An episode to watch: its name, and its players seat by seat."""

    name: str
    players: list[str]


class Leader:
    """The leader of a tournament, how sure that is, how many episodes are planned, and a game of the best to watch."""

    def __init__(self, held: HeldResults, store: Store) -> None:
        self.stamp = held.stamp
        self.is_complete = False
        self.agent = self.chance = ""
        self.sentence = Markup("")
        self.planned: int | None = None
        self.game: Game | None = None
        self._held = held
        self._store = store

    def compute(self) -> None:
        """Compute all fields."""
        with self._held.lock:
            results = self._held.results
            self.planned = planned(results)
            if self.stamp.episodes:
                self.sentence = lead(results)[0]
                first = results.standings().row(0, named=True)
                if first["episodes"]:
                    self.agent = shown_names(results.agents)[first["agent"]]
                    self.chance = chance(first["better"]) if first.get("better") is not None else ""
                self.game = _game_of(results.order()[:2], self._held, self._store)
        del self._held  # the frames of the results take much room
        self.is_complete = True


def _game_of(best: list[str], held: HeldResults, store: Store) -> Game | None:
    """The last stored game of the first match in which the best agents met, or else the first one played."""
    results = held.results
    numbers = [results.agents.index(name) for name in best]
    matches = store.matches(results.id, _MOST_MATCHES)
    met = matches.filter(*(pl.col("seats").list.contains(number) for number in numbers))
    for repetition, match, _, seats in (*met.head(1).iter_rows(), *matches.head(1).iter_rows()):
        stored = store.stored(results.id, repetition, range(match, match + 1), range(_MOST_EPISODES))
        for episodes in stored.values():
            key = Key(repetition, match, int(episodes[-1]))
            name = episode_name(results.id, key, results.tournament.repetitions)
            names = shown_names(results.agents)
            return Game(name, [names[results.agents[number]] for number in seats])
    return None
