"""`ludus match`: one episode, driven over standard input and output."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ludus.bots.serve.driven_match import Match
from ludus.bots.serve.loop import serve
from ludus.episode.record import Record
from ludus.games.game import game_from
from ludus.run.stopping import interruptible
from ludus.tournaments.bot_folder import named_in

EXAMPLE = "Example: printf 'START Bot4 Bot3\\nINFO timeout_turn 2000\\nBEGIN Bot4\\n' | ludus match gomoku --folder cup"


def match(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, as in 'gomoku:size=15'.")],
    folder: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the bots are: a folder each, named like its program.")
    ] = Path(),
) -> None:
    """Play one episode as a tournament of another program says: START, INFO and BEGIN in, FINISH and points out.

    START names bots of the folder, or agents as in 'mcts:simulations=100'; BEGIN names who opens.

    INFO sets timeout_start, timeout_turn, timeout_game, timeout_grace, increment and cpu_limit in milliseconds.

    INFO sets space_limit and disk_limit in MB, output_limit in bytes, file_limit and process_limit.

    INFO initial_board names a file with a position, INFO match_name a name for files; all else goes to the bots.

    What is wrong is answered with ERROR; who falls out, and why, is written to standard error.
    """
    with interruptible():
        serve(Match(game_from(game), folder, lambda name: named_in(folder, name).spec, _tell_faults))


def _tell_faults(record: Record) -> None:
    """Write to standard error who fell out, and why: a line each."""
    for fault in record.faults():
        if fault.out:
            reason, _, _ = fault.evidence.partition("\n")
            print(f"{record.seats[fault.seat].name} is out ({fault.fault}): {reason}", file=sys.stderr, flush=True)
