"""Players that are clients of spe_ed: programs that connect by themselves, as to a server of the contest."""

from typing import ClassVar

from ludus.agents.agent import Agent
from ludus.contests.speed.game import Speed
from ludus.core.spec import param
from ludus.episode.local_player import player_for
from ludus.episode.player import Player
from ludus.games.game import Game


def fit_for_a_spec(name: str) -> str:
    """A client's name without what a spec has another use for, or what is unprintable."""
    letters = ("_" if letter in ",=/" or not letter.isprintable() else letter for letter in name)
    return "".join(letters).replace(".py", "_py").strip()


def remote_spec(name: str) -> str:
    """The spec of a client of that name, or of one whose name says nothing."""
    return Remote(client=fit_for_a_spec(name) or "unknown").spec()


class Remote(Agent):
    """A client of spe_ed, on this machine or another, that connects with a key: it is waited for.

    Its name is that of its key in the file of keys, or, where no keys are given, the key itself. 'ludus run' and
    'ludus play' wait for it, with --port.
    """

    name: ClassVar[str] = "remote"
    least_players: ClassVar[int] = 2
    most_players: ClassVar[int] = 6
    exclusive: ClassVar[bool] = True

    client: str = param(help="the name of its key")

    @property
    def awaited(self) -> str:  # type: ignore[override]
        return self.client

    def unsuited(self, game: Game) -> str | None:
        if not isinstance(game, Speed):
            return "plays spe_ed alone, since its client speaks the language of spe_ed's server"
        return super().unsuited(game)

    def prepare(self, game: Game) -> None:
        """Nothing is compiled for a client."""


@player_for.register
def _player(agent: Remote, name: str = "") -> Player:
    from ludus.net.remote_player import RemotePlayer  # to name a client takes nothing that talks to one

    return RemotePlayer(agent, name)
