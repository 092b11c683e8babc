"""The lobby of a server: clients that wait for the next game."""

import asyncio
from collections.abc import Callable

from ludus.net.clients import Client, nothing
from ludus.net.contest import Contest

SECOND = 10**9


class Lobby:
    """Clients that wait for one game, which begins when all its places are taken or the lobby's time is up.

    After that time, agents take the empty places; without agents, the game begins with the present clients as soon as
    they are enough.
    """

    def __init__(
        self,
        contest: Contest,
        patience: int,
        begin: Callable[[list[Client], int], None],
        left: Callable[[Client], None],
        stuck: Callable[[int], None],
        *,
        filled: bool,
    ) -> None:
        """Wait for this long from the first client on; `filled` is true if agents take empty places.

        `stuck` gets the number of missing clients if they are not enough when the time is up.
        """
        self._least = contest.least_places
        self._patience = patience
        self._filled = filled
        self._begin = begin
        self._left = left
        self._stuck = stuck
        self.places = contest.places()
        self.clients: list[Client] = []
        self.until: float | None = None
        """The end of the waiting time on the loop's clock; None while the lobby is empty."""
        self._timer: asyncio.TimerHandle | None = None
        self._is_late = False

    @property
    def time_left(self) -> int | None:
        """Nanoseconds until its time is up; None as long as it is empty."""
        if self.until is None:
            return None
        return max(0, round((self.until - asyncio.get_running_loop().time()) * SECOND))

    def join(self, client: Client) -> None:
        """Give a client a place until it leaves."""
        self.clients.append(client)
        client.changed = self._look
        self._look()

    def close(self) -> list[Client]:
        """Close the lobby without a game, and return the waiting clients."""
        self._stop()
        waiting, self.clients = self.clients, []
        for client in waiting:
            client.changed = nothing
        return waiting

    def _look(self) -> None:
        for client in [client for client in self.clients if client.gone]:
            self.clients.remove(client)
            self._left(client)
        if not self.clients:
            self._stop()
            return
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self.until = loop.time() + self._patience / SECOND
            self._timer = loop.call_at(self.until, self._time_is_up)
        enough = self._least if self._is_late else self.places
        if len(self.clients) >= enough or (self._is_late and self._filled):
            places = self.places if self._filled else len(self.clients)
            self._begin(self.close(), places)

    def _time_is_up(self) -> None:
        self._is_late = True
        self._look()
        if self.clients:
            self._stuck(self._least - len(self.clients))

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.until = None
        self._is_late = False
