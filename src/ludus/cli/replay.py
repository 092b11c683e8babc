"""`ludus replay`: an episode again, step by step on a terminal, or as text, a picture, a page or a video."""

import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ludus.agents.layers import GOAL, GOAL_AREA, HEAT, PATH, PROBABILITY
from ludus.cli import keys
from ludus.cli.episodes import EpisodeArgument, NumberOption, find_record
from ludus.cli.options import StoreOption, TrustOption
from ludus.cli.screen import output, print_utf8
from ludus.cli.show import Show, print_log, verdict
from ludus.core.errors import InvalidError, NotFoundError
from ludus.core.paths import write_file
from ludus.episode.game_file import notation_of, written
from ludus.episode.record import Record
from ludus.episode.replay import replay as scenes_of
from ludus.games.game import Game, game_from
from ludus.store.records import source_of
from ludus.views.boards.timeline import Timeline

EXAMPLE = "Example: ludus replay 3/12.4, or, as a picture: ludus replay game.jsonl --move 37 -o board.png"


class LayerName(StrEnum):
    """The layers that a replay can show: views recorded by an agent."""

    HEAT = HEAT
    PATH = PATH
    PROBABILITY = PROBABILITY
    GOAL = GOAL
    GOAL_AREA = GOAL_AREA


def replay(
    episode: EpisodeArgument,
    number: NumberOption = None,
    move: Annotated[
        int | None,
        typer.Option(
            "--move",
            min=0,
            help="Show only the position after this move or round (0 is the start). With --layer, show the position "
            "before it.",
        ),
    ] = None,
    pace: Annotated[
        float | None,
        typer.Option(
            "--pace",
            min=0,
            metavar="SECONDS",
            help="Seconds per position in automatic play; 0 prints everything at once. By default, keys step "
            "through the positions on a terminal, and a video lasts about 20 seconds.",
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write a position as PNG or SVG (the last one without --move), or the episode as MP4, WebM, GIF or an "
            "HTML page that plays it offline; a game of chess also as PGN, one of Hex, Gomoku or Othello as SGF.",
            show_default=False,
        ),
    ] = None,
    layer: Annotated[
        LayerName | None,
        typer.Option(
            help="Draw what an agent saw: how often its simulations reached a cell, the path it planned, its goal, or "
            "how likely others are to reach it. If the record does not have the layer, Ludus asks the agent again."
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=1, help="The player whose layer is drawn, from 1. Default: the first player with this layer."),
    ] = None,
    log: Annotated[
        bool, typer.Option("--log", help="Also show what bots wrote to standard error, and remarks on them.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the record instead of drawing it.")] = False,
    trust: TrustOption = False,
    store: StoreOption = None,
) -> None:
    """Replay an episode and check its record against the rules.

    On a terminal, step through the positions with the arrow keys; 'a' plays automatically, '?' lists all keys.
    """
    record = find_record(episode, number, store, trust=trust)
    game = game_from(record.game)
    _check(record, file, layer, seat)
    if as_json:
        for _ in scenes_of(record, game):
            pass
        print_utf8(record.to_json())
    elif file is not None and _is_game_file(game, file):
        _write_game(record, game, file, pictured=any(option is not None for option in (move, pace, layer)))
    elif file is not None:
        from ludus.cli.replay_file import write_replay  # drawing, which is slow to import

        write_replay(
            timeline(record, game, source_of(episode, store)),
            file,
            move,
            pace,
            layer,
            None if seat is None else seat - 1,
        )
    elif move is not None:
        _print_position(record, game, move)
    elif pace != 0 and not log and _has_keys():
        from ludus.cli.replay_viewer import view

        view(timeline(record, game), pace)
    else:
        _print_all(record, game, pace or 0)
    if log:
        print_log(record)


def _check(record: Record, file: Path | None, layer: LayerName | None, seat: int | None) -> None:
    """Refuse options that ask for nothing."""
    if seat is not None and seat > len(record.seats):
        raise NotFoundError(f"There is no seat {seat}: the episode has {len(record.seats)}.")
    if seat is not None and layer is None:
        raise InvalidError("--seat names the player whose layer is drawn: give --layer too.")
    if layer is not None and file is None:
        raise InvalidError("--layer is for pictures and videos: give -o FILE too. On a terminal, press l for layers.")


def _is_game_file(game: Game, file: Path) -> bool:
    notation = game.notation()
    return notation is not None and file.suffix.lower() == notation.written


def _write_game(record: Record, game: Game, file: Path, *, pictured: bool) -> None:
    if pictured:
        raise InvalidError(f"{file} gets the whole game: leave out --move, --pace and --layer.")
    write_file(file, written(record, notation_of(game, file), game))
    output().print(str(file), markup=False, soft_wrap=True)


def _has_keys() -> bool:
    """True if a person sits at a terminal that shows positions in place."""
    return keys.AVAILABLE and sys.stdin.isatty() and sys.stdout.isatty() and not output().is_dumb_terminal


def timeline(record: Record, game: Game, source: str = "") -> Timeline:
    """The positions of an episode, checked against the rules."""
    return Timeline(record, game, lambda record: verdict(record).plain, source=source)


def _print_all(record: Record, game: Game, pace: float) -> None:
    show = Show(game, [seat.name for seat in record.seats], record.opening, in_full=True)
    scenes = scenes_of(record, game)
    next(scenes)
    show.start()
    for scene in scenes:
        time.sleep(pace)
        show.step(scene.state, scene.step)
    show.end(record)


def _print_position(record: Record, game: Game, move: int) -> None:
    from ludus.views.boards.painters import painter_for

    show = Show(game, [seat.name for seat in record.seats], record.opening, in_full=True)
    episode = timeline(record, game)
    place = episode.after(move, painter_for(game).round_word)
    if place == 0:
        show.start()
        return
    show.head()
    for moment in episode.moments[:place]:
        show.skip(moment.state, moment.step)
    show.step(episode.moments[place].state, episode.moments[place].step)
    if place == len(episode.moments) - 1:
        show.end(record)
