"""Scenarios cut out of episodes, and written as a suite reads them."""

from pathlib import Path

import pytest

from ludus import LudusError
from ludus.episode.replay import replay
from ludus.games.game import game_from
from ludus.kernel.rules import CHANCE
from ludus.run.scenarios.cutting import cut, to_toml
from ludus.run.scenarios.scenario import Alive, Avoid, Points, Result, Success
from ludus.run.scenarios.suites import read_suite
from support.playing_scenarios import played
from support.simple_agents import IllegalAt
from support.takeaway import write_game

GAMES = {
    "tic-tac-toe": 2,
    "connect-four": 2,
    "gomoku": 2,
    "hex": 2,
    "othello": 2,
    "2048": 1,
    "nim:players=3": 3,
    "goofspiel": 2,
    "chess": 2,
}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_cut_and_read_back(game: str, tmp_path: Path) -> None:
    pytest.importorskip("chess" if game == "chess" else "ludus")
    agents = ["random"] * GAMES[game]
    record = played(game, agents, plies=6, seed=2)
    scenes = list(replay(record))
    number = 4
    movers = [place for place, scene in enumerate(scenes) if scene.step and scene.step[0].seat != CHANCE]
    before, step = scenes[movers[number - 1] - 1], scenes[movers[number - 1]].step
    scenario = cut(record, number, step[0].seat, name="mine")
    assert scenario.position == game_from(game).save(before.state)
    assert f"played {step[0].move} here" in scenario.note
    path = tmp_path / "suite.toml"
    path.write_text(to_toml(scenario))
    assert read_suite(path).scenarios == (scenario,)


def test_a_game_of_ones_own_is_found_from_wherever_the_suite_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_game(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "suites").mkdir()
    path = tmp_path / "suites" / "mine.toml"
    path.write_text(to_toml(cut(played("take_away.py", ["random", "random"]), 2)))
    (scenario,) = read_suite(path).scenarios
    assert Path(scenario.game.partition(":")[0]) == tmp_path / "take_away.py"


@pytest.mark.parametrize("success", [Avoid(("e",)), Alive(3), Points(0.5), Result("tie")])
def test_every_kind_of_success_is_read_back(success: Success, tmp_path: Path) -> None:
    record = played("tic-tac-toe", ["random", "random"])
    if isinstance(success, Avoid):
        success = Avoid((record.steps[2][0].move,))
    scenario = cut(record, 3, success=success, name='with "quotes"')
    path = tmp_path / "suite.toml"
    path.write_text(to_toml(scenario))
    assert read_suite(path).scenarios == (scenario,)
    assert scenario.success == success


def test_without_a_word_the_player_to_move_must_win() -> None:
    scenario = cut(played("tic-tac-toe", ["random", "random"]), 4)
    assert (scenario.seat, scenario.success) == (1, Result("win"))


def test_a_single_player_must_get_what_was_got() -> None:
    record = played("2048", ["random"])
    assert cut(record, 10).success == Points(record.scores[0])


def test_others_play_as_they_did_where_they_can() -> None:
    record = played("nim:players=3", ["random", "mc:iterations=3", "random"])
    record.seats[2].agent = "human"
    assert [opponent.spec for opponent in cut(record, 1).opponents] == ["mc:iterations=3", "random"]
    record.seats[1].agent = "remote:somebody"
    assert [opponent.spec for opponent in cut(record, 1).opponents] == ["random", "random"]
    record.seats[1].agent = "somebody.py:Unknown"
    assert [opponent.spec for opponent in cut(record, 1).opponents] == ["random", "random"]


def test_simultaneous_moves_need_a_seat() -> None:
    record = played("goofspiel", ["random", "random"])
    with pytest.raises(LudusError, match=r"\b1 and 2\b.*round 2\b.*--seat"):
        cut(record, 2)
    assert cut(record, 2, 1).seat == 1


def test_seat_that_does_not_move_cannot_be_tested() -> None:
    with pytest.raises(LudusError, match=r"\b1\b.*round 2\b.*\b2\."):
        cut(played("tic-tac-toe", ["random", "random"]), 2, 0)


def test_a_round_that_was_not_played_cannot_be_cut() -> None:
    record = played("tic-tac-toe", ["random", "random"])
    rounds = len(record.steps)
    cut(record, rounds)
    with pytest.raises(LudusError, match=f"There is no round {rounds + 1}: the episode has rounds 1 to {rounds}"):
        cut(record, rounds + 1)


def test_the_position_of_a_move_that_put_its_player_out_can_be_cut() -> None:
    record = played("tic-tac-toe", ["random", IllegalAt(turn=2)])
    scenario = cut(record, 4)
    assert (scenario.seat, len(record.steps)) == (1, 4)
    assert "played nothing here" in scenario.note
