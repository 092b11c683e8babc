"""Records as games in files of other programs, such as PGN and SGF, and back."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from ludus.core.errors import InvalidError, LudusError
from ludus.core.paths import file_errors, read_text
from ludus.core.registry import classes
from ludus.core.text import listing
from ludus.core.version import __version__
from ludus.episode.record import FORMAT, PREPARING, Ending, Fault, Move, Opening, Out, Record, Seat
from ludus.episode.replay import replay
from ludus.episode.verdict import final_scores
from ludus.games.game import Game, game_from
from ludus.games.notation import Notation, NotationError, Transcript, moves_of, start_of
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import over

Seats = Callable[[Sequence[str], int], list[Seat]]
"""A function that makes seats from the names of players and their number."""


def notation_of(game: Game, file: Path) -> Notation:
    """The notation in which a game can be written to a file with this ending."""
    notation = game.notation()
    if notation is None or file.suffix.lower() != notation.written:
        way = "no form that other programs read" if notation is None else f"the form {notation.written} alone"
        raise InvalidError(f"{file} cannot be written: {game.name} has {way}.")
    return notation


def written(record: Record, notation: Notation, game: Game, event: str = "", round: str = "") -> str:
    """The text of a record in a file, checked against the rules."""
    moves = [move for scene in replay(record, game) for move in scene.step]
    has_result = record.ending is not Ending.MACHINE
    return notation.write(
        game,
        Transcript(
            game=record.game,
            moves=[(move.seat, move.move) for move in moves],
            position=record.opening.position,
            names=[seat.name for seat in record.seats],
            scores=[float(np.sign(score)) for score in record.scores] if has_result else None,
            ending=record.ending.value,
            played=record.played,
            event=event,
            round=round,
            walls=[move.wall for move in moves],
        ),
    )


# --- Reading --------------------------------------------------------------------------------------------------------


def holds_games(file: Path) -> bool:
    """True if the ending of a file is one of a notation of some game."""
    return any(file.suffix.lower() in notation.endings for notation in _notations())


def read_records(file: Path, seats: Seats) -> Iterator[Record | LudusError]:
    """The games in a file as records; for one that is wrong, its error, which names the line.

    A game without a date has that of the file. Games of one moment are a microsecond apart, so that equal games stay
    two.
    """
    ending = file.suffix.lower()
    text = read_text(file)
    with file_errors(file, "read"):
        changed = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    number = -1
    told: set[str] = set()  # several games have one form, and its errors
    for notation in _notations():
        if ending in notation.endings:
            for found in notation.read(text, ending):
                number += 1
                if isinstance(found, NotationError):
                    if str(found) not in told:
                        yield InvalidError(f"Line {found.line} of {file}: {found.why}")
                    told.add(str(found))
                    continue
                try:
                    yield _record(found, (found.played or changed) + timedelta(microseconds=number), seats)
                except LudusError as error:
                    yield InvalidError(f"Line {found.line} of {file} begins a game that cannot be imported: {error}")
    if number < 0:
        raise InvalidError(f"{file} has no game that Ludus knows.")


def _notations() -> Iterable[Notation]:
    notations = (kind.notation() for kind in classes(Game).values())
    return [notation for notation in notations if notation is not None]


def _record(found: Transcript, played: datetime, seats: Seats) -> Record:
    game = game_from(found.game)
    state = start_of(found, game)
    position = None if found.position is None else game.save(state)
    if position == game.save(game.start(new_rng(0))):
        position = None
    steps = [[Move(seat=move.seat, move=move.text, wall=move.wall)] for move in moves_of(found, game, state)]
    record = Record(
        format=FORMAT,
        ludus=__version__,
        played=played,
        game=game.spec(),
        seats=seats([name or "unknown" for name in found.names], game.seats),
        seed=0,
        opening=Opening(position),
        scores=[0.0] * game.seats,
        ending=Ending.MACHINE,
        steps=steps,
    )
    if over(state):
        _end_by_rules(record, found.scores, game.scores(state))
    elif found.scores is not None and found.scores[0] == found.scores[1]:
        record.ending = Ending.PLIES  # a draw by agreement, or adjudicated
    elif found.scores is not None:
        loser = int(np.argmin(found.scores))
        _give_up(record, loser, found.ending, game, to_move=loser in game.movers(state))
    return record


def _end_by_rules(record: Record, said: Sequence[float] | None, scores: list[float]) -> None:
    if said is not None and np.sign(scores).tolist() != list(said):
        raise InvalidError(
            f"it says that the scores are {_listed(said)}, but by the rules of Ludus they are {_listed(scores)}."
        )
    record.ending, record.scores = Ending.RULES, scores


def _listed(scores: Iterable[float]) -> str:
    return listing(f"{score:g}" for score in scores)


def _give_up(record: Record, loser: int, ending: str, game: Game, *, to_move: bool) -> None:
    """End a game that a player lost before its end: by the fault that the file names, or by leaving."""
    fault = Fault(ending) if ending in set(Fault) else Fault.QUIT
    evidence = "as the file of the game says"
    if to_move:
        record.steps.append([Move(seat=loser, fault=fault, evidence=evidence)])
    step = len(record.steps) - 1 if record.steps else PREPARING
    record.ending, record.by, record.out = Ending(fault.value), [loser], [Out(loser, step, fault)]
    record.scores = final_scores(record.scores, record.out, game)
