"""spe_ed: all players draw trails at the same time, at different speeds, and the last survivor wins.

Running into a trail is fatal. A cell holds the number of the player whose trail it is, counted from 1, or 0 if it is
empty, or −1 where players met.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np

from ludus.core.errors import InvalidError
from ludus.core.spec import param
from ludus.games.game import Game
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below
from ludus.kernel.rules import MOST_PLAYERS, Array, duplicate, room, rule

X, Y, DIRECTION, SPEED, FELL = range(5)
"""Fields of a player; FELL is the round of its death, 0 while it lives."""
UP, RIGHT, DOWN, LEFT = range(4)
TURN_LEFT, TURN_RIGHT, SLOW_DOWN, SPEED_UP, CHANGE_NOTHING, NO_ANSWER, ANSWERED_TWICE = range(7)
"""Moves. The first five are legal; a player dies if it gives no answer, answers twice, or leaves after answering:
ANSWERED_TWICE plus the first answer, whose turn or speed is still visible, but does not count.
"""
CRASH = -1
TOP_SPEED = 10
JUMP_EVERY, JUMP_FROM = 6, 3
"""In every sixth round, fast players skip the cells between the first and the last."""
SMALLEST, LARGEST = 41, 80
"""Sides of a board of random size."""
LARGEST_GIVEN = 1000
"""Maximum side of a board of given size."""

ACTIONS = ("turn_left", "turn_right", "slow_down", "speed_up", "change_nothing")
NAMES = (*ACTIONS, "no_answer", *(f"{action}_void" for action in ACTIONS))
_NUMBERS = {name: number for number, name in enumerate(NAMES)}
_FORFEITS = frozenset(NAMES[NO_ANSWER:])
DIRECTIONS = ("up", "right", "down", "left")
_DX, _DY = (0, 1, 0, -1), (-1, 0, 1, 0)
_LETTERS = {0: ".", CRASH: "*"} | {player: str(player) for player in range(1, 7)}
_ARROWS = "▲▶▼◀"


class SpeedState(NamedTuple):
    """The board, row by row; the players; and the number of the next round."""

    cells: Array
    players: Array
    clock: Array


@rule
def most_moves(state: SpeedState) -> int:
    return 5


@rule
def movers(state: SpeedState, out: Array) -> int:
    n = 0
    for player in range(len(state.players)):
        if state.players[player, FELL] == 0:
            out[n] = player
            n += 1
    return n


@rule
def legal(state: SpeedState, player: int, out: Array) -> int:
    for action in range(5):
        out[action] = action
    return 5


@rule
def allows(state: SpeedState, player: int, move: int) -> bool:
    return 0 <= move < 5


@rule
def forfeit(state: SpeedState, player: int, move: int) -> int:
    return move if ANSWERED_TWICE <= move < ANSWERED_TWICE + 5 else NO_ANSWER


@rule
def sample(state: SpeedState, player: int, rng: Rng) -> int:
    return below(rng, 5)


@rule
def play(state: SpeedState, moves: Array) -> None:
    from_x, from_y = room(MOST_PLAYERS), room(MOST_PLAYERS)
    now, mover = state.clock[0], 0
    for number in range(len(state.players)):
        player = state.players[number]
        if player[FELL] == 0:
            from_x[number], from_y[number] = player[X], player[Y]
            if not steer(player, moves[mover]) or not advance(state.cells, player, number + 1, now):
                player[FELL] = now
            mover += 1
    for number in range(len(state.players)):
        player = state.players[number]
        if player[FELL] == 0 and has_met(state.cells, player, from_x[number], from_y[number], now):
            player[FELL] = now
    state.clock[0] = now + 1


@compiled
def steer(player: Array, move: int) -> bool:
    """Turn or change the speed according to a move; True if the player moves at all."""
    action = move - ANSWERED_TWICE if move >= ANSWERED_TWICE else move
    if action == TURN_LEFT:
        player[DIRECTION] = (player[DIRECTION] + 3) & 3
    elif action == TURN_RIGHT:
        player[DIRECTION] = (player[DIRECTION] + 1) & 3
    elif action == SLOW_DOWN:
        player[SPEED] -= 1
    elif action == SPEED_UP:
        player[SPEED] += 1
    return move <= CHANGE_NOTHING and 1 <= player[SPEED] <= TOP_SPEED


@compiled
def is_skipped(step: int, speed: int, now: int) -> bool:
    """True if a player skips the cell of this step, counted from 0, in this round."""
    return speed >= JUMP_FROM and now % JUMP_EVERY == 0 and 0 < step < speed - 1


@compiled
def advance(cells: Array, player: Array, mark: int, now: int) -> bool:
    """Move a player and write its trail; True if it is still on the board."""
    height, width = cells.shape
    dx, dy = _DX[player[DIRECTION]], _DY[player[DIRECTION]]
    for step in range(player[SPEED]):
        player[X] += dx
        player[Y] += dy
        if not (0 <= player[X] < width and 0 <= player[Y] < height):
            return False
        if not is_skipped(step, player[SPEED], now):
            cells[player[Y], player[X]] = mark if cells[player[Y], player[X]] == 0 else CRASH
    return True


@compiled
def has_met(cells: Array, player: Array, x: int, y: int, now: int) -> bool:
    """True if two players met on a cell that a player touched in this round on its way from x, y."""
    dx, dy = _DX[player[DIRECTION]], _DY[player[DIRECTION]]
    for step in range(player[SPEED]):
        x += dx
        y += dy
        if not is_skipped(step, player[SPEED], now) and cells[y, x] == CRASH:
            return True
    return False


@rule
def over(state: SpeedState) -> bool:
    living = 0
    for player in range(len(state.players)):
        living += state.players[player, FELL] == 0
    return living <= 1


@rule
def scores(state: SpeedState, out: Array) -> None:
    players = len(state.players)
    for player in range(players):
        beaten = 0
        for other in range(players):
            beaten += np.sign(_lasted(state, player) - _lasted(state, other))
        out[player] = beaten / (players - 1)


@compiled
def _lasted(state: SpeedState, player: int) -> int:
    fell = state.players[player, FELL]
    return fell if fell > 0 else state.clock[0]


class Speed(Game):
    """spe_ed: steer a trail that grows by its speed each round, and avoid all trails; the longest survivor wins.

    All move simultaneously: turn_left, turn_right, slow_down, speed_up or change_nothing. Speeds are 1 to 10. In every
    sixth round players with speed 3 or more jump: they touch only the first and last cell of the move. A player dies if
    it leaves the board, touches a trail, leaves this range of speeds or gives no answer, and its trail stays; two
    players that touch one cell in the same round both die. The game ends when at most one player is left. Players are
    placed by the round of their death.

    A position is the rows of the board from the top, joined by `/`, with `.` for an empty cell and `*` for one where
    two met; then `r` and the number of the next round; then each player as `x,y,direction,speed`, and for a dead player
    as a fifth the round of its death.
    """

    name: ClassVar[str] = "speed"
    most_players: ClassVar[int] = 6
    simultaneous: ClassVar[bool] = True
    board: ClassVar[str] = "trails"
    default_opponent: ClassVar[str] = "speed.straight"  # random moves would end an episode at once
    early_rounds: ClassVar[int] = 20
    early_ends: ClassVar[str] = (
        "games of spe_ed in which every opponent gave no valid answer in time, or left the board or ran into its own "
        f"trail within {early_rounds} rounds"
    )

    players: int = param(2, "players", low=2, high=6)
    width: int | None = param(
        None, f"columns; drawn from {SMALLEST} to {LARGEST} if not given", low=4, high=LARGEST_GIVEN
    )
    height: int | None = param(
        None, f"rows; drawn from {SMALLEST} to {LARGEST} if not given", low=4, high=LARGEST_GIVEN
    )

    @property
    def title(self) -> str:
        return "spe_ed"

    def start(self, rng: Rng) -> SpeedState:
        width = self.width or SMALLEST + int(below(rng, LARGEST - SMALLEST + 1))
        height = self.height or SMALLEST + int(below(rng, LARGEST - SMALLEST + 1))
        wide, high, turned = width // 4, height // 2, int(below(rng, self.players))
        players = []
        for player in range(self.players):
            sector = (player + turned) % self.players
            x = sector % 4 * wide + int(below(rng, wide))
            y = sector // 4 * high + int(below(rng, high))
            players.append((x, y, first_direction(x, y, width, height), 1, 0))
        state = empty_board(width, height, players)
        for number, (x, y, *_) in enumerate(players, 1):
            state.cells[y, x] = number
        return state

    def format(self, state: SpeedState, player: int, move: int) -> str:
        return NAMES[move]

    def parse(self, state: SpeedState, player: int, text: str) -> int:
        # The moves of players that gave no answer, or two, are not legal, but must be replayed from records.
        wanted = text.strip().lower()
        return NAMES.index(wanted) if wanted in NAMES[NO_ANSWER:] else super().parse(state, player, text)

    def draw(self, state: SpeedState) -> str:
        rows = [list(row) for row in _rows(state)]
        lines = []
        for number, (x, y, direction, speed, fell) in enumerate(state.players.tolist(), 1):
            if not fell:
                rows[y][x] = _ARROWS[direction]
            there = f"{_ARROWS[direction]} at {x},{y}, speed {speed}"
            lines.append(f"player {number}: " + (f"dead since round {fell}" if fell else there))
        return "\n".join([*("".join(row) for row in rows), f"round {state.clock[0]}", *lines])

    def save(self, state: SpeedState) -> str:
        players = [
            f"{x},{y},{DIRECTIONS[direction]},{speed}" + (f",{fell}" if fell else "")
            for x, y, direction, speed, fell in state.players.tolist()
        ]
        return " ".join(["/".join(_rows(state)), "r", str(state.clock[0]), *players])

    def load(self, text: str) -> SpeedState:
        board, *rest = text.split() or [""]
        rows = board.split("/")
        if not rows[0] or len({len(row) for row in rows}) > 1 or set(board) - {"/", *_LETTERS.values()}:
            raise InvalidError(
                "speed: a position begins with rows of equal length of '.', '*' and 1 to 6, joined by '/'."
            )
        width, height = len(rows[0]), len(rows)
        if max(width, height) > LARGEST_GIVEN:
            raise InvalidError(
                f"speed: the position has {width}×{height} cells, but a side has at most {LARGEST_GIVEN}."
            )
        if (self.width or width, self.height or height) != (width, height):
            raise InvalidError(f"speed: the position has {width}×{height} cells, not {self.width}×{self.height}.")
        if (
            len(rest) != self.players + 2
            or rest[0] != "r"
            or not re.fullmatch(r"0{0,9}[1-9]\d{0,17}", rest[1], re.ASCII)
        ):
            raise InvalidError(
                f"speed: after its rows a position has 'r', the number of the next round, and {self.players} players."
            )
        players = [_player(word, width, height, int(rest[1])) for word in rest[2:]]
        state = empty_board(width, height, players)
        state.clock[0] = int(rest[1])
        numbers = {letter: number for number, letter in _LETTERS.items()}
        state.cells[:] = [[numbers[letter] for letter in row] for row in rows]
        if state.cells.max() > self.players:
            raise InvalidError(f"speed: the position has trails of player {state.cells.max()} of {self.players}.")
        for number, (x, y, _, _, fell) in enumerate(players, 1):
            if not fell and state.cells[y, x] != number:
                raise InvalidError(f"speed: player {number} is at {x},{y}, but its trail is not.")
        return state

    def is_out(self, state: SpeedState, player: int) -> bool:
        return bool(state.players[player, FELL])

    def first_round(self, state: SpeedState) -> int:
        return int(state.clock[0])

    def early_exits(
        self, start: SpeedState, opening: Sequence[Sequence[str]], steps: Sequence[Sequence[tuple[int, str]]]
    ) -> set[int]:
        """The players that gave no valid answer, in any round, or died in the first rounds without meeting another."""
        out = {player for step in steps for player, move in step if move in _FORFEITS}
        for before, after in pairwise(_first_states(start, opening, steps[: self.early_rounds])):
            fell = np.flatnonzero(after.players[:, FELL] - before.players[:, FELL])
            out.update(player for player in fell.tolist() if fell_by_itself(before, after, player))
        return out


# --- Early exits ------------------------------------------------------------------------------------------------------


def _first_states(
    start: SpeedState, opening: Sequence[Sequence[str]], steps: Sequence[Sequence[tuple[int, str]]]
) -> Iterator[SpeedState]:
    """The states of the first rounds after the opening; without `replay`, whose checks take five times as long.

    There are none if the record begins in a later round, for example if a log lacks its start.
    """
    if start.clock[0] > 1:
        return
    state = duplicate(start)
    for texts in opening:
        play(state, np.array([_NUMBERS[text] for text in texts]))
    yield duplicate(state)
    for step in steps:
        if not all(move for _, move in step):
            return  # an incomplete step was not played
        play(state, np.array([_NUMBERS[move] for _, move in step]))
        yield duplicate(state)


def fell_by_itself(before: SpeedState, after: SpeedState, player: int) -> bool:
    """True if a player that died in this round touched no cell that another one touched."""
    return all(before.cells[y, x] == player + 1 for x, y in _path(before, after, player) if after.cells[y, x] == CRASH)


def _path(before: SpeedState, after: SpeedState, player: int) -> Iterator[tuple[int, int]]:
    """The cells on the board that a player touched in a round."""
    height, width = before.cells.shape
    x, y = (int(before.players[player, place]) for place in (X, Y))
    direction, speed = (int(after.players[player, place]) for place in (DIRECTION, SPEED))
    for step in range(speed if 1 <= speed <= TOP_SPEED else 0):
        x, y = x + _DX[direction], y + _DY[direction]
        if not (0 <= x < width and 0 <= y < height):
            return
        if not is_skipped(step, speed, int(before.clock[0])):
            yield x, y


# --- Positions --------------------------------------------------------------------------------------------------------


def first_direction(x: int, y: int, width: int, height: int) -> int:
    """The direction of a player that starts at x, y."""
    if y > height // 2:
        return UP if x > width // 2 else RIGHT
    return LEFT if x > width // 2 else DOWN


def empty_board(width: int, height: int, players: Sequence[tuple[int, ...]]) -> SpeedState:
    """A board without trails in the first round; players are x, y, direction, speed and the round of their death."""
    return SpeedState(
        cells=np.zeros((height, width), np.int8),
        players=np.array(players, np.int64),
        clock=np.ones(1, np.int64),
    )


def _rows(state: SpeedState) -> list[str]:
    return ["".join(_LETTERS[cell] for cell in row) for row in state.cells.tolist()]


def _player(word: str, width: int, height: int, now: int) -> tuple[int, ...]:
    """A player of a position."""
    parts = word.split(",")
    try:
        x, y, direction, speed = int(parts[0]), int(parts[1]), DIRECTIONS.index(parts[2]), int(parts[3])
        fell = int(parts[4]) if parts[4:] else 0
        out = int(fell > 0)  # a dead player may be off the board, or have an impossible speed
        far = out * TOP_SPEED
        on_board = -far <= x < width + far and -far <= y < height + far
        if len(parts) > 5 or not on_board or not 1 - out <= speed <= TOP_SPEED + out or not 0 <= fell < now:
            raise ValueError
    except (ValueError, IndexError):
        raise InvalidError(
            f"speed: '{word}' is not a player on this board: write x,y,direction,speed, as in 4,14,down,1, and "
            "for a dead player, as a fifth, the round of its death."
        ) from None
    return x, y, direction, speed, fell
