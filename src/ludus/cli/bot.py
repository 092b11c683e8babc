"""`ludus bot`: an agent as a bot for other managers."""

from typing import Annotated

import typer

from ludus.agents.agent import Agent
from ludus.bots.bot import Bot
from ludus.bots.serve.loop import serve
from ludus.bots.serve.services import Protocol, service_for
from ludus.core.errors import InvalidError
from ludus.tournaments.field import pick_from

EXAMPLE = "Example: ludus bot gomocup alphabeta:time=1s"


def bot(
    protocol: Annotated[
        Protocol,
        typer.Argument(
            metavar="PROTOCOL",
            help="What the manager speaks: stdio for every game, gomocup for Gomoku, uci for chess.",
        ),
    ],
    agent: Annotated[
        str, typer.Argument(metavar="AGENT", help="Who plays, as in 'mcts:time=1s' or '@NAME'; see 'ludus agents'.")
    ],
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME", help="With stdio: the game, where the manager does not tell it.", show_default=False
        ),
    ] = None,
) -> None:
    """Let an agent be a bot for other managers, over standard input and output."""
    serve(service_for(protocol, _who_plays(agent), game))


def _who_plays(text: str) -> Agent:
    agent = pick_from(text).agent
    if agent.person:
        raise InvalidError("A person cannot be a bot: standard input belongs to the manager. Name another agent.")
    if isinstance(agent, Bot):
        raise InvalidError(f"{agent.spec()} is a bot already: let the manager start its command, {agent.command}.")
    return agent
