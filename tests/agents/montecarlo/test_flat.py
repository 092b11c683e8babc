import time

import numpy as np
import pytest

from ludus import Clock, View
from ludus.agents.montecarlo import flat
from ludus.agents.montecarlo.flat import MonteCarlo
from ludus.games.game import game_from
from ludus.kernel.deadline import new_watch
from ludus.kernel.rng import new_rng
from ludus.kernel.state import Array
from support.matrix_game import BiasedRockPaperScissors
from support.positions import random_position

HOUR = 3600 * 10**9


def test_every_legal_move_gets_its_iterations() -> None:
    game = game_from("connect-four")
    agent = MonteCarlo(iterations=100)
    agent.begin(game, 0, 1)
    choice = agent.choose(View(game.start(new_rng(0)), 0), Clock())
    assert choice.metrics["simulations"] == 700
    np.testing.assert_array_equal(agent._space.visits, 100)
    assert choice.move == agent._space.moves[np.argmax(agent._space.totals)]


def test_agents_vote() -> None:
    game = game_from("connect-four")
    agent = MonteCarlo(iterations=20, agents=9)
    agent.begin(game, 0, 1)
    choice = agent.choose(View(game.start(new_rng(0)), 0), Clock())
    assert choice.metrics["simulations"] == 9 * 7 * 20
    assert 2 <= choice.metrics["votes"] <= 9


def test_time_is_shared_by_those_who_vote(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_from("connect-four")
    agent = MonteCarlo(iterations=10**9, agents=3, time=3 * HOUR)
    agent.begin(game, 0, 1)
    ends: list[int] = []

    def run_out(moment: int) -> Array:
        """A watch that stops a sampling at once, as if its time had passed."""
        ends.append(moment)
        return new_watch(0)

    monkeypatch.setattr(flat, "new_watch", run_out)
    begin = time.monotonic_ns()
    agent.choose(View(game.start(new_rng(0)), 0), Clock())
    assert np.subtract(ends, begin) == pytest.approx([HOUR, 2 * HOUR, 3 * HOUR], rel=0.1)


def test_short_rollouts_end_in_the_evaluation() -> None:
    game = game_from("othello")
    state = random_position(game, 30, 1)
    seat = game.movers(state)[0]
    values = []
    for agent in (MonteCarlo(iterations=1, rollout_depth=0), MonteCarlo(iterations=50, rollout_depth=0)):
        agent.begin(game, seat, 1)
        values.append(agent.choose(View(state, seat), Clock()).metrics["value"])
    # With no random move before the evaluation, one look is as good as fifty.
    assert values[0] == pytest.approx(values[1])


def test_simultaneous_rivals_are_sampled() -> None:
    game = BiasedRockPaperScissors()
    agent = MonteCarlo(iterations=20_000)
    agent.begin(game, 0, 1)
    choice = agent.choose(View(game.start(new_rng(0)), 0), Clock())
    # Against a rival that plays anything, the first row of payoffs is best: (0 − 0.5 + 1) / 3.
    assert choice.move == 0
    assert choice.metrics["value"] == pytest.approx(1 / 6, abs=0.02)
