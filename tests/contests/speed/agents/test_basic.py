import pytest

from contests.speed.drawn import drawn
from ludus import Clock, View
from ludus.contests.speed.agents.basic import Basic
from ludus.contests.speed.game import NAMES, Speed


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
