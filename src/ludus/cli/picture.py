"""`ludus picture`: one position of an episode as a picture."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ludus.agents.layers import HEAT, PATH, PROBABILITY
from ludus.catalog import game_from
from ludus.cli.chart import check_file
from ludus.cli.episodes import EpisodeArgument, NumberOption, find_record
from ludus.cli.options import StoreOption
from ludus.cli.screen import errors, output
from ludus.cli.show import verdict
from ludus.errors import LudusError
from ludus.pictures.episode import Episode
from ludus.pictures.frames import Frames
from ludus.pictures.painters import painter_for
from ludus.pictures.seeing import see

EXAMPLE = "Example: ludus picture 3/12.4 --round 37 --layer heat -o heat.png"
_SHARP = 2  # on the screens of today


class LayerName(StrEnum):
    """What can be shown of what an agent saw."""

    HEAT = HEAT
    PATH = PATH
    PROBABILITY = PROBABILITY


def picture(
    episode: EpisodeArgument,
    file: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The picture, a PNG.", show_default=False)
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
    seat: Annotated[
        int | None, typer.Option(min=1, help="Through whose eyes, from 1; without it, those of the first with a layer.")
    ] = None,
    number: NumberOption = 1,
    store: StoreOption = None,
) -> None:
    """Write a position of an episode as a picture, and on its board what an agent saw when it chose its move."""
    check_file(file, [".png"])
    record = find_record(episode, number, store)
    if seat is not None and seat > len(record.seats):
        raise LudusError(f"There is no seat {seat}: the episode has {len(record.seats)}.")
    if seat is not None and layer is None:
        raise LudusError("--seat says whose layer is shown: give --layer too.")
    shown = Episode(record, game_from(record.game), verdict(record).plain)
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
    try:
        Frames(shown, _SHARP).picture(moment, seen).save(file)
    except OSError as error:
        raise LudusError(f"{file} cannot be written: {error.strerror}.") from None
    output().print(str(file), markup=False, soft_wrap=True)
