"""The open port for clients: keys, certificates, and HTTP refusals."""

import asyncio
import errno
import hmac
import logging
import os
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from ludus.core.errors import BusyError, InvalidError, NotFoundError
from ludus.core.paths import read_text
from ludus.net.client_answers import LARGEST
from ludus.net.clients import FAREWELL, Client, hang_up
from ludus.net.contest import Contest
from ludus.net.crowd import Brake, Caps, Crowd, address_of
from ludus.net.remote import fit_for_a_spec

_LONGEST_NAME = 60
_KEEPALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""Seconds until the system probes a silent client, seconds between probes, and their number."""
_CLOSING = FAREWELL + 1  # seconds for connected clients when the port is closed

_RETRY = 10
"""Seconds after which a client may ask again whether a game can begin."""

_log = logging.getLogger("ludus.websockets")
_log.addHandler(logging.NullHandler())
_log.propagate = False  # errors of clients do not interest the operator of a server


class Keys:
    """Admission: the owners of these keys, or without keys everyone, with the key as the name.

    `wanted`, if given, admits only these names.
    """

    def __init__(self, names: Mapping[str, str] | None = None, wanted: Sequence[str] | None = None) -> None:
        self._names = names
        self._wanted = wanted
        for name in wanted or ():
            if names is not None and name not in names.values():
                raise NotFoundError(f"There is no key for '{name}': there are keys for {', '.join(names.values())}.")

    @property
    def count(self) -> int | None:
        """The number of keys; None if every key is admitted."""
        return None if self._names is None else len(self._names)

    def name_of(self, key: str) -> str | None:
        """The name of the owner of this key; None if the key is not admitted."""
        name = ""
        if self._names is None:
            name = fit_for_a_spec(key)[:_LONGEST_NAME]
        else:
            for known, of_known in self._names.items():
                if hmac.compare_digest(known.encode(), key.encode()):
                    name = of_known
        return name if name and (self._wanted is None or name in self._wanted) else None


def read_keys(file: str | Path | None, wanted: Sequence[str] | None = None) -> Keys:
    """Read the keys of a file: one per line, optionally followed by a name. Without a file, any key is valid."""
    if file is None:
        return Keys(None, wanted)
    lines = read_text(file, f"The keys in {file}").splitlines()
    names: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        key, name, *_ = *line.split(None, 1), ""
        name = name.strip() or f"client {number}"
        if name != fit_for_a_spec(name) or len(name) > _LONGEST_NAME:
            raise InvalidError(
                f"Line {number} of {file} has a name that is too long, or contains ',', '=', '/', '.py' or unprintable "
                "characters."
            )
        if key in names or name in names.values():
            raise InvalidError(f"Line {number} of {file} repeats a key or a name of an earlier line.")
        names[key] = name
    if not names:
        raise InvalidError(f"{file} has no keys: write one per line, optionally followed by a space and a name.")
    return Keys(names, wanted)


def tls(certificate: str | Path | None, private_key: str | Path | None) -> ssl.SSLContext | None:
    """The TLS settings for wss://; None without a certificate. The private key may be in the same file."""
    if certificate is None:
        if private_key is not None:
            raise InvalidError("A private key needs its certificate: give --certificate as well.")
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, private_key)
    except OSError as error:  # includes ssl.SSLError
        reason = error.strerror or error
        raise InvalidError(f"The certificate {certificate} and its private key cannot be used: {reason}.") from None
    return context


class _Line(ServerConnection):
    """A connection, with its client once that is admitted.

    The library would close it at a large message. Here such a message puts the client out, and all that follows it is
    dropped.
    """

    client: Client | None = None
    crowd: Crowd
    address = ""
    is_deaf = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.address = address_of(transport.get_extra_info("peername"))
        if not self.crowd.enter(self.address):
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.crowd.leave(self.address)

    def data_received(self, data: bytes) -> None:
        if self.is_deaf:
            return
        super().data_received(data)
        self.is_deaf = len(self.protocol.reader.buffer) + (self.protocol.current_size or 0) > LARGEST
        if not self.is_deaf:
            return
        self.protocol.reader.buffer.clear()
        if self.client is None:
            self.transport.abort()
        else:
            self.client.overflow()


class OpenPort:
    """An open port: clients with a key are passed to `receive`, and read until they are gone.

    `pages` are JSON texts by their path. Connections to the path `stream`, or below it, are passed to `attend`, and
    closed when it returns. While `is_full` is true, no clients are admitted.
    """

    def __init__(
        self,
        contest: Contest,
        keys: Keys,
        receive: Callable[[Client], None],
        *,
        pages: Mapping[str, Callable[[], bytes]] | None = None,
        stream: str | None = None,
        attend: Callable[[ServerConnection, str], Awaitable[None]] | None = None,
        caps: Caps | None = None,
        is_full: Callable[[], bool] = lambda: False,
    ) -> None:
        self.closed = False
        """True if no more clients are admitted."""
        self._contest = contest
        self._keys = keys
        self._receive = receive
        self._pages = dict(pages or {})
        if contest.time_path:
            self._pages[contest.time_path] = lambda: contest.time_message(datetime.now(UTC))
        self._stream = stream
        self._attend = attend
        self._crowd, self._brake = Crowd(caps or Caps()), Brake()
        self._is_full = is_full
        self._present: dict[str, Client] = {}  # by key

    @asynccontextmanager
    async def open(self, host: str, port: int, security: ssl.SSLContext | None) -> AsyncIterator[int]:
        """Listen there; yields the port, which the system chooses if 0 is given."""

        class CountedLine(_Line):
            crowd = self._crowd

        try:
            server = await serve(
                self._handle,
                host,
                port,
                ssl=security,
                process_request=self._judge,
                process_response=self._note,
                compression=None,
                ping_interval=None,
                server_header="ludus",
                logger=_log,
                max_size=None,  # see _Line
                create_connection=CountedLine,
            )
        except (OSError, UnicodeError) as error:
            reason, number = "this is not an address", None
            if isinstance(error, OSError):  # unknown addresses have error numbers of another kind
                number = None if isinstance(error, socket.gaierror) else error.errno
                reason = os.strerror(number) if number else error.strerror or str(error)
            kind = BusyError if number == errno.EADDRINUSE else InvalidError
            raise kind(
                f"Ludus cannot listen at {host}, port {port}: {reason}; choose others with --host and --port."
            ) from None
        try:
            yield next(iter(server.sockets)).getsockname()[1]
        finally:
            for connection in server.connections:
                hang_up(connection)
            server.close(close_connections=False)
            with suppress(TimeoutError):
                await asyncio.wait_for(server.wait_closed(), _CLOSING)

    async def _judge(self, connection: ServerConnection, request: Request) -> Response | None:
        """The response to a request; None if it may become a connection."""
        assert isinstance(connection, _Line)
        try:
            path = _path(request)
        except ValueError:
            return _refusal(HTTPStatus.BAD_REQUEST, "this is not an address")
        if too_many := self._crowd.refusal(connection.address):
            return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, too_many)
        if path in self._pages:
            return _response(HTTPStatus.OK, self._pages[path](), "application/json")
        if path == self._contest.path:
            key = _key(request)
            if not key or self._keys.name_of(key) is None:
                await asyncio.sleep(self._brake.delay(connection.address))
                return _refusal(HTTPStatus.FORBIDDEN, "this key is unknown")
            if key in self._present and self._present[key].present:
                return _refusal(HTTPStatus.TOO_MANY_REQUESTS, "this key is in a lobby or in a game")
        elif self._stream is None or not f"{path}/".startswith(f"{self._stream}/"):
            return _refusal(HTTPStatus.NOT_FOUND, f"connect to {self._contest.path}?key=KEY")
        if "websocket" not in request.headers.get("Upgrade", "").lower():
            return _refusal(HTTPStatus.BAD_REQUEST, "this is for WebSocket clients")
        if self.closed and path == self._contest.path:
            return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, "no more games will begin")
        if path == self._contest.path and self._is_full():
            return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, "no more games can be played at once", retry_after=_RETRY)
        return None

    def _note(self, connection: ServerConnection, request: Request, response: Response) -> None:
        """Mark an admitted client as present before any other request is handled."""
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS and _path(request) == self._contest.path:
            assert isinstance(connection, _Line)
            key = _key(request)
            connection.client = self._present[key] = Client(connection, self._keys.name_of(key) or key, self._contest)

    async def _handle(self, connection: ServerConnection) -> None:
        assert isinstance(connection, _Line)
        assert connection.request is not None
        stay_awake(connection.transport.get_extra_info("socket"))
        client = connection.client
        if client is None:
            assert self._attend is not None
            await self._attend(connection, _path(connection.request))
            return
        key = _key(connection.request)
        try:
            self._receive(client)
            await client.listen()
        finally:
            if self._present.get(key) is client:
                del self._present[key]


def address(host: str, port: int, security: ssl.SSLContext | None, path: str) -> str:
    """The address to which clients connect."""
    return f"{'ws' if security is None else 'wss'}://{f'[{host}]' if ':' in host else host}:{port}{path}?key=KEY"


def stay_awake(connected: socket.socket) -> None:
    """Detect silently lost connections, which may happen while a client waits in a lobby."""
    with suppress(OSError):  # it may already be closed
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in _KEEPALIVE.items():
            if hasattr(socket, option):  # some systems lack some options
                connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def _path(request: Request) -> str:
    """The requested path; ValueError if it is invalid."""
    return urlsplit(request.path).path


def _key(request: Request) -> str:
    return parse_qs(urlsplit(request.path).query).get("key", [""])[0]


def _refusal(status: HTTPStatus, sentence: str, retry_after: int | None = None) -> Response:
    body = f"{status.value} {status.phrase}: {sentence}.\n".encode()
    refusal = _response(status, body, "text/plain; charset=utf-8")
    if retry_after is not None:
        refusal.headers["Retry-After"] = str(retry_after)
    return refusal


def _response(status: HTTPStatus, body: bytes, kind: str) -> Response:
    headers = Headers(
        {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Connection": "close",
            "Access-Control-Allow-Origin": "*",
        }
    )
    return Response(status.value, status.phrase, headers, body)
