"""Random playthroughs that every board game of two players must pass."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ludus.games.game import Game
from ludus.kernel import rules
from ludus.kernel.jit import compiled, interpreted
from ludus.kernel.rng import Rng, below, new_rng
from ludus.kernel.rules import (
    MOST_PLAYERS,
    Array,
    State,
    copy,
    duplicate,
    movers,
    over,
    play,
    playout,
    room,
    sample,
    scores,
)
from ludus.kernel.state import changing_fields


def positions(game: Game, episodes: int, state: State | None = None) -> Iterator[State]:
    """Every position of random episodes, the last ones included; the state yielded is changed afterwards."""
    for number in range(episodes):
        current = game.start(new_rng(number)) if state is None else duplicate(state)
        rng = new_rng(game.spec(), number)
        yield current
        while not rules.over(current):
            moves = game.moves(current, game.movers(current)[0])
            rules.play(current, np.array([moves[below(rng, len(moves))]]))
            yield current


def assert_agrees_with_openspiel(game: Game, name: str, episodes: int) -> None:
    """The same moves, turns, ends and scores, step by step; moves have the same numbers."""
    theirs = pytest.importorskip("pyspiel").load_game(name)
    for number in range(episodes):
        ours, other = game.start(new_rng(0)), theirs.new_initial_state()
        rng = new_rng(name, number)
        while not rules.over(ours):
            assert not other.is_terminal()
            [player] = game.movers(ours)
            assert player == other.current_player()
            moves = game.moves(ours, player)
            assert sorted(moves) == other.legal_actions()
            move = moves[below(rng, len(moves))]
            rules.play(ours, np.array([move]))
            other.apply_action(move)
        assert other.is_terminal()
        assert game.scores(ours) == other.returns()


def assert_compiled_and_interpreted_agree(game: Game, episodes: int) -> None:
    """Every rule gives the same answer and leaves the same state, whether compiled or interpreted."""
    for number in range(episodes):
        state = game.start(new_rng(0))
        twin = duplicate(state)
        rng, twin_rng = new_rng(number), new_rng(number)
        with np.errstate(all="raise"):
            while not rules.over(state):
                assert not interpreted(rules.over)(twin)
                [player] = game.movers(state)
                _assert_same_answers(game, state, twin, player)
                move = np.array([rules.sample(state, player, rng)])
                assert move[0] == interpreted(rules.sample)(twin, player, twin_rng)
                rules.play(state, move)
                interpreted(rules.play)(twin, move)
                assert_same(state, twin)
            assert interpreted(rules.over)(twin)
            assert _filled("scores", state) == _filled("scores", twin, twin=True)


def _assert_same_answers(game: Game, state: State, twin: State, player: int) -> None:
    assert rules.most_moves(state) == interpreted(rules.most_moves)(twin)
    assert rules.key(state) == interpreted(rules.key)(twin)
    assert rules.heuristic(state, player) == pytest.approx(interpreted(rules.heuristic)(twin, player))
    ours, theirs = (np.zeros(rules.most_moves(state), np.int64) for _ in range(2))
    n = rules.legal(state, player, ours)
    assert n == interpreted(rules.legal)(twin, player, theirs)
    assert ours.tolist() == theirs.tolist()
    count = rules.order(state, player, ours, n)
    assert count == interpreted(rules.order)(twin, player, theirs, n)
    assert ours[:count].tolist() == theirs[:count].tolist()
    assert _filled("movers", state) == _filled("movers", twin, twin=True)
    first, second = duplicate(state), duplicate(twin)
    assert _filled("playout", first, new_rng(1)) == _filled("playout", second, new_rng(1), twin=True)


def _filled(name: str, state: State, *arguments: Any, twin: bool = False) -> list[float]:
    out = np.zeros(MOST_PLAYERS, np.int64 if name == "movers" else np.float64)
    function = getattr(rules, name)
    (interpreted(function) if twin else function)(state, *arguments, out)
    return list(out)


def assert_same(state: State, other: State) -> None:
    """Equal in everything that changes."""
    kind: Any = type(state)
    for field in changing_fields(kind):
        assert getattr(state, field).tolist() == getattr(other, field).tolist(), field


def assert_text_round_trips(game: Game, episodes: int, every: int = 1) -> None:
    """Check every few plies that positions and moves survive a round trip through text."""
    for number, state in enumerate(positions(game, episodes)):
        if number % every and not rules.over(state):
            continue
        loaded = game.load(game.save(state))
        assert_same(state, loaded)
        assert rules.key(state) == rules.key(loaded)
        assert "\x1b" not in game.draw(state)
        if not rules.over(state):
            [player] = game.movers(state)
            moves = game.moves(state, player)
            texts = [game.format(state, player, move) for move in moves]
            assert len(set(texts)) == len(moves)
            assert not any(set(text) & set(" \t\n") for text in texts)
            assert game.parse(state, player, texts[-1].upper()) == moves[-1]


def assert_evaluation_is_fair(game: Game, episodes: int) -> None:
    """Check that the evaluation is zero-sum and stays within the range of scores."""
    for state in positions(game, episodes):
        first, second = rules.heuristic(state, 0), rules.heuristic(state, 1)
        assert first == pytest.approx(-second)
        assert -1.0 < first < 1.0


def assert_order_keeps_moves(game: Game, episodes: int, *, all_of_them: bool = True) -> None:
    """Sorting drops no move, or at least brings in none and leaves some."""
    for state in positions(game, episodes):
        if not rules.over(state):
            [player] = game.movers(state)
            moves = np.zeros(rules.most_moves(state), np.int64)
            n = rules.legal(state, player, moves)
            legal = moves[:n].tolist()
            kept = moves[: rules.order(state, player, moves, n)].tolist()
            assert kept
            assert len(set(kept)) == len(kept)
            assert set(kept) <= set(legal)
            assert len(kept) == n or not all_of_them


def assert_samples_evenly(game: Game, state: State, draws: int = 20_000) -> None:
    """Every legal move is drawn, each about as often as any other."""
    [player] = game.movers(state)
    moves = game.moves(state, player)
    drawn = np.zeros(draws, np.int64)
    draw(state, player, new_rng(game.spec()), drawn)
    found, counts = np.unique(drawn, return_counts=True)
    assert found.tolist() == sorted(moves)
    mean = draws / len(moves)
    assert np.abs(counts - mean).max() < 6 * np.sqrt(mean)


@compiled
def draw(state: State, player: int, rng: Rng, out: Array) -> None:
    for i in range(len(out)):
        out[i] = sample(state, player, rng)


def assert_playout_has_the_law_of_random_play(state: State, episodes: int = 40_000) -> None:
    """Scores of `playout` have the distribution that random moves one by one give, within five standard errors."""
    shares = []
    for runs in (run_playouts, run_move_by_move):
        results = np.zeros(episodes)
        runs(state, duplicate(state), new_rng(runs.__name__), results)
        shares.append([np.mean(results == score) for score in (-1.0, 0.0, 1.0)])
    for ours, theirs in zip(*shares, strict=True):
        error = np.sqrt((ours * (1 - ours) + theirs * (1 - theirs)) / episodes)
        assert abs(ours - theirs) <= 5 * error


@compiled
def run_playouts(state: State, scratch: State, rng: Rng, results: Array) -> None:
    out = rules.room_of_floats(MOST_PLAYERS)
    for i in range(len(results)):
        copy(state, scratch)
        playout(scratch, rng, out)
        results[i] = out[0]


@compiled
def run_move_by_move(state: State, scratch: State, rng: Rng, results: Array) -> None:
    out = rules.room_of_floats(MOST_PLAYERS)
    chosen = room(MOST_PLAYERS)
    for i in range(len(results)):
        copy(state, scratch)
        while not over(scratch):
            movers(scratch, chosen)
            chosen[0] = sample(scratch, chosen[0], rng)
            play(scratch, chosen)
        scores(scratch, out)
        results[i] = out[0]


def played(game: Game, moves: str) -> State:
    """The position after some moves, written one after the other."""
    state = game.start(new_rng(0))
    for text in moves.split():
        assert not rules.over(state), f"{text} comes after the end"
        rules.play(state, np.array([game.parse(state, game.movers(state)[0], text)]))
    return state
