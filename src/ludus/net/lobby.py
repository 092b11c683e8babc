"""The lobby of a server: clients that wait for the next game."""

import asyncio
from collections.abc import Callable

from ludus.net.clients import Client, nothing
from ludus.net.contest import Contest

SECOND = 10**9


class Lobby:
    """Clients that wait for one game, which begins when all its places are taken or the time of the lobby is up.

    After that time, agents take the empty places; where there are none to do so, the game begins with those who came,
    if they are enough, and as soon as they are.
    """

    def __init__(
        self,
        contest: Contest,
        patience: int,
        begin: Callable[[list[Client], int], None],
        left: Callable[[Client], None],
        *,
        filled: bool,
    ) -> None:
        """Wait for so many nanoseconds from the first client on; `filled` says whether there are agents."""
        self._least = contest.least_places
        self._patience = patience
        self._filled = filled
        self._begin = begin
        self._left = left
        self.places = contest.places()
        self.clients: list[Client] = []
        self.until: float | None = None
        """When its time is up, by the clock of the loop; None as long as it is empty."""
        self._timer: asyncio.TimerHandle | None = None
        self._is_late = False

    @property
    def time_left(self) -> int | None:
        """Nanoseconds until its time is up; None as long as it is empty."""
        if self.until is None:
            return None
        return max(0, round((self.until - asyncio.get_running_loop().time()) * SECOND))

    def join(self, client: Client) -> None:
        """A client takes a place, until it leaves."""
        self.clients.append(client)
        client.changed = self._look
        self._look()

    def close(self) -> list[Client]:
        """No game begins here; those who waited for it."""
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

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.until = None
        self._is_late = False
