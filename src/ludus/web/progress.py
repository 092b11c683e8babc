"""Progress of tournaments, in words and as a bar."""

from ludus.run.live_reader import RunNow
from ludus.stats.results import Results
from ludus.store.entries import Stamp
from ludus.views.facts import planned, progress_of
from ludus.web.live.hub import Hub

_MINUTE = 60.0  # seconds


class Progress:
    """The progress of a tournament at a state of the store, and whether it is played now."""

    def __init__(self, results: Results, stamp: Stamp, hub: Hub) -> None:
        self.finished = stamp.finished is not None
        self.played = stamp.episodes
        self.planned = None if self.finished else planned(results)
        self.words = "" if self.finished else progress_of(self.played, self.planned)
        run = None if self.finished else hub.playing(results.id)
        self.is_running = run is not None
        self.state = f"{stamp.episodes}{'f' if self.finished else ''}"
        """A text that differs whenever there are other results."""
        self.left = time_left(run)


def time_left(run: RunNow | None) -> str:
    """The time that the rest of a run takes, no finer than it is known; empty if it is not known."""
    if run is None or run.left is None:
        return ""
    if run.left < _MINUTE:
        return "less than a minute"
    minutes = round(run.left / _MINUTE)
    return f"about {minutes:,} min" if minutes < 120 else f"about {minutes / 60:,.0f} h"
