"""Generic functions: found by the type of the state; `@rule` answers mistakes in one sentence."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import TypingError

from ludus.kernel import rules
from ludus.kernel.jit import compiled, interpreted
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import Array, duplicate, rule
from support.sentences import one_sentence


class Counter(NamedTuple):
    """Counts down from what it holds; the last to count wins."""

    left: Array


@rule
def most_moves(state: Counter) -> int:
    return 1


@rule
def movers(state: Counter, out: Array) -> int:
    out[0] = state.left[0] & 1
    return 1


@rule
def legal(state: Counter, player: int, out: Array) -> int:
    out[0] = 1
    return 1


@rule
def play(state: Counter, moves: Array) -> None:
    state.left[0] -= moves[0]


@rule
def over(state: Counter) -> bool:
    return state.left[0] == 0


@rule
def scores(state: Counter, out: Array) -> None:
    out[0], out[1] = -1.0, 1.0


@rule(allocates=True)
def heuristic(state: Counter, player: int) -> float:
    return np.zeros(3).sum() + 0.5


class Unruly(NamedTuple):
    """Has no rules at all."""

    left: Array


class Tally:
    """The same game as Counter, as a Python object."""

    def __init__(self, left: int = 0) -> None:
        self.left = left


def write_rules_of_tally() -> None:
    """Inside a function, for the names are those of Counter's rules."""

    def most_moves(state: Tally) -> int:
        return 1

    def movers(state: Tally, out: Array) -> int:
        out[0] = state.left & 1
        return 1

    def legal(state: Tally, player: int, out: Array) -> int:
        out[0] = 1
        return 1

    def play(state: Tally, moves: Array) -> None:
        state.left -= int(moves[0])

    def over(state: Tally) -> bool:
        return state.left == 0

    def scores(state: Tally, out: Array) -> None:
        out[0], out[1] = -1.0, 1.0

    def copy(state: Tally, into: Tally) -> None:
        into.left = state.left

    for function in (most_moves, movers, legal, play, over, scores, copy):
        rule(function)


write_rules_of_tally()


@compiled
def plies(state: Any) -> int:
    """A search in small: written once against the generic functions."""
    moves = rules.room(rules.most_moves(state))
    n = 0
    while not rules.over(state):
        rules.legal(state, 0, moves)
        rules.play(state, moves)
        n += 1
    return n


@compiled
def guess(state: Counter) -> float:
    return rules.heuristic(state, 0)


@compiled
def lost(moves: Array) -> bool:
    return rules.over(moves)


def new_counter(left: int = 5) -> Counter:
    return Counter(np.array([left]))


def test_one_search_runs_compiled_interpreted_and_on_objects() -> None:
    assert plies(new_counter()) == interpreted(plies)(new_counter()) == interpreted(plies)(Tally(5)) == 5


def test_defaults_serve_games_that_have_no_version() -> None:
    out = np.zeros(2)
    rules.playout(new_counter(), new_rng(0), out)
    assert out.tolist() == [-1.0, 1.0]
    rules.playout(Tally(5), new_rng(0), out)
    assert out.tolist() == [-1.0, 1.0]
    assert rules.sample(Tally(5), 0, new_rng(0)) == 1


def test_copy_of_an_object_is_apart() -> None:
    tally = Tally(5)
    duplicate(tally).left = 1
    assert tally.left == 5


def test_provides_tells_own_versions_from_defaults() -> None:
    assert rules.provides(Counter, "legal")
    assert not rules.provides(Counter, "playout")


def test_rule_may_opt_for_allocating() -> None:
    assert guess(new_counter()) == 0.5


def test_missing_rule_is_one_sentence_from_python() -> None:
    with one_sentence("Unruly 'over' @rule"):
        rules.over(Unruly(np.zeros(1)))


def test_missing_rule_is_one_sentence_from_compiled_code() -> None:
    with one_sentence("Unruly 'most_moves'"):
        plies(Unruly(np.zeros(1)))


def test_call_without_a_state_is_refused_in_compiled_code() -> None:
    with pytest.raises(TypingError, match=r"rule\(over\) needs a state as its first argument"):
        lost(np.zeros(1))


def test_unknown_rule_is_one_sentence() -> None:
    def leagl(state: Counter, player: int, out: Array) -> int:
        return 0

    with one_sentence("'leagl' 'legal'"):
        rule(leagl)


def test_wrong_parameters_are_one_sentence() -> None:
    def legal(state: Counter, out: Array) -> int:
        return 0

    with one_sentence("(state, out) (state, player, out)"):
        rule(legal)


def test_missing_annotation_is_one_sentence() -> None:
    def legal(state, player, out):  # type: ignore[no-untyped-def]
        return 0

    with one_sentence("'state' class"):
        rule(legal)
