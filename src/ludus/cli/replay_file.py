"""Files of `ludus replay`: one position as a picture, or the episode as a page or a video."""

from pathlib import Path

from ludus.cli.chart import check_file
from ludus.cli.progress import progress
from ludus.cli.screen import errors, output
from ludus.core.errors import InvalidError, NotFoundError
from ludus.core.paths import replaced, write_file
from ludus.views.boards.bitmap import Bitmap
from ludus.views.boards.painters import painter_for
from ludus.views.boards.picture import HEIGHT, WIDTH, Frames
from ludus.views.boards.seen_layers import recorded, see
from ludus.views.boards.svg import Svg
from ludus.views.boards.timeline import Timeline
from ludus.views.episodes.episode_file import episode_page

PICTURES = (".png", ".svg")
PAGE = ".html"
_SHARP = 2  # pixels of a unit, as screens of today have them


def write_replay(
    episode: Timeline, file: Path, move: int | None, pace: float | None, layer: str | None, seat: int | None
) -> None:
    """Write a picture, a page or a video, as the ending of the file says; the seat counts from 0."""
    if file.suffix.lower() == PAGE:
        if any(option is not None for option in (move, pace, layer)):
            raise InvalidError(f"{file} gets the whole episode with its layers: leave out --move, --pace and --layer.")
        write_file(file, episode_page(episode))
    elif file.suffix.lower() in PICTURES:
        check_file(file)
        if pace is not None:
            raise InvalidError("--pace is for videos: a picture shows one position.")
        _write_picture(episode, file, move, layer, seat)
    else:
        _write_video(episode, file, move, pace, layer, seat)
    output().print(str(file), markup=False, soft_wrap=True)


def _write_picture(episode: Timeline, file: Path, move: int | None, layer: str | None, seat: int | None) -> None:
    painter = painter_for(episode.game)
    place, seen = len(episode.moments) - 1, None
    if layer is not None:
        place = episode.choosing(move, painter.round_word)
        with errors().status("Asking the agent what it saw …"):
            seen = see(episode, place, layer, seat)
        painter.check(seen, episode.moments[place].state)
        if seen.asked_anew:
            errors().print(
                f"The record has no such layer, so {episode.names[seen.seat]} was asked again.",
                markup=False,
                soft_wrap=True,
            )
    elif move is not None:
        place = episode.after(move, painter.round_word)
    if file.suffix.lower() == ".svg":
        shapes = Svg(WIDTH, HEIGHT)
        Frames(episode).draw(shapes, episode.moments[place], seen)
        write_file(file, shapes.source())
    else:
        pixels = Bitmap(WIDTH, HEIGHT, _SHARP)
        Frames(episode).draw(pixels, episode.moments[place], seen)
        with replaced(file) as part:
            pixels.image().save(part)


def _write_video(
    episode: Timeline, file: Path, move: int | None, pace: float | None, layer: str | None, seat: int | None
) -> None:
    from ludus.views.video import FASTEST, FORMATS, usual_speed, write_video  # an encoder, which pictures do without

    notation = episode.game.notation()
    check_file(file, [*PICTURES, PAGE, *FORMATS, *([] if notation is None else [notation.written])])
    if move is not None:
        raise InvalidError(f"A video shows every move: leave out --move, or write one of {', '.join(PICTURES)}.")
    if pace is not None and pace < 1 / FASTEST:
        raise InvalidError(f"--pace {pace:g} is too fast for a video: take at least {1 / FASTEST:g} seconds.")
    if layer is not None:
        _check_layer(episode, layer, seat)
    count = len(episode.moments)
    speed = usual_speed(count) if pace is None else 1 / pace
    with progress(count, "positions") as advance:
        for done in write_video(episode, file, speed, layer, seat):
            advance(done)


def _check_layer(episode: Timeline, layer: str, seat: int | None) -> None:
    """Refuse a layer that is nowhere in the record."""
    if any(recorded(episode, place, layer, seat) is not None for place in range(len(episode.moments))):
        return
    whose = "" if seat is None else f" of player {seat + 1}"
    raise NotFoundError(
        f"The record has no layer '{layer}'{whose}: play with layers=yes, if the agent has that parameter, or write a "
        "picture with --move, for which the agent is asked again."
    )
