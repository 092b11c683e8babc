"""Players that are clients: programs that connect by themselves, as to a contest server."""

from collections.abc import Sequence
from typing import ClassVar

from ludus.agents.agent import Agent
from ludus.core.registry import names
from ludus.core.spec import param
from ludus.core.text import cleaned
from ludus.episode.local_player import player_for
from ludus.episode.player import Player
from ludus.episode.record import Seat
from ludus.games.game import Game
from ludus.net.contest import Contest

UNKNOWN = "unknown"
"""The name of players without a known name."""


def fit_for_a_spec(name: str) -> str:
    """A client's name without characters that are special in a spec or unprintable."""
    letters = ("_" if letter in ",=/" or not letter.isprintable() else letter for letter in name)
    return "".join(letters).replace(".py", "_py").strip()


def remote_spec(name: str) -> str:
    """The spec of a client with that name, or of one whose name is unusable."""
    return Remote(client=fit_for_a_spec(name) or UNKNOWN).spec()


def remote_seats(names: Sequence[str] | None, count: int) -> list[Seat]:
    """The seats of this many clients; without names, they are unknown."""
    return [Seat(remote_spec(name), cleaned(name) or UNKNOWN) for name in names or [UNKNOWN] * count]


class Remote(Agent):
    """A client of a contest, on this machine or another, that connects with a key; Ludus waits for it.

    Its name is that of its key in the file of keys, or, without such a file, the key itself. 'ludus run' and 'ludus
    play' wait for it, with --port.
    """

    name: ClassVar[str] = "remote"
    exclusive: ClassVar[bool] = True

    client: str = param(help="the name of its key")

    @property
    def awaited(self) -> str:  # type: ignore[override]
        return self.client

    def unsuited(self, game: Game) -> str | None:
        if game.name not in names(Contest.noun):
            return f"plays only games with servers, which are {', '.join(names(Contest.noun))}"
        return super().unsuited(game)

    def prepare(self, game: Game) -> None:
        """Do nothing: a client needs no compiling."""


@player_for.register
def _player(agent: Remote, name: str = "") -> Player:
    from ludus.net.remote_player import RemotePlayer  # naming a client must not load the network

    return RemotePlayer(agent, name)
