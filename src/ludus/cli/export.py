"""`ludus export`, `ludus import`, `ludus delete`: tournaments out of the store, into it, and away."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from ludus.cli.options import StoreOption
from ludus.cli.screen import errors, output
from ludus.errors import LudusError
from ludus.store import open_store
from ludus.store.portable import export_folder, import_folder
from ludus.store.tables import PASSES, export_tables

EXPORT_EXAMPLE = "Example: ludus export 3 --parquet hex-cup"
IMPORT_EXAMPLE = "Example: ludus export 3 --json hex-cup && ludus import hex-cup --store other.db"
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
        raise LudusError("Say how to export, in one way: --csv FOLDER, --json FOLDER or --parquet FOLDER.")
    kind, folder = next(iter(given.items()))
    with open_store(store) as opened:
        id = opened.find(which)
        episodes = sum(summary.episodes for summary in opened.tournaments() if summary.id == id)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if kind == "json":
                with _bar("exporting", episodes) as watch:
                    export_folder(opened, id, folder, watch)
            else:
                with _bar("exporting", PASSES * episodes) as watch:
                    export_tables(opened, id, folder, "csv" if kind == "csv" else "parquet", watch)
        except OSError as error:
            raise LudusError(f"{folder} cannot be written: {error.strerror}.") from None
        name = opened.tournament(id).name
    output().print(f"{name}: {_episodes(episodes)} written to {folder}.", markup=False, soft_wrap=True)


def import_(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="What 'ludus export --json' wrote.")],
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Call it this.")] = None,
    store: StoreOption = None,
) -> None:
    """Bring an exported tournament into the store; where it is stored already, only what is missing."""
    records = folder / "records.jsonl"
    size = records.stat().st_size if records.is_file() else 0
    with open_store(store) as opened, _bar("importing", size) as watch:
        done = import_folder(opened, folder, name, watch)
    title = f"{done.tournament.name} is tournament {done.id}"
    if done.before:
        said = f"{title}, of which {_episodes(done.before)} were stored already, and {done.episodes:,} more are now."
    else:
        said = f"{title}, with {_episodes(done.episodes)}."
    if name is not None and name != done.tournament.name:
        said += f" It was stored already, so it keeps this name and is not called '{name}'."
    output().print(said, markup=False, soft_wrap=True)


def delete(
    which: Which,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: StoreOption = None,
) -> None:
    """Delete a tournament and all its episodes."""
    with open_store(store) as opened:
        id = opened.find(which)
        summary = next(summary for summary in opened.tournaments() if summary.id == id)
        what = f"{summary.name} (tournament {id}, {_episodes(summary.episodes)})"
        if not yes:
            if not sys.stdin.isatty():
                raise LudusError(f"{what} would be gone for good: add --yes if you mean it.")
            if not typer.confirm(f"Delete {what} for good?", err=True):
                raise typer.Abort
        opened.delete(id)
    output().print(f"{what} is deleted.", markup=False, soft_wrap=True)


def _episodes(number: int) -> str:
    return "1 episode" if number == 1 else f"{number:,} episodes"


@contextmanager
def _bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error; what it yields is told how far the work is."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=errors(), transient=True, disable=not errors().is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
