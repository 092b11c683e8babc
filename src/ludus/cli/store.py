"""`ludus export`, `ludus import`, `ludus delete`: tournaments out of the store, into it (and logs too), and away."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.options import StoreOption
from ludus.cli.progress import progress
from ludus.cli.screen import errors, output
from ludus.core.errors import InvalidError
from ludus.core.paths import file_errors
from ludus.core.text import plural
from ludus.episode.importer import import_episode
from ludus.store import Store, open_store
from ludus.store.export import PASSES, export_tables
from ludus.store.portable import export_folder, import_folder

EXPORT_EXAMPLE = "Example: ludus export 3 --parquet hex-cup"
IMPORT_EXAMPLE = (
    "Example: ludus export 3 --json hex-cup && ludus import hex-cup --store other.db, or: ludus import log.json"
)
DELETE_EXAMPLE = "Example: ludus delete 3"

Which = Annotated[str, typer.Argument(metavar="ID", help="A tournament by number, name or identity.")]


def export(
    which: Which,
    csv: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write tables as CSV into a folder.")] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write everything, so that 'ludus import' can bring it back.")
    ] = None,
    parquet: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write tables as Parquet.")] = None,
    store: StoreOption = None,
) -> None:
    """Write a tournament into a folder: as tables of agents, matches, episodes, moves, metrics and times, or whole."""
    given = {kind: folder for kind, folder in (("csv", csv), ("json", json), ("parquet", parquet)) if folder}
    if len(given) != 1:
        raise InvalidError("Say how to export, in one way: --csv FOLDER, --json FOLDER or --parquet FOLDER.")
    kind, folder = next(iter(given.items()))
    with open_store(store) as opened:
        id = opened.find(which)
        episodes = sum(summary.episodes for summary in opened.tournaments() if summary.id == id)
        with file_errors(folder, "written"):
            folder.mkdir(parents=True, exist_ok=True)
            if kind == "json":
                with progress(episodes) as watch:
                    export_folder(opened, id, folder, watch)
            else:
                with progress(PASSES * episodes, "records") as watch:
                    export_tables(opened, id, folder, "csv" if kind == "csv" else "parquet", watch)
        name = opened.tournament(id).name
    output().print(f"{name}: {plural(episodes, 'episode')} written to {folder}.", markup=False, soft_wrap=True)


def import_(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER|FILE…",
            help="What 'ludus export --json' wrote; or files that each hold a game, such as a log of a client of "
            "spe_ed: a JSON list of the states that it was sent.",
        ),
    ],
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Call it this.")] = None,
    store: StoreOption = None,
) -> None:
    """Bring an exported tournament, or games that others played, into the store; of what is there, what is missing."""
    folders = [path for path in paths if path.is_dir() or not (path.is_file() or path.suffix == ".json")]
    if folders and len(paths) > 1:
        raise InvalidError(f"One tournament is imported at a time, and not with logs: import {folders[0]} by itself.")
    with open_store(store) as opened:
        if folders:
            _import_tournament(opened, folders[0], name)
        else:
            _import_logs(opened, paths, name or "logs")


def _import_tournament(store: Store, folder: Path, name: str | None) -> None:
    records = folder / "records.jsonl"
    size = records.stat().st_size if records.is_file() else 0
    with progress(size, "bytes") as watch:
        done = import_folder(store, folder, name, watch)
    title = f"{done.tournament.name} is tournament {done.id}"
    if done.before:
        before = plural(done.before, "episode")
        said = f"{title}, of which {before} were stored already, and {done.episodes:,} more are now."
    else:
        said = f"{title}, with {plural(done.episodes, 'episode')}."
    if name is not None and name != done.tournament.name:
        said += f" It was stored already, so it keeps this name and is not called '{name}'."
    output().print(said, markup=False, soft_wrap=True)
    if done.episodes and done.differing:
        what = ", ".join(done.differing)
        said = f"Mind: another version of {what} played these episodes than those that were stored already."
        errors().print(said, markup=False, soft_wrap=True)


def _import_logs(store: Store, files: Sequence[Path], name: str) -> None:
    with progress(len(files), "logs") as watch:
        for done, file in enumerate(files, 1):
            record, wall = import_episode(file)
            kept = store.keep_game(name, record, wall)
            said = f"{file} is episode {kept.name}" + ("." if kept.new else ", which was stored already.")
            output().print(said, markup=False, soft_wrap=True)
            for remark in (remark for seat in record.seats for remark in seat.remarks):
                errors().print(f"Mind: {remark}.", markup=False, soft_wrap=True)
            watch(done)


def delete(
    which: Which,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: StoreOption = None,
) -> None:
    """Delete a tournament and all its episodes."""
    with open_store(store) as opened:
        id = opened.find(which)
        summary = next(summary for summary in opened.tournaments() if summary.id == id)
        what = f"{summary.name} (tournament {id}, {plural(summary.episodes, 'episode')})"
        if not yes:
            if not sys.stdin.isatty():
                raise InvalidError(f"{what} would be gone for good: add --yes if you mean it.")
            if not typer.confirm(f"Delete {what} for good?", err=True):
                raise typer.Abort
        opened.delete(id)
    output().print(f"{what} is deleted.", markup=False, soft_wrap=True)
