"""ReversiXT as a game: its map, how moves and positions are written, how it is drawn."""

import re
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from ludus.errors import LudusError
from ludus.games.base import Game, Weight
from ludus.games.reversixt import evaluation  # noqa: F401  # its rules are found by their state
from ludus.games.reversixt.fields import reachable, worths_of
from ludus.games.reversixt.maps import DX, DY, HOLE, Map, find_map, is_named
from ludus.games.reversixt.rules import (
    BOMBING,
    FIELDS,
    FOR_BOMB,
    FOR_OVERRIDE,
    GONE,
    GONERS,
    LETTERS,
    MOVER,
    OUT,
    OVER,
    PLAIN,
    SPECIALS,
    ReversiXtState,
    allows,
    pass_on,
    stones_of,
)
from ludus.rng import Rng
from ludus.rules import Array, Constant
from ludus.spec import param

_CHOICES = {FOR_BOMB: "bomb", FOR_OVERRIDE: "override"}
_CHOSEN = {"20": FOR_BOMB, "21": FOR_OVERRIDE} | {name: special for special, name in _CHOICES.items()}
_CHOSEN |= {str(player): player for player in range(9)}
_MOVE = re.compile(r"(?P<x>\d{1,5}),(?P<y>\d{1,5})(?:,(?P<special>\w+))?", re.ASCII)
_GONE = "out"
_TURN, _BOMBING = "t", "b"


class Board(NamedTuple):
    """The fields of a map."""

    numbers: dict[tuple[int, int], int]  # of fields, by x and y
    ways: Constant
    places: Constant
    reversible: bool
    worths: Constant


class ReversiXT(Game):
    """Reversi on any map for 2 to 8 players: enclosed stones change sides, and at the end most stones win.

    Lines run in eight directions and through transitions, over the stones of others and expansion fields `x`. An
    override stone takes a field that is not empty. A bonus field `b` gives a bomb or an override stone, a choice field
    `c` swaps all stones with a player, an inversion field `i` hands everybody's stones on to the next. When nobody can
    move, bombs make holes of all fields near one, and then the game is over. Who makes a wrong move is out, and its
    stones stay.

    A move is `x,y`, counted from 0 at the top left; on a bonus field `x,y,bomb` or `x,y,override`, on a choice field
    `x,y,3` for player 3. A position is the rows of the map from the top, joined by `/`; then `t` and the number of the
    player to move, with `b` instead in the phase of bombs; then `overrides,bombs` for each player, with `out` as a
    third if it is disqualified.
    """

    name: ClassVar[str] = "reversixt"
    most_players: ClassVar[int] = 8
    weights: ClassVar[dict[str, Weight]] = {
        "field": Weight(0.5, "the worth of the fields with own stones: corners, edges, and what lies beside them"),
        "mobility": Weight(0.08, "a field that can be taken without an override stone"),
        "stones": Weight(0.1, "a hundredth of all stones, the more the fuller the board"),
        "override": Weight(0.4, "an override stone"),
        "bomb": Weight(0.05, "a bomb, for each step that it reaches, and one more"),
    }

    map: str = param("classic", "a map: the name of one that comes with Ludus, or a file")

    def __post_init__(self) -> None:
        self.chart = find_map(self.map)
        if not is_named(self.map):
            self.map = self.chart.packed()  # so that a record can be played again without the file

    @property
    def title(self) -> str:
        return "ReversiXT"

    @property
    def seats(self) -> int:
        return self.chart.players

    @cached_property
    def board(self) -> Board:
        """The fields of the map."""
        return lay_out(self.chart)

    def start(self, rng: Rng) -> ReversiXtState:
        chart = self.chart
        purse = (chart.overrides, chart.bombs, 0)
        state = self._state(chart.rows, [purse] * chart.players)
        pass_on(state, chart.players - 1)
        if state.turn[OVER]:
            raise LudusError("reversixt: nobody can move on this map, nor throw a bomb: take another one.")
        return state

    def _state(self, rows: tuple[str, ...], players: list[tuple[int, int, int]]) -> ReversiXtState:
        board = self.board
        cells = np.array([LETTERS.index(rows[y][x]) for x, y in board.places.tolist()], np.int8)
        rows_of_chart = "".join(self.chart.rows)
        most = len(cells) + rows_of_chart.count("b") + rows_of_chart.count("c") * (self.seats - 1)
        state = ReversiXtState(
            cells=cells,
            players=np.array(players, np.int64),
            turn=np.zeros(5, np.int64),
            ways=board.ways,
            places=board.places,
            worths=board.worths,
            shape=np.array([self.chart.radius, most, board.reversible]),
            weights=self.default_weights(),
            manner=np.array([PLAIN, 0]),
        )
        state.turn[FIELDS] = np.count_nonzero(cells != LETTERS.index(HOLE))
        state.turn[GONERS] = state.players[:, GONE].sum()
        return state

    def format(self, state: ReversiXtState, player: int, move: int) -> str:
        if move == OUT:
            return _GONE
        x, y = state.places[move // SPECIALS].tolist()
        special = move % SPECIALS
        return f"{x},{y},{_CHOICES.get(special, special)}" if special else f"{x},{y}"

    def parse(self, state: ReversiXtState, player: int, text: str) -> int:
        wanted = text.strip().lower()
        if wanted == _GONE:
            return OUT  # what a record says of a player that was disqualified
        move = self._move(wanted)
        if move is None or not allows(state, player, move):
            return super().parse(state, player, text)  # which says what is wrong
        return move

    def _move(self, text: str) -> int | None:
        """The move that a text stands for, legal or not."""
        match = _MOVE.fullmatch(text)
        if match is None:
            return None
        field = self.board.numbers.get((int(match["x"]), int(match["y"])))
        special = _CHOSEN.get(match["special"] or "0")
        return None if field is None or special is None else field * SPECIALS + special

    def draw(self, state: ReversiXtState) -> str:
        wide = len(str(self.chart.height - 1))
        tens = "".join(str(x // 10) if x % 10 == 0 and x else " " for x in range(self.chart.width))
        lines = [" " * (wide + 1) + tens.rstrip()] if tens.strip() else []
        lines.append(" " * (wide + 1) + "".join(str(x % 10) for x in range(self.chart.width)))
        drawn = str.maketrans("0-", ". ")
        lines += [f"{y:{wide}} {row.translate(drawn)}".rstrip() for y, row in enumerate(self.rows(state))]
        stones = np.zeros(len(LETTERS), np.int64)
        stones_of(state, stones)
        for player, (overrides, bombs, gone) in enumerate(state.players.tolist(), 1):
            counts = (stones.item(player), "stone"), (overrides, "override stone"), (bombs, "bomb")
            has = ", ".join(f"{count} {noun}{'s' * (count != 1)}" for count, noun in counts)
            lines.append(f"player {player}: {has}" + ", disqualified" * gone)
        return "\n".join(lines)

    def rows(self, state: ReversiXtState) -> tuple[str, ...]:
        """What lies where, as a map writes it."""
        rows = [list(HOLE * self.chart.width) for _ in range(self.chart.height)]
        for (x, y), what in zip(state.places.tolist(), state.cells.tolist(), strict=True):
            rows[y][x] = LETTERS[what]
        return tuple("".join(row) for row in rows)

    def save(self, state: ReversiXtState) -> str:
        players = [f"{overrides},{bombs}" + f",{_GONE}" * gone for overrides, bombs, gone in state.players.tolist()]
        phase = _BOMBING if state.turn[BOMBING] else _TURN
        return " ".join(["/".join(self.rows(state)), phase, str(state.turn[MOVER] + 1), *players])

    def load(self, text: str) -> ReversiXtState:
        board, *rest = text.split() or [""]
        rows = tuple(board.split("/"))
        chart = self.chart
        known = set(LETTERS) - set(map(str, range(chart.players + 1, 9)))
        if {len(row) for row in rows} != {chart.width} or len(rows) != chart.height or set(board) - {"/"} - known:
            raise LudusError(
                f"reversixt: a position begins with {chart.height} rows of {chart.width} fields as in the map, joined "
                "by '/'."
            )
        for y, row in enumerate(rows):
            for x, what in enumerate(row):
                if what != HOLE and chart.rows[y][x] == HOLE:
                    raise LudusError(f"reversixt: {x},{y} is a hole of the map, but '{what}' in the position.")
        if len(rest) != chart.players + 2 or rest[0] not in (_TURN, _BOMBING):
            raise LudusError(
                "reversixt: after its rows a position has 't', or 'b' for bombs, the number of the player to move, "
                f"and {chart.players} players."
            )
        state = self._state(rows, [_purse(word) for word in rest[2:]])
        mover = int(rest[1]) - 1 if rest[1].isdecimal() else -1
        state.turn[BOMBING] = rest[0] == _BOMBING
        pass_on(state, mover - 1)
        if state.turn[OVER] and 0 <= mover < chart.players:
            state.turn[MOVER] = mover
        elif state.turn[MOVER] != mover or state.turn[BOMBING] != (rest[0] == _BOMBING):
            raise LudusError(f"reversixt: '{rest[0]} {rest[1]}' names a player that cannot move in this position.")
        return state


def lay_out(chart: Map) -> Board:
    """Number the fields of a map, and find where each step leads."""
    places = [(x, y) for y, row in enumerate(chart.rows) for x, what in enumerate(row) if what != HOLE]
    numbers = {place: number for number, place in enumerate(places)}
    ways: Array = np.full((len(places), 8), -1, np.int32)
    for (x, y), number in numbers.items():
        for direction in range(8):
            there = numbers.get((x + DX[direction], y + DY[direction]))
            if there is not None:
                ways[number, direction] = there * 8 + direction
    for x1, y1, r1, x2, y2, r2 in chart.transitions:
        one, other = numbers[x1, y1], numbers[x2, y2]
        ways[one, r1] = other * 8 + (r2 + 4) % 8
        ways[other, r2] = one * 8 + (r1 + 4) % 8
    cells = np.array([LETTERS.index(chart.rows[y][x]) for x, y in places], np.int8)
    worths = worths_of(ways, reachable(cells, ways))
    return Board(numbers, ways, np.array(places, np.int64), _is_reversible(ways), worths)


def _is_reversible(ways: Array) -> bool:
    """Whether every way leads back: not so where a transition replaces a neighbour, which still leads there."""
    fields, directions = np.nonzero(ways >= 0)
    there = ways[fields, directions]
    back = ways[there >> 3, ((there & 7) + 4) % 8]
    return bool(np.array_equal(back, fields * 8 + (directions + 4) % 8))


def _purse(word: str) -> tuple[int, int, int]:
    """What a player of a position has."""
    overrides, bombs, *gone = [*word.split(","), ""]
    if not (overrides.isdecimal() and bombs.isdecimal()) or gone[:-1] not in ([], [_GONE]):
        raise LudusError(
            f"reversixt: '{word}' is no player of a position: write its override stones and bombs, as in 2,1, and "
            "',out' behind if it is disqualified."
        )
    return int(overrides), int(bombs), len(gone) - 1
