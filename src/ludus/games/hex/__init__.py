"""Hex: join your two sides of the board with an unbroken chain."""

import hashlib
from functools import cache
from typing import ClassVar

import numpy as np

from ludus.core.errors import InvalidError
from ludus.core.spec import param
from ludus.games import text_board
from ludus.games.game import Game, Weight
from ludus.games.hex.rules import FIRST, HASH, NOBODY, SECOND, TURN, WINNER, HexState, free_cells, put
from ludus.games.notation import Notation
from ludus.games.sgf import SgfNotation, Special
from ludus.kernel.rng import Rng, new_rng
from ludus.kernel.rules import Constant


class Hex(Game):
    """Each player joins two opposite sides of the board with a chain: `x` top and bottom, `o` left and right.

    A move is a cell: the letter of its column and the number of its row, as in `a1`. With `swap=yes` the second
    player's first move may be `swap`: the first stone becomes an `o`, mirrored across the long diagonal (`b1` becomes
    `a2`), and the first player moves again. A position lists the rows from the top in the letters `.xo`, joined by `/`,
    then a space and the letter of the player to move.
    """

    name: ClassVar[str] = "hex"
    board: ClassVar[str] = "hexagons"
    weights: ClassVar[dict[str, Weight]] = {
        "steepness": Weight(0.5, "value of needing one stone fewer"),
        "tempo": Weight(0.5, "value of the right to move, in stones"),
    }

    size: int = param(11, "rows and columns of the board", low=2, high=19)
    swap: bool = param(False, "whether the second player may take over the first stone")

    def start(self, rng: Rng) -> HexState:
        codes, ranks = _tables(self.size)
        return HexState(
            rows=np.zeros(4 * self.size, np.int32),
            info=np.array([FIRST, 0, NOBODY, 0]),
            shape=np.array([self.size, self.size**2, int(self.swap)]),
            codes=codes,
            ranks=ranks,
            weights=self.default_weights(),
        )

    def format(self, state: HexState, player: int, move: int) -> str:
        return "swap" if move == self.size**2 else text_board.cell_name(move % self.size, move // self.size)

    def parse(self, state: HexState, player: int, text: str) -> int:
        # Equivalent to the default, without checking every cell.
        letter, number = text.strip().lower()[:1], text.strip()[1:]
        column = ord(letter) - ord("a") if letter else -1
        if 0 <= column < self.size and len(number) < 3 and number.isdecimal() and 1 <= int(number) <= self.size:
            row = int(number) - 1
            if free_cells(state, row) >> column & 1:
                return row * self.size + column
        return super().parse(state, player, text)

    @classmethod
    def notation(cls) -> Notation:
        swap = Special("swap-pieces", "swap=yes")
        named = text_board.cell_name
        return SgfNotation(
            cls.name, number=11, size=11, cell=named, as_named=True, reads_names=True, special={"swap": swap}
        )

    def draw(self, state: HexState) -> str:
        return text_board.drawn(self._rows(state), slanted=True)

    def _rows(self, state: HexState) -> list[str]:
        rows = []
        for row in range(self.size):
            first, second = int(state.rows[row]), int(state.rows[self.size + row])
            rows.append("".join("x" if first >> c & 1 else "o" if second >> c & 1 else "." for c in range(self.size)))
        return rows

    def save(self, state: HexState) -> str:
        return f"{'/'.join(self._rows(state))} {text_board.STONES[int(state.info[TURN])]}"

    def load(self, text: str) -> HexState:
        rows, turn = text_board.read_rows_and_turn(self.name, text, self.size, self.size)
        first, second = (sum(row.count(letter) for row in rows) for letter in text_board.STONES)
        swapped = self.swap and second > 0 and first - second == turn - 1
        if first - second != turn and not swapped:
            raise InvalidError(
                f"hex: {first} 'x' and {second} 'o' with '{text_board.STONES[turn]}' to move: 'x' begins, "
                f"so it must have as many if it is to move, and one more if not."
            )
        state = self.start(new_rng(0))
        for y, row in enumerate(rows):
            for x, letter in enumerate(row):
                if letter != ".":
                    put(state, text_board.STONES.index(letter), y, x)
        if state.info[WINNER] == turn:
            raise InvalidError(f"hex: '{text_board.STONES[turn]}' is to move, but has already won.")
        if turn == SECOND:
            state.info[TURN] = turn
            state.info[HASH] ^= state.codes[-1]
        return state


@cache
def _tables(size: int) -> tuple[Constant, Constant]:
    """Codes and ranks shared by all states of one size."""

    def from_middle(cell: int) -> tuple[int, int]:
        x, y = 2 * (cell % size) - size + 1, 2 * (cell // size) - size + 1
        return x * x + x * y + y * y, cell

    cells = range(size**2)
    code = hashlib.shake_256(b"hex").digest(8 * (2 * len(cells) + 1))
    ranks = {cell: rank for rank, cell in enumerate(sorted(cells, key=from_middle))}
    return np.frombuffer(code, np.int64).copy(), np.array([*(ranks[cell] for cell in cells), len(cells)])
