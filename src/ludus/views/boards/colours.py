"""The colours of pictures.

They differ from those of charts: cells are small, and up to eight players stand side by side, distinguishable by
colour-blind people.
"""

INK = "#22262b"
QUIET = "#667080"
HAIRLINE = "#d9dee4"
PAPER = "#ffffff"
FIELD = "#eef1f4"
PLAYERS = ("#1c5fa6", "#ec8f1c", "#12855e", "#d873ab", "#7d3f10", "#6fbfe8", "#8c1fe0", "#e0c080")
BLACK_AND_WHITE = ("#2a2e34", "#fbfbf9")
WOOD = "#e3c48d"
WOOD_LINE = "#9c7f4a"
FELT = "#3f7f63"
FELT_LINE = "#2f624c"
RAMP = (FIELD, "#f6dc9a", "#ee9d4d", "#cf4a3c", "#7c1f5c", "#2b1140")
"""Colours of layers, from 0 to 1; each step is darker than the one before, so that the order shows without hues."""

RIM, HOLE = "#cdd6e0", "#b5c1ce"
"""The frame of a board with holes, and the edges of the holes."""
ON_DARK, ON_LIGHT = "#fdfdfd", "#24282d"
"""Letters and marks on pieces: unlike `PAPER` and `INK`, they stay as they are on a dark page."""

_FADED = 0.6

Colour = tuple[int, int, int]


def rgb(colour: str) -> Colour:
    """Red, green and blue, up to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(colour: str, other: str, share: float) -> str:
    """A colour with that share of another one."""
    pairs = zip(rgb(colour), rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def faded(colour: str) -> str:
    """A colour like that of the board, for what a player left behind that is out."""
    return mixed(colour, FIELD, _FADED)


def on_ramp(value: float) -> str:
    """The colour of a layer's value from 0 to 1: the lower half of the values has most of the ramp, because high values
    are rare.
    """
    place = value**0.5 * (len(RAMP) - 1)
    step = min(int(place), len(RAMP) - 2)
    return mixed(RAMP[step], RAMP[step + 1], place - step)


def readable_on(colour: str) -> str:
    """The colour of letters on a background."""
    red, green, blue = rgb(colour)
    return ON_LIGHT if 0.299 * red + 0.587 * green + 0.114 * blue > 150 else ON_DARK


def on_dark_page(colour: str) -> str:
    """The colour of a player on a dark page: dark ones are lighter there."""
    red, green, blue = rgb(colour)
    return mixed(colour, ON_DARK, 0.25) if 0.299 * red + 0.587 * green + 0.114 * blue < 105 else colour


def theme_rules(scope: str) -> str:
    """Rules of CSS by which the quiet colours of boards inside `scope` follow the theme of the page."""
    by_colour = {
        INK: "ink",
        QUIET: "quiet",
        PAPER: "card",
        FIELD: "field",
        HAIRLINE: "hairline",
        RIM: "rim",
        HOLE: "hole",
    }
    shown = {colour: f"var(--{name})" for colour, name in by_colour.items()}
    shown |= {colour: f"light-dark({colour}, {on_dark_page(colour)})" for colour in PLAYERS}
    shown |= {
        faded(colour): f"color-mix(in srgb, {on_dark_page(colour)} {1 - _FADED:.0%}, var(--field))"
        for colour in PLAYERS
    }
    return "".join(
        f'{scope} [{kind}="{colour}"] {{ {kind}: {value}; }}\n'
        for colour, value in shown.items()
        for kind in ("fill", "stroke")
    )
