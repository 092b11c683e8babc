"""The runs of a store, and the progress of a tournament, as messages."""

from typing import Any

from ludus.run.live_reader import LiveReader, RunNow
from ludus.store import Store

_PERIOD = 0.5
_UNTIL_COUNTED = 2.0  # seconds between two counts in the store, if no run tells


def described(run: RunNow) -> dict[str, Any]:
    """A run for JSON; times are seconds."""
    card, progress = run.card, run.progress
    return {
        "id": run.id,
        "kind": card.kind,
        "name": card.name,
        "game": card.game,
        "tournament": card.tournament,
        "begun": card.begun.isoformat(),
        "alive": run.alive,
        **progressing(run),
        "compiling": progress.compiling,
        "feeds": [{"name": feed.name, "number": feed.number, "players": feed.players} for feed in run.feeds],
    }


def progressing(run: RunNow) -> dict[str, Any]:
    """The progress of a run for JSON."""
    progress = run.progress
    return {
        "done": progress.done,
        "total": progress.total,
        "rate": None if progress.rate is None else float(f"{progress.rate:.3g}"),
        "left": None if run.left is None else round(run.left),
    }


class Runs:
    """All runs."""

    period = _PERIOD

    def __init__(self, reader: LiveReader) -> None:
        self._reader = reader
        self._last: list[dict[str, Any]] | None = None

    def look(self, now: float) -> list[dict[str, Any]]:
        """The runs, if anything about them has changed."""
        found = list(map(described, self._reader.runs()))
        if found == self._last:
            return []
        self._last = found
        return [{"full": True, "runs": found}]


class TournamentProgress:
    """The progress of a tournament; its `version` changes when episodes come in."""

    period = _PERIOD

    def __init__(self, reader: LiveReader, store: Store, id: int) -> None:
        self._reader = reader
        self._store = store
        self._id = id
        store.tournament(id)
        self._count_due = 0.0
        self._last: dict[str, Any] | None = None

    def look(self, now: float) -> list[dict[str, Any]]:
        """The progress, if it has changed."""
        runs = [run for run in self._reader.runs(feeds=False) if run.card.tournament == self._id and run.alive]
        if runs:
            found = {"run": runs[-1].id, "compiling": runs[-1].progress.compiling, **progressing(runs[-1])}
            self._count_due = 0.0
        elif now >= self._count_due:
            self._count_due = now + _UNTIL_COUNTED
            done = self._store.count(self._id)
            found = {"run": None, "compiling": [], "done": done, "total": None, "rate": None, "left": None}
        else:
            return []
        if found == self._last:
            return []
        self._last = found
        return [{"full": True, "version": found["done"], **found}]
