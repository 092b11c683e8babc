import time
from collections import Counter

import pytest

from contests.speed.drawn import drawn
from ludus import Clock, View
from ludus.agents.layers import LAYERS, unpack
from ludus.contests.speed.agents.simple import Basic, DontHit, Straight
from ludus.contests.speed.game import CHANGE_NOTHING, NAMES, Speed

OPEN = "..... ..1.. ..... 2...."
BLOCKED = "..... ..12. ..... 2...."


@pytest.mark.parametrize(
    ("rows", "move"),
    [
        ("..... ..1.. ..... 2....", "change_nothing"),
        ("..... ..12. ..... 2....", "turn_left"),
        ("..2.. ..12. ..... 2....", "turn_right"),
        ("..2.. ..12. ..2.. 2....", "change_nothing"),
    ],
)
def test_basic_goes_straight_on_else_left_else_right(rows: str, move: str) -> None:
    agent = Basic()
    agent.begin(Speed(), 0, 1)
    choice = agent.choose(View(drawn(rows, "2,1,right,1", "0,3,right,1"), 0), Clock())
    assert NAMES[choice.move] == move
    assert choice.metrics == {"trapped": int(rows.count("2") == 4)}


def test_straight_goes_on_even_into_a_trail() -> None:
    agent = Straight()
    agent.begin(Speed(), 0, 1)
    state = drawn("12.. .... ....", "0,0,right,1", "1,0,right,1")
    assert agent.choose(View(state, 0), Clock()).move == CHANGE_NOTHING


def test_straight_waits_out_its_delay_whatever_the_clock_says_but_not_to_get_ready() -> None:
    agent = Straight(delay=50_000_000)
    agent.prepare(Speed())
    agent.begin(Speed(), 0, 1)
    state = drawn("1... .... 2...", "0,0,right,1", "0,2,right,1")
    begin = time.monotonic_ns()
    agent.choose(View(state, 0), Clock(move=0))
    assert time.monotonic_ns() - begin >= 50_000_000


def test_straight_shows_where_it_goes() -> None:
    agent = Straight(layers=True)
    agent.prepare(Speed())
    agent.begin(Speed(), 0, 1)
    state = drawn("1... .... 2...", "0,0,right,2", "0,2,right,1")
    layers = agent.choose(View(state, 0), Clock()).metrics[LAYERS]
    assert unpack(layers["path"])[0].astype(bool).tolist() == [False, True, True, False]


def moves(agent: DontHit, rows: str, times: int = 1) -> Counter[str]:
    agent.begin(Speed(), 0, 7)
    state = drawn(rows, "2,1,right,1", "0,3,right,1")
    return Counter(NAMES[agent.choose(View(state, 0), Clock()).move] for _ in range(times))


@pytest.mark.parametrize(
    ("rows", "move"),
    [
        (OPEN, "change_nothing"),
        (BLOCKED, "turn_right"),
        ("..... ..12. ..2.. 2....", "turn_left"),
        ("..2.. ..12. ..2.. 2....", "speed_up"),
    ],
)
def test_first_safe_action_of_the_list_is_taken(rows: str, move: str) -> None:
    assert moves(DontHit(), rows) == {move: 1}


def test_list_can_be_given() -> None:
    assert moves(DontHit(priorities="turn_left-change_nothing"), OPEN) == {"turn_left": 1}
    assert moves(DontHit(priorities="change_nothing-turn_left-turn_right"), BLOCKED) == {"turn_left": 1}


def test_random_order_takes_any_safe_action_equally_often() -> None:
    seen = moves(DontHit(order="random"), OPEN, 3000)
    assert set(seen) == {"change_nothing", "turn_left", "turn_right"}
    assert max(abs(count - 1000) for count in seen.values()) < 5 * 1000**0.5


def test_semi_random_order_goes_straight_on_and_turns_at_random() -> None:
    assert moves(DontHit(order="semi-random"), OPEN, 100) == {"change_nothing": 100}
    seen = moves(DontHit(order="semi-random"), BLOCKED, 1000)
    assert set(seen) == {"turn_left", "turn_right"}
    assert abs(seen["turn_left"] - 500) < 5 * 250**0.5
