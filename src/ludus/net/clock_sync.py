"""The clock of a server, followed from here: what it shows, and how long the way there and back takes."""

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
"""How often it is asked for one reading: the quickest answer tells most."""
_AGAIN = 60.0  # seconds until the next reading
_SOON = 5.0  # where there is none yet
_PATIENCE = 5.0  # seconds for an answer
_LONGEST = 10_000  # bytes of an answer
_UNREADABLE = (OSError, HTTPException, LudusError, ValueError)  # the last where HTTP cannot carry the address
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Reading(NamedTuple):
    """What the server's clock showed, as nanoseconds since 1970, at a moment of our own; and the trip there and back.

    Our own moments are nanoseconds of the monotonic clock.
    """

    shown: int
    moment: int
    trip: int


class ServerClock:
    """Read over HTTP, and again every minute, while the context is open.

    As long as it cannot be read, or without a URL, it is the clock of this machine; `warning` says so if it cannot be
    read at first.
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
            said = str(getattr(error, "strerror", None) or error).rstrip(".")
            self.warning = f"The server's clock at {self._url} cannot be read, so this machine's counts: {said}."
        threading.Thread(target=self._follow, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._closed.set()

    def _follow(self) -> None:
        while not self._closed.wait(_SOON if self._reading is None else _AGAIN):
            try:
                self._reading = _read(self._url, self._read_time)
            except _UNREADABLE:
                continue  # the last one is still good

    @property
    def trip(self) -> int:
        """Nanoseconds that a message and its answer take; 0 where that is not known."""
        reading = self._reading
        return reading.trip if reading is not None else 0

    @property
    def offset(self) -> int:
        """Nanoseconds by which the server's clock is ahead of this machine's."""
        return self._now() - time.time_ns()

    def left(self, deadline: datetime) -> int:
        """Nanoseconds until then."""
        return (deadline - _EPOCH) // timedelta(microseconds=1) * 1000 - self._now()

    def _now(self) -> int:
        reading = self._reading  # once, as another one may come at any time
        if reading is None:
            return time.time_ns()
        return reading.shown + time.monotonic_ns() - reading.moment


def _read(url: str, read_time: Callable[[bytes], datetime]) -> Reading:
    """The quickest of several readings, as far as they come; connecting is on no clock, as a game is connected."""
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
    if connection.sock is None:  # at first, and where the server closes it each time
        connection.connect()
    before = time.monotonic_ns()
    connection.request("GET", path)
    answer = connection.getresponse()
    data = answer.read(_LONGEST)
    trip = time.monotonic_ns() - before
    if answer.status != HTTPStatus.OK:
        raise LudusError(f"It answers with {answer.status} {answer.reason}".rstrip() + ".")
    shown = (read_time(data) - _EPOCH) // timedelta(microseconds=1) * 1000
    return Reading(shown, before + trip // 2, trip)
