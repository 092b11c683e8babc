"""Topics: what viewers watch, as numbered messages, of which the latest are kept for those who were away."""

import time
from collections import deque
from typing import Any, NamedTuple, Protocol

import msgspec

GROWING = ("shapes", "frames", "lines", "texts", "states", "moves")
"""Fields to which a message adds; all other fields replace those before."""
_MOST_KEPT, _MOST_LETTERS = 128, 1 << 19


class Sent(NamedTuple):
    """A message with its number, as JSON."""

    seq: int
    text: str


class Source(Protocol):
    """The origin of a topic's messages."""

    period: float
    """Seconds between two looks."""

    def look(self, now: float) -> list[dict[str, Any]]:
        """The messages since the last look; the first one is full. It runs in a thread, one look at a time."""


class Topic:
    """The messages of one source, and their sum, which is the message for new viewers."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.source: Source | None = None
        self.opening = False
        """True while its source is being made."""
        self.due = 0.0
        """The time of the next look."""
        self.left_at: float | None = 0.0
        """The time since which nobody watches; None while somebody does."""
        self.seq = time.time_ns() // 10**6  # beyond the numbers before a new start of the site
        self._state: dict[str, Any] = {}
        self._kept: deque[Sent] = deque()
        self._letters = 0
        self._whole: Sent | None = None

    @property
    def empty(self) -> bool:
        """True if there was no message yet."""
        return not self._state

    def publish(self, message: dict[str, Any]) -> None:
        """Number a message, and add it to the sum; a `full` one replaces the sum."""
        self.seq += 1
        self._whole = None
        if message.get("full"):
            self._state = {}
        for field, value in message.items():
            if field in GROWING:
                self._state.setdefault(field, []).extend(value)
            else:
                self._state[field] = value
        sent = Sent(self.seq, self._encoded(message))
        self._kept.append(sent)
        self._letters += len(sent.text)
        while len(self._kept) > _MOST_KEPT or (self._letters > _MOST_LETTERS and len(self._kept) > 1):
            self._letters -= len(self._kept.popleft().text)

    def since(self, after: int | None) -> list[Sent]:
        """The messages after this number, or the sum of all if some are no longer kept."""
        if self.empty or after == self.seq:
            return []
        if after is None or not self._kept or not self._kept[0].seq - 1 <= after < self.seq:
            return [self._sum()]
        return [sent for sent in self._kept if sent.seq > after]

    def _sum(self) -> Sent:
        if self._whole is None:
            self._whole = Sent(self.seq, self._encoded({"full": True, **self._state}))
        return self._whole

    def _encoded(self, message: dict[str, Any]) -> str:
        return msgspec.json.encode({"topic": self.name, "seq": self.seq, **message}).decode()
