"""The clock of a server as seen from here: its offset, and the duration of a round trip."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import urlsplit, urlunsplit

from ludus.core.errors import LudusError

_TIMES = 5
"""Requests for one reading, of which the fastest answer is the most accurate."""
_AGAIN = 60.0  # seconds until the next reading
_SOON = 5.0  # before the first reading
_PATIENCE = 5.0  # seconds for an answer
_LONGEST = 10_000  # bytes of an answer
_UNREADABLE = (OSError, HTTPException, LudusError, ValueError)  # ValueError for addresses that HTTP cannot carry
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Reading(NamedTuple):
    """A reading of the server's clock, in nanoseconds since 1970, at a local moment, with the round trip.

    Local moments are nanoseconds of the monotonic clock.
    """

    shown: int
    moment: int
    trip: int


class ServerClock:
    """A clock read over HTTP, and again every minute, while the context is open.

    If it cannot be read, or without a URL, it is the clock of this machine; `warning` reports a failure of the first
    reading.
    """

    def __init__(self, url: str, read_time: Callable[[bytes], datetime]) -> None:
        self.warning = ""
        self._url = url
        self._read_time = read_time
        self._reading: Reading | None = None
        self._closed = threading.Event()

    def __enter__(self) -> Self:
        if not self._url:
            return self
        try:
            self._reading = _read(self._url, self._read_time)
        except _UNREADABLE as error:
            reason = str(getattr(error, "strerror", None) or error).rstrip(".")
            self.warning = (
                f"The server's clock at {self._url} cannot be read, so this machine's clock is used: {reason}."
            )
        threading.Thread(target=self._follow, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._closed.set()

    def _follow(self) -> None:
        while not self._closed.wait(_SOON if self._reading is None else _AGAIN):
            try:
                self._reading = _read(self._url, self._read_time)
            except _UNREADABLE:
                continue  # keep the last reading

    @property
    def trip(self) -> int:
        """Nanoseconds of a round trip; 0 if unknown."""
        reading = self._reading
        return reading.trip if reading is not None else 0

    @property
    def offset(self) -> int:
        """Nanoseconds by which the server's clock is ahead of this machine's."""
        return self._now() - time.time_ns()

    def left(self, deadline: datetime) -> int:
        """Nanoseconds until a deadline."""
        return (deadline - _EPOCH) // timedelta(microseconds=1) * 1000 - self._now()

    def _now(self) -> int:
        reading = self._reading  # read once, because it may be replaced at any time
        if reading is None:
            return time.time_ns()
        return reading.shown + time.monotonic_ns() - reading.moment


def _read(url: str, read_time: Callable[[bytes], datetime]) -> Reading:
    """The fastest of several readings, as many as succeed; connecting is not measured, as in games."""
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.netloc.rpartition("@")[2], timeout=_PATIENCE)
    path = urlunsplit(("", "", parts.path or "/", parts.query, ""))
    readings: list[Reading] = []
    try:
        for _ in range(_TIMES):
            readings.append(_ask(connection, path, read_time))
    except _UNREADABLE:
        if not readings:
            raise
    finally:
        connection.close()
    return min(readings, key=lambda reading: reading.trip)


def _ask(connection: HTTPConnection, path: str, read_time: Callable[[bytes], datetime]) -> Reading:
    if connection.sock is None:  # at first, and if the server closes it each time
        connection.connect()
    before = time.monotonic_ns()
    connection.request("GET", path)
    answer = connection.getresponse()
    data = answer.read(_LONGEST)
    trip = time.monotonic_ns() - before
    if answer.status != HTTPStatus.OK:
        raise LudusError(f"The answer was {answer.status} {answer.reason}".rstrip() + ".")
    shown = (read_time(data) - _EPOCH) // timedelta(microseconds=1) * 1000
    return Reading(shown, before + trip // 2, trip)
