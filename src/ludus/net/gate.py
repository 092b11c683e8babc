"""The gate where clients connect and wait: a port, with a thread of its own for all communication."""

import asyncio
import signal
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from time import monotonic, perf_counter_ns
from types import TracebackType
from typing import Self

from ludus.core.text import format_duration
from ludus.episode.request import Answer
from ludus.net.clients import Client, Round
from ludus.net.contest import Contest
from ludus.net.listener import Keys, OpenPort, address
from ludus.net.remote_player import open_gates

_AT_ONCE = 1.0  # seconds for a client to connect again after a game


class Gate:
    """An open port, while the context lasts; clients wait there until they play.

    Without a certificate it is ws://. `tell` receives notes on clients being waited for. The caller, which plays the
    episodes, runs in another thread.
    """

    def __init__(
        self,
        contest: Contest,
        keys: Keys,
        host: str,
        port: int,
        security: ssl.SSLContext | None = None,
        *,
        tell: Callable[[str], None],
    ) -> None:
        self.contest = contest
        self.port = port
        self._host = host
        self._security = security
        self._tell = tell
        self._port = OpenPort(contest, keys, self._receive)
        self._waiting: dict[str, Client] = {}  # by name
        self._arrival = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._closing = asyncio.Event()
        self._served: Future[None] = Future()

    def __enter__(self) -> Self:
        self._thread.start()
        listening: Future[int] = Future()
        self._served = asyncio.run_coroutine_threadsafe(self._serve(listening), self._loop)
        try:
            self.port = listening.result()
        except BaseException:
            self._end()
            raise
        open_gates.append(self)
        self._tell(f"Clients connect to {address(self._host, self.port, self._security, self.contest.path)}.")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        open_gates.remove(self)
        self._end()

    def take(self, name: str, nanoseconds: int) -> Client | None:
        """The client with this name, waited for at most this long; None if it does not come."""
        until = monotonic() + nanoseconds / 1e9
        with _stoppable(), self._arrival:
            if not self._arrival.wait_for(lambda: self._is_there(name), min(_AT_ONCE, nanoseconds / 1e9)):
                self._tell(f"Waiting for {name}, for at most {format_duration(nanoseconds)} …")
                self._arrival.wait_for(lambda: self._is_there(name), until - monotonic())
            return self._waiting.pop(name) if self._is_there(name) else None

    def ask(self, questions: Sequence[tuple[Client, bytes, int]]) -> Future[list[Answer]]:
        """Send each client its message; the answers come when all are there, or the longest of the times is up."""
        return asyncio.run_coroutine_threadsafe(_ask(questions), self._loop)

    def send(self, client: Client, message: bytes) -> None:
        """Send a message that needs no answer."""
        self._loop.call_soon_threadsafe(client.send, message)

    def release(self, client: Client) -> None:
        """Release a client after its game."""
        self._loop.call_soon_threadsafe(client.release)

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._closing.set)
        self._served.exception()
        asyncio.run_coroutine_threadsafe(_break_off(), self._loop).exception()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _serve(self, listening: Future[int]) -> None:
        try:
            async with self._port.open(self._host, self.port, self._security) as port:
                listening.set_result(port)
                await self._closing.wait()
        except BaseException as error:
            if listening.done():
                raise
            listening.set_exception(error)

    def _receive(self, client: Client) -> None:
        with self._arrival:
            self._waiting[client.name] = client
            self._arrival.notify_all()

    def _is_there(self, name: str) -> bool:
        return name in self._waiting and not self._waiting[name].gone


async def _break_off() -> None:
    """End all that is still running: clients that have not asked for anything, or do not read."""
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let Ctrl-C end a wait at once, since nothing is half done meanwhile."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = signal.SIGINT, signal.SIGTERM
    before = [signal.signal(number, signal.default_int_handler) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


async def _ask(questions: Sequence[tuple[Client, bytes, int]]) -> list[Answer]:
    now = perf_counter_ns()
    for client, message, _ in questions:
        client.send(message)
        client.begin(now)
    longest = max((nanoseconds for _, _, nanoseconds in questions), default=0)
    return await Round([client for client, _, _ in questions], longest).answers()
