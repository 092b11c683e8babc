"""Options for remote players, and the port that they open."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Annotated, Any

from ludus.agents.agent import Agent
from ludus.cli.options import value_option
from ludus.cli.screen import errors
from ludus.core.errors import InvalidError
from ludus.core.kinds import FILE, TEXT, whole
from ludus.core.registry import find
from ludus.games.game import Game

_PORT = whole(0, 65535)
LOCAL = "127.0.0.1"


def gate_options(port: str, shown: str | bool = False, panel: str | None = None) -> dict[str, Any]:
    """Options of a port for clients, by the parameters of `gate_for`; `port` is the help of the port itself."""
    keys = "File of client keys, one KEY NAME per line. Without it, any key is accepted and used as the name."
    return {
        name: Annotated[Any, value_option(kind, f"--{name.replace('_', '-')}", help, shown=default, panel=panel)]
        for name, kind, help, default in (
            ("port", _PORT, port, shown),
            ("host", TEXT, "Address to listen on; 0.0.0.0 lets other machines connect.", LOCAL),
            ("keys", FILE, keys, False),
            ("certificate", FILE, "Certificate (PEM) for wss://.", False),
            ("private_key", FILE, "Private key, if it is not in the certificate file.", False),
        )
    }


GATE_OPTIONS = gate_options("Port for clients that play as 'remote:NAME'; 0 picks a free port.", panel="Remote players")


def remote_among(agents: Sequence[Agent]) -> list[str]:
    """The names of the clients that will play."""
    return [agent.awaited for agent in agents if agent.awaited]


def gate_for(
    game: Game,
    names: Sequence[str],
    *,
    port: int | None = None,
    host: str = LOCAL,
    keys: str | None = None,
    certificate: str | None = None,
    private_key: str | None = None,
) -> AbstractContextManager[object]:
    """An open gate for clients of a game with these names, if there are any."""
    if not names:
        if (port, keys, certificate, private_key) != (None, None, None, None):
            raise InvalidError("--port, --keys and certificates are for remote players: name one as 'remote:NAME'.")
        return nullcontext()
    for name in names:
        if names.count(name) > 1:
            raise InvalidError(f"remote:{name} is given twice, but a client has one seat: use another name.")
    if port is None:
        raise InvalidError(
            f"remote:{names[0]} needs a port to connect to: add --port 8080, and perhaps --keys keys.txt."
        )
    from ludus.net.contest import Contest
    from ludus.net.gate import Gate
    from ludus.net.listener import read_keys, tls  # networks are slow to import

    contest = find(Contest, game.name)()
    return Gate(contest, read_keys(keys, names), host, port, tls(certificate, private_key), tell=_print)


def _print(sentence: str) -> None:
    errors().print(sentence, markup=False, soft_wrap=True)
