"""`ludus store`: export, import, delete and rename stored tournaments."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.completion import complete_tournament
from ludus.cli.options import StoreOption
from ludus.cli.progress import progress
from ludus.cli.screen import output, warn
from ludus.core.errors import InvalidError, LudusError
from ludus.core.paths import file_errors
from ludus.core.text import plural
from ludus.episode.importer import import_episode
from ludus.store import Store, open_store
from ludus.store.export import PASSES, export_tables
from ludus.store.portable import export_folder, import_folder

EXAMPLE = "Example: ludus store export 3 --parquet hex-cup"

app = typer.Typer(help="Export, import, delete and rename stored tournaments.", epilog=EXAMPLE)

Which = Annotated[
    str,
    typer.Argument(metavar="ID", help="A tournament by number, name or identity.", autocompletion=complete_tournament),
]


@app.command(epilog=EXAMPLE)
def export(
    which: Which,
    csv: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write tables as CSV.")] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write everything, for 'ludus store import'.")
    ] = None,
    parquet: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write tables as Parquet.")] = None,
    store: StoreOption = None,
) -> None:
    """Write a tournament into a folder: everything, or only tables."""
    given = {kind: folder for kind, folder in (("csv", csv), ("json", json), ("parquet", parquet)) if folder}
    if len(given) != 1:
        raise InvalidError("Give one of --csv FOLDER, --json FOLDER and --parquet FOLDER.")
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


@app.command("import", epilog="Example: ludus store import hex-cup --store other.db")
def import_(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER|FILE…",
            help="A folder that 'ludus store export --json' wrote; or logs of games, such as those of spe_ed clients.",
        ),
    ],
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Name of the tournament.")] = None,
    store: StoreOption = None,
) -> None:
    """Add an exported tournament, or logs of games, to the store. Episodes that are already stored are skipped."""
    folders = [path for path in paths if path.is_dir() or not (path.is_file() or path.suffix == ".json")]
    if folders and len(paths) > 1:
        raise InvalidError(f"Import {folders[0]} by itself: one tournament at a time, and not together with logs.")
    with open_store(store) as opened:
        if folders:
            _import_tournament(opened, folders[0], name)
        else:
            _import_logs(opened, paths, "logs" if name is None else name)


def _import_tournament(store: Store, folder: Path, name: str | None) -> None:
    records = folder / "records.jsonl"
    size = records.stat().st_size if records.is_file() else 0
    with progress(size, "bytes") as watch:
        done = import_folder(store, folder, name, watch)
    title = f"{done.tournament.name} (tournament {done.id})"
    if done.before:
        before = plural(done.before, "episode")
        sentence = f"{title}: {done.episodes:,} new; {before} were already stored."
    else:
        sentence = f"{title}: {plural(done.episodes, 'episode')} imported."
    if name is not None and name != done.tournament.name:
        sentence += f" The stored tournament keeps its name; 'ludus store rename {done.id} \"{name}\"' changes it."
    output().print(sentence, markup=False, soft_wrap=True)
    if done.episodes and done.differing:
        warn(f"Another version of {', '.join(done.differing)} played the new episodes than the stored ones.")


def _import_logs(store: Store, files: Sequence[Path], name: str) -> None:
    """Import each log; one that cannot be read is listed at the end."""
    refused: list[LudusError] = []
    with progress(len(files), "logs") as watch:
        for done, file in enumerate(files, 1):
            try:
                record, wall = import_episode(file)
            except LudusError as error:
                refused.append(error)
                continue
            kept = store.keep_game(name, record, wall)
            known = "" if kept.new else " (already stored)"
            output().print(f"{file}: episode {kept.name}{known}", markup=False, soft_wrap=True)
            for remark in (remark for seat in record.seats for remark in seat.remarks):
                warn(f"{remark}.")
            watch(done)
    if len(refused) == 1 == len(files):
        raise refused[0]
    for refusal in refused:
        warn(str(refusal))
    if refused:
        raise InvalidError(f"{len(refused)} of {len(files)} logs could not be imported; the others are stored.")


@app.command(epilog="Example: ludus store delete 3")
def delete(
    which: Which,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: StoreOption = None,
) -> None:
    """Delete a tournament with all its episodes."""
    with open_store(store) as opened:
        id = opened.find(which)
        summary = next(summary for summary in opened.tournaments() if summary.id == id)
        what = f"{summary.name} (tournament {id}, {plural(summary.episodes, 'episode')})"
        if not yes:
            if not sys.stdin.isatty():
                raise InvalidError(f"Deleting {what} cannot be undone: add --yes to confirm.")
            if not typer.confirm(f"Delete {what}? This cannot be undone.", err=True):
                raise typer.Abort
        opened.delete(id)
    output().print(f"Deleted {what}.", markup=False, soft_wrap=True)


@app.command(epilog='Example: ludus store rename 3 "Hex cup"')
def rename(
    which: Which,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.")],
    store: StoreOption = None,
) -> None:
    """Give a tournament another name."""
    with open_store(store) as opened:
        id = opened.find(which)
        before = opened.tournament(id).name
        opened.rename(id, name)
    output().print(f"Tournament {id}, {before}, is now called {name}.", markup=False, soft_wrap=True)
