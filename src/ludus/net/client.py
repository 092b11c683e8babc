"""A client of game servers: connects patiently, and plays one game after the other."""

import os
import re
import ssl
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    InvalidProxy,
    InvalidStatus,
    InvalidURI,
)

from ludus.core.errors import InvalidError, LudusError
from ludus.episode.player import Player
from ludus.episode.rebuilt import Ledger
from ludus.episode.record import Record
from ludus.net.call import Call
from ludus.net.clock_sync import ServerClock
from ludus.net.contest import Contest
from ludus.net.joined_game import Joined
from ludus.net.sighting import Message

_TICK = 0.2  # seconds between two checks for other work
_WAITS = (1, 2, 4, 8, 16, 30)
"""Seconds until the next attempts; the last one is repeated."""
_LONGEST_WAIT = 600  # maximum seconds that a server may request
_HTTP = {"ws": "http", "wss": "https"}


class Door(NamedTuple):
    """The addresses of a server and its clock."""

    url: str  # includes the key
    time_url: str  # empty if the server has no clock

    @property
    def host(self) -> str:
        """The server, with its port unless it is the default."""
        return urlsplit(self.url).netloc.rpartition("@")[2]


def door(contest: Contest, url: str, key: str, time_url: str | None = None) -> Door:
    """The addresses of a server; by default its clock is at the usual path."""
    if not _is_address(url, _HTTP):
        raise InvalidError(f"'{url}' is not an address of a server: write one such as wss://example.org{contest.path}.")
    if not key:
        raise InvalidError("A server needs a key: give it with --key, or as KEY in the environment.")
    parts = urlsplit(url)
    if time_url is None:
        place = parts.netloc.rpartition("@")[2]
        time_url = urlunsplit((_HTTP[parts.scheme], place, contest.time_path, "", "")) if contest.time_path else ""
    elif not _is_address(time_url, _HTTP.values()):
        usual = f"https://example.org{contest.time_path or '/time'}"
        raise InvalidError(f"'{time_url}' is not an address of a clock: write one such as {usual}.")
    query = [(name, value) for name, value in parse_qsl(parts.query) if name != "key"]
    path = parts.path if parts.path.strip("/") else contest.path
    return Door(urlunsplit(parts._replace(path=path, query=urlencode([*query, ("key", key)]), fragment="")), time_url)


def _is_address(url: str, schemes: Collection[str]) -> bool:
    try:
        parts = urlsplit(url)
        (parts.hostname or "").encode("idna")
        has_whole_login = (parts.username is None) == (parts.password is None)
        return parts.scheme in schemes and bool(parts.hostname) and parts.port != 0 and has_whole_login
    except ValueError:
        return False


class Ended(NamedTuple):
    """A finished game: its record, its seat, and its name in the store if it could be stored."""

    record: Record
    you: int
    episode: str | None


class Listener:
    """Receives events of a client; each method does nothing by default."""

    def wait(self, seconds: float, why: str) -> None:
        """The client will try again after this many seconds."""

    def warn(self, sentence: str) -> None:
        """A warning for the user."""

    def connected(self, clock: ServerClock) -> None:
        """The connection is open, and a game will begin."""

    def began(self, game: Joined) -> None:
        """A game has begun."""

    def moved(self, game: Joined, move: int) -> None:
        """An answer was sent."""

    def stopping(self) -> None:
        """The user has asked to stop, which happens after this game."""

    def ended(self, ended: Ended) -> None:
        """A game is over."""


class Guest:
    """A player on a server; `seat` makes it for each game.

    `keep` stores the record of a game and its duration in nanoseconds, and returns its name. `check` is called
    frequently, and raises KeyboardInterrupt to stop; a game that has begun is finished first. The games can be watched
    by the `ledger`.
    """

    def __init__(
        self,
        contest: Contest,
        door: Door,
        seat: Callable[[], Player],
        keep: Callable[[Record, int], str],
        listener: Listener,
        check: Callable[[], None],
        ledger: Ledger | None = None,
    ) -> None:
        self._ledger = ledger
        self._contest = contest
        self._door = door
        self._seat = seat
        self._keep = keep
        self._tell = listener
        self._check = check
        self._played = 0
        self._failed = 0
        """Number of consecutive attempts without a game."""
        self._warned = ""
        self._is_known = False
        """True if the server has answered like a server of this contest."""
        self._is_stopping = False
        self._is_playing = False

    def play(self, games: int | None = None) -> None:
        """Play this many games, or until stopped; KeyboardInterrupt if that interrupts a game."""
        try:
            while games is None or self._played < games:
                self._check()
                with ServerClock(self._door.time_url, self._contest.read_time) as clock:
                    trouble = self._visit(clock)
                if trouble and self._played != games:
                    self._wait(trouble)
        except KeyboardInterrupt:
            if self._is_playing:
                raise

    def _visit(self, clock: ServerClock) -> str:
        """Connect and play a game; return a reason to wait before the next one, if any."""
        call = self._connect()
        if call is None:
            return ""
        with call:
            self._is_known = True
            if clock.warning and clock.warning != self._warned:
                self._tell.warn(clock.warning)
            self._warned = clock.warning
            self._tell.connected(clock)
            first = self._receive(call, self._check)
            if first is None or not first.running:
                return "the server closed the connection before a game began"
            has_ended = self._play(call, first, clock)
            self._is_playing = False
            self._played += 1
            if not has_ended:
                return "the connection was lost"
            self._failed = 0
            return ""

    # --- Connecting -------------------------------------------------------------------------------------------------

    def _connect(self) -> Call | None:
        """Connect; None after some waiting if the server is full or temporarily gone."""
        host = self._door.host
        try:
            return Call(self._door.url)
        except InvalidStatus as error:
            status = error.response.status_code
            if status == HTTPStatus.FORBIDDEN:
                raise InvalidError(f"The server at {host} does not accept this key.") from None
            if status == HTTPStatus.TOO_MANY_REQUESTS:
                self._is_known = True
                self._wait("the key is already in a game or a lobby", error.response.headers.get("Retry-After"))
                return None
            if status == HTTPStatus.SERVICE_UNAVAILABLE and (wish := error.response.headers.get("Retry-After")):
                self._is_known = True
                self._wait("the server has no room for another game", wish)
                return None
            refusal = f"answers with {status} {error.response.reason_phrase}".rstrip()
        except (InvalidMessage, ConnectionClosed):
            refusal = "does not answer like a game server"
        except InvalidURI:
            refusal = "redirects to an address that is not a game server"
        except (InvalidProxy, ImportError) as error:
            raise InvalidError(
                f"The proxy from the environment cannot be used: {str(error).rstrip('.')}; NO_PROXY={host} avoids it."
            ) from None
        except InvalidHandshake as error:
            refusal = f"does not answer like a game server: {error}"
        except ssl.SSLCertVerificationError as error:
            raise InvalidError(
                f"The certificate of the server at {host} is not trusted: {error.verify_message.rstrip('.')}; "
                "set SSL_CERT_FILE to a file with the certificate of its issuer."
            ) from None
        except OSError as error:
            refusal = f"cannot be reached: {_reason(error)}"
        if not self._is_known:
            raise InvalidError(f"The server at {host} {refusal.rstrip('.')}; check the address.")
        self._wait(f"the server {refusal}")
        return None

    def _wait(self, why: str, wish: str | None = None) -> None:
        seconds = _WAITS[min(self._failed, len(_WAITS) - 1)]
        if wish is not None and wish.isdecimal():
            seconds = min(max(1, int(wish)), _LONGEST_WAIT)
        self._failed += 1
        self._tell.wait(seconds, why)
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._check()
            time.sleep(min(_TICK, left))

    # --- Playing ----------------------------------------------------------------------------------------------------

    def _play(self, call: Call, first: Message, clock: ServerClock) -> bool:
        """Play a game; True if its end was received."""
        game = Joined(self._contest, self._seat(), first, clock, self._played + 1, self._ledger)

        def idle() -> None:
            self._linger()
            call.tend()

        self._is_playing = True
        self._tell.began(game)
        why = "it was stopped"
        try:
            message: Message | None = first
            while message is not None and message.running:
                if game.is_asked:
                    move = game.answer(idle)
                    if game.is_left:
                        why, self._is_playing = "the player left it", False
                        raise KeyboardInterrupt
                    with suppress(ConnectionClosed):  # read messages sent before the end
                        call.send(self._contest.write_answer(move))
                        self._tell.moved(game, move)
                message = self._receive(call, self._linger)
                if message is not None:
                    game.take(message)
            why = "the server ended it" if message is not None else "the connection was lost"
            return message is not None
        except LudusError as error:
            why = str(error).rstrip(".")
            raise
        finally:
            record, wall = game.end(why)
            episode = None
            try:
                episode = self._keep(record, wall)
            except LudusError as error:
                self._tell.warn(f"the game could not be stored: {error}")
            self._tell.ended(Ended(record, game.sighting.you, episode))

    def _linger(self) -> None:
        """Note that the user wants to stop, and continue the game."""
        if not self._is_stopping:
            try:
                self._check()
            except KeyboardInterrupt:
                self._is_stopping = True
                self._tell.stopping()

    def _receive(self, call: Call, idle: Callable[[], None]) -> Message | None:
        """The next message; None if there will be none."""
        while True:
            idle()
            try:
                return self._contest.read_message(call.receive(_TICK))
            except TimeoutError:
                continue
            except ConnectionClosed:
                return None


def _reason(error: OSError) -> str:
    """The reason of a failure, in the system's words: asyncio's own text lists every address it tried."""
    number = re.search(r"\[Errno (\d+)\]", str(error))
    return os.strerror(int(number[1])) if number else error.strerror or str(error)
