"""The suites of spe_ed that come with Ludus: a search proves what each of them claims."""

import json

import pytest

from contests.speed.scenario_search import SHORT_SIGHTED, rounds_lived, survivors
from ludus.contests.speed.game import FELL, SpeedState
from ludus.games.game import game_from
from ludus.run.scenarios.scenario import Alive, Result, Scenario
from support.playing_scenarios import each, scenarios
from support.running import ludus

LONGEST = 60  # rounds that a scenario without a number may take


def test_suites_of_speed_have_a_dozen_positions_and_no_two_are_alike() -> None:
    found = scenarios("speed-dead-ends") + scenarios("speed-jumps")
    assert len({scenario.position for scenario in found}) == len(found) >= 12


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


def test_suites_of_speed_are_listed() -> None:
    games = {row["name"]: row["games"] for row in json.loads(ludus("scenario", "list", "--json").stdout)}
    assert games["speed-dead-ends"] == games["speed-jumps"] == ["speed"]


def test_suite_cannot_be_run_with_agents_that_do_not_suit_its_game() -> None:
    done = ludus("scenario", "run", "speed-jumps", "--agent", "alphabeta")
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot be run with alphabeta: alphabeta takes no simultaneous" in done.stderr
