"""Scenarios of spe_ed: who is alive, how rounds are numbered, and who plays the other seats."""

from pathlib import Path

import pytest

from ludus import LudusError
from ludus.episode.record import Ending
from ludus.games.game import game_from
from ludus.run.scenarios.cutting import cut, to_toml
from ludus.run.scenarios.scenario import Alive, default_opponent
from ludus.run.scenarios.scenario_run import Bench
from ludus.run.scenarios.suites import read_suite
from support.playing_scenarios import entrants, one, played, trials, written

SPEED = "........../........../........../1........./........../2........./.......... r 1 0,3,right,1 0,5,right,1"
SHORT = "........../1........./2........./.......... r 1 0,1,right,1 0,2,right,1"


def test_who_moves_once_more_is_alive() -> None:
    game = game_from("speed")
    assert Alive(9).rounds(game) == 10
    record = played("speed", ["speed.straight", "speed.straight"], SPEED)
    assert len(record.steps) == 10  # both leave the board in the tenth round
    assert Alive(9).is_met(record, 0)
    assert not Alive(10).is_met(record, 0)


def test_who_outlives_all_others_is_alive_for_good() -> None:
    longer = SPEED.replace("0,5,right", "0,5,down")
    record = played("speed", ["speed.straight", "speed.straight"], longer)
    assert Alive(50).is_met(record, 0)
    assert Alive(1).is_met(record, 1)
    assert not Alive(2).is_met(record, 1)


def test_who_answers_nothing_in_a_round_is_not_alive_after_it() -> None:
    record = played("speed", ["speed.straight", "speed.straight"], SPEED, plies=5)
    assert Alive(4).is_met(record, 0)
    assert not Alive(5).is_met(record, 0)


def test_who_is_out_cannot_be_tested() -> None:
    game = game_from("speed:players=3")
    state = game.load("1.../2.../3.../.... r 3 0,0,right,1 0,1,right,1 0,2,right,1,2")
    Alive(3).checked(game, state, 1)
    with pytest.raises(LudusError, match="seat 3 is out"):
        Alive(3).checked(game, state, 2)


def test_a_long_position_has_a_row_on_each_line() -> None:
    record = played("speed:players=2,width=20,height=12", ["speed.basic", "speed.basic"])
    text = to_toml(cut(record, 3, 1, Alive(5)))
    lines = text.partition('position = """\n')[2].partition('\n"""')[0].split("\n")
    assert [len(line) for line in lines[:12]] == [20] * 12
    assert lines[12].startswith("r 3 ")
    assert len(lines) == 13


def test_rounds_of_speed_have_the_numbers_that_the_game_gives_them() -> None:
    start = "1......./......../......../2....... r 12 0,0,right,1 0,3,right,1"
    record = played("speed", ["speed.straight", "speed.straight"], start)
    assert " r 14 2,0,right,1 " in cut(record, 14, 0).position
    with pytest.raises(LudusError, match="There is no round 5: the episode has rounds 12 to 19"):
        cut(record, 5, 0)


def test_survival_is_played_as_long_as_it_is_asked_for() -> None:
    straight = entrants("speed.straight")
    found = trials(one("speed", SHORT, Alive(5), straight), [*straight, *entrants("speed.basic")], 1)
    assert [trial.success for trial in found] == [True, True]
    assert {trial.record.ending for trial in found} == {Ending.PLIES}
    found = trials(one("speed", SHORT, Alive(10), straight), straight, 1)
    assert [trial.success for trial in found] == [False]


def test_who_does_not_suit_is_told_before_anything_is_played() -> None:
    suite = one("speed", SHORT, Alive(5), entrants("speed.straight"))
    with pytest.raises(
        LudusError, match=r"The scenario 'one' cannot be run with alphabeta: alphabeta does not support simult"
    ):
        Bench(suite, entrants("random", "alphabeta"))


def test_clients_are_not_waited_for() -> None:
    suite = one("speed", SHORT, Alive(5), entrants("speed.straight"))
    with pytest.raises(LudusError, match="only 'ludus play' and 'ludus run' wait for clients"):
        Bench(suite, entrants("remote:somebody"))


def test_where_several_move_at_once_the_seat_must_be_named(tmp_path: Path) -> None:
    position = "1.../..../..../2... r 1 0,0,right,1 0,3,right,1"
    text = f'[[scenario]]\nname = "a"\ngame = "speed"\nposition = "{position}"\nsuccess = {{ alive = 2 }}\n'
    with pytest.raises(LudusError, match=r"scenario 1 \(a\): 'seat' is missing"):
        read_suite(written(tmp_path, text))
    (scenario,) = read_suite(written(tmp_path, f"{text}seat = 2\n")).scenarios
    assert (scenario.seat, scenario.success) == (1, Alive(2))


def test_others_go_straight_on_since_random_moves_are_suicide() -> None:
    assert default_opponent(game_from("speed")).spec == "speed.straight"
