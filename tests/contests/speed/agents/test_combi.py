import numpy as np
import pytest

from contests.speed.drawn import after, drawn
from ludus import Choice, Clock, View
from ludus.agents.layers import LAYERS
from ludus.contests.speed.agents.analysis import nearest, pressure
from ludus.contests.speed.agents.combi import Combi, evaluate
from ludus.contests.speed.agents.minimax import Seen
from ludus.contests.speed.agents.paths import LEAST_WALKS
from ludus.contests.speed.agents.sampling import Found
from ludus.contests.speed.game import CHANGE_NOTHING, SPEED_UP, TURN_LEFT, TURN_RIGHT, Speed, SpeedState
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng

FACE_TO_FACE = drawn(
    """
    ..........
    ..........
    ..1111.2..
    .......2..
    .......2..
    ..........
    """,
    "5,2,right,1",
    "7,2,up,1",
    now=4,
)


def begun(agent: Combi, players: int = 2) -> Combi:
    agent.begin(Speed(players=players), 0, 1)
    return agent


def chosen(agent: Combi, state: SpeedState) -> Choice:
    return begun(agent, len(state.players)).choose(View(state, 0), Clock())


def test_a_score_adds_what_others_reach_to_how_few_paths_there_are() -> None:
    counts, risks = np.array([6, 2, 0, 0, 0]), np.array([0.3, 0.1, 9.0, 0.0, 0.0])
    both = evaluate(counts, risks, 0.5)
    assert both[:2] == pytest.approx([0.75 + 0.25, 0.25 + 0.75])
    assert np.isinf(both[2:]).all()
    assert evaluate(counts, risks, 1.0)[:2] == pytest.approx([0.5, 1.5])
    assert evaluate(counts, risks, 0.0)[:2] == pytest.approx([1.5, 0.5])
    assert evaluate(counts, np.zeros(5), 0.5)[:2] == pytest.approx([0.25, 0.75])


def test_pressure_is_the_mean_over_free_cells_that_others_may_reach() -> None:
    table, cells = np.zeros((6, 6)), np.zeros((6, 6), np.int8)
    table[1, 1], table[2, 3], table[5, 5], table[2, 2] = 0.2, 0.4, 9.0, 0.3
    cells[2, 2] = 1
    assert pressure(table, cells, 2, 2, 1) == pytest.approx((0.2 + 0.4 + 0.3) / 2)
    assert pressure(table, cells, 0, 4, 1) == 0
    assert pressure(table, cells, 2, 2, 100) == pytest.approx((0.2 + 0.4 + 0.3 + 9.0) / 3)


def test_distances_shrink_with_both_speeds() -> None:
    state = drawn("1...2\n.....\n.....\n3...4", "0,0,down,2", "4,0,left,1", "0,3,up,3", "4,3,up,4,1", now=2)
    assert nearest(state, 0) == [(3 / (2 * 3), 2), (4 / (2 * 1), 1)]


def test_minimax_is_called_where_others_come_near() -> None:
    agent = begun(Combi(simulations=200))
    first = agent.choose(View(FACE_TO_FACE, 0), Clock())
    again = agent.choose(View(FACE_TO_FACE, 0), Clock())
    assert "minimax_depth" not in first.metrics, "it goes by the table of the round before"
    assert again.metrics["busy"] > 0.001
    assert again.metrics["minimax_depth"] > 0
    assert again.move not in (CHANGE_NOTHING, SPEED_UP)


@pytest.mark.parametrize("option", [{"minimax_activation": 100.0}, {"minimax_distance": 0.0}, {"square": 0}])
def test_minimax_is_not_called_where_nobody_counts_as_near(option: dict[str, float]) -> None:
    agent = begun(Combi(simulations=200, **option))
    for _ in range(2):
        choice = agent.choose(View(FACE_TO_FACE, 0), Clock())
    assert "minimax_depth" not in choice.metrics


def test_minimax_against_many_comes_to_an_end() -> None:
    rows = [list("." * 12) for _ in range(12)]
    places = [(5, 5), (8, 5), (5, 8), (8, 8), (2, 5), (5, 2)]
    for number, (x, y) in enumerate(places, 1):
        rows[y][x] = str(number)
    state = drawn("\n".join("".join(row) for row in rows), *(f"{x},{y},up,2" for x, y in places))
    agent = begun(Combi(simulations=100, minimax_depth=30), players=6)
    for _ in range(2):
        choice = agent.choose(View(state, 0), Clock())
    assert 0 < choice.metrics["minimax_depth"] < 30


def test_risk_weighs_paths_against_tables() -> None:
    state = game_from("speed:width=20,height=20").start(new_rng(1))
    bold = chosen(Combi(simulations=3000, risk=1.0), state)
    assert bold.metrics["paths"][Speed().format(state, 0, bold.move)] == max(bold.metrics["paths"].values())


def test_one_seed_gives_one_choice() -> None:
    for players, threads in ((2, 1), (4, 1), (3, 3)):
        state = game_from(f"speed:players={players}").start(new_rng(5))
        first, second = (chosen(Combi(simulations=300, threads=threads), state) for _ in range(2))
        assert first == second


def test_without_time_it_does_not_crash_if_it_need_not() -> None:
    agent = begun(Combi())
    blocked = drawn("...\n11.\n22.", "1,1,up,1", "1,2,left,1")
    for _ in range(2):
        assert agent.choose(View(blocked, 0), Clock(move=0)).move in (CHANGE_NOTHING, TURN_RIGHT)


def test_without_time_it_never_chooses_blindly() -> None:
    agent, state = begun(Combi()), game_from("speed:width=24,height=24").start(new_rng(3))
    for _ in range(4):
        choice = agent.choose(View(state, 0), Clock(move=0))
        assert choice.metrics["simulations"] == LEAST_WALKS
        assert choice.metrics["paths"][Speed().format(state, 0, choice.move)] > 0
        state = after(state, {0: choice.move, 1: CHANGE_NOTHING})


def test_equal_moves_are_decided_by_space() -> None:
    agent = begun(Combi())
    fork = drawn("1......\n1......\n1.222..\n1.2.2..\n1222...", "0,0,right,1", "4,3,right,1")
    agent.look(View(fork, 0))
    nothing = Found(np.zeros(5, int), np.zeros(5), np.zeros(5, int), np.zeros((5, 9), np.int8), 0, 0)
    every = Seen(np.zeros(5), 1, 5, [TURN_LEFT, TURN_RIGHT, CHANGE_NOTHING])
    assert agent._pick(np.full(5, np.inf), nothing, every) == CHANGE_NOTHING, "left is the edge, right a trail"
    corner = drawn("...1...\n.222...\n.2..2..\n22.22..", "3,0,up,1", "4,3,right,1")
    agent.look(View(corner, 0))
    assert agent._pick(np.full(5, np.inf), nothing, every) == TURN_RIGHT


def test_who_is_stuck_still_answers() -> None:
    stuck = drawn("11\n12", "1,0,right,1", "1,1,right,1")
    assert chosen(Combi(simulations=10), stuck).move == CHANGE_NOTHING


def test_layers_show_paths_and_tables() -> None:
    layers = chosen(Combi(simulations=100, layers=True), FACE_TO_FACE).metrics[LAYERS]
    assert set(layers) == {"heat", "path", "probability"}
