"""`ludus bot`: an agent, or a match, driven by another tournament manager over standard input and output."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ludus.agents.agent import Agent
from ludus.bots.bot import Bot
from ludus.bots.serve.driven_match import DrivenMatch
from ludus.bots.serve.loop import serve
from ludus.bots.serve.services import Protocol, service_for
from ludus.cli.completion import complete_agent, complete_game
from ludus.core.errors import InvalidError
from ludus.episode.record import Record
from ludus.games.game import game_from
from ludus.run.stopping import interruptible
from ludus.tournaments.bot_folder import named_in
from ludus.tournaments.field import pick_from

AGENT_EXAMPLE = "Example: ludus bot agent gomocup alphabeta:time=1s"
_MATCH_EXAMPLE = (
    "Example: printf 'START Bot4 Bot3\\nINFO timeout_turn 2000\\nBEGIN Bot4\\n' | ludus bot match gomoku --folder cup"
)

app = typer.Typer(help="Let another tournament manager drive an agent or a match.", epilog=AGENT_EXAMPLE)


@app.command("agent", epilog=AGENT_EXAMPLE)
def serve_agent(
    protocol: Annotated[
        Protocol,
        typer.Argument(
            metavar="PROTOCOL",
            help="Protocol of the manager: stdio for every game, gomocup for Gomoku, uci for chess.",
        ),
    ],
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT", help="The agent, such as 'mcts:time=1s' or '@NAME'.", autocompletion=complete_agent
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            help="With stdio: the game, if the manager does not name it.",
            show_default=False,
            autocompletion=complete_game,
        ),
    ] = None,
) -> None:
    """Run an agent as a bot for another manager."""
    serve(service_for(protocol, _playing(agent), game))


def _playing(text: str) -> Agent:
    agent = pick_from(text).agent
    if agent.person:
        raise InvalidError("A person cannot be a bot: standard input belongs to the manager. Name another agent.")
    if isinstance(agent, Bot):
        raise InvalidError(f"{agent.spec()} is a bot already: let the manager start its command, {agent.command}.")
    return agent


@app.command("match", epilog=_MATCH_EXAMPLE)
def serve_match(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="The game, such as 'gomoku:size=15'.", autocompletion=complete_game)
    ],
    folder: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder with one subfolder per bot, named like its program.")
    ] = Path(),
) -> None:
    """Play one episode driven by another manager: START, INFO and BEGIN in, FINISH and points out.

    START names bots of the folder, or agents such as 'mcts:simulations=100'. BEGIN names the bot that moves first.

    INFO sets limits and the start position; see docs/managers.md for the keys. Other INFO lines go to the bots.

    Wrong input is answered with ERROR. Disqualified bots and the reasons are written to standard error.
    """
    with interruptible():
        serve(DrivenMatch(game_from(game), folder, lambda name: named_in(folder, name).spec, _print_faults))


def _print_faults(record: Record) -> None:
    """Write disqualified bots with the reasons to standard error, a line each."""
    for fault in record.faults():
        if fault.out:
            reason, _, _ = fault.evidence.partition("\n")
            print(
                f"{record.seats[fault.seat].name} is disqualified ({fault.fault}): {reason}",
                file=sys.stderr,
                flush=True,
            )
