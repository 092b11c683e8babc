"""The best agents of stored tournaments, as the file of a new one."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from rich.text import Text

from ludus.cli.screen import output, table
from ludus.core.errors import FileError, InvalidError
from ludus.core.paths import file_errors, write_file
from ludus.core.text import decimal
from ludus.episode.opening import opening_line
from ludus.stats.results import Results
from ludus.stats.selection import Among, best, field_of, scored_agents
from ludus.store.server_games import is_loose
from ludus.tournaments.file import to_toml
from ludus.tournaments.formats import default_format


def write_best(
    loaded: Sequence[Results], count: int, among: Among, file: Path | None, name: str | None, force: bool
) -> None:
    """Write a tournament file with the best agents by mean score; all else is as in the first tournament.

    Without a file, it goes to standard output.
    """
    found = scored_agents(loaded)
    chosen = best(found, count, among)
    if not chosen:
        raise InvalidError("No agent can be chosen: no episode has been played.")
    first = loaded[0].tournament
    format = default_format(loaded[0].seats) if is_loose(first) else first.format
    made = msgspec.structs.replace(
        first,
        format=format,
        name=name or (file.stem if file else f"{first.name}, best"),
        agents=field_of(chosen),
    )
    if file is None:
        if made.openings.listed:
            raise InvalidError("The openings of that tournament need a file of their own: add -o FILE.")
        sys.stdout.write("\n".join(to_toml(made)) + "\n")
        return
    beside = file.with_suffix(".openings.txt")
    files = {beside: map(opening_line, made.openings.listed)} if made.openings.listed else {}
    _write(files | {file: to_toml(made, beside.name)}, force)
    shown = table("agent", "type", "score", "tournaments", right=["score", "tournaments"])
    for entrant, agent in zip(made.agents, chosen, strict=True):
        shown.add_row(Text(entrant.name, "bold"), agent.kind, decimal(agent.score), str(agent.tournaments))
    output().print(shown)
    output().print(f"\n{file} has {len(chosen)} of {len(found)} agents.", markup=False, soft_wrap=True)


def _write(files: Mapping[Path, Iterable[str]], force: bool) -> None:
    """Write all files, or none if one of them cannot be written."""
    for file in files:
        if file.exists() and not force:
            raise FileError(f"{file} already exists: use another name, or --force to replace it.", file)
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
