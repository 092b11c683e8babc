"""`ludus video`: an episode as a video."""

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ludus.catalog import game_from
from ludus.cli.episodes import EpisodeArgument, NumberOption, find_record
from ludus.cli.options import StoreOption
from ludus.cli.screen import errors, output
from ludus.cli.show import verdict
from ludus.pictures.episode import Episode
from ludus.pictures.video import FASTEST, check_file, usual_speed, write_video

EXAMPLE = "Example: ludus video 3/12.4 -o game.mp4"


def video(
    episode: EpisodeArgument,
    file: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="MP4, WebM or GIF by the ending.", show_default=False)
    ],
    number: NumberOption = 1,
    fps: Annotated[
        float | None,
        typer.Option(
            min=0.1, max=FASTEST, help="Moves a second; without it, so many that the game takes some 20 seconds."
        ),
    ] = None,
    store: StoreOption = None,
) -> None:
    """Write an episode as a video of any game: a title, every position with its moves, and the result."""
    check_file(file)
    record = find_record(episode, number, store)
    shown = Episode(record, game_from(record.game), verdict(record).plain)
    count = len(shown.moments)
    columns = (
        BarColumn(20),
        MofNCompleteColumn(),
        TextColumn("positions,"),
        TimeRemainingColumn(compact=True),
        TextColumn("left"),
    )
    with Progress(*columns, console=errors(), transient=True, disable=not errors().is_terminal) as bar:
        task = bar.add_task("", total=count)
        for done in write_video(shown, file, fps or usual_speed(count)):
            bar.update(task, completed=done)
    output().print(str(file), markup=False, soft_wrap=True)
