"""The suites that come with Ludus: a search proves what each of them claims."""

import re

import numpy as np
import pytest

from contests.speed.scenario_search import SHORT_SIGHTED, rounds_lived, survivors
from ludus.contests.speed.game import FELL, SpeedState
from ludus.games.game import Game, game_from
from ludus.kernel.rules import State, duplicate, over, play
from ludus.run.scenarios.scenario import Alive, Avoid, Best, Result, Scenario
from ludus.run.scenarios.suites import read_suite, shipped_suites
from support.connect_four_solver import solve
from support.gomoku_solver import holding_moves, winning_moves
from support.places import ROOT

LONGEST = 60  # rounds that a scenario of spe_ed without a number may take


def scenarios(suite: str) -> list[Scenario]:
    return list(read_suite(shipped_suites()[suite]).scenarios)


def each(suite: str) -> pytest.MarkDecorator:
    """One test for each scenario of a suite."""
    found = scenarios(suite)
    return pytest.mark.parametrize("scenario", found, ids=[scenario.name for scenario in found])


def test_suites_lie_with_the_examples() -> None:
    folder = ROOT / "examples" / "scenarios"
    assert {path.parent for path in shipped_suites().values()} == {folder}
    assert set(shipped_suites()) == {path.stem for path in folder.iterdir()}


def test_suites_of_speed_have_a_dozen_positions_and_no_two_are_alike() -> None:
    found = scenarios("speed-dead-ends") + scenarios("speed-jumps")
    assert len({scenario.position for scenario in found}) == len(found) >= 12


# --- Connect Four -------------------------------------------------------------------------------------------------


def after(game: Game, state: State, move: int) -> State:
    child = duplicate(state)
    play(child, np.array([move]))
    return child


def wins_within(game: Game, state: State, moves: int) -> bool:
    """Whether the player to move can force a win within so many moves of its own."""
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
    """What a move is worth with perfect play to the end."""
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


# --- spe_ed -------------------------------------------------------------------------------------------------------


def state_of(scenario: Scenario) -> SpeedState:
    assert [opponent.spec for opponent in scenario.opponents] == ["speed.straight"]
    state: SpeedState = game_from(scenario.game).load(scenario.position)
    return state


def rounds_of(scenario: Scenario) -> int:
    if isinstance(scenario.success, Alive):
        return scenario.success.after
    assert scenario.success == Result("win")
    return LONGEST


@each("speed-dead-ends")
def test_a_dead_end_can_be_left_by_some_actions_and_not_by_all(scenario: Scenario) -> None:
    able = survivors(state_of(scenario), scenario.seat, rounds_of(scenario))
    assert 0 < len(able) < 5


@each("speed-jumps")
def test_a_jump_is_possible_and_needed(scenario: Scenario) -> None:
    state, rounds = state_of(scenario), rounds_of(scenario)
    assert survivors(state, scenario.seat, rounds)
    assert not survivors(state, scenario.seat, rounds, jumping=False)


@pytest.mark.parametrize("policy", SHORT_SIGHTED)
@pytest.mark.parametrize("suite", ["speed-dead-ends", "speed-jumps"])
def test_who_looks_no_further_than_a_round_is_out(suite: str, policy: str) -> None:
    for scenario in scenarios(suite):
        lived = rounds_lived(state_of(scenario), scenario.seat, SHORT_SIGHTED[policy])
        assert lived is not None, scenario.name
        assert lived <= rounds_of(scenario), scenario.name


@pytest.mark.parametrize("suite", ["speed-dead-ends", "speed-jumps"])
def test_nobody_survives_because_the_other_one_dies(suite: str) -> None:
    """Left alone, the other player lives as long as the scenario lasts."""
    for scenario in scenarios(suite):
        if isinstance(scenario.success, Alive):
            state = state_of(scenario)
            x, y, *_ = state.players[1 - scenario.seat].tolist()
            assert state.players[1 - scenario.seat, FELL] == 0
            assert not state.cells[y, x + 1 : x + 2 + scenario.success.after].any(), scenario.name
            assert x + 1 + scenario.success.after < state.cells.shape[1], scenario.name
