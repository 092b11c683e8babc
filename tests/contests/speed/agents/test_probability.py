import numpy as np
import pytest

from contests.speed.drawn import after, drawn, paths
from ludus import Choice, Clock, View
from ludus.agents.layers import LAYERS, unpack
from ludus.contests.speed.agents.probability import Forecaster, Probability
from ludus.contests.speed.agents.tables import trees_for
from ludus.contests.speed.agents.walking import Ground, board_of, lay_out, new_ground
from ludus.contests.speed.game import CHANGE_NOTHING, TURN_LEFT, TURN_RIGHT, Speed, SpeedState
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng

FOREVER = 2**62
# Both are at speed 1, far from each other, with a wall between them.
APART = drawn(
    """
    .....1.....
    ..1..1...2.
    .....1.....
    .....1.....
    .....1.....
    """,
    "2,1,down,1",
    "9,1,down,1",
)


def ground_of(state: SpeedState) -> Ground:
    height, width = state.cells.shape
    ground = new_ground(width, height)
    lay_out(state, ground)
    return ground


def forecast(state: SpeedState, depth: int, start: float = 1.0) -> np.ndarray:
    """The probability of the second player reaching each cell, as the first one sees it."""
    ground = ground_of(state)
    forecaster = Forecaster(ground, trees_for(len(state.players)), start, 0.0)
    assert forecaster.look_ahead(state, 0, [1], ground, depth, FOREVER) == depth
    return board_of(ground, forecaster.table)


def chosen(agent: Probability, state: SpeedState) -> Choice:
    agent.begin(Speed(), 0, 1)
    return agent.choose(View(state, 0), Clock())


def test_every_move_that_is_survived_is_as_likely() -> None:
    table = forecast(APART, 1)
    expected = np.zeros((5, 11))
    # Down, faster down, left and right; slower would be its end.
    for x, y, times in ((9, 2, 2), (9, 3, 1), (8, 1, 1), (10, 1, 1)):
        expected[y, x] = times / 4
    np.testing.assert_allclose(table, expected)


def test_no_way_crosses_itself() -> None:
    corner = drawn("...1..\n...1..\n2..1..\n1111..", "3,3,right,1", "0,2,up,1")
    depth = max(len(path) for path in paths(corner, 1))
    table = forecast(corner, depth)
    # Each of its paths comes to a cell once at most.
    assert 0 < table.max() <= 1
    assert table[2, 0] == 0
    assert not table[:, 3:].any()


def test_what_one_may_have_reached_first_is_less_likely_for_another() -> None:
    # Player 1 comes to the middle a round before player 2 can.
    state = drawn(".......\n.......\n1.....2\n.......\n.......", "0,2,right,2", "6,2,left,1")
    timid, bold = forecast(state, 4, 0.01), forecast(state, 4, 2.0)
    assert bold[2, 2] < timid[2, 2]
    assert np.all(bold <= timid + 1e-12)


def test_two_in_a_cell_at_once_share_it() -> None:
    # Both come to the cell between them by two moves: straight on, and faster, for which there is no room.
    state = drawn(".....\n1.2..\n.....", "0,1,right,1", "2,1,left,1")
    narrow = drawn("11122\n1.222\n11122", "0,1,right,1", "2,1,left,1")
    assert forecast(state, 1)[1, 1] == pytest.approx(1 / 3)
    assert forecast(narrow, 1)[1, 1] == pytest.approx(1.0), "one visit of another takes nothing away"


def test_the_move_is_taken_whose_cells_others_are_least_likely_to_reach() -> None:
    state = drawn("......\n......\n.1.2..\n......\n......", "1,2,right,1", "3,2,left,1")
    choice = chosen(Probability(depth=2), state)
    assert choice.move in (TURN_LEFT, TURN_RIGHT)
    assert choice.metrics["depth"] == 2


def test_where_nobody_comes_the_most_ways_decide() -> None:
    # To the left are two cells, to the right the rest of the board.
    state = drawn(
        """
        .........
        1111.....
        1..1.....
        1111.....
        .........
        ........2
        """,
        "3,2,up,1",
        "8,5,up,1",
    )
    choice = chosen(Probability(depth=3), state)
    assert choice.move == TURN_RIGHT
    assert choice.metrics["value"] == 0


def test_habits_make_moves_likely() -> None:
    state, ground = APART, ground_of(APART)
    forecasters = [Forecaster(ground, trees_for(2), 1.0, habit) for habit in (0.0, 0.8)]
    for _ in range(3):
        tables = []
        lay_out(state, ground)
        for forecaster in forecasters:
            forecaster.look_ahead(state, 0, [1], ground, 1, FOREVER)
            tables.append(board_of(ground, forecaster.table))
        state = after(state, {0: CHANGE_NOTHING, 1: CHANGE_NOTHING})
    # It went straight on for two rounds. Three moves are left: faster would lead off the board.
    assert tables[0][4, 9] == pytest.approx(1 / 3)
    usual = np.array([1, 1, 3])  # of eight with those that are not survived
    expected = 0.2 / 5 + 0.8 * usual / 7
    assert tables[1][4, 9] == pytest.approx(expected[2] / expected.sum())


def test_one_seed_gives_one_choice() -> None:
    state = game_from("speed").start(new_rng(5))
    assert chosen(Probability(depth=5), state) == chosen(Probability(depth=5), state)


def test_without_time_it_goes_straight_on_if_it_can() -> None:
    agent = Probability()
    agent.begin(Speed(), 0, 1)
    blocked = drawn("...\n11.\n22.", "1,1,up,1", "1,2,left,1")
    assert agent.choose(View(blocked, 0), Clock(move=0)).move == CHANGE_NOTHING


def test_the_layer_shows_where_others_may_come() -> None:
    choice = chosen(Probability(depth=3, layers=True), APART)
    layer = unpack(choice.metrics[LAYERS]["probability"])
    assert layer.max() == 1.0
    assert not layer[:, :6].any()
