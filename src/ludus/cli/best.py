"""`ludus select`: the best agents of stored tournaments, as the file of a new one."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from ludus.cli.options import StoreOption
from ludus.cli.screen import output, table
from ludus.core.errors import FileError, InvalidError
from ludus.core.paths import file_errors, write_file
from ludus.core.text import decimal
from ludus.episode.opening import opening_line
from ludus.stats.results import load
from ludus.stats.selection import Among, best, candidates, field_of
from ludus.store import open_store
from ludus.store.server_games import is_loose
from ludus.tournaments.file import to_toml
from ludus.tournaments.formats import default_format

EXAMPLE = "Example: ludus select 3 4 5 --best 4 --by type -o field.toml"


def select(
    which: Annotated[list[str], typer.Argument(metavar="ID", help="Tournaments by number, name or identity.")],
    count: Annotated[int, typer.Option("--best", min=1, help="How many are taken.")] = 4,
    among: Annotated[
        Among, typer.Option("--by", help="The best of each type (mcts, maxn …), or the best of all.")
    ] = Among.TYPE,
    file: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The new file; without, it goes to standard output."),
    ] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="What the new tournament is called.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    store: StoreOption = None,
) -> None:
    """Take the best agents, by their mean score over the tournaments, into the file of a new tournament.

    The rest of the new file is as in the first of the tournaments.
    """
    with open_store(store) as opened:
        loaded = [load(text, opened) for text in dict.fromkeys(which)]
        found = candidates(loaded)
    chosen = best(found, count, among)
    if not chosen:
        raise InvalidError("There is nothing to select from: no episode has been played.")
    first = loaded[0].tournament
    format = default_format(loaded[0].seats) if is_loose(first) else first.format
    made = msgspec.structs.replace(
        first,
        format=format,
        name=name or (file.stem if file else f"{first.name}, selected"),
        agents=field_of(chosen),
    )
    if file is None:
        if made.openings.listed:
            raise InvalidError("The openings of that tournament need a file of their own: say where with -o FILE.")
        sys.stdout.write("\n".join(to_toml(made)) + "\n")
        return
    beside = file.with_suffix(".openings.txt")
    files = {beside: map(opening_line, made.openings.listed)} if made.openings.listed else {}
    _write(files | {file: to_toml(made, beside.name)}, force)
    shown = table("agent", "type", "score", "tournaments", right=["score", "tournaments"])
    for entrant, candidate in zip(made.agents, chosen, strict=True):
        shown.add_row(Text(entrant.name, "bold"), candidate.kind, decimal(candidate.score), str(candidate.tournaments))
    output().print(shown)
    output().print(f"\n{len(chosen)} of {len(found)} agents are in {file}.", markup=False)


def _write(files: Mapping[Path, Iterable[str]], force: bool) -> None:
    """Write all of them, or none where one of them cannot be written."""
    for file in files:
        if file.exists() and not force:
            raise FileError(f"{file} exists already: take another name, or --force to replace it.", file)
    new: list[Path] = []
    for file in files:
        existed = file.exists()
        try:
            with file_errors(file, "written"):
                file.open("a").close()
        except FileError:
            for made in new:
                made.unlink()
            raise
        new += [] if existed else [file]
    for file, lines in files.items():
        write_file(file, "\n".join(lines) + "\n")
