"""A finished episode, as a worker returns it."""

from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from ludus.episode.codec import microseconds, pack
from ludus.episode.record import Ending, Key, Move, Record
from ludus.kernel.numbers import CHANCE

if TYPE_CHECKING:
    from ludus.games.game import Game


class Episode(msgspec.Struct, array_like=True, frozen=True):
    """One episode as a worker returns it: the data for tables, and the packed record.

    `walls` and `faults` have an entry for each seat: the nanoseconds of each of its moves, and the number of its faulty
    answers. `course` is a hash of opening, moves and ending: two episodes of one match with the same course count as
    one piece of evidence.
    """

    key: Key
    played: int  # microseconds since 1970, UTC
    wall: int  # nanoseconds from the first request to the end
    plies: int
    scores: tuple[float, ...]
    ending: Ending
    by: tuple[int, ...]
    course: int  # 63 bits
    walls: tuple[list[int], ...]
    faults: tuple[int, ...]
    packed: bytes


def course(record: Record, game: "Game | None" = None) -> int:
    """A hash of 63 bits of the opening, moves, faults and ending, without times and metrics.

    Without the game, it is created from its spec in the record.
    """
    return _course(record, [move for step in record.steps for move in step], game)


def _course(record: Record, moves: list[Move], game: "Game | None") -> int:
    opening = record.opening
    seed = opening.seed if _starts_at_random(record.game, game) else ""
    parts = [f"{record.ending}\x1d{opening.position}\x1d{seed}"]
    parts += ["\x1f".join(texts) for texts in opening.moves]
    parts += ["\x1f".join([move.move for move in moves]), "\x1f".join([str(move.seat) for move in moves])]
    parts += [f"{i}\x1f{move.fault}" for i, move in enumerate(moves) if move.fault]
    parts += [f"{out.seat}\x1f{out.step}\x1f{out.fault}" for out in record.out]
    return int.from_bytes(blake2b("\x1e".join(parts).encode(), digest_size=8).digest(), "big") >> 1


def _starts_at_random(spec: str, game: "Game | None") -> bool:
    """True if the seed of an opening matters; otherwise two seeds may lead to the same episode."""
    from ludus.episode.opening import setting  # mere readers need neither rules nor the compiler

    return setting(game or _game_named(spec)).start is None


@cache
def _game_named(spec: str) -> "Game":
    from ludus.games.game import game_from

    return game_from(spec)


def episode(record: Record, key: Key, wall: int, course: int | None = None, game: "Game | None" = None) -> Episode:
    """The stored form of an episode; `wall` has the nanoseconds from the first request to its end.

    A known course is not computed again, which needs the game. A faulty preparation counts among the faults.
    """
    moves = [move for step in record.steps for move in step]
    faults = [int(seat.preparation is not None and seat.preparation.fault is not None) for seat in record.seats]
    for move in moves:
        if move.fault is not None:
            faults[move.seat] += 1
    return Episode(
        key,
        microseconds(record.played),
        wall,
        plies(record),
        tuple(record.scores),
        record.ending,
        tuple(record.by),
        _course(record, moves, game) if course is None else course,
        walls(record, moves),
        tuple(faults),
        pack(record, moves),
    )


def walls(record: Record, moves: list[Move] | None = None) -> tuple[list[int], ...]:
    """The nanoseconds of each move, seat by seat; for a disqualified player, up to its last move.

    `moves` are those of all steps, if the caller has listed them.
    """
    if record.out:
        moves = [*record.answers()]
    elif moves is None:
        moves = [move for step in record.steps for move in step]
    found: tuple[list[int], ...] = tuple([] for _ in record.seats)
    for move in moves:
        if move.seat != CHANCE:
            found[move.seat].append(move.wall)
    return found


def plies(record: Record) -> int:
    """The number of played steps of players; a last step that was not played has a move without text."""
    cut_off = bool(record.steps) and not all(move.move for move in record.steps[-1])
    return sum([step[0].seat != CHANCE for step in record.steps]) - cut_off
