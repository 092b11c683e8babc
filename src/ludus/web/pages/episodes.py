"""One episode: its page, its film, files of it, and variations from it."""

import tempfile
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, HTMLResponse, Response

from ludus.core.errors import InvalidError, NotFoundError
from ludus.episode.game_file import written
from ludus.views.boards.picture import HEIGHT, WIDTH, Frames
from ludus.views.boards.svg import Svg
from ludus.views.episodes.drawn_layers import recorded_layer
from ludus.views.episodes.episode_data import head_of, moves_of
from ludus.views.episodes.episode_file import episode_page
from ludus.views.episodes.reel import PIECE
from ludus.views.episodes.variation import Variation, position_of
from ludus.web.episodes import Kept, agents_for, agents_with_layers
from ludus.web.questions import LONGEST, ask
from ludus.web.rendering import moment, page
from ludus.web.site import Site

router = APIRouter()

_MOST_STEPS = 2000
_LONGEST_MOVE = 100
_FOREVER = {"cache-control": "private, max-age=3600"}

Move = Annotated[str, Field(max_length=_LONGEST_MOVE)]
Place = Annotated[int, Query(ge=0, lt=2**31)]


class Line(BaseModel):
    """A variation: the position of the episode where it begins, and its steps; an empty move is drawn by chance."""

    place: int = Field(ge=0, lt=2**31)
    steps: list[Annotated[list[Move], Field(max_length=8)]] = Field(max_length=_MOST_STEPS)


class Wish(Line):
    """The wish that an agent chooses a move: at which seat, and how many seconds it may think."""

    seat: int = Field(ge=0, lt=8)
    agent: str = Field(max_length=300)
    time: float = Field(gt=0, le=LONGEST)


class Form(Line):
    """The form of a file with a variation: `record`, or an ending such as .pgn."""

    form: str = Field(max_length=20)


class LayerWish(BaseModel):
    """A layer that an agent is asked for."""

    place: int = Field(ge=0, lt=2**31)
    name: str = Field(max_length=40)


def _found(request: Request, tournament: str, number: str) -> Kept:
    site: Site = request.app.state.site
    return site.episodes.find(f"{tournament}/{number}")


@router.get("/episodes/{tournament}/{number}", include_in_schema=False)
def show_episode(request: Request, tournament: str, number: str) -> Response:
    """Show an episode."""
    kept = _found(request, tournament, number)
    address = f"/episodes/{kept.name}"
    head = head_of(kept.episode)
    links = {
        "trail": _trail(kept),
        "played": moment(kept.episode.record.played),
        "downloads": _downloads(kept, address),
        "neighbours": _neighbours(kept),
        "api": f"/api{address}",
    }
    title = " – ".join(player["name"] for player in head["players"])
    return page(request, "episode.html", title, head=head, links=links)


def _trail(kept: Kept) -> list[tuple[str, str]]:
    return [(kept.title, f"/tournaments/{kept.tournament}"), (str(kept.key), "")]


def _downloads(kept: Kept, address: str) -> list[tuple[str, str]]:
    found = [
        ("Record", f"{address}/record.json"),
        ("Picture", f"{address}/picture.svg"),
        ("Video", f"{address}/video.mp4"),
        ("Offline page", f"{address}/offline.html"),
    ]
    notation = kept.episode.game.notation()
    if notation is not None:
        found.insert(1, (notation.written.removeprefix(".").upper(), f"{address}/game{notation.written}"))
    return found


def _neighbours(kept: Kept) -> list[tuple[str, str]]:
    both = ("← Previous episode", kept.before), ("Next episode →", kept.after)
    return [(text, f"/episodes/{name}") for text, name in both if name is not None]


# --- As JSON ---------------------------------------------------------------------------------------------------------


@router.get("/api/episodes/{tournament}/{number}", tags=["episodes"])
def episode(request: Request, tournament: str, number: str) -> dict[str, Any]:
    """An episode: players, moves with times and metrics, result. Its positions are in its film."""
    kept = _found(request, tournament, number)
    more = {"name": kept.name, "tournament": kept.tournament, "askable": bool(agents_with_layers(kept.episode))}
    return {**more, **head_of(kept.episode), "moves": moves_of(kept.episode)}


@router.get("/api/episodes/{tournament}/{number}/film", tags=["episodes"])
def film(
    request: Request, response: Response, tournament: str, number: str, piece: Annotated[int, Query(ge=0)] = 0
) -> dict[str, Any]:
    """A piece of the film: shapes, frames, and drawings as text of up to 250 positions."""
    kept = _found(request, tournament, number)
    if piece * PIECE >= len(kept.episode.moments):
        raise NotFoundError(f"The film of this episode has no piece {piece}.")
    response.headers.update(_FOREVER)
    return kept.reel.piece(piece)


@router.get("/api/episodes/{tournament}/{number}/layer", tags=["episodes"])
def layer(
    request: Request, tournament: str, number: str, place: Place, name: Annotated[str, Query(max_length=40)]
) -> dict[str, Any]:
    """A position drawn with what a player saw there, if the record has it."""
    return recorded_layer(_found(request, tournament, number).episode, place, name)


@router.get("/api/episodes/{tournament}/{number}/position", tags=["episodes"])
def position(request: Request, tournament: str, number: str, place: Place) -> dict[str, str]:
    """A position as text, which other commands take as a start position."""
    variation = Variation(_found(request, tournament, number).episode, place, [])
    return {"position": position_of(variation.game, variation.state)}


# --- Files -----------------------------------------------------------------------------------------------------------


@router.get("/episodes/{tournament}/{number}/record.json", include_in_schema=False)
def record(request: Request, tournament: str, number: str) -> Response:
    """The record as a file."""
    kept = _found(request, tournament, number)
    return _file(kept, kept.episode.record.to_json() + "\n", "json", "application/json")


@router.get("/episodes/{tournament}/{number}/picture.svg", include_in_schema=False)
def picture(
    request: Request, tournament: str, number: str, move: Annotated[int | None, Query(ge=0, lt=2**31)] = None
) -> Response:
    """The position after a move, by default the last, as a picture."""
    kept = _found(request, tournament, number)
    episode = kept.episode
    place = len(episode.moments) - 1 if move is None else episode.after(move, "move")
    svg = Svg(WIDTH, HEIGHT)
    Frames(episode).draw(svg, episode.moments[place])
    return Response(svg.source(), media_type="image/svg+xml")


@router.get("/episodes/{tournament}/{number}/offline.html", include_in_schema=False)
def offline(request: Request, tournament: str, number: str) -> Response:
    """The page of the episode as one file that works without a network."""
    kept = _found(request, tournament, number)
    return _file(kept, episode_page(kept.episode, kept.reel, kept.name), "html", "text/html; charset=utf-8")


@router.get("/episodes/{tournament}/{number}/video.mp4", include_in_schema=False)
def video(request: Request, tournament: str, number: str) -> Response:
    """The episode as a video."""
    from ludus.views.video import usual_speed, write_video  # an encoder, slow to import

    kept = _found(request, tournament, number)
    with tempfile.NamedTemporaryFile(suffix=".mp4", delete=False) as made:
        file = Path(made.name)
    try:
        for _ in write_video(kept.episode, file, usual_speed(len(kept.episode.moments))):
            pass
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    return FileResponse(
        file,
        media_type="video/mp4",
        filename=_named(kept, "mp4"),
        background=BackgroundTask(file.unlink, missing_ok=True),
    )


@router.get("/episodes/{tournament}/{number}/game.{ending}", include_in_schema=False)
def game_file(request: Request, tournament: str, number: str, ending: str) -> Response:
    """The episode in a form that other programs read."""
    kept = _found(request, tournament, number)
    notation = kept.episode.game.notation()
    if notation is None or notation.written != f".{ending}":
        raise NotFoundError(f"{kept.episode.game.name} has no form .{ending}.")
    return _file(kept, written(kept.episode.record, notation, kept.episode.game), ending, "text/plain; charset=utf-8")


def _named(kept: Kept, ending: str) -> str:
    return f"episode-{kept.name.replace('/', '-')}.{ending}"


def _file(kept: Kept, text: str, ending: str, media_type: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{_named(kept, ending)}"'}
    kind = HTMLResponse if ending == "html" else Response
    return kind(text, headers=headers, media_type=media_type)


# --- Variations ------------------------------------------------------------------------------------------------------


@router.get("/api/episodes/{tournament}/{number}/agents", tags=["variations"])
def agents(request: Request, tournament: str, number: str) -> dict[str, list[str]]:
    """The agents that can play on from a position of the episode."""
    return {"agents": agents_for(_found(request, tournament, number).episode)}


@router.post("/api/episodes/{tournament}/{number}/play", tags=["variations"])
def play_on(request: Request, tournament: str, number: str, line: Line) -> dict[str, Any]:
    """The position at the end of a variation, with its legal moves. Nothing is stored."""
    return _variation(request, tournament, number, line).to_dict()


@router.post("/api/episodes/{tournament}/{number}/export", tags=["variations"])
def export(request: Request, tournament: str, number: str, line: Form) -> dict[str, str]:
    """The episode up to a variation, and the variation, as a file."""
    name, text = _variation(request, tournament, number, line).file(line.form)
    return {"name": name, "text": text}


@router.post("/api/episodes/{tournament}/{number}/move", tags=["variations"])
def move(request: Request, tournament: str, number: str, wish: Wish) -> dict[str, Any]:
    """The move that an agent chooses at the end of a variation."""
    kept = _found(request, tournament, number)
    if wish.agent not in agents_for(kept.episode):
        raise InvalidError(f"'{wish.agent}' cannot play on here: choose one of the agents that are offered.")
    question = {
        "record": kept.episode.record,
        "place": wish.place,
        "steps": wish.steps,
        "seat": wish.seat,
        "agent": wish.agent,
        "time": round(wish.time * 1e9),
    }
    return ask(_visitor(request), question)


@router.post("/api/episodes/{tournament}/{number}/ask-again", tags=["variations"])
def ask_again(request: Request, tournament: str, number: str, wish: LayerWish) -> dict[str, Any]:
    """A position drawn with what an agent of the episode sees there now."""
    kept = _found(request, tournament, number)
    if not agents_with_layers(kept.episode):
        raise InvalidError("No agent of this episode can be asked again.")
    if wish.place >= len(kept.episode.moments):
        raise NotFoundError(f"There is no position {wish.place}.")
    return ask(_visitor(request), {"record": kept.episode.record, "place": wish.place, "layer": wish.name})


def _variation(request: Request, tournament: str, number: str, line: Line) -> Variation:
    return Variation(_found(request, tournament, number).episode, line.place, line.steps)


def _visitor(request: Request) -> str:
    return request.client.host if request.client else ""
