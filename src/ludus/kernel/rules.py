"""The generic functions that every game implements.

A state is a NamedTuple of NumPy arrays, and a rule is a plain function on it, marked with `@rule`. A search is written
once, in terms of the names below, and runs at native speed on every game. A state of any other class has interpreted
rules, and `interpreted(search)` runs on it.

Buffers that rules fill are C-contiguous: int64 for players and moves, float64 for scores and probabilities.
"""

from typing import Any

from ludus.kernel.dispatch import generic, is_array_state, provides, rule
from ludus.kernel.jit import interpreted
from ludus.kernel.numbers import CHANCE, MOST_PLAYERS, MOVE_LIMIT
from ludus.kernel.rng import Rng, below, unit
from ludus.kernel.state import (
    Array,
    Constant,
    array_copy,
    array_stack,
    at,
    copy_fields,
    hash_fields,
    room,
    room_of_floats,
)

__all__ = [
    "CHANCE",
    "MOST_PLAYERS",
    "MOVE_LIMIT",
    "Array",
    "Constant",
    "Rng",
    "State",
    "allows",
    "at",
    "chance",
    "copy",
    "duplicate",
    "forfeit",
    "heuristic",
    "is_array_state",
    "kernel_for",
    "key",
    "legal",
    "most_moves",
    "most_outcomes",
    "movers",
    "order",
    "over",
    "play",
    "playout",
    "provides",
    "room",
    "room_of_floats",
    "rule",
    "sample",
    "scores",
    "skip",
    "stack_of",
]

State = Any


# --- Required of every game ---------------------------------------------------------------------------------------


@generic()
def most_moves(state: State) -> int:
    """The maximum number of moves that `legal` can return in this game."""
    raise NotImplementedError


@generic()
def movers(state: State, out: Array) -> int:
    """Write the players to move, return their number: several at once, or CHANCE alone for a chance event."""
    raise NotImplementedError


@generic()
def legal(state: State, player: int, out: Array) -> int:
    """Write the moves of `player`, numbers from 0 to below MOVE_LIMIT, return their number; a forced pass is a move."""
    raise NotImplementedError


@generic()
def play(state: State, moves: Array) -> None:
    """Play moves[i] for movers[i]; at chance, moves[0] is the outcome's number."""
    raise NotImplementedError


@generic()
def over(state: State) -> bool:
    """True if the episode has ended; there is no other test."""
    raise NotImplementedError


@generic()
def scores(state: State, out: Array) -> None:
    """Write each player's score: −1…1 with sum 0 for several players, raw points for one."""
    raise NotImplementedError


# --- Optional ----------------------------------------------------------------------------------------------------


@generic(default=True)
def allows(state: State, player: int, move: int) -> bool:
    """True if `move` is one of the moves of `legal`."""
    moves = room(most_moves(state))
    n = legal(state, player, moves)
    place = 0
    while place < n and moves[place] != move:
        place += 1
    return place < n


@generic(default=True)
def forfeit(state: State, player: int, move: int) -> int:
    """The move of a player that loses by a fault, in games that continue without it.

    Such a move is not legal, but `play` accepts it. `move` is the player's answer, −1 if there was none. The default,
    −1, means that there is no such move: random moves are then made for the player.
    """
    return -1


@generic(default=True)
def most_outcomes(state: State) -> int:
    """The maximum number of outcomes of `chance`."""
    return 0


@generic(default=True)
def chance(state: State, probabilities: Array) -> int:
    """Write the probability of each outcome, return their number; outcomes are numbered from 0."""
    return 0


@generic(default=True)
def sample(state: State, player: int, rng: Rng) -> int:
    """One random legal move of `player`, each equally likely; for CHANCE, one outcome by its probability."""
    if player == CHANCE:
        probabilities = room_of_floats(most_outcomes(state))
        n = chance(state, probabilities)
        left = unit(rng)
        for outcome in range(n - 1):
            left -= probabilities[outcome]
            if left < 0.0:
                return outcome
        return n - 1
    moves = room(most_moves(state))
    return moves[below(rng, legal(state, player, moves))]


@generic(default=True)
def playout(state: State, rng: Rng, out: Array) -> None:
    """Play random moves to the end and write the scores."""
    who = room(MOST_PLAYERS)
    chosen = room(MOST_PLAYERS)
    while not over(state):
        n = movers(state, who)
        for i in range(n):
            chosen[i] = sample(state, who[i], rng)
        play(state, chosen)
    scores(state, out)


@generic(default=True)
def heuristic(state: State, player: int) -> float:
    """An estimate of the score of `player`, strictly between the lowest and the highest; for one player, points."""
    return 0.0


@generic(default=True)
def order(state: State, player: int, moves: Array, n: int) -> int:
    """Sort moves[:n], the most promising first, and return the number of them that a search should try."""
    return n


@generic(default=True)
def skip(state: State, player: int) -> None:
    """Let `player` pass in a best-reply search: by a real pass if the game has one, else by a move."""
    moves = room(most_moves(state))
    n = legal(state, player, moves)
    order(state, player, moves, n)
    play(state, moves)


# --- Derived from the state's fields -------------------------------------------------------------------------------


@generic(default=True)
def copy(state: State, into: State) -> None:
    """Make `into` equal to `state`."""
    copy_fields(state, into)


@generic(default=True)
def key(state: State) -> int:
    """A 64-bit hash of the position, for transposition tables: equal positions have equal keys."""
    return hash_fields(state)


def kernel_for(state: State, function: Any) -> Any:
    """The form of a compiled function for this state: itself for arrays, its interpreted twin for objects."""
    return function if is_array_state(type(state)) else interpreted(function)


def stack_of(state: State, plies: int) -> State:
    """Allocate that many states, each accessed with `at`."""
    if is_array_state(type(state)):
        return array_stack(state, plies)
    return [duplicate(state) for _ in range(plies)]


def duplicate(state: State) -> State:
    """A new state equal to this one."""
    if is_array_state(type(state)):
        return array_copy(state)
    into = type(state)()
    copy(state, into)
    return into
