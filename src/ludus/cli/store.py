"""`ludus store`: export, import, delete and rename stored tournaments."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, cast

import typer

from ludus.cli.completion import complete_tournament
from ludus.cli.options import StoreOption, TrustOption
from ludus.cli.progress import progress
from ludus.cli.screen import output, warn
from ludus.core.errors import InvalidError, LudusError
from ludus.core.paths import check_target, filled, write_file
from ludus.core.text import listing, plural
from ludus.episode.finished import walls
from ludus.episode.importer import import_episode
from ludus.episode.record import Record
from ludus.games.game import game_from
from ludus.store import Store, open_store
from ludus.store.portable import import_folder
from ludus.store.server_games import Kept
from ludus.views.table_files import Form
from ludus.views.tournament_files import games_of, passes, write_tournament

EXAMPLE = "Example: ludus store export 3 --parquet hex-cup"

app = typer.Typer(help="Export, import, delete and rename stored tournaments.", epilog=EXAMPLE)

Which = Annotated[
    str,
    typer.Argument(metavar="ID", help="A tournament by number or name.", autocompletion=complete_tournament),
]


@app.command(epilog=EXAMPLE)
def export(
    which: Which,
    csv: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write results and records as CSV.")] = None,
    json: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write everything, for 'ludus store import', and results.json."),
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write results and records as Parquet.")
    ] = None,
    latex: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write results as tables for LaTeX, with booktabs.")
    ] = None,
    games: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the games for other programs: chess as PGN, others as SGF."),
    ] = None,
    store: StoreOption = None,
) -> None:
    """Write a tournament to a folder (results and records, or only results), or its games to a file."""
    ways = {"csv": csv, "json": json, "parquet": parquet, "latex": latex, "games": games}
    given = [(way, path) for way, path in ways.items() if path is not None]
    if len(given) != 1:
        raise InvalidError("Give one of --csv, --json, --parquet or --latex FOLDER, or --games FILE.")
    way, path = given[0]
    with open_store(store) as opened:
        id = opened.find(which)
        episodes = opened.summary(id).episodes
        if way == "games":
            _export_games(opened, id, path, episodes)
        else:
            form = cast(Form, way)
            with (
                filled(path) as folder,
                progress(passes(form) * episodes, "records" if passes(form) > 1 else "episodes") as watch,
            ):
                write_tournament(opened, id, folder, form, watch)
        name = opened.tournament(id).name
    output().print(f"{name}: {plural(episodes, 'episode')} written to {path}.", markup=False, soft_wrap=True)


def _export_games(store: Store, id: int, file: Path, episodes: int) -> None:
    """Write all games of a tournament into one file."""
    from ludus.episode.game_file import notation_of  # games need the compiler

    game = game_from(store.tournament(id).game)
    notation = notation_of(game, file)
    check_target(file)
    texts: list[str] = []
    with progress(episodes) as watch:
        for text in games_of(store, id, game, notation):
            texts.append(text)
            watch(len(texts))
    write_file(file, "".join(texts))


@app.command("import", epilog="Example: ludus store import hex-cup --store other.db")
def import_(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER|FILE…",
            help="A folder that 'ludus store export --json' wrote; or files of games: PGN, SGF or spe_ed logs.",
        ),
    ],
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Name of the tournament.")] = None,
    trust: TrustOption = False,
    store: StoreOption = None,
) -> None:
    """Add an exported tournament, or files of games, to the store. Episodes that are already stored are skipped."""
    folders = [path for path in paths if path.is_dir() or not (path.is_file() or path.suffix)]
    if folders and len(paths) > 1:
        raise InvalidError(f"Import {folders[0]} alone: a tournament cannot be combined with other files.")
    with open_store(store) as opened:
        if folders:
            _import_tournament(opened, folders[0], name, trust)
        else:
            _import_files(opened, paths, name)


def _import_tournament(store: Store, folder: Path, name: str | None, trust: bool) -> None:
    records = folder / "records.jsonl"
    size = records.stat().st_size if records.is_file() else 0
    with progress(size, "bytes") as watch:
        done = import_folder(store, folder, name, watch, trust=trust)
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


def _import_files(store: Store, files: Sequence[Path], name: str | None) -> None:
    """Import the games in each file; files and games that cannot be read are listed at the end."""
    refused: list[LudusError] = []
    games = 0
    with progress(len(files), "files") as watch:
        for done, file in enumerate(files, 1):
            read: list[tuple[Record, int]] = []
            for found in _games_in(file):
                games += 1
                if isinstance(found, LudusError):
                    refused.append(found)
                else:
                    read.append(found)
            if read:
                told = _told(store.keep_games(name or _usual_name(file), read))
                output().print(f"{file}: {told}", markup=False, soft_wrap=True)
            for remark in (remark for record, _ in read for seat in record.seats for remark in seat.remarks):
                warn(f"{remark}.")
            watch(done)
    if len(refused) == 1 == games:
        raise refused[0]
    for refusal in refused:
        warn(str(refusal))
    if refused:
        others = "; the others are stored" if len(refused) < games else ""
        raise InvalidError(f"{len(refused)} of {games} games could not be imported{others}.")


def _games_in(file: Path) -> Iterator[tuple[Record, int] | LudusError]:
    """Each game in a file as a record, with about how many nanoseconds it took; or its error."""
    from ludus.episode.game_file import holds_games, read_records  # games need the compiler
    from ludus.net.remote import remote_seats

    try:
        if not holds_games(file):
            yield import_episode(file)
            return
        for found in read_records(file, remote_seats):
            yield found if isinstance(found, LudusError) else (found, sum(map(sum, walls(found))))
    except LudusError as error:
        yield error


def _usual_name(file: Path) -> str:
    return "logs" if file.suffix == ".json" else file.stem


def _told(kept: Sequence[Kept]) -> str:
    """The names of the episodes of a file in the store."""
    known = sum(not one.new for one in kept)
    if len(kept) == 1:
        return f"episode {kept[0].name}" + (" (already stored)" if known else "")
    ids = listing(str(id) for id in sorted({one.id for one in kept}))
    stored = f", {known:,} of them already stored" if known else ""
    return f"{plural(len(kept), 'episode')} in tournament {ids}{stored}"


@app.command(epilog="Example: ludus store delete 3")
def delete(
    which: Which,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
    store: StoreOption = None,
) -> None:
    """Delete a tournament with all its episodes."""
    with open_store(store) as opened:
        id = opened.find(which)
        summary = opened.summary(id)
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
    """Rename a tournament."""
    with open_store(store) as opened:
        id = opened.find(which)
        before = opened.tournament(id).name
        opened.rename(id, name)
    output().print(f"Tournament {id}, {before}, is now called {name}.", markup=False, soft_wrap=True)
