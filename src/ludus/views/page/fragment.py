"""Fragments of HTML for notebooks: a title, sentences, tables and pictures, readable on light and dark paper."""

import base64
from dataclasses import dataclass
from typing import Any, Literal

from markupsafe import Markup

from ludus.views.page.html_tables import Table
from ludus.views.page.templates import environment, source

_SHARP = 2  # pixels of a unit of a chart, on the screens of today


@dataclass(frozen=True)
class Folded:
    """A table that is folded away behind its title, unless `open`."""

    title: str
    table: Table
    open: bool = False
    kind: Literal["folded"] = "folded"


@dataclass(frozen=True)
class Picture:
    """A picture, its width in pixels, and the words for readers who do not see it."""

    content: bytes
    told: str
    width: int
    type: Literal["svg+xml", "png"] = "svg+xml"
    kind: Literal["picture"] = "picture"

    @property
    def source(self) -> str:
        """The picture as an address: as an image of its own, it shares no names and no style with the notebook."""
        return f"data:image/{self.type};base64,{base64.b64encode(self.content).decode()}"


def fragment(title: str, *parts: str | Table | Folded | Picture) -> str:
    """The parts below each other, with a style that touches nothing else in the notebook."""
    template = environment().get_template("fragment.html")
    return template.render(title=title, parts=parts, style=Markup(source("fragment.css")))


def chart_picture(chart: Any, told: str) -> Picture | str:
    """A chart as a picture, in pixels: its letters take the room that was measured for them, in any viewer."""
    try:
        import vl_convert
    except ModuleNotFoundError:
        return "To see the chart here, install the package vl-convert-python."
    content = vl_convert.vegalite_to_png(chart.to_dict(), scale=_SHARP)
    width = int.from_bytes(content[16:20], "big")  # where PNG has it
    return Picture(content, told, round(width / _SHARP), "png")
