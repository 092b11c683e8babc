"""The files that a browser needs for an episode: a module for boards, those of the page, its style, its template."""

import re
from importlib.resources import files

from ludus.views.boards.colours import theme_rules

STYLE = "episode.css"
TEMPLATE = "episode_body.html"
MODULES = (
    "asking.js",
    "board.js",
    "film.js",
    "panels.js",
    "chart.js",
    "moves.js",
    "tiles.js",
    "play_on.js",
    "episode.js",
)
"""The modules, each after those that it imports from."""

_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def style() -> str:
    """The style of the page of an episode, and of boards."""
    return theme_rules(":is(.board, .trend)") + text_of(STYLE)


def text_of(name: str) -> str:
    """The text of a file beside this module."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def bundled() -> str:
    """All modules as one script; no two of them use a name at their top level."""
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", text_of(name))) for name in MODULES)
