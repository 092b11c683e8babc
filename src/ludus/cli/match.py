"""`ludus match`: one episode, driven over standard input and output."""

from pathlib import Path
from typing import Annotated

import typer

from ludus.catalog import game_from
from ludus.serving.loop import serve
from ludus.serving.match import Match

EXAMPLE = "Example: printf 'START Bot4 Bot3\\nINFO timeout_turn 2000\\nBEGIN Bot4\\n' | ludus match gomoku --folder cup"


def match(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, as in 'gomoku:size=15'.")],
    folder: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the bots are: a folder each, named like its program.")
    ] = Path(),
) -> None:
    """Play one episode as a tournament of another program says: START, INFO and BEGIN in, FINISH and points out.

    START names bots of the folder, or agents as in 'mcts:simulations=100'. INFO sets timeout_turn, timeout_game,
    timeout_start, timeout_grace and increment in milliseconds, space_limit in MB, initial_board and match_name; all
    else is passed on to the bots. BEGIN names who opens. What is wrong is answered with ERROR.
    """
    serve(Match(game_from(game), folder))
