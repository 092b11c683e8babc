"""Scenes as SVG, for print, sharp at any size."""

from html import escape

from ludus.views.boards.canvas import Box
from ludus.views.boards.colours import PAPER
from ludus.views.boards.scene import Scene, Shape


class Svg(Scene):
    """A picture of `width` × `height` units on white paper."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self.rectangle(Box(0, 0, width, height), PAPER)

    def source(self, width: float | None = None) -> str:
        """The present state of the picture, with this width in pixels; the default is one pixel per unit."""
        width = width or self.width
        size = (
            f'viewBox="0 0 {self.width} {self.height}" width="{width:g}" height="{width * self.height / self.width:g}"'
        )
        fonts = 'font-family="Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {fonts}>'
        return "\n".join([head, *map(markup, self.shapes), "</svg>", ""])


def markup(shape: Shape) -> str:
    """A shape as an element of SVG."""
    tag, attributes, text = shape
    start = " ".join([tag, *(f'{name}="{escape(value)}"' for name, value in attributes)])
    return f"<{start}>{escape(text)}</{tag}>" if text else f"<{start}/>"
