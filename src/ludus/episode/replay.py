"""Replays: the states of a record, and a check that it ends as it says."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ludus.core.errors import InvalidError, LudusError
from ludus.episode.opening import start_state
from ludus.episode.record import Ending, Move, Record
from ludus.episode.verdict import final_scores
from ludus.games.game import Game, game_from
from ludus.kernel import rules


class Scene(NamedTuple):
    """A state of an episode and the step that led to it: empty at the start, without times in the opening."""

    state: rules.State
    step: list[Move]


def replay(record: Record, game: Game | None = None) -> Iterator[Scene]:
    """Yield the states of an episode from the start on; InvalidError if the record contradicts the rules.

    A last step that disqualified its player was not played and has no scene.
    """
    game = game or game_from(record.game)
    if len(record.seats) != game.seats:
        raise InvalidError(f"The record has {len(record.seats)} seats, but {game.spec()} has {game.seats}.")
    named = {*record.by, *(fallen.seat for fallen in record.out)}
    if len(record.scores) != game.seats or not named <= set(range(game.seats)):
        raise InvalidError("The record goes wrong at its end: it names a seat that does not exist.")
    if not set(record.by) <= {fallen.seat for fallen in record.out}:
        raise InvalidError("The record goes wrong at its end: a player that was not disqualified ended it.")
    state = start_state(game, record.opening)
    yield Scene(rules.duplicate(state), [])
    for number, texts in enumerate(record.opening.moves, 1):
        if len(texts) != len(movers := game.movers(state)):
            raise InvalidError(
                f"The record goes wrong at step {number} of the opening: it has {len(texts)} moves, not {len(movers)}."
            )
        step = list(map(Move, movers, texts))
        _carry_out(game, state, step, f"step {number} of the opening")
        yield Scene(rules.duplicate(state), step)
    for number, step in enumerate(record.steps, 1):
        if number == len(record.steps) and not all(move.move for move in step):
            if not {move.seat for move in step} <= set(game.movers(state)):
                raise InvalidError(f"The record goes wrong at step {number}: other players were to move.")
            break
        _carry_out(game, state, step, f"step {number}")
        yield Scene(rules.duplicate(state), step)
    _check_end(record, game, state)


def _carry_out(game: Game, state: rules.State, step: list[Move], where: str) -> None:
    if rules.over(state):
        raise InvalidError(f"The record goes wrong at {where}: the game was already over.")
    movers = game.movers(state)
    if [move.seat for move in step] != movers:
        raise InvalidError(
            f"The record goes wrong at {where}: seats {_listed(move.seat for move in step)} moved, "
            f"but it was the turn of {_listed(movers)}."
        )
    numbers = []
    for move in step:
        try:
            numbers.append(game.parse(state, move.seat, move.move))
        except LudusError as error:
            raise InvalidError(f"The record goes wrong at {where}: {error}") from None
    rules.play(state, np.array(numbers))


def _listed(seats: Iterator[int] | list[int]) -> str:
    return ", ".join("chance" if seat == rules.CHANCE else str(seat) for seat in seats) or "nobody"


def _check_end(record: Record, game: Game, state: rules.State) -> None:
    steps = len(record.steps)
    is_over = bool(rules.over(state))
    if is_over != (record.ending is Ending.RULES):
        ending = f"ended by '{record.ending}'"
        raise InvalidError(
            f"The record goes wrong after step {steps}: it {ending}, but by the rules the game "
            f"{'is over' if is_over else 'goes on'}."
        )
    if record.ending is Ending.MACHINE:
        return
    if record.ending is Ending.ADJUDICATED:
        if sorted(record.scores) not in ([0.0, 0.0], [-1.0, 1.0]):
            raise InvalidError(
                f"The record goes wrong after step {steps}: it was adjudicated with the scores "
                f"{_numbers(record.scores)}, which are neither a draw nor a win."
            )
        return
    points = [0.0] * game.seats
    if is_over or (game.seats == 1 and record.ending is Ending.PLIES):
        points = game.scores(state)
    expected = final_scores(points, record.out, game)
    if not np.allclose(expected, record.scores):
        raise InvalidError(
            f"The record goes wrong after step {steps}: it has the scores {_numbers(record.scores)}, "
            f"but the rules give {_numbers(expected)}."
        )


def _numbers(scores: list[float]) -> str:
    return ", ".join(f"{score:g}" for score in scores)
