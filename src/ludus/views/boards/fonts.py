"""Fonts with the letters of a text, and its measurements."""

import unicodedata
from functools import cache

from PIL import ImageFont

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

_NO_LETTER = "\uffff"
_PLAIN = str.maketrans("–—−×", "---x")
_WITH_MORE_LETTERS = (
    "DejaVuSans.ttf",
    "NotoSans-Regular.ttf",
    "LiberationSans-Regular.ttf",
    "Arial Unicode.ttf",
    "arial.ttf",
    "Arial.ttf",
)
_FOR_TERMINALS = ("DejaVuSansMono.ttf", "LiberationMono-Regular.ttf", "Menlo.ttc", "consola.ttf", "cour.ttf")


def written(text: str, pixels: float) -> tuple[Font, str]:
    """A font with all letters of a text; if there is none, the text in letters of Pillow's own font."""
    size = max(1, round(pixels))
    plain = text.translate(_PLAIN)
    for name in ("", *_WITH_MORE_LETTERS):
        font = _font(name, size)
        if font is not None and all(_has(name, letter) for letter in plain):
            return font, plain
    own = _font("", size)
    assert own is not None
    taken_apart = unicodedata.normalize("NFKD", plain)
    bare = "".join(letter for letter in taken_apart if not unicodedata.combining(letter))
    return own, "".join(letter if _has("", letter) else "?" for letter in bare)


def for_terminals(letter: str, pixels: float) -> Font | None:
    """A monospaced font that has this letter, if there is any."""
    return next((_font(name, max(1, round(pixels))) for name in _FOR_TERMINALS if _has(name, letter)), None)


def cut(font: Font, text: str, width: float) -> str:
    """The part of a text that fits into a width."""
    if font.getlength(text) <= width:
        return text
    while text and font.getlength(text + "…") > width:
        text = text[:-1]
    return text.rstrip() + "…"


@cache
def _font(name: str, pixels: int) -> Font | None:
    try:
        return ImageFont.truetype(name, pixels) if name else ImageFont.load_default(pixels)
    except OSError:
        return None


@cache
def _has(name: str, letter: str) -> bool:
    font = _font(name, 32)
    return font is not None and (letter == " " or _drawn(font, letter) != _drawn(font, _NO_LETTER))


def _drawn(font: Font, letter: str) -> tuple[float, bytes]:
    return font.getlength(letter), bytes(font.getmask(letter))
