"""Chess, by the rules of the package python-chess; its states are Python objects, so its rules are interpreted.

A move is from + 64·to + 4096·promotion, squares counted from a1 = 0, b1 = 1 to h8 = 63.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from ludus.core.errors import InvalidError, LudusError
from ludus.games.game import Game, Weight
from ludus.kernel.rng import Rng, below
from ludus.kernel.rules import Array, duplicate, rule

if TYPE_CHECKING:
    import chess

    from ludus.games.notation import Notation

MOST_MOVES = 218
FIFTY_MOVES = 100  # in plies
NEAR_FIFTY_MOVES = 80
LAST_PIECES = 6  # at most this many pieces besides kings and pawns make an endgame
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)


class ChessState:
    """A board, the positions since the last capture or pawn move, and the tables of the evaluation."""

    __slots__ = ("board", "moves", "seen", "tables", "times", "twice")

    board: chess.Board
    moves: list[int] | None  # the legal ones, once computed
    seen: dict[Position, int]
    times: int  # number of occurrences of the present position
    twice: int  # a hash of all positions that occurred twice
    tables: list[list[float]]  # value of a white piece on each square: pawn … king, king in the endgame


Position = tuple[int, ...]


@rule
def most_moves(state: ChessState) -> int:
    return MOST_MOVES


@rule
def movers(state: ChessState, out: Array) -> int:
    out[0] = 0 if state.board.turn else 1
    return 1


@rule
def legal(state: ChessState, player: int, out: Array) -> int:
    moves = moves_of(state)
    out[: len(moves)] = moves
    return len(moves)


@rule
def allows(state: ChessState, player: int, move: int) -> bool:
    return is_legal(state, int(move))


@rule
def sample(state: ChessState, player: int, rng: Rng) -> int:
    # Also if the legal moves are known, so that the same generator gives the same move in any case.
    pseudo_legal = list(state.board.generate_pseudo_legal_moves())  # takes half the time of the legal ones
    while True:
        move = pseudo_legal[below(rng, len(pseudo_legal))]
        if not state.board.is_into_check(move):
            return number_of(move)


@rule
def play(state: ChessState, moves: Array) -> None:
    board = state.board
    board.push(move_from(int(moves[0])))
    board.clear_stack()
    state.moves = None
    if board.halfmove_clock == 0:
        state.seen.clear()
        state.twice = 0
    position = position_of(board)
    state.times = state.seen[position] = state.seen.get(position, 0) + 1
    if state.times == 2:
        state.twice ^= hash_of(position)


@rule
def over(state: ChessState) -> bool:
    if state.times >= 3 or state.board.halfmove_clock >= FIFTY_MOVES or is_stuck(state):
        return True
    board = state.board
    return not (board.pawns | board.rooks | board.queens) and board.is_insufficient_material()


@rule
def scores(state: ChessState, out: Array) -> None:
    out[:2] = 0.0
    if state.board.is_check() and is_stuck(state):
        loser = 0 if state.board.turn else 1
        out[loser], out[1 - loser] = -1.0, 1.0


@rule
def copy(state: ChessState, into: ChessState) -> None:
    into.board = state.board.copy(stack=False)
    into.moves = state.moves
    into.seen = state.seen.copy()
    into.times = state.times
    into.twice = state.twice
    into.tables = state.tables


@rule
def key(state: ChessState) -> int:
    """Hash the board, the positions that end the game when they recur, and a nearly expired fifty-move count.

    Positions that occurred once are not distinguished, so that a search can reuse results after a transposition.
    """
    clock = state.board.halfmove_clock
    return hash_of((*position_of(state.board), state.twice, clock if clock >= NEAR_FIFTY_MOVES else 0))


@rule
def heuristic(state: ChessState, player: int) -> float:
    board = state.board
    white, black = board.occupied_co[True], board.occupied_co[False]
    officers = board.knights | board.bishops | board.rooks | board.queens
    king = KING + (officers.bit_count() <= LAST_PIECES)
    total = 0.0
    for kind, pieces in enumerate((board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)):
        table = state.tables[kind if kind < KING else king]
        bits = pieces & white
        while bits:
            total += table[(bits & -bits).bit_length() - 1]
            bits &= bits - 1
        bits = pieces & black
        while bits:
            total -= table[(bits & -bits).bit_length() - 1 ^ 56]
            bits &= bits - 1
    value = total / (4.0 + abs(total))
    return value if player == 0 else -value


@rule
def order(state: ChessState, player: int, moves: Array, n: int) -> int:
    kind_at = state.board.piece_type_at

    def promise(move: int) -> int:
        origin, target = move & 63, move >> 6 & 63
        victim = kind_at(target) or 0
        return (move >> 12) * 16 + (victim * 16 - (kind_at(origin) or 0) if victim else 0)

    moves[:n] = sorted(moves[:n].tolist(), key=promise, reverse=True)
    return n


def moves_of(state: ChessState) -> list[int]:
    """The legal moves."""
    if state.moves is None:
        state.moves = [number_of(move) for move in state.board.generate_legal_moves()]
    return state.moves


def is_legal(state: ChessState, move: int) -> bool:
    """True if a move is legal: takes a tenth of the time of finding all legal moves."""
    if state.moves is not None:
        return move in state.moves
    board = state.board
    # python-chess also accepts a king's move onto its own rook as castling.
    onto_its_own = board.occupied_co[board.turn] >> (move >> 6 & 63) & 1
    return not onto_its_own and board.is_legal(move_from(move))


def is_stuck(state: ChessState) -> bool:
    """True if there is no legal move; stops at the first one, which is enough for most positions of a search."""
    if state.moves is not None:
        return not state.moves
    return next(state.board.generate_legal_moves(), None) is None


def position_of(board: chess.Board) -> Position:
    """The part of a position that the rule of repetition compares."""
    en_passant = -1 if board.ep_square is None or not board.has_legal_en_passant() else board.ep_square
    return (
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[True],
        board.turn,
        board.clean_castling_rights(),
        en_passant,
    )


def hash_of(numbers: tuple[int, ...]) -> int:
    """A 64-bit hash of 64-bit numbers, in halves: Python's own confuses a1 and f8, since it counts modulo 2⁶¹ − 1."""
    return hash(tuple([half for number in numbers for half in (number >> 32, number & 0xFFFF_FFFF)]))


def number_of(move: chess.Move) -> int:
    """The number of a move."""
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << 12


@cache
def move_from(number: int) -> chess.Move:
    """The move with a number."""
    import chess

    return chess.Move(number & 63, number >> 6 & 63, number >> 12 or None)


@cache
def move_called(text: str) -> chess.Move:
    """The move with a text in UCI; ValueError if there is none."""
    import chess

    return chess.Move.from_uci(text)


@cache
def square_values() -> list[list[float]]:
    """The bonus of a white piece on each square, in pawns: pawn … king, late king."""
    tables: list[list[float]] = [[] for _ in range(KING + 2)]
    for square in range(64):
        rank, file = divmod(square, 8)
        middle = min(file, 7 - file)  # 0 at the edge, 3 in the two middle files
        centre = middle + min(rank, 7 - rank)
        tables[PAWN].append(0.02 * max(0, rank - 1) ** 2 + 0.08 * (middle == 3) * (2 <= rank <= 4))
        tables[KNIGHT].append(0.12 * centre - 0.4)
        tables[BISHOP].append(0.05 * centre - 0.15 * (rank == 0))
        tables[ROOK].append(0.25 * (rank == 6) + 0.04 * middle)
        tables[QUEEN].append(0.03 * centre - 0.05 * (rank == 0))
        tables[KING].append(0.3 - 0.25 * min(rank, 3) - 0.12 * middle * (rank == 0))
        tables[KING + 1].append(0.12 * centre - 0.4)
    return tables


class Chess(Game):
    """Chess. Threefold repetition, fifty moves without capture or pawn move, and insufficient material end the game at
    once as a draw.

    A move is written as in UCI (`e2e4`, `e7e8q`), and standard notation is accepted too (`Nf3`). A position is a FEN;
    earlier positions do not count as repetitions.
    """

    name: ClassVar[str] = "chess"
    board: ClassVar[str] = "pieces"
    symbols: ClassVar[tuple[str, ...]] = ("PNBRQK", "pnbrqk")
    weights: ClassVar[dict[str, Weight]] = {
        "pawn": Weight(1.0, "value of a pawn"),
        "knight": Weight(3.2, "value of a knight"),
        "bishop": Weight(3.3, "value of a bishop"),
        "rook": Weight(5.0, "value of a rook"),
        "queen": Weight(9.0, "value of a queen"),
        "squares": Weight(1.0, "weight of the pieces' squares"),
    }

    def __post_init__(self) -> None:
        if importlib.util.find_spec("chess") is None:
            raise LudusError("chess needs the package python-chess: pip install 'ludus[chess]'.")

    def start(self, rng: Rng) -> ChessState:
        import chess

        return self._state(chess.Board())

    def _state(self, board: chess.Board) -> ChessState:
        state = ChessState()
        state.board = board
        state.moves = None
        state.seen = {position_of(board): 1}
        state.times = 1
        state.twice = 0
        state.tables = self._tables({})
        return state

    def _tables(self, changes: dict[str, float]) -> list[list[float]]:
        *worths, squares = (changes.get(name, weight.default) for name, weight in self.weights.items())
        tables = zip([*worths, 0.0, 0.0], square_values(), strict=True)
        return [[worth + squares * value for value in values] for worth, values in tables]

    def weigh(self, state: ChessState, changes: dict[str, float]) -> ChessState:
        weighed: ChessState = duplicate(state)
        weighed.tables = self._tables(changes)
        return weighed

    def format(self, state: ChessState, player: int, move: int) -> str:
        return move_from(move).uci()

    def parse(self, state: ChessState, player: int, text: str) -> int:
        for read in (move_called, state.board.parse_san):
            try:
                move = number_of(read(text.strip()))
            except ValueError:
                continue
            if is_legal(state, move):
                return move
        return super().parse(state, player, text)

    def draw(self, state: ChessState) -> str:
        rows = [f"{8 - i}  {row}" for i, row in enumerate(str(state.board).split("\n"))]
        return "\n".join([*rows, "", "   a b c d e f g h", f"{'white' if state.board.turn else 'black'} to move"])

    def save(self, state: ChessState) -> str:
        return state.board.fen()

    @classmethod
    def notation(cls) -> Notation | None:
        if importlib.util.find_spec("chess") is None:
            return None
        from ludus.games.chess_files import ChessNotation

        return ChessNotation()

    def load(self, text: str) -> ChessState:
        import chess

        try:
            board = chess.Board(text.strip())
        except ValueError as error:
            raise InvalidError(f"chess: '{text.strip()}' is not a FEN: {error}.") from None
        problems = [(flag.name or "").lower().replace("_", " ") for flag in board.status()]
        if any(_promoted(board, side) > 8 - (board.pawns & side).bit_count() for side in board.occupied_co):
            problems.append("more pieces than promotions allow")
        if problems:
            raise InvalidError(f"chess: '{text.strip()}' cannot occur in a game: {', '.join(problems)}.")
        return self._state(board)


def _promoted(board: chess.Board, side: int) -> int:
    """The minimum number of promoted pieces of a side."""
    usual = ((board.knights, 2), (board.bishops, 2), (board.rooks, 2), (board.queens, 1))
    return sum(max(0, (pieces & side).bit_count() - number) for pieces, number in usual)
