"""Running suites: the same chance for all agents, and rates with their errors."""

import pytest

from ludus.episode.limits import Limits
from ludus.run.scenarios.scenario import Avoid, Best, Result
from ludus.run.scenarios.scenario_run import Bench, Trial
from ludus.run.scenarios.success_rates import Rate, Tally
from ludus.tournaments.tournament import Entrant
from support import simple_agents
from support.playing_scenarios import entrants, one, played, trials

RANDOM = Entrant("random", "random")
NEARLY_WON = "xx./oo./..."


def test_a_first_move_is_the_only_one_that_is_played() -> None:
    suite = one("tic-tac-toe", NEARLY_WON, Best(("c1",)), [RANDOM])
    found = trials(suite, entrants("alphabeta:depth=1", "random"), 8)
    assert [trial.success for trial in found if trial.agent == 0] == [True] * 8
    assert {len(trial.record.steps) for trial in found} == {1}
    assert {trial.success for trial in found if trial.agent == 1} == {True, False}


def test_episodes_of_one_number_have_the_same_seed_for_all_agents_and_no_other() -> None:
    suite = one("connect-four", "......./......./......./......./......./x......", Result("win"), [RANDOM], seat=1)
    found = trials(suite, entrants("random", "mc:iterations=2"), 4)
    seeds = [[trial.record.seed for trial in found if trial.agent == agent] for agent in (0, 1)]
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 4
    assert trials(suite, entrants("random"), 4, seed=1)[0].record.seed not in seeds[0]


def test_a_run_can_be_repeated() -> None:
    suite = one("connect-four", "......./......./......./......./......./x......", Result("win"), [RANDOM], seat=1)
    courses = [
        [[move.move for step in trial.record.steps for move in step] for trial in trials(suite, entrants("random"), 3)]
        for _ in range(2)
    ]
    assert courses[0] == courses[1]


def test_the_tested_agent_sits_where_the_scenario_says() -> None:
    opponents = entrants("random", "mc:iterations=2")
    suite = one("nim:players=3", "1-2-3-4/2", Result("win"), opponents, seat=1)
    (trial,) = trials(suite, entrants("brs:depth=2"), 1)
    assert [seat.agent for seat in trial.record.seats] == ["random", "brs:depth=2", "mc:iterations=2"]


def test_limits_are_those_of_a_series() -> None:
    suite = one("tic-tac-toe", NEARLY_WON, Best(("c1",)), [RANDOM])
    bench = Bench(suite, entrants("random"), Limits(move=10**9))
    assert next(bench.run(1)).record.limits == Limits(move=10**9, plies=1)


def test_rates_are_counted_by_scenario_and_agent_with_faults_and_times() -> None:
    suite = one("tic-tac-toe", NEARLY_WON, Avoid(("a3", "b3", "c2", "c3")), [RANDOM])
    field = entrants("alphabeta:depth=1", "random")
    tally = Tally(suite, field)
    for trial in trials(suite, field, 6):
        tally.add(trial)
    assert tally.rate(0, 0) == tally.total(0) == Rate(6, 6)
    assert 0 < tally.rate(0, 1).successes < 6
    assert all((tally.pace(agent) or 0) > 0 for agent in (0, 1))
    assert tally.faults(0) == {}
    told = tally.to_json()
    assert [agent["successes"] for agent in told["agents"]] == [6, tally.total(1).successes]
    assert [row["scenario"] for row in told["scenarios"]] == ["one", "one"]


def test_late_moves_fail_and_are_counted_once_an_episode() -> None:
    suite = one("tic-tac-toe", NEARLY_WON, Avoid(("a3",)), [RANDOM])
    tally = Tally(suite, entrants("random"))
    for trial in Bench(suite, entrants("random"), Limits(move=1, grace=0)).run(3):
        tally.add(trial)
    assert tally.rate(0, 0) == Rate(0, 3)
    assert tally.faults(0) == {"late": 3}
    assert tally.opponents_faults(0) == {}


def test_faults_of_opponents_are_counted_apart() -> None:
    suite = one("tic-tac-toe", ".../.../...", Result("win"), entrants(f"{simple_agents.__file__}:Failing"))
    tally = Tally(suite, [RANDOM])
    for trial in trials(suite, [RANDOM], 3):
        tally.add(trial)
    assert tally.rate(0, 0) == Rate(3, 3)
    assert tally.faults(0) == {}
    assert tally.opponents_faults(0) == {"failed": 3}


def test_moves_that_are_made_for_a_player_who_is_out_are_none_of_its_own() -> None:
    record = played("nim:players=3", [simple_agents.IllegalAt(turn=1), "random", "random"])
    assert len([move for step in record.steps for move in step if move.seat == 0]) > 1
    tally = Tally(one("nim:players=3", "1-2-3-4/0", Result("win"), [RANDOM, RANDOM]), [RANDOM])
    tally.add(Trial(0, 0, record, False))
    assert tally.pace(0) == record.steps[0][0].wall


@pytest.mark.parametrize(
    ("rate", "low", "high"), [(Rate(0, 10), 0.0, 0.2775), (Rate(5, 10), 0.2366, 0.7634), (Rate(10, 10), 0.7225, 1.0)]
)
def test_the_interval_is_wilsons(rate: Rate, low: float, high: float) -> None:
    assert rate.interval() == pytest.approx((low, high), abs=1e-4)
