"""The results of tournaments that visitors look at, shared by their pages, charts and data."""

from collections import OrderedDict
from collections.abc import Mapping
from hashlib import blake2b
from threading import Lock
from typing import Any

import msgspec

from ludus.core.errors import NotFoundError
from ludus.stats.results import Results
from ludus.store import Store
from ludus.store.entries import Stamp
from ludus.views.charts.chart_list import Charts, Drawn
from ludus.views.page.parts import untitled
from ludus.views.page.sections import MOST_AGENTS, SMALL_FIELDS

_MOST = 8
_MOST_EPISODES = 1_000_000  # of all results held; those of a million matches take a gigabyte


class HeldResults:
    """The results of a tournament at one state of the store."""

    def __init__(self, store: Store, id: int, stamp: Stamp) -> None:
        self.stamp = stamp
        self.tag = blake2b(repr(stamp).encode(), digest_size=9).hexdigest()
        """A short text that differs between states."""
        self.results = Results(store, id)
        self.lock = Lock()
        self._specs: dict[tuple[str, tuple[str, ...]], bytes] = {}

    def chart(self, name: str, options: Mapping[str, bool]) -> Drawn:
        """A chart of the page; its caller holds the lock."""
        if name in SMALL_FIELDS and len(self.results.agents) > MOST_AGENTS:
            raise NotFoundError(
                f"The chart '{name}' of {len(self.results.agents):,} agents is too large for a page: "
                f"'ludus results {self.results.id} --chart {name} -o {name}.png' draws it."
            )
        return Charts(self.results).draw(name, **options)

    def spec(self, name: str, options: Mapping[str, bool]) -> bytes:
        """A chart with its data as JSON, as Vega-Lite."""
        key = name, tuple(options)
        with self.lock:
            if key not in self._specs:
                spec: dict[str, Any] = self.chart(name, options).to_dict()
                self._specs[key] = msgspec.json.encode(untitled(name, spec))
            return self._specs[key]


class ResultsHeld:
    """The results that were used last."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: OrderedDict[int, HeldResults] = OrderedDict()
        self._lock = Lock()

    def at(self, id: int, stamp: Stamp) -> HeldResults:
        """The results of a tournament at this state."""
        with self._lock:
            found = self._held.get(id)
            if found is None or found.stamp != stamp:
                found = self._held[id] = HeldResults(self._store, id, stamp)
            self._held.move_to_end(id)
            while len(self._held) > 1 and self._are_too_many():
                self._held.popitem(last=False)
            return found

    def _are_too_many(self) -> bool:
        return len(self._held) > _MOST or sum(held.stamp.episodes for held in self._held.values()) > _MOST_EPISODES

    def now(self, id: int) -> HeldResults:
        """The results of a tournament at the present state of the store."""
        return self.at(id, self._store.stamp(id))
