"""Cells in a drawing for terminals: the letters that stand for pieces or empty cells, told from labels and prose."""

import re
import string
from collections.abc import Iterator, Sequence
from itertools import pairwise

Place = tuple[int, int]
"""A line and a column of a drawing."""

EMPTY = "."
_WORD = re.compile(r"[^\W\d_]{2,}")
_TOKEN = re.compile(r"\S+")


def cells_in(lines: Sequence[str], symbols: Sequence[str]) -> list[list[Place]]:
    """The cells of each line that has any, from the left; `symbols` are the letters of the pieces, seat by seat."""
    rows = [list(_cells(number, line, "".join(symbols))) for number, line in enumerate(lines)]
    return [row for row in rows if row]


def is_prose(line: str, symbols: Sequence[str]) -> bool:
    """True if a line has words, so that its letters are no pieces; one letter repeated is not a word."""
    letters = set("".join(symbols))
    return any(len(set(word)) > 1 and set(word) - letters for word in _WORD.findall(line))


def is_header(line: str) -> bool:
    """True if a line names the columns of a board: a, b, c or consecutive numbers."""
    tokens = line.split()
    if len(tokens) < 2:
        return False
    if tokens == list(string.ascii_lowercase[: len(tokens)]):
        return True
    if not all(token.isdecimal() for token in tokens):
        return False
    numbers = list(map(int, tokens))
    return all(after in (before + 1, 0) for before, after in pairwise(numbers))


def _cells(number: int, line: str, letters: str) -> Iterator[Place]:
    if is_header(line) or is_prose(line, letters):
        return
    for token in _TOKEN.finditer(line):
        if not any(letter.isalnum() and letter not in letters for letter in token[0]):
            for column in range(*token.span()):
                if line[column] == EMPTY or line[column] in letters:
                    yield number, column
