"""How fast tournaments are played now, seen from their numbers of episodes."""

import time
from collections import defaultdict, deque
from datetime import UTC, datetime

from ludus.store import Sitting

_MINUTE = 60.0
_SPAN = 60.0  # seconds that count
_STILL = 30.0  # seconds without an episode after which a tournament seems to stand still


class Pace:
    """The pace of one tournament."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def see(self, episodes: int, now: float) -> None:
        """Note the number of episodes at a moment."""
        if self._seen and episodes == self._seen[-1][1]:
            return
        self._seen.append((now, episodes))
        while len(self._seen) > 2 and now - self._seen[0][0] > _SPAN:
            self._seen.popleft()

    def is_moving(self, now: float) -> bool:
        """True if episodes were added a short while ago."""
        return len(self._seen) > 1 and now - self._seen[-1][0] < _STILL

    @property
    def rate(self) -> float:
        """Episodes per second; 0 if it is not known."""
        if len(self._seen) < 2:
            return 0.0
        (began, first), (ended, last) = self._seen[0], self._seen[-1]
        return max(0.0, (last - first) / (ended - began)) if ended > began else 0.0


class Paces:
    """The paces of all tournaments that somebody looks at."""

    def __init__(self) -> None:
        self._paces: defaultdict[int, Pace] = defaultdict(Pace)

    def see(self, id: int, episodes: int) -> None:
        """Note the number of episodes of a tournament now."""
        self._paces[id].see(episodes, time.monotonic())

    def is_moving(self, id: int) -> bool:
        """True if a tournament seems to be played now."""
        return self._paces[id].is_moving(time.monotonic())

    def left(self, id: int, episodes: int, planned: int | None, sittings: "list[Sitting]") -> float | None:
        """Seconds until all planned episodes are played; None if that is not known."""
        rate = self._paces[id].rate if self.is_moving(id) else _rate_of(sittings, episodes)
        return (planned - episodes) / rate if rate and planned is not None else None


def spoken_left(seconds: float) -> str:
    """The time left in words, no finer than it is known."""
    if seconds < _MINUTE:
        return "less than a minute"
    minutes = round(seconds / _MINUTE)
    return f"about {minutes:,} min" if minutes < 120 else f"about {minutes / 60:,.0f} h"


def _rate_of(sittings: "list[Sitting]", episodes: int) -> float:
    """The mean rate of a tournament that has been played in one go until now."""
    if len(sittings) != 1 or sittings[0].ended is not None:
        return 0.0
    spent = (datetime.now(UTC) - sittings[0].started).total_seconds()
    return episodes / spent if spent > 0 else 0.0
