from itertools import pairwise

import numpy as np
import pytest

from contests.speed.drawn import after, drawn, paths
from ludus import Choice, Clock, View
from ludus.agents.layers import LAYERS, unpack
from ludus.contests.speed.agents.paths import LEAST_WALKS
from ludus.contests.speed.agents.rollouts import Rollouts
from ludus.contests.speed.game import CHANGE_NOTHING, FELL, TURN_RIGHT, Speed, SpeedState
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng

# Player 1 looks to the right. Its left leads into a dead end, its right to the rest of the board.
DEAD_END = drawn(
    """
    2222222...
    2.....2...
    22222.2...
    .1111.2...
    ....1.2...
    ..........
    ..........
    ..........
    ..........
    """,
    "4,4,right,1",
    "6,4,down,1",
    now=7,
)
# Player 1 has a corner of seven cells to itself.
CORNER = drawn("...2..\n...2..\n1..2..\n2222..", "0,2,up,1", "3,3,right,1")


def chosen(agent: Rollouts, state: SpeedState) -> Choice:
    agent.begin(Speed(), 0, 1)
    return agent.choose(View(state, 0), Clock())


def test_it_goes_where_most_of_the_longest_paths_begin() -> None:
    assert chosen(Rollouts(simulations=2000), DEAD_END).move == TURN_RIGHT


@pytest.mark.parametrize("threads", [1, 2])
def test_paths_that_are_not_repeated_are_all_there_are(threads: int) -> None:
    every = paths(CORNER, 0)
    metrics = chosen(Rollouts(unrepeated=True, simulations=10_000, threads=threads), CORNER).metrics
    assert metrics["simulations"] == threads * len(every)
    assert metrics["longest"] == max(len(path) for path in every)
    assert chosen(Rollouts(simulations=10_000), CORNER).metrics["simulations"] == 10_000


def test_only_paths_that_are_long_enough_count() -> None:
    every = paths(CORNER, 0)
    longest = max(len(path) for path in every)
    for part in (0.0, 0.5, 0.69, 1.0):
        counted = [path[0] for path in every if len(path) >= part * longest]
        found = chosen(Rollouts(filter=part, unrepeated=True, simulations=10_000), CORNER).metrics["paths"]
        assert list(found.values()) == np.bincount(counted, minlength=5).tolist()


def test_a_path_that_was_kept_is_walked_on() -> None:
    agent = Rollouts(simulations=1, kept=1)
    state = DEAD_END
    agent.begin(Speed(), 0, 1)
    lengths = []
    for _ in range(4):
        choice = agent.choose(View(state, 0), Clock())
        lengths.append(choice.metrics["longest"])
        state = after(state, {0: choice.move})
    assert lengths == [lengths[0] - turn for turn in range(4)]
    assert lengths[0] > 4


def test_a_path_that_was_kept_is_given_up_where_the_player_went_elsewhere() -> None:
    agent = Rollouts(simulations=1, kept=1, filter=0.0)
    agent.begin(Speed(), 0, 1)
    choice = agent.choose(View(DEAD_END, 0), Clock())
    other = CHANGE_NOTHING if choice.move == TURN_RIGHT else TURN_RIGHT
    state = after(DEAD_END, {0: other})
    again = agent.choose(View(state, 0), Clock())
    assert after(state, {0: again.move}).players[0, FELL] == 0


def test_one_seed_gives_one_choice() -> None:
    state = game_from("speed").start(new_rng(5))
    for threads in (1, 3):
        first, second = (chosen(Rollouts(simulations=500, threads=threads), state) for _ in range(2))
        assert first == second
        assert first.metrics["simulations"] == 500


def test_kept_paths_and_some_more_are_walked_even_without_time() -> None:
    agent = Rollouts(kept=1, filter=1.0)
    agent.begin(Speed(), 0, 1)
    state, lengths = game_from("speed:width=24,height=24").start(new_rng(3)), []
    for _ in range(6):
        choice = agent.choose(View(state, 0), Clock(move=0))
        assert choice.metrics["simulations"] == LEAST_WALKS
        lengths.append(choice.metrics["longest"])
        state = after(state, {0: choice.move})
    assert all(later >= earlier - 1 for earlier, later in pairwise(lengths))


def test_without_time_it_does_not_crash_if_it_need_not() -> None:
    agent = Rollouts()
    blocked = drawn("...\n11.\n22.", "1,1,up,1", "1,2,left,1")
    for state, safe in ((blocked, {CHANGE_NOTHING, TURN_RIGHT}), (CORNER, {CHANGE_NOTHING, TURN_RIGHT})):
        agent.begin(Speed(), 0, 1)
        assert agent.choose(View(state, 0), Clock(move=0)).move in safe


def test_who_is_stuck_still_answers() -> None:
    stuck = drawn("11\n12", "1,0,right,1", "1,1,right,1")
    choice = chosen(Rollouts(simulations=10), stuck)
    assert choice.move == CHANGE_NOTHING
    assert choice.metrics["simulations"] == 0


def test_layers_show_where_it_walked_and_where_it_goes() -> None:
    choice = chosen(Rollouts(unrepeated=True, simulations=1000, layers=True), CORNER)
    layers = {name: unpack(text) for name, text in choice.metrics[LAYERS].items()}
    assert set(layers) == {"heat", "path"}
    np.testing.assert_array_equal(layers["heat"][:3, :3] > 0, CORNER.cells[:3, :3] == 0)
    assert not layers["heat"][:, 3:].any(), "the wall is not crossed"
    assert np.count_nonzero(layers["path"]) == choice.metrics["longest"]
    assert LAYERS not in chosen(Rollouts(simulations=10), CORNER).metrics
