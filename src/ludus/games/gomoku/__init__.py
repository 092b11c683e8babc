"""Gomoku: five in a row on a wide board."""

from functools import cached_property
from typing import ClassVar

import numpy as np

from ludus.core.errors import InvalidError
from ludus.core.spec import param
from ludus.games import text_board
from ludus.games.game import Game, Weight
from ludus.games.gomoku.rules import holds, put, wins
from ludus.games.gomoku.state import MOST_ROWS, NOBODY, RULES, WINNER, WORDS, GomokuState, board_for
from ludus.games.notation import Notation
from ludus.games.sgf import SgfNotation
from ludus.kernel.rng import Rng, new_rng


class Gomoku(Game):
    """Stones on a wide board; five in a row, in any direction, win, and a full board is a draw.

    Rules: `freestyle`, five or more win; `standard`, exactly five; `caro`, more than five, or five unless both ends are
    blocked by stones of the other side (the edge of the board does not block); `exact-caro`, the same without more than
    five. A move is `x-y`, column and row counted from 0 from the top left, as in `7-7`. A position lists the rows from
    the top in the letters `.xo`, joined by `/`; `x` begins.
    """

    name: ClassVar[str] = "gomoku"
    board: ClassVar[str] = "lines"
    weights: ClassVar[dict[str, Weight]] = {
        "two": Weight(8.0, "an open line that lacks three stones"),
        "three": Weight(30.0, "an open line that lacks two stones"),
        "four": Weight(50.0, "an open line that lacks one stone"),
        "five": Weight(100.0, "a full line, the unit of the other weights"),
    }

    size: int = param(15, "rows and columns of the board", low=3, high=MOST_ROWS)
    length: int = param(5, "stones in a row that win", low=3, high=12)
    rule: str = param("freestyle", "winning rows", choices=RULES)

    def __post_init__(self) -> None:
        if self.length > self.size:
            raise InvalidError(f"gomoku: length={self.length} does not fit on a board of size={self.size}.")

    def start(self, rng: Rng) -> GomokuState:
        board = board_for(self.size, self.length)
        return GomokuState(
            bits=np.zeros(3 * len(board.inside), np.int64),
            lines=np.zeros(board.lines, np.uint8),
            info=np.array([0, NOBODY, 0, 0, 0]),
            shape=np.array([self.size, self.size**2, len(board.inside), self.length, RULES.index(self.rule)]),
            inside=board.inside,
            beside=board.beside,
            places=board.places,
            first_line=board.first_line,
            lines_through=board.lines_through,
            counters=board.counters,
            codes=board.codes,
            weights=self.default_weights(),
        )

    @cached_property
    def _names(self) -> list[str]:
        return [_cell_name(x, y) for y in range(self.size) for x in range(self.size)]

    @cached_property
    def _cells(self) -> dict[str, int]:
        return {name: cell for cell, name in enumerate(self._names)}

    def format(self, state: GomokuState, player: int, move: int) -> str:
        return self._names[move]

    def parse(self, state: GomokuState, player: int, text: str) -> int:
        # Equivalent to the default, without checking every cell or calling compiled code.
        move = self._cells.get(text)
        if move is not None:
            word, others = move >> 6, state.shape.item(WORDS)
            if not (state.bits.item(word) | state.bits.item(others + word)) >> (move & 63) & 1:
                return move
        return super().parse(state, player, text)

    @classmethod
    def notation(cls) -> Notation:
        return SgfNotation(cls.name, number=4, size=15, cell=_cell_name, says_mover=False)

    def draw(self, state: GomokuState) -> str:
        wide = len(str(self.size - 1))
        numbers = " ".join(f"{x:{wide}}" for x in range(self.size))
        rows = [f"{y:{wide}} {' '.join(f'{c:>{wide}}' for c in row)}" for y, row in enumerate(self._rows(state))]
        return "\n".join([" " * (wide + 1) + numbers, *rows])

    def _rows(self, state: GomokuState) -> list[str]:
        cells = [
            "x" if holds(state, 0, cell) else "o" if holds(state, 1, cell) else "." for cell in range(self.size**2)
        ]
        return ["".join(cells[y * self.size : (y + 1) * self.size]) for y in range(self.size)]

    def save(self, state: GomokuState) -> str:
        return "/".join(self._rows(state))

    def load(self, text: str) -> GomokuState:
        letters = "".join(text_board.read_rows(self.name, text, self.size, self.size))
        first, second = letters.count("x"), letters.count("o")
        if first - second not in (0, 1):
            raise InvalidError(f"gomoku: {first} 'x' and {second} 'o': 'x' begins, so must have as many or one more.")
        state = self.start(new_rng(0))
        stones = [(text_board.STONES.index(letter), cell) for cell, letter in enumerate(letters) if letter != "."]
        for player, cell in stones:
            put(state, player, cell)
        winners = {player for player, cell in stones if wins(state, player, cell)}
        mover = (first + second) & 1
        if mover in winners:
            raise InvalidError(f"gomoku: '{text_board.STONES[mover]}' is to move, but has already won.")
        if winners:
            state.info[WINNER] = 1 - mover
        return state


def _cell_name(column: int, row: int) -> str:
    return f"{column}-{row}"
