"""The suites that come with Ludus: a search proves what each of them claims."""

import re

import numpy as np

from ludus.games.game import Game, game_from
from ludus.kernel.rules import State, duplicate, over, play
from ludus.run.scenarios.scenario import Avoid, Best, Scenario
from ludus.run.scenarios.suites import shipped_suites
from support.connect_four_solver import solve
from support.gomoku_solver import holding_moves, winning_moves
from support.places import ROOT
from support.playing_scenarios import each


def test_suites_lie_with_the_examples() -> None:
    folder = ROOT / "examples" / "scenarios"
    assert {path.parent for path in shipped_suites().values()} == {folder}
    assert set(shipped_suites()) == {path.stem for path in folder.iterdir()}


# --- Connect Four -------------------------------------------------------------------------------------------------


def after(game: Game, state: State, move: int) -> State:
    child = duplicate(state)
    play(child, np.array([move]))
    return child


def wins_within(game: Game, state: State, moves: int) -> bool:
    """True if the player to move can force a win within this many moves of its own."""
    (me,) = game.movers(state)
    return any(wins_by(game, state, me, move, moves) for move in game.moves(state, me))


def wins_by(game: Game, state: State, me: int, move: int, moves: int) -> bool:
    child = after(game, state, move)
    if over(child):
        return game.scores(child)[me] > 0
    if moves == 1:
        return False
    answers = (after(game, child, answer) for answer in game.moves(child, 1 - me))
    return all(not over(answered) and wins_within(game, answered, moves - 1) for answered in answers)


def value(game: Game, state: State, me: int, move: int) -> int:
    """The value of a move with perfect play to the end."""
    child = after(game, state, move)
    return int(game.scores(child)[me]) if over(child) else -solve(child)


@each("connect-four-tactics")
def test_connect_four_is_as_solved(scenario: Scenario) -> None:
    game = game_from(scenario.game)
    state = game.load(scenario.position)
    values = {
        game.format(state, scenario.seat, move): value(game, state, scenario.seat, move)
        for move in game.moves(state, scenario.seat)
    }
    kind = re.sub(r" \(.\)", "", scenario.name)
    assert isinstance(scenario.success, Avoid if kind == "trap" else Best)
    named = set(scenario.success.moves)
    if kind.startswith("win in "):
        moves = int(kind.removeprefix("win in "))
        assert named == {move for move, worth in values.items() if worth == 1}
        assert wins_within(game, state, moves)
        assert moves == 1 or not wins_within(game, state, moves - 1)
        return
    assert max(values.values()) == 0
    losing = {move for move, worth in values.items() if worth == -1}
    assert named == (losing if kind == "trap" else values.keys() - losing)
    lost_at_once = {move for move in losing if wins_within(game, after(game, state, game.parse(state, 0, move)), 1)}
    assert kind in ("trap", "block" if lost_at_once == losing else "hold")


# --- Gomoku -------------------------------------------------------------------------------------------------------

BLOCKED = {"block a four": 1, "block a three": 2, "block a double threat": 3}


@each("gomoku-tactics")
def test_gomoku_is_as_searched(scenario: Scenario) -> None:
    kind = re.sub(r" \(.\)", "", scenario.name)
    assert isinstance(scenario.success, Best)
    named = set(scenario.success.moves)
    if kind.startswith("win in "):
        moves = int(kind.removeprefix("win in "))
        assert named == winning_moves(scenario.position, moves)
        assert moves == 1 or not winning_moves(scenario.position, moves - 1)
    else:
        assert named == holding_moves(scenario.position, BLOCKED[kind])
        assert not winning_moves(scenario.position, BLOCKED[kind])
