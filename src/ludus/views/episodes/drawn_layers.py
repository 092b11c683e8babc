"""Positions with what a player saw there, for the page."""

from typing import Any

from ludus.core.errors import LudusError, NotFoundError
from ludus.views.boards.painter import Layer
from ludus.views.boards.painters import painter_for
from ludus.views.boards.scene import plain
from ludus.views.boards.seen_layers import recorded
from ludus.views.boards.timeline import Timeline
from ludus.views.episodes.measures import layers_in
from ludus.views.episodes.reel import drawn, view


def with_layer(episode: Timeline, place: int, layer: Layer) -> dict[str, Any]:
    """The drawing of a position with a layer; LudusError if the layer does not fit the board."""
    moment = episode.moments[place]
    painter_for(episode.game).check(layer, moment.state)
    scene = drawn(episode.game, moment.state, moment.before, layer)
    return {
        "name": layer.name,
        "seat": layer.seat,
        "anew": layer.asked_anew,
        "view": view(scene.extent),
        "shapes": [plain(shape) for shape in scene.shapes],
    }


def recorded_layer(episode: Timeline, place: int, name: str) -> dict[str, Any]:
    """The drawing of a position with a layer of its record; NotFoundError if it has none."""
    layer = recorded(episode, place, name, None) if 0 <= place < len(episode.moments) else None
    if layer is None:
        raise NotFoundError(f"The record has no layer '{name}' at position {place}.")
    return with_layer(episode, place, layer)


def all_layers(episode: Timeline, most: int) -> dict[str, dict[str, Any]]:
    """All recorded layers by position and name, as `12:heat`, up to this number of shapes."""
    found: dict[str, dict[str, Any]] = {}
    shapes = 0
    for place in range(len(episode.moments)):
        for name in dict.fromkeys(name for move in episode.answers(place) for name in layers_in(move)):
            try:
                found[f"{place}:{name}"] = recorded_layer(episode, place, name)
            except LudusError:
                continue
            shapes += len(found[f"{place}:{name}"]["shapes"])
            if shapes > most:
                return found
    return found
