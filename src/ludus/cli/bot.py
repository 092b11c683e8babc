"""`ludus bot`: an agent, or a match, driven by another tournament manager over standard input and output."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from ludus.agents.agent import Agent
from ludus.bots.bot import Bot
from ludus.bots.serve.driven_match import DrivenMatch
from ludus.bots.serve.loop import serve
from ludus.bots.serve.services import Protocol, service_for
from ludus.cli.completion import complete_agent, complete_game
from ludus.cli.options import StoreOption
from ludus.core.errors import InvalidError, LudusError
from ludus.core.paths import write_file
from ludus.core.text import first_line
from ludus.episode.record import Record
from ludus.games.game import game_from
from ludus.run.stopping import interruptible
from ludus.store import open_store
from ludus.tournaments.bot_folder import named_in
from ludus.tournaments.field import pick_from
from ludus.views.folder_files import moves_table

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
    metrics: Annotated[
        bool,
        typer.Option(
            "--metrics",
            help="With stdio: report metrics to any manager, in METRIC lines. Ludus as manager always gets them.",
        ),
    ] = False,
) -> None:
    """Run an agent as a bot for another manager."""
    serve(service_for(protocol, _playing(agent), game, metrics=metrics))


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
    store: StoreOption = None,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Write only the record to standard error, as one line of JSON."),
    ] = False,
) -> None:
    """Play one episode for another manager, which sends START, INFO and BEGIN and gets FINISH and the points.

    START names bots of the folder, or agents such as 'mcts:simulations=100'. BEGIN names the bot that moves first.

    INFO sets limits and the start position; see docs/managers.md for the keys. Other INFO lines go to the bots.

    The record is stored. Moves and times are written to MATCH_NAME.csv in the folder. Standard error names both
    places, and each disqualified bot with the reason. Ludus answers wrong input with ERROR.
    """
    lost: list[LudusError] = []
    with interruptible(), open_store(store) as opened:

        def ended(name: str, record: Record, wall: int) -> None:
            table = folder / f"{name}.csv"
            lines = list(_disqualified(record))
            with _noted(lost):
                lines.append(f"The episode is stored as {opened.keep_game('driven', record, wall).name}.")
            with _noted(lost):
                write_file(table, moves_table(record))
                lines.append(f"Moves and times are in {table}.")
            print(record.to_json() if as_json else "\n".join(lines), file=sys.stderr, flush=True)

        serve(DrivenMatch(game_from(game), folder, lambda name: named_in(folder, name).spec, ended))
    for error in lost:
        raise error


@contextmanager
def _noted(lost: list[LudusError]) -> Iterator[None]:
    """Note an error for later: the manager gets its points all the same."""
    try:
        yield
    except LudusError as error:
        lost.append(error)


def _disqualified(record: Record) -> Iterator[str]:
    """A line for each disqualified bot, with the reason."""
    for fault in record.faults():
        if fault.out:
            yield f"{record.seats[fault.seat].name} is disqualified ({fault.fault}): {first_line(fault.evidence)}"
