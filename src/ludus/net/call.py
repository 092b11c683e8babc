"""A connection to a server that lives entirely in the thread that uses it."""

import asyncio
from types import TracebackType
from typing import Self

from websockets.asyncio.client import ClientConnection, connect

from ludus.net.listener import stay_awake

_LARGEST = 1 << 23  # bytes of a message
_OPENING, _CLOSING = 20, 1  # seconds


class Call:
    """A client's WebSocket. Nothing happens on it except during a call: `tend` it while doing something else.

    The library's own blocking client reads in a separate thread; before Python 3.13, TLS is not safe if one thread
    reads while another writes.
    """

    def __init__(self, url: str) -> None:
        self._loop = asyncio.new_event_loop()
        try:
            self._connection = self._loop.run_until_complete(_open(url))
        except BaseException:
            self._loop.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._loop.run_until_complete(self._close())
        self._loop.close()

    def send(self, message: str | bytes) -> None:
        """Send a message; ConnectionClosed if the server is gone."""
        self._loop.run_until_complete(self._connection.send(message))

    def receive(self, seconds: float) -> str | bytes:
        """The next message; TimeoutError if there is none by then, ConnectionClosed if there will be none."""
        return self._loop.run_until_complete(asyncio.wait_for(self._connection.recv(), seconds))

    def tend(self) -> None:
        """Do pending work, such as answering a ping."""
        self._loop.run_until_complete(asyncio.sleep(0))

    async def _close(self) -> None:
        broken_off = asyncio.all_tasks() - {asyncio.current_task()}  # interrupted by Ctrl-C
        for task in broken_off:
            task.cancel()
        await asyncio.gather(*broken_off, return_exceptions=True)
        await self._connection.close()


async def _open(url: str) -> ClientConnection:
    connection = await connect(
        url,
        compression=None,
        max_size=_LARGEST,
        ping_interval=None,
        open_timeout=_OPENING,
        close_timeout=_CLOSING,
    )
    stay_awake(connection.transport.get_extra_info("socket"))
    return connection
