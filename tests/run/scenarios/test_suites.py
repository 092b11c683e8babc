"""Suites as files: what they say, and one sentence for what is wrong."""

import math
from pathlib import Path

import pytest

from ludus import LudusError
from ludus.episode.opening import joined
from ludus.run.scenarios.scenario import Alive, Avoid, Best, Points, Result
from ludus.run.scenarios.suites import find_suite, read_suite, shipped_suites, success_from
from support.playing_scenarios import written

SCENARIO = """
[[scenario]]
name = "three of four"
position = '''
.......
.......
.......
.......
ooo....
xxx....
'''
success = { best = ["4"] }
"""
GAME = 'game = "connect-four"\n'


def test_a_suite_says_the_game_once_and_a_scenario_may_have_another(tmp_path: Path) -> None:
    nim = '[[scenario]]\nname = "nim"\ngame = "nim:piles=3-5"\nposition = "3-5/2"\nsuccess = { result = "win" }\n'
    suite = read_suite(written(tmp_path, f'note = "Two."\n{GAME}{SCENARIO}{nim}'))
    assert (suite.name, suite.note) == ("mine", "Two.")
    four, pile = suite.scenarios
    assert (four.game, four.seat, four.success) == ("connect-four", 0, Best(("4",)))
    assert four.position == "......./......./......./......./ooo..../xxx...."
    assert [opponent.spec for opponent in four.opponents] == ["random"]
    assert (pile.game, pile.seat, pile.success) == ("nim:piles=3-5", 1, Result("win"))


def test_rows_may_stand_on_lines_with_the_rest_on_a_last_one() -> None:
    assert joined("\n x. \n .o \n\n x \n") == "x./.o x"
    assert joined("1.\n.2\nr 4 0,0,up,1 1,1,up,1\n") == "1./.2 r 4 0,0,up,1 1,1,up,1"
    assert joined("1./.2 r 4 0,0,up,1 1,1,up,1") == "1./.2 r 4 0,0,up,1 1,1,up,1"


def test_a_position_may_lie_in_a_file_beside_the_suite(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("x.o\n.x.\n..o\n")
    text = '[[scenario]]\nname = "a"\ngame = "tic-tac-toe"\nfile = "board.txt"\nsuccess = { avoid = ["b1"] }\n'
    (scenario,) = read_suite(written(tmp_path, text)).scenarios
    assert (scenario.position, scenario.success) == ("x.o/.x./..o", Avoid(("b1",)))


def test_opponents_are_one_for_all_or_one_for_each_other_seat(tmp_path: Path) -> None:
    text = '[[scenario]]\nname = "a"\ngame = "nim:players=3"\nposition = "1-2-3-4/2"\nsuccess = { result = "tie" }\n'
    suite = read_suite(written(tmp_path, f'opponents = "mc:iterations=9"\n{text}'))
    assert [opponent.spec for opponent in suite.scenarios[0].opponents] == ["mc:iterations=9"] * 2
    suite = read_suite(written(tmp_path, f'{text}opponents = ["random", "mc:iterations=9"]\n'))
    assert [opponent.spec for opponent in suite.scenarios[0].opponents] == ["random", "mc:iterations=9"]


def test_opponents_of_a_suite_belong_to_its_game(tmp_path: Path) -> None:
    nim = '[[scenario]]\nname = "nim"\ngame = "nim"\nposition = "1-2-3-4/2"\nsuccess = { result = "win" }\n'
    suite = read_suite(written(tmp_path, f'opponents = "alphabeta:depth=2"\n{GAME}{SCENARIO}{nim}'))
    assert [scenario.opponents[0].spec for scenario in suite.scenarios] == ["alphabeta:depth=2", "random"]


@pytest.mark.parametrize(
    ("table", "success"),
    [
        ({"best": ["a", "b"]}, Best(("a", "b"))),
        ({"avoid": ["a"]}, Avoid(("a",))),
        ({"alive": 7}, Alive(7)),
        ({"result": "tie"}, Result("tie")),
        ({"points": 0.5}, Points(0.5)),
    ],
)
def test_success_is_a_table_of_one_key(table: dict[str, object], success: object) -> None:
    assert success_from(table) == success


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"wins": 3},
        {"best": ["a"], "alive": 3},
        {"best": []},
        {"best": "a"},
        {"avoid": [1]},
        {"alive": 0},
        {"alive": True},
        {"alive": 1.5},
        {"result": "loss"},
        {"points": "many"},
        {"points": math.nan},
        {"points": math.inf},
    ],
)
def test_any_other_success_is_refused_with_examples(table: dict[str, object]) -> None:
    with pytest.raises(LudusError, match=r"success .*alive = 20, result = \"win\""):
        success_from(table)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the suite is empty"),
        ("scenario = [1]", "the suite is empty"),
        (f"{GAME}gme = 3\n{SCENARIO}", "'gme' is unknown (did you mean 'game'"),
        (f"{GAME}{SCENARIO}sucess = 3\n", "scenario 1 (three of four): 'sucess' is unknown"),
        (SCENARIO, "scenario 1 (three of four): 'game' is missing: write game = "),
        (f"{GAME}{SCENARIO}file = 'x'\n", "write either position"),
        (f"{GAME}{SCENARIO}seat = 3\n", "seat = 3 does not exist: connect-four has 2, counted from 1"),
        (f"{GAME}{SCENARIO}seat = 2\n", "seat 2 is not to move in this position"),
        (f"{GAME}{SCENARIO}opponents = 3\n", "opponents = 3 is neither an agent"),
        (f'{GAME}{SCENARIO}opponents = ["random", "random"]\n', "there are 2 opponents"),
        (f'{GAME}{SCENARIO}opponents = "nobody"\n', "There is no agent 'nobody'"),
        (f"{GAME}{SCENARIO}{SCENARIO}", "two scenarios are called 'three of four'"),
        (f"{GAME}{SCENARIO}".replace("xxx....", "xxxx..."), "scenario 1 (three of four): "),
        (f"{GAME}{SCENARIO}".replace('"4"', '"9"'), "'9' is not a legal move here"),
        (f"{GAME}{SCENARIO}".replace('name = "three of four"', ""), "scenario 1: 'name' is missing"),
    ],
)
def test_error_in_a_suite_names_its_place(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(LudusError) as error:
        read_suite(path)
    assert str(error.value).startswith(f"{path}: ")
    assert said in str(error.value)


def test_a_suite_is_found_by_its_name_or_its_path(tmp_path: Path) -> None:
    path = written(tmp_path, GAME + SCENARIO)
    assert find_suite(str(path)) == read_suite(path)
    assert find_suite("gomoku-tactics") == read_suite(shipped_suites()["gomoku-tactics"])
    with pytest.raises(LudusError, match=r"There is no suite 'gomoku-tactic'.*mean 'gomoku-tactics'"):
        find_suite("gomoku-tactic")
    with pytest.raises(LudusError, match=r"There is no file none\.toml"):
        find_suite("none.toml")
