"""Spectators of a server: the list of its games, and the states of each, as messages in JSON."""

from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress

from websockets.asyncio.server import ServerConnection, broadcast
from websockets.exceptions import ConnectionClosed

from ludus.net.clients import hang_up
from ludus.net.contest import Text

SPECTATE = "/spectate"
"""The path of the list; the path of a game adds its number after a slash."""

_BEHIND = 1 << 20
"""Bytes that may wait for a spectator before states are skipped."""


class Spectators:
    """All spectators. `listing` returns the present list of games."""

    def __init__(self, listing: Callable[[], bytes]) -> None:
        self._listing = listing
        self._of_list: set[ServerConnection] = set()
        self._of_game: dict[int, set[ServerConnection]] = defaultdict(set)
        self._latest: dict[int, bytes] = {}

    async def attend(self, connection: ServerConnection, path: str) -> None:
        """Serve a spectator until it leaves."""
        wanted = path.removeprefix(SPECTATE).strip("/")
        if not wanted:
            group, first = self._of_list, self._listing()
        elif wanted.isdecimal() and int(wanted) in self._latest:
            group, first = self._of_game[int(wanted)], self._latest[int(wanted)]
        else:
            await connection.close(4404, f"there is no game {wanted} now"[:100])
            return
        group.add(connection)
        _send(connection, first)
        try:
            with suppress(ConnectionClosed):
                while True:
                    await connection.recv(decode=False)
        finally:
            group.discard(connection)

    def send_list(self) -> None:
        """Send the changed list."""
        if self._of_list:
            message = self._listing()
            for connection in self._of_list:
                _send(connection, message)

    def show(self, game: int, text: Text) -> None:
        """Send a state of a game."""
        message = self._latest[game] = text.for_all()
        for connection in self._of_game.get(game, ()):
            _send(connection, message)

    def release(self, game: int) -> None:
        """Close the connections of a finished game like those of players."""
        self._latest.pop(game, None)
        for connection in self._of_game.pop(game, ()):
            hang_up(connection)


def _send(connection: ServerConnection, message: bytes) -> None:
    if connection.transport.get_write_buffer_size() < _BEHIND:
        broadcast([connection], message, text=True)
