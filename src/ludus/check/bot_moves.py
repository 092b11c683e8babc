"""The steps of a bot's check that look at its moves: legal and in time, in every situation."""

import time
from collections.abc import Iterator

import numpy as np

from ludus.agents.random import Random
from ludus.check.remedies import expect_no_mistake, manners, mistake
from ludus.check.steps import NothingToCheckError, ProblemError, Seen
from ludus.check.trials import Played, Trial
from ludus.core.errors import LudusError
from ludus.core.text import format_duration, spoken_time
from ludus.episode import verdict
from ludus.episode.cost import Cost
from ludus.episode.driver import play_episode
from ludus.episode.limits import UNLIMITED
from ludus.episode.local_player import LocalPlayer
from ludus.episode.opening import random_opening, start_state
from ludus.episode.record import Ending, Fault, Opening
from ludus.games.game import Game
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import CHANCE, play, sample

SECONDS = 8.0
"""Time for the episodes of a step: no round begins later, and a slow bot's episodes are cut short."""
_ROUNDS = 20
_MOST_SHOWN = 3


def opens(trial: Trial) -> Seen:
    """Check that the bot can make the first move."""
    state, rng = start_state(trial.game), new_rng(0)
    while trial.game.movers(state) == [CHANCE]:
        play(state, np.array([sample(state, CHANCE, rng)]))
    played = expect_no_mistake(trial, trial.play(trial.game.movers(state)[0], plies=1))
    return [f"with {played.moves[0].move}"], {}


def answers(trial: Trial) -> Seen:
    """Check that the bot can answer moves in every seat."""
    seats = trial.game.seats
    played = [expect_no_mistake(trial, trial.play(seat, plies=2 * seats)) for seat in range(seats)]
    return [f"legal moves: {sum(len(each.moves) for each in played)}"], {}


def plays(trial: Trial) -> Seen:
    """Check that the bot finishes games without a mistake."""
    plies = trial.plies_within(SECONDS)
    episodes: list[Played] = []
    mistakes: list[ProblemError] = []
    for seed, seat in _rounds(trial):
        episodes.append(trial.play(seat, seed, plies))
        if found := mistake(trial.bot, trial.game, episodes[-1]):
            mistakes.append(found)
            if len(mistakes) == _MOST_SHOWN:
                break
        elif trial.again is None:
            trial.again = episodes[-1], seed, plies
    if mistakes:
        first, *others = mistakes
        raise ProblemError(
            first.what,
            first.remedy,
            *first.notes,
            *(note for other in others for note in (f"in another game, {other.what}", *other.notes)),
        )
    moves = sum(len(played.moves) for played in episodes)
    notes = [f"episodes against random moves: {len(episodes)}, with {moves:,} moves by the bot"]
    if cut := sum(played.record.ending is Ending.PLIES for played in episodes):
        notes.append(f"cut after {plies:,} plies because the bot is slow: {cut}")
    return notes, {}


def _rounds(trial: Trial) -> Iterator[tuple[int, int]]:
    """Seeds and seats for the episodes of a step: each seat at least once, and again while there is time."""
    deadline = time.monotonic() + SECONDS
    for seed in range(_ROUNDS):
        if seed and time.monotonic() > deadline:
            return
        yield from ((seed, seat) for seat in range(trial.game.seats))


def keeps_time(trial: Trial) -> Seen:
    """Check that all moves so far were in time; waiting for a busy machine does not count."""
    moves = [move for played in trial.played for move in played.moves]
    granted, grace = format_duration(trial.move_time), format_duration(UNLIMITED.grace)
    late = [m.wall for m in moves if verdict.late(UNLIMITED, trial.move_time, m)]
    slowest, start = max(late or [move.wall for move in moves]), trial.slowest_start()
    if verdict.late(UNLIMITED, trial.patience, Cost(wall=start)):
        raise ProblemError(
            f"the bot took {spoken_time(start)} to get ready; its limit is {format_duration(trial.patience)}",
            "compute less before the first move, or compute it once and keep it in a file",
        )
    if late:
        raise ProblemError(
            f"{len(late)} of its {len(moves)} moves took longer than {granted} plus {grace} of grace; "
            f"the slowest {spoken_time(slowest)}",
            manners(trial.bot).clock,
        )
    notes = [
        f"slowest of {len(moves):,} moves: {spoken_time(slowest)}; limit {granted}, with a grace of {grace}",
        f"slowest start: {spoken_time(start)} of {format_duration(trial.patience)}",
    ]
    if delayed := sum(verdict.late(UNLIMITED, trial.move_time, Cost(wall=move.wall)) is not None for move in moves):
        notes.append(f"late, but only because the machine was busy: {delayed}")
    return notes, {"moves": len(moves), "slowest": slowest, "start_up": start}


def takes_positions(trial: Trial) -> Seen:
    """Check that the bot plays on from positions in the middle of a game."""
    game = trial.game
    try:
        game.save(start_state(game))
    except LudusError:
        raise NothingToCheckError(f"positions of {game.name} have no text form") from None
    plies = trial.plies_within(SECONDS)
    tried = 0
    for seed, seat in _rounds(trial):
        opening = _middle_of_a_game(game, seed)
        played = trial.play(seat, seed, plies, opening)
        tried += 1
        found = mistake(trial.bot, game, played)
        if found and played.fault and played.fault[0] is Fault.ILLEGAL:
            raise ProblemError(
                f"from a position after {len(opening.moves)} moves: {found.what}",
                f"the bot may ignore the start position; {manners(trial.bot).position}",
                *found.notes,
            )
        if found:
            raise found
    return [f"episodes from the middle of a game: {tried}"], {}


def _middle_of_a_game(game: Game, seed: int) -> Opening:
    """Half of a random game; the seed decides if its number of plies is odd, so that both sides open."""
    record = play_episode(game, [LocalPlayer(Random()) for _ in range(game.seats)], seed=seed)
    half = sum(step[0].seat != CHANCE for step in record.steps) // 2
    try:
        return random_opening(game, half + (half + seed) % 2 or 1, seed)
    except LudusError as error:
        raise NothingToCheckError(str(error).rstrip(".")) from None


def plays_again(trial: Trial) -> Seen:
    """Compare its moves in a repeated episode; they may differ."""
    assert trial.again is not None
    first, seed, plies = trial.again
    second = expect_no_mistake(trial, trial.play(first.seat, seed, plies))
    for number, (one, two) in enumerate(zip(first.moves, second.moves, strict=False), 1):
        if one.move != two.move:
            return [
                f"different moves: its move {number} was {one.move} first, then {two.move}",
                "not a mistake, but episodes can be repeated if all randomness comes from the seed it receives",
            ], {"same": False}
    return [f"the same {len(first.moves)} moves"], {"same": True}
