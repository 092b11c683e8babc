"""The outcome of an episode: the winners, and one sentence on how it ended."""

from itertools import islice

from ludus.core.text import first_line, listing, plural
from ludus.episode.record import Ending, Fault, Move, Record
from ludus.episode.replay import replay
from ludus.kernel.numbers import CHANCE


def winners(record: Record) -> list[str]:
    """The names of the players with the highest score; none in a tie, alone, or without a result."""
    if record.ending is Ending.MACHINE:
        return []
    best = max(record.scores)
    first = [seat.name for seat, score in zip(record.seats, record.scores, strict=True) if score == best]
    return first if len(first) < len(record.seats) else []


def outcome(record: Record) -> str:
    """One sentence on how the episode ended."""
    names = [seat.name for seat in record.seats]
    made = sum(_is_made(move) for step in record.steps for move in step)
    moves = plural(_opening_moves(record) + made, "move")
    if record.ending is Ending.MACHINE:
        return f"No result after {moves}: the machine failed, and no player is to blame."
    if len(names) == 1:
        return f"{names[0]} got {record.scores[0]:,g} points in {moves}{_reason(record, names)}."
    won = winners(record)
    result = f"{' and '.join(won)} {'win' if len(won) > 1 else 'wins'}" if won else "A tie"
    return f"{result} after {moves}{_reason(record, names)}."


def _is_made(move: Move) -> bool:
    return move.seat != CHANCE and bool(move.move)


def _opening_moves(record: Record) -> int:
    """The number of moves of players in the opening, which the numbers of moves count too."""
    scenes = islice(replay(record), len(record.opening.moves) + 1) if record.opening.moves else ()
    return sum(_is_made(move) for scene in scenes for move in scene.step)


def _reason(record: Record, names: list[str]) -> str:
    if record.ending is Ending.RULES:
        return ""
    if record.ending in (Ending.PLIES, Ending.ADJUDICATED):
        return f", {record.ending.words}"
    culprits = listing(names[seat] for seat in record.by)
    evidence = listing(filter(None, (_evidence(record, seat) for seat in record.by)))
    return f": {culprits} {Fault(record.ending).did}{f' ({evidence})' if evidence else ''}"


def _evidence(record: Record, seat: int) -> str:
    preparation = record.seats[seat].preparation
    if preparation and preparation.fault:
        return first_line(preparation.evidence)
    return next((first_line(move.evidence) for step in record.steps[-1:] for move in step if move.seat == seat), "")
