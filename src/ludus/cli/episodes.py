"""The episode that a command is given: a record in a file, or a stored episode."""

import sys
from typing import Annotated

import typer

from ludus.episode.record import Record
from ludus.store import records
from ludus.store.records import record_in

EpisodeArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE|ID",
        help="Records, one line of JSON each (- is standard input), or a stored episode: TOURNAMENT/MATCH.EPISODE, "
        "with repetitions TOURNAMENT/REPETITION.MATCH.EPISODE.",
    ),
]
NumberOption = Annotated[int, typer.Option("--number", min=1, help="Which record of the file.")]


def find_record(file: str, number: int, store: str | None) -> Record:
    """The record that a file, standard input or the store has."""
    return record_in(sys.stdin.read(), file, number) if file == "-" else records.find_record(file, number, store)
