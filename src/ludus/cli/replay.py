"""`ludus replay`: a record on the screen again."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ludus.catalog import game_from
from ludus.cli.options import StoreOption
from ludus.cli.show import Show, print_log
from ludus.errors import LudusError
from ludus.record import Record
from ludus.replay import replay as scenes_of
from ludus.store.names import names_episode

EXAMPLE = (
    "Example: ludus play hex random random --json > game.jsonl && ludus replay game.jsonl, or: ludus replay 3/12.4"
)


def replay(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|ID",
            help="Records, one line of JSON each (- is standard input), or a stored episode: TOURNAMENT/MATCH.EPISODE, "
            "with repetitions TOURNAMENT/REPETITION.MATCH.EPISODE.",
        ),
    ],
    number: Annotated[int, typer.Option("--number", min=1, help="Which record of the file.")] = 1,
    log: Annotated[
        bool, typer.Option("--log", help="Show too what bots wrote to standard error, and remarks on them.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the record instead of drawing it.")] = False,
    store: StoreOption = None,
) -> None:
    """Show an episode again from its record, and check that the record is true to the rules."""
    is_stored = names_episode(file) and not Path(file).exists()
    record = _recall(file, store) if is_stored else _read(file, number)
    game = game_from(record.game)
    if as_json:
        for _ in scenes_of(record, game):
            pass
        print(record.to_json())
        return
    show = Show(game, [seat.name for seat in record.seats], record.opening, in_full=True)
    scenes = scenes_of(record, game)
    next(scenes)
    show.start()
    for scene in scenes:
        show.step(scene.state, scene.step)
    show.end(record)
    if log:
        print_log(record)


def _recall(name: str, store: str | None) -> Record:
    from ludus.store import open_store  # the database takes its time to import

    with open_store(store) as opened:
        return opened.record(*opened.find_episode(name))


def _read(file: str, number: int) -> Record:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text()
    except FileNotFoundError:
        tournament = "TOURNAMENT" if Path(file).suffix or len(Path(file).parts) > 1 else file
        raise LudusError(
            f"There is no file {file}, and an episode of the store is named {tournament}/MATCH.EPISODE, with "
            f"repetitions {tournament}/REPETITION.MATCH.EPISODE."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise LudusError(f"{file} cannot be read: {reason}.") from None
    lines = [(i, line) for i, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise LudusError(f"{file} is empty: 'ludus play … --json > {file}' fills it.")
    if number > len(lines):
        raise LudusError(f"{file} holds {len(lines)} records, so there is no number {number}.")
    i, line = lines[number - 1]
    return Record.from_json(line, f"Line {i} of {file}")
