"""`ludus video`: an episode as a video."""

from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.chart import check_file
from ludus.cli.episodes import EpisodeArgument, NumberOption, find_record
from ludus.cli.options import StoreOption
from ludus.cli.picture import LayerName, SeatOption, check_seat
from ludus.cli.progress import progress
from ludus.cli.screen import output
from ludus.cli.show import verdict
from ludus.core.errors import NotFoundError
from ludus.games.game import game_from
from ludus.views.boards.seen_layers import recorded
from ludus.views.boards.timeline import Episode
from ludus.views.video import FASTEST, FORMATS, usual_speed, write_video

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
    layer: Annotated[
        LayerName | None,
        typer.Option(
            help="What an agent saw: how often its simulations came to a cell, the way it means to take, or how likely "
            "others are there. It must have played with layers=yes."
        ),
    ] = None,
    seat: SeatOption = None,
    store: StoreOption = None,
) -> None:
    """Write an episode as a video of any game: a title, every position with its moves, and the result."""
    check_file(file, FORMATS)
    record = find_record(episode, number, store)
    check_seat(record, seat, layer)
    shown = Episode(record, game_from(record.game), lambda record: verdict(record).plain)
    count = len(shown.moments)
    if layer is not None:
        _check_layer(shown, layer, seat)
    with progress(count, "positions") as advance:
        for done in write_video(shown, file, fps or usual_speed(count), layer, None if seat is None else seat - 1):
            advance(done)
    output().print(str(file), markup=False, soft_wrap=True)


def _check_layer(episode: Episode, layer: LayerName, seat: int | None) -> None:
    """Refuse a layer that is nowhere in the record."""
    own = None if seat is None else seat - 1
    if any(recorded(episode, place, layer, own) is not None for place in range(len(episode.moments))):
        return
    whose = "" if seat is None else f" of player {seat}"
    raise NotFoundError(
        f"The record has no layer '{layer}'{whose}: play with layers=yes, or take 'ludus picture', which asks the "
        "agent again; agents of spe_ed have layers, most others have none."
    )
