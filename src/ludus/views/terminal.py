"""Positions in colour on a terminal: the drawing of the game with its pieces in the players' colours.

A game needs nothing for it but its drawing. Pieces are the letters of `Game.symbols`, or what its painter names.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from rich.text import Text

from ludus.games.game import Game
from ludus.kernel.rules import State
from ludus.views.boards.colours import INK, RAMP, on_ramp, readable_on
from ludus.views.boards.painter import LEAST_SHOWN, Layer, Painter
from ludus.views.boards.painters import painter_for
from ludus.views.boards.text_cells import Place, is_header, is_prose

Span = tuple[int, int, int, str]
"""A line, its first column and the one after the last, and their style."""

_FAINT = re.compile(r"[.|+_-]+")
_CHANGED = f"bold {INK} on {RAMP[1]}"
_PLAYER = re.compile(r"\bplayer (\d+)", re.IGNORECASE)
_NUMBER_OR_LETTER = re.compile(r"\d+|\S")
_ROW_NUMBER = re.compile(r"\s*\d+ ")


def seat_style(painter: Painter, seat: int) -> str:
    """The style of a player's pieces: its colour behind letters that can be read on it."""
    colour = painter.colours[seat % len(painter.colours)]
    return f"{readable_on(colour)} on {colour}"


def coloured(game: Game, state: State, before: State | None = None, layer: Layer | None = None) -> Text:
    """The drawing of a position in colour; changes since the position `before` are marked.

    The letters are those of `Game.draw`. A layer colours the cells that hold no piece.
    """
    painter = painter_for(game)
    lines = game.draw(state).expandtabs().split("\n")
    old_lines = [] if before is None else game.draw(before).expandtabs().split("\n")
    is_comparable = len(lines) == len(old_lines)
    if is_comparable:
        lines = [line.ljust(len(old)) for line, old in zip(lines, old_lines, strict=True)]
    lines = [f"{line} " for line in lines]  # room for the mark of a piece in the last column
    rows, owners = painter.cells(state, lines), painter.owners(state, lines)
    spans = [span for number, line in enumerate(lines) for span in _basics(number, line, painter)]
    if painter.ground is not None:
        spans += _ground(painter.ground, lines, rows)
    if layer is not None:
        spans += _shades(layer, rows)
    spans += [
        (line, column, column + 1, f"bold {seat_style(painter, seat)}") for (line, column), seat in owners.items()
    ]
    if before is not None and is_comparable:
        spans += _changes(painter, lines, owners, old_lines, painter.owners(before, old_lines))
    text = Text("\n".join(lines), no_wrap=True)
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    for line, first, end, style in spans:
        text.stylize(style, starts[line] + first, starts[line] + end)
    return text


def _basics(number: int, line: str, painter: Painter) -> Iterator[Span]:
    """Labels and empty cells are dim, players that are named have their colours."""
    if is_prose(line, painter.game.symbols):
        for match in _PLAYER.finditer(line):
            if 1 <= int(match[1]) <= painter.game.seats:
                yield number, *match.span(), seat_style(painter, int(match[1]) - 1)
    elif is_header(line):
        yield number, 0, len(line), "dim"
    else:
        if label := _ROW_NUMBER.match(line):
            yield number, *label.span(), "dim"
        for letters in _FAINT.finditer(line):
            yield number, *letters.span(), "dim"


def _ground(ground: tuple[str, str], lines: Sequence[str], rows: Sequence[Sequence[Place]]) -> Iterator[Span]:
    """The board from the first to the last cell of each row, and a space on both sides."""
    field, line_colour = ground
    for row in rows:
        number = row[0][0]
        yield number, *_with_blanks(lines[number], row[0][1], row[-1][1] + 1), f"not dim {line_colour} on {field}"


def _shades(layer: Layer, rows: Sequence[Sequence[Place]]) -> Iterator[Span]:
    """The cells of a layer, if it fits the drawing."""
    if [len(row) for row in rows] != [len(values) for values in layer.values]:
        return
    for row, values in zip(rows, layer.values.tolist(), strict=True):
        for (line, column), value in zip(row, values, strict=True):
            if value > LEAST_SHOWN:
                shade = on_ramp(value)
                yield line, column, column + 1, f"not dim {readable_on(shade)} on {shade}"


def _with_blanks(line: str, first: int, end: int) -> tuple[int, int]:
    """The columns, and the empty ones beside them."""
    first -= first > 0 and line[first - 1] == " "
    end += end < len(line) and line[end] == " "
    return first, end


def _changes(
    painter: Painter,
    lines: Sequence[str],
    owners: Mapping[Place, int],
    old_lines: Sequence[str],
    old_owners: Mapping[Place, int],
) -> Iterator[Span]:
    """Marks of changes: a new piece, or one that captured, is wider; a place that was left is tinted.

    Where nobody owns a piece, changed numbers and letters are tinted, or else the spaces where something was.
    """
    if not owners and not old_owners:
        yield from _changed_text(painter, lines, old_lines)
        return
    turned = {place for place in owners.keys() & old_owners.keys() if owners[place] != old_owners[place]}
    for line, column in sorted(owners.keys() - old_owners.keys() or turned):
        style = f"bold {seat_style(painter, owners[line, column])}"
        yield line, *_with_blanks(lines[line], column, column + 1), style
    for line, column in sorted(old_owners.keys() - owners.keys()):
        yield line, *_with_blanks(lines[line], column, column + 1), _CHANGED


def _changed_text(painter: Painter, lines: Sequence[str], old_lines: Sequence[str]) -> Iterator[Span]:
    for number, (line, old) in enumerate(zip(lines, old_lines, strict=True)):
        if is_prose(line, painter.game.symbols):
            continue
        changed = {
            column for column, (new, gone) in enumerate(zip(line, old.ljust(len(line)), strict=False)) if new != gone
        }
        found = [each.span() for each in _NUMBER_OR_LETTER.finditer(line) if changed.intersection(range(*each.span()))]
        if not found and changed:
            found = [(min(changed), max(changed) + 1)]
        for first, end in found:
            yield number, first, end, _CHANGED
