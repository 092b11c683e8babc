"""The episode that a command is given: a record in a file, or a stored episode."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ludus.core.errors import InvalidError, NotFoundError
from ludus.core.paths import read_text
from ludus.episode.record import Record
from ludus.store.entries import names_episode

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
