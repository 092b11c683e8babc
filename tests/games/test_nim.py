"""Nim: piles, players and who wins."""

import functools
import operator

import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.games.game import Game, game_from
from ludus.kernel import rules
from ludus.kernel.rng import below, new_rng
from ludus.kernel.rules import State, duplicate


def after(game: Game, *moves: str) -> State:
    state = game.start(new_rng(0))
    for text in moves:
        (mover,) = game.movers(state)
        rules.play(state, np.array([game.parse(state, mover, text)]))
    return state


def best(game: Game, state: State) -> float:
    """The score of the first player with best play by both."""
    if rules.over(state):
        return game.scores(state)[0]
    (mover,) = game.movers(state)
    results = []
    for move in game.moves(state, mover):
        then = duplicate(state)
        rules.play(then, np.array([move]))
        results.append(best(game, then))
    return max(results) if mover == 0 else min(results)


def test_who_takes_the_last_object_wins() -> None:
    game = game_from("nim:piles=1-2")
    state = after(game, "2-1", "1-1", "2-1")
    assert rules.over(state)
    assert game.scores(state) == [1.0, -1.0]


def test_in_misere_play_who_takes_the_last_object_loses() -> None:
    game = game_from("nim:piles=1-2,misere=yes")
    assert game.scores(after(game, "2-1", "1-1", "2-1")) == [-1.0, 1.0]


def test_one_of_several_players_wins_from_all_others() -> None:
    game = game_from("nim:piles=1-2,players=5")
    assert game.scores(after(game, "2-1", "1-1", "2-1")) == [-0.25, -0.25, 1.0, -0.25, -0.25]
    misere = game_from("nim:piles=1-2,players=3,misere=yes")
    assert misere.scores(after(misere, "2-1", "1-1", "2-1")) == [0.5, 0.5, -1.0]


@pytest.mark.parametrize("piles", [(1, 2, 3), (1, 2, 4), (3, 3), (1, 1, 1), (1, 1), (2, 3, 1, 1)])
def test_theory_of_nim_holds(piles: tuple[int, ...]) -> None:
    text = "-".join(str(pile) for pile in piles)
    nim_sum = functools.reduce(operator.xor, piles)
    normal, misere = game_from(f"nim:piles={text}"), game_from(f"nim:piles={text},misere=yes")
    assert best(normal, normal.start(new_rng(0))) == (1.0 if nim_sum else -1.0)
    wins = nim_sum == 0 if max(piles) == 1 else nim_sum != 0
    assert best(misere, misere.start(new_rng(0))) == (1.0 if wins else -1.0)


def test_mirrored_piles_are_bad_for_the_mover() -> None:
    game = game_from("nim:piles=5-3-5-3")
    state = game.start(new_rng(0))
    assert rules.heuristic(state, 0) == -rules.heuristic(state, 1) == -0.5
    assert rules.heuristic(game.weigh(state, {"mirrored": 0.8}), 0) == -0.8
    assert rules.heuristic(after(game, "1-1"), 1) == 0.0
    assert rules.heuristic(after(game, "1-5", "3-5"), 1) == 0.5
    assert rules.heuristic(game_from("nim:piles=2-2,players=3").start(new_rng(0)), 0) == 0.0
    assert rules.heuristic(game_from("nim:piles=2-2,misere=yes").start(new_rng(0)), 0) == -0.5
    assert rules.heuristic(game_from("nim:piles=1-1,misere=yes").start(new_rng(0)), 0) == 0.5, "the last one loses"


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("nim:piles=3-0", "piles=3-0 must be up to 16 numbers from 1 to 99"),
        ("nim:piles=3;5", "piles=3;5 must be up to 16 numbers"),
        (f"nim:piles=3-{'5' * 5000}", "must be up to 16 numbers"),
        ("nim:players=9", "players=9 is not a whole number from 2 to 8"),
    ],
)
def test_bad_parameter_is_one_sentence(spec: str, problem: str) -> None:
    with pytest.raises(LudusError, match=problem):
        game_from(spec)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("3-5/1", "'3-5' is not 3 piles of at most 3-5-7"),
        ("4-5-7/1", "'4-5-7' is not 3 piles of at most 3-5-7"),
        ("x/1", "'x' is not 3 piles"),
        ("3-5-7", "must end in the player to move"),
        ("3-5-7/3", "'3-5-7/3'.* /1 to /2"),
    ],
)
def test_bad_position_is_one_sentence(text: str, problem: str) -> None:
    with pytest.raises(LudusError, match=problem):
        game_from("nim:piles=3-5-7").load(text)


@pytest.mark.parametrize("misere", [False, True])
def test_agrees_with_openspiel_step_by_step(misere: bool) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    peer = pyspiel.load_game("nim", {"pile_sizes": "1;3;5;7", "is_misere": misere})
    game = game_from(f"nim:misere={'yes' if misere else 'no'}")
    for seed in range(50):
        rng = new_rng(seed)
        ours, theirs = game.start(rng), peer.new_initial_state()
        while not rules.over(ours):
            (mover,) = game.movers(ours)
            moves = game.moves(ours, mover)
            assert mover == theirs.current_player()
            assert sorted(moves) == sorted(theirs.legal_actions())
            move = moves[below(rng, len(moves))]
            rules.play(ours, np.array([move]))
            theirs.apply_action(move)
        assert theirs.is_terminal()
        assert game.scores(ours) == theirs.returns()
