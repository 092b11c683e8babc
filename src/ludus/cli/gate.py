"""Options for remote players, and the port that they open."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated

import typer

from ludus.agents.agent import Agent
from ludus.cli.screen import errors
from ludus.core.errors import InvalidError
from ludus.core.registry import find
from ludus.games.game import Game

_PANEL = "Remote players"

PortOption = Annotated[
    int | None,
    typer.Option(
        "--port",
        min=0,
        max=65535,
        help="Where clients connect that play as 'remote:NAME'; 0: any port that is free.",
        rich_help_panel=_PANEL,
    ),
]
HostOption = Annotated[
    str,
    typer.Option(
        "--host", help="The address to listen at; 0.0.0.0 lets other machines connect.", rich_help_panel=_PANEL
    ),
]
KeysOption = Annotated[
    Path | None,
    typer.Option(
        "--keys",
        metavar="FILE",
        help="Their keys: one a line, with the name after a blank; without it, the name is the key.",
        show_default=False,
        rich_help_panel=_PANEL,
    ),
]
CertificateOption = Annotated[
    Path | None,
    typer.Option(
        "--certificate",
        metavar="FILE",
        help="A certificate (PEM), for wss://.",
        show_default=False,
        rich_help_panel=_PANEL,
    ),
]
PrivateKeyOption = Annotated[
    Path | None,
    typer.Option(
        "--private-key",
        metavar="FILE",
        help="Its private key, if not in the same file.",
        show_default=False,
        rich_help_panel=_PANEL,
    ),
]
LOCAL = "127.0.0.1"


def remote_among(agents: Sequence[Agent]) -> list[str]:
    """The names of the clients that are to play."""
    return [agent.awaited for agent in agents if agent.awaited]


def gate_for(
    game: Game,
    names: Sequence[str],
    port: int | None,
    host: str,
    keys: Path | None,
    certificate: Path | None,
    private_key: Path | None,
) -> AbstractContextManager[object]:
    """An open gate for clients of a game with these names, if there are any."""
    if not names:
        if (port, keys, certificate, private_key) != (None, None, None, None):
            raise InvalidError(
                "--port, --keys and certificates are for remote players, and none takes part: they are 'remote:NAME'."
            )
        return nullcontext()
    for name in names:
        if names.count(name) > 1:
            raise InvalidError(f"A client plays at one seat: give each a name of its own, and not remote:{name} twice.")
    if port is None:
        raise InvalidError(
            f"remote:{names[0]} waits for a client: say where it connects, as in --port 8080 --keys keys.txt."
        )
    from ludus.net.contest import Contest
    from ludus.net.gate import Gate
    from ludus.net.listener import read_keys, tls  # networks take their time to import

    contest = find(Contest, game.name)()
    return Gate(contest, read_keys(keys, names), host, port, tls(certificate, private_key), tell=_tell)


def _tell(sentence: str) -> None:
    errors().print(sentence, markup=False, soft_wrap=True)
