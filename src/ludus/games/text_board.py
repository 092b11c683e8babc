"""Boards as text: names of cells, drawings with coordinates, and the rows of a saved position."""

from collections.abc import Sequence

from ludus.core.errors import InvalidError

STONES = "xo"
"""The letters of the two players; `.` is an empty cell."""


def cell_name(column: int, row: int) -> str:
    """A cell by the letter of its column and the number of its row, as in `a1`."""
    return f"{chr(ord('a') + column)}{row + 1}"


def drawn(rows: Sequence[str], *, slanted: bool = False) -> str:
    """Rows of letters with the names of columns and rows; slanted, each row half a cell further right."""
    wide = len(str(len(rows)))
    lines = [" " * (wide + 1) + " ".join(chr(ord("a") + column) for column in range(len(rows[0])))]
    for number, row in enumerate(rows):
        indent = " " * (number + 1 if slanted else 0)
        lines.append(f"{indent}{number + 1:{wide}} {' '.join(row)}")
    return "\n".join(lines)


def read_rows(game: str, text: str, height: int, width: int) -> list[str]:
    """Parse the rows of a position, from the top, joined by `/`; InvalidError if they do not fit the board."""
    rows = text.strip().lower().split("/")
    if len(rows) != height or any(len(row) != width or set(row) - {".", *STONES} for row in rows):
        raise InvalidError(
            f"{game}: a position is {height} rows of {width} letters from '.{STONES}', from the top, joined by '/'."
        )
    return rows


def read_rows_and_turn(game: str, text: str, height: int, width: int) -> tuple[list[str], int]:
    """Parse the rows of a position and the player to move: a space and the player's letter follow the rows."""
    rows, _, letter = text.strip().lower().rpartition(" ")
    if len(letter) != 1 or letter not in STONES:
        raise InvalidError(f"{game}: after its rows a position has a space and the player to move, 'x' or 'o'.")
    return read_rows(game, rows, height, width), STONES.index(letter)
