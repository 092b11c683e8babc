"""`ludus picture`: one position of an episode as a picture."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ludus.agents.layers import HEAT, PATH, PROBABILITY
from ludus.cli.chart import check_file
from ludus.cli.episodes import EpisodeArgument, NumberOption, find_record
from ludus.cli.options import StoreOption
from ludus.cli.screen import errors, output
from ludus.cli.show import verdict
from ludus.core.errors import InvalidError, NotFoundError
from ludus.core.paths import file_errors, write_file
from ludus.episode.record import Record
from ludus.games.game import game_from
from ludus.views.boards.bitmap import Bitmap
from ludus.views.boards.painters import painter_for
from ludus.views.boards.picture import HEIGHT, WIDTH, Frames
from ludus.views.boards.seen_layers import see
from ludus.views.boards.svg import Svg
from ludus.views.boards.timeline import Episode

EXAMPLE = "Example: ludus picture 3/12.4 --round 37 --layer heat -o heat.png"
_SHARP = 2  # on the screens of today


SeatOption = Annotated[
    int | None, typer.Option(min=1, help="Through whose eyes, from 1; without it, those of the first with a layer.")
]


class LayerName(StrEnum):
    """What can be shown of what an agent saw."""

    HEAT = HEAT
    PATH = PATH
    PROBABILITY = PROBABILITY


def check_seat(record: Record, seat: int | None, layer: LayerName | None) -> None:
    """Refuse a seat that there is not, or that nothing is asked of."""
    if seat is not None and seat > len(record.seats):
        raise NotFoundError(f"There is no seat {seat}: the episode has {len(record.seats)}.")
    if seat is not None and layer is None:
        raise InvalidError("--seat says whose layer is shown: give --layer too.")


def picture(
    episode: EpisodeArgument,
    file: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="PNG or SVG by the ending.", show_default=False)
    ],
    round: Annotated[
        int | None,
        typer.Option(min=1, help="The position in which that round, or move, was to be played; without it, the last."),
    ] = None,
    layer: Annotated[
        LayerName | None,
        typer.Option(
            help="What an agent saw: how often its simulations came to a cell, the way it means to take, or how likely "
            "others are there. From the record, or else its agent is asked again."
        ),
    ] = None,
    seat: SeatOption = None,
    number: NumberOption = 1,
    store: StoreOption = None,
) -> None:
    """Write a position of an episode as a picture, and on its board what an agent saw when it chose its move."""
    check_file(file, [".png", ".svg"])
    record = find_record(episode, number, store)
    check_seat(record, seat, layer)
    shown = Episode(record, game_from(record.game), lambda record: verdict(record).plain)
    painter = painter_for(shown.game)
    place = len(shown.moments) - 1 - (layer is not None and not shown.answers(len(shown.moments) - 1))
    if round is not None:
        place = shown.find(round, painter.round_word)
    moment, seen = shown.moments[place], None
    if layer is not None:
        with errors().status("Looking through the eyes of the agent …"):
            seen = see(shown, place, layer, None if seat is None else seat - 1)
        painter.check(seen, moment.state)
        if seen.asked_anew:
            errors().print(
                f"The record has no such layer, so {shown.names[seen.seat]} was asked again.",
                markup=False,
                soft_wrap=True,
            )
    if file.suffix.lower() == ".svg":
        shapes = Svg(WIDTH, HEIGHT)
        Frames(shown).draw(shapes, moment, seen)
        write_file(file, shapes.source())
    else:
        pixels = Bitmap(WIDTH, HEIGHT, _SHARP)
        Frames(shown).draw(pixels, moment, seen)
        with file_errors(file, "written"):
            pixels.image().save(file)
    output().print(str(file), markup=False, soft_wrap=True)
