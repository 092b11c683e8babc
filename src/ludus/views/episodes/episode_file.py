"""The page of an episode as one file, which plays without a site and without a network."""

from functools import cache

import jinja2
from markupsafe import Markup

from ludus.views.boards.timeline import Timeline
from ludus.views.episodes.browser_files import bundled, style, text_of
from ludus.views.episodes.drawn_layers import all_layers
from ludus.views.episodes.episode_data import head_of, moves_of
from ludus.views.episodes.reel import PIECE, Reel
from ludus.views.page.page import script_hash
from ludus.views.page.templates import environment, source

_MOST_LAYERS = 20_000  # shapes of all recorded layers in the file, some 2 MB


def episode_page(episode: Timeline, reel: Reel | None = None, name: str = "") -> str:
    """The page of an episode as one file; `name` is that of a stored episode."""
    reel = reel or Reel(episode)
    pieces = [reel.piece(number) for number in range(-(-len(episode.moments) // PIECE))]
    head = head_of(episode)
    script = bundled()
    return (
        _templates()
        .get_template("offline.html")
        .render(
            title=" – ".join(episode.names),
            head=head,
            links={
                "trail": [(f"Episode {name}", "")] if name else [],
                "played": f"{episode.record.played:%d %B %Y}".lstrip("0"),
                "downloads": [],
                "neighbours": [],
                "api": False,
            },
            data={
                "head": {**head, "moves": moves_of(episode)},
                "pieces": pieces,
                "layers": all_layers(episode, _MOST_LAYERS),
            },
            style=Markup(source("page.css") + style()),
            script=Markup(script),
            hash=script_hash(script),
        )
    )


@cache
def _templates() -> jinja2.Environment:
    return environment().overlay(loader=jinja2.FunctionLoader(text_of))
