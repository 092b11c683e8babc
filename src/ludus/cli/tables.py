"""Tables about agents that fit the terminal: columns that find no room go into a second table below."""

import itertools
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.color import blend_rgb, parse_rgb_hex
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ludus.cli.screen import output, table
from ludus.views.column import Column, Frame, shown

_WIDE, _TIGHT = 2, 1  # spaces between columns
_NARROWEST = 8  # columns for names
_SHORT = 16  # columns of a text that is not broken
_COLOURS = ("#a9500a", "#dd8f45", "#f2cda8", "#f5f4f2", "#b7d2ea", "#5e9bd0", "#1b5a96")
_HEAT = [parse_rgb_hex(colour[1:]) for colour in _COLOURS]
"""From 0 over ½ to 1, also for the colour-blind."""


_SELF = Text("·", "dim")
_NOTHING = Text("")

Labels = dict[str, str]
"""Labels of agents on the screen, by their names, the best first."""


class Cells(NamedTuple):
    """A column of the screen: a head, and a cell for each row, all aligned right."""

    head: str
    cells: Sequence[str | Text]

    @property
    def width(self) -> int:
        """Columns of the terminal."""
        texts = [*self.head.split("\n"), *(str(cell) for cell in self.cells)]
        return max(map(cell_len, texts))


def frame_table(
    frame: Frame, columns: Sequence[Column], labels: Mapping[str, str], marks: Sequence[Cells] = ()
) -> RenderableType:
    """The columns that a frame has, as a table; marks stand before the names of agents.

    Where a row begins like the one above it, that is left out.
    """
    found = shown(frame, columns)
    texts = _once([column.cells(frame, labels) for column in found])
    if [column.agents for column in found if column.words] == [True]:
        place = next(place for place, column in enumerate(found) if column.agents)
        made = [Cells(column.head, cells) for column, cells in zip(found, texts, strict=True)]
        rest = [*zip(found, made, strict=True)][place + 1 :]
        groups = [[cells for column, cells in rest if column.aside == aside] for aside in (False, True)]
        return agents_table([*made[:place], *marks], texts[place], *filter(None, groups))
    drawn = table(*(column.head for column in found), right=[column.head for column in found if not column.words])
    for column, cells, target in zip(found, texts, drawn.columns, strict=True):
        target.no_wrap = not column.agents and max(map(cell_len, cells), default=0) <= _SHORT
    for row in zip(*texts, strict=True):
        drawn.add_row(*(Text(cell, "bold" if c.agents else "") for c, cell in zip(found, row, strict=True)))
    return drawn


def _once(columns: Sequence[Sequence[str]]) -> list[list[str]]:
    """The cells, without those at the start of a row that the row above begins with too."""
    rows = [*zip(*columns, strict=True)]
    left = []
    for row, above in zip(rows, [(), *rows], strict=False):
        same = sum(itertools.takewhile(bool, (one == other for one, other in zip(row, above, strict=False))))
        left.append(["" if place < same else cell for place, cell in enumerate(row)])
    return [list(cells) for cells in zip(*left, strict=True)] or [[] for _ in columns]


def agents_table(first: Sequence[Cells], names: Sequence[str], *groups: Sequence[Cells]) -> RenderableType:
    """First columns, names of agents, and groups of columns, side by side as far as they fit."""
    wanted = max(map(cell_len, [*names, "agent"]))
    rows: list[list[Cells]] = [[]]
    for group in groups:
        joined = [*rows[-1], *group]
        if rows[-1] and not _readable(names, _left(first, joined, _TIGHT)):
            rows.append(list(group))
        else:
            rows[-1] = joined
    gap = _TIGHT if any(_left(first, columns, _WIDE) < wanted for columns in rows) else _WIDE
    tables = [_laid_out(first, names, columns, _left(first, columns, gap), gap) for columns in rows]
    return Group(*(part for made in tables for part in ("", made)[made is tables[0] :]))


def _readable(names: Sequence[str], width: int) -> bool:
    wanted = max(map(cell_len, names), default=0)
    return width >= wanted or (width >= _NARROWEST and all(len(folded(name, width)) <= 2 for name in names))


def _left(first: Sequence[Cells], columns: Sequence[Cells], gap: int) -> int:
    """Columns left for names."""
    return output().width - sum(column.width + gap for column in (*first, *columns))


def _laid_out(first: Sequence[Cells], names: Sequence[str], columns: Sequence[Cells], width: int, gap: int) -> Table:
    heads = [column.head for column in (*first, *columns)]
    made = table(*(column.head for column in first), "agent", *(column.head for column in columns), right=heads)
    made.padding = (0, gap - 1, 0, 0)
    for row, name in enumerate(names):
        made.add_row(
            *(column.cells[row] for column in first),
            Text("\n".join(folded(name, max(width, _NARROWEST))), "bold", no_wrap=True),
            *(column.cells[row] for column in columns),
        )
    return made


def keyed_table(keys: Sequence[Cells], *groups: Sequence[Cells], right: Collection[str] = ()) -> RenderableType:
    """Key columns and groups of figures; groups that do not fit beside the others go below.

    Of the keys, those with heads in `right` hold numbers. Keys are broken into lines where they are too long.
    """
    rows: list[list[Cells]] = [[]]
    for group in groups:
        joined = [*rows[-1], *group]
        widths = _key_widths(keys, joined)
        fits = all(_readable([*map(str, key.cells)], width) for key, width in zip(keys, widths, strict=True))
        if rows[-1] and not fits:
            rows.append(list(group))
        else:
            rows[-1] = joined
    tables = [_keyed(keys, columns, right) for columns in rows]
    return Group(*(part for made in tables for part in ("", made)[made is tables[0] :]))


def _key_widths(keys: Sequence[Cells], columns: Sequence[Cells]) -> list[int]:
    left = output().width - sum(column.width + _WIDE for column in columns) - _WIDE * (len(keys) - 1)
    return shared_out(left, [key.width for key in keys])


def _keyed(keys: Sequence[Cells], columns: Sequence[Cells], right: Collection[str]) -> Table:
    widths = [max(width, 4) for width in _key_widths(keys, columns)]
    heads = ["\n".join(folded(key.head, width)) for key, width in zip(keys, widths, strict=True)]
    figures = [column.head for column in columns]
    numbers = [head for head, key in zip(heads, keys, strict=True) if key.head in right]
    made = table(*heads, *figures, right=[*numbers, *figures])
    for row in range(len(columns[0].cells)):
        texts = ["\n".join(folded(str(key.cells[row]), width)) for key, width in zip(keys, widths, strict=True)]
        made.add_row(*(Text(text, "bold", no_wrap=True) for text in texts), *(column.cells[row] for column in columns))
    return made


def folded(name: str, width: int) -> list[str]:
    """A name in lines of that width, broken between words if possible."""
    width = max(width, 2)  # of a line that goes on the first column is blank
    lines = [""]
    for piece in re.split(r"(?<=[,: ])|(?<=[a-z]-)(?=[a-z])", name):
        if cell_len(lines[-1] + piece.rstrip()) > width and lines[-1].strip():
            lines.append(" ")
        while cell_len(lines[-1] + piece.rstrip()) > width:
            cut = max(1, _fitting(piece, width - cell_len(lines[-1])))
            lines[-1] += piece[:cut]
            piece = piece[cut:]
            lines.append(" ")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def _fitting(text: str, width: int) -> int:
    """Number of letters that fit."""
    return sum(cell_len(text[: end + 1]) <= width for end in range(len(text)))


def shared_out(room: int, wanted: Sequence[int]) -> list[int]:
    """Widths of columns in a room that may be too small: the widest are cut, equally."""
    widths = [0] * len(wanted)
    for place, number in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        widths[number] = min(wanted[number], (room - sum(widths)) // (len(wanted) - place))
    return widths


def letters(count: int) -> list[str]:
    """A, B, …, Z, AA, AB, … as short names."""
    found = []
    for number in range(1, count + 1):
        name = ""
        while number:
            number, letter = divmod(number - 1, 26)
            name = chr(ord("A") + letter) + name
        found.append(name)
    return found


def legend(labels: Mapping[str, str]) -> Table:
    """Short names with the names they stand for."""
    made = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for name, label in labels.items():
        if name != label:
            made.add_row(Text(label, "bold", no_wrap=True), Text(name, overflow="fold"))
    return made


class Matrix:
    """Agents against agents: columns have letters; rows have letters and, if they fit, names."""

    def __init__(self, names: Sequence[str], cells: Mapping[tuple[str, str], Text]) -> None:
        self._names = names
        self._cells = cells
        self._letters = letters(len(names))
        self._code = len(self._letters[-1]) + 1
        self._column = max([self._code, *(cell_len(cell.plain) + 1 for cell in cells.values())])
        room = output().width - self._code
        bare, named = (self._parts(width) for width in (room, room - max(map(cell_len, names)) - 1))
        self.has_names = named == bare
        """True if rows have names; otherwise a table of letters and names is needed elsewhere."""
        self._at_once = math.ceil(len(names) / bare)

    def _parts(self, room: int) -> int:
        return math.ceil(len(self._names) / max(1, room // self._column))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        for start in range(0, len(self._names), self._at_once):
            if start:
                yield ""
            yield self._part(range(start, min(start + self._at_once, len(self._names))))

    def _part(self, columns: range) -> Table:
        made = Table(box=None, padding=0, pad_edge=False, header_style="bold")
        made.add_column("", no_wrap=True)
        for number in columns:
            made.add_column(self._letters[number], justify="right", no_wrap=True, width=self._column)
        for row, (letter, name) in enumerate(zip(self._letters, self._names, strict=True)):
            label = Text.assemble((f"{letter:{self._code}}", "bold"), f"{name} " if self.has_names else "")
            cells = [
                _SELF if row == number else self._cells.get((name, self._names[number]), _NOTHING) for number in columns
            ]
            made.add_row(label, *cells)
        return made


def heat(text: str, share: float) -> Text:
    """A cell coloured by a share from 0 to 1."""
    if output().color_system not in ("256", "truecolor"):
        return Text(text, "yellow" if share < 0.4 else "blue" if share > 0.6 else "")
    low = min(int(share * (len(_HEAT) - 1)), len(_HEAT) - 2)
    red, green, blue = blend_rgb(_HEAT[low], _HEAT[low + 1], share * (len(_HEAT) - 1) - low)
    ink = "#22262c" if red + green + blue > 360 else "#fdfdfd"
    return Text(text, Style(color=ink, bgcolor=f"rgb({red},{green},{blue})"))
