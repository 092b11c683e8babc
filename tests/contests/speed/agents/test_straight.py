import time

from contests.speed.drawn import drawn
from ludus import Clock, View
from ludus.agents.layers import LAYERS, unpack
from ludus.contests.speed.agents.straight import Straight
from ludus.contests.speed.game import CHANGE_NOTHING, Speed


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
