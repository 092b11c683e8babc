"""The episode that a command is given: a record in a file, or a stored episode."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.completion import complete_episode
from ludus.cli.options import number_option
from ludus.core.errors import InvalidError, NotFoundError
from ludus.core.paths import read_text
from ludus.episode.record import Record
from ludus.store.entries import names_episode

EpisodeArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE|ID",
        help="A stored episode, such as 3/12.4 (tournament 3, match 12, episode 4; with repetitions 3/2.12.4), or a "
        "file of records; - is standard input.",
        autocompletion=complete_episode,
    ),
]
NumberOption = Annotated[int, number_option("--number", "Number of the record in the file, from 1.")]


def find_record(file: str, number: int, store: str | None) -> Record:
    """The record that a file or the store has."""
    is_stored = names_episode(file) and not Path(file).exists()
    return _recall(file, store) if is_stored else _read(file, number)


def _recall(name: str, store: str | None) -> Record:
    from ludus.store import open_store  # the database takes its time to import

    with open_store(store) as opened:
        return opened.record(*opened.find_episode(name))


def _read(file: str, number: int) -> Record:
    try:
        text = sys.stdin.read() if file == "-" else read_text(file)
    except NotFoundError:
        tournament = "TOURNAMENT" if Path(file).suffix or len(Path(file).parts) > 1 else file
        raise NotFoundError(
            f"There is no file {file}, and an episode of the store is named {tournament}/MATCH.EPISODE, with "
            f"repetitions {tournament}/REPETITION.MATCH.EPISODE."
        ) from None
    lines = [(i, line) for i, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise InvalidError(f"{file} is empty: 'ludus play … --json > {file}' fills it.")
    if number > len(lines):
        raise NotFoundError(f"{file} holds {len(lines)} records, so there is no number {number}.")
    i, line = lines[number - 1]
    return Record.from_json(line, f"Line {i} of {file}")
