"""The episode that a command is given: a record in a file, or a stored episode."""

import sys
from typing import Annotated

import typer

from ludus.cli.completion import complete_episode
from ludus.cli.options import number_option
from ludus.episode.record import Record
from ludus.store import records
from ludus.store.records import record_in

EpisodeArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE|ID",
        help="A stored episode, such as 3/12.4 (tournament 3, match 12, episode 4; with repetitions 3/2.12.4), or a "
        "file of records; - is standard input.",
        autocompletion=complete_episode,
    ),
]
NumberOption = Annotated[
    int | None, number_option("--number", "Number of the record, from 1, in a file with several. Default: the first.")
]


def find_record(file: str, number: int | None, store: str | None, *, trust: bool) -> Record:
    """The record that a file, standard input or the store has; with `trust`, Python files that it names are loaded."""
    if file == "-":
        return record_in(sys.stdin.read(), file, number, trust=trust)
    return records.find_record(file, number, store, trust=trust)
