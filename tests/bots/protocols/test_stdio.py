"""The comparison interface, as scripts."""

from pathlib import Path

import pytest

from ludus.agents.agent import Clock, View
from ludus.bots.dialogue import FoulError
from ludus.bots.protocols.stdio import StdioDialogue, information
from ludus.episode.limits import Limits
from ludus.episode.record import Fault, Move
from ludus.episode.request import Request
from ludus.games.game import game_from
from ludus.kernel.rules import CHANCE
from support.dialogue_scripts import Table, answer, prepare
from support.takeaway import write_game

S = 10**9


def ready(table: Table) -> StdioDialogue:
    dialogue = StdioDialogue()
    prepare(dialogue, table.briefing, "".join(f"> INFO {k} {v}\n< OK\n" for k, v in information(table.briefing)))
    return dialogue


def test_everything_is_told_before_the_game() -> None:
    table = Table(game_from("connect-four:columns=8"), 1, Limits(move=2 * S, grace=S // 2, memory=10**8, files=9))
    told = dict(information(table.briefing))
    assert list(told)[:5] == ["game", "players", "seat", "rows", "columns"]
    assert (told["game"], told["players"], told["seat"], told["columns"]) == ("connect-four", "2", "1", "8")
    assert (told["timeout_turn"], told["timeout_grace"], told["timeout_start"]) == ("2000", "500", "10000")
    assert (told["space_limit"], told["file_limit"], told["output_limit"]) == ("100", "9", str(1 << 20))
    assert (told["seed"], told["match_name"]) == ("1", "episode-seat0")
    assert "initial_board" not in told
    assert "timeout_game" not in told


def test_total_time_and_a_start_board_are_told_where_there_are_any() -> None:
    table = Table(game_from("tic-tac-toe"), 0, Limits(total=60 * S, increment=S), "x../.o./...")
    told = dict(information(table.briefing))
    assert (told["timeout_game"], told["increment"], told["initial_board"]) == ("60000", "1000", "board.txt")
    assert "timeout_turn" not in told


def test_two_who_take_turns_hear_nothing_but_the_other_s_move() -> None:
    table = Table(game_from("connect-four"), 0)
    dialogue = ready(table)
    assert answer(dialogue, table.question(), "> START\n< 4").move == 3
    table.play("4", "5")
    assert answer(dialogue, table.question(), "> TURN 5\n< \n<  6 ").move == 5
    assert dialogue.end() == b"END\n"


def test_who_comes_second_hears_the_first_move() -> None:
    table = Table(game_from("connect-four"), 1)
    dialogue = ready(table)
    table.play("4")
    assert answer(dialogue, table.question(), "> TURN 4\n< 4").move == 3


@pytest.mark.parametrize("said", [[], ["OK"], ["ERROR the game runs already"]])
def test_replaced_move_is_told_by_information_that_may_be_ignored(said: list[str]) -> None:
    table = Table(game_from("connect-four"), 0)
    dialogue = ready(table)
    answer(dialogue, table.question(), "> START\n< 4")
    steps = [[Move(0, "3", fault=Fault.LATE)], [Move(1, "5", fault=Fault.LATE)]]
    assert dialogue.ask(Request(0, View(table.state, 0), Clock(), steps)) == b"INFO replaced 3\nTURN 5\n"
    for line in said:
        assert dialogue.receive(line) is None
        assert dialogue.again() == b""
    assert dialogue.receive("6") is not None
    steps = [[Move(0, "2")], [Move(1, "6", fault=Fault.LATE)]]
    assert dialogue.ask(Request(0, View(table.state, 0), Clock(), steps)) == b"TURN 6\n"


def test_several_players_hear_who_did_what() -> None:
    table = Table(game_from("nim:players=3,piles=3-4"), 1)
    dialogue = ready(table)
    table.play("1-2")
    answer(dialogue, table.question(), "> TURN 0:1-2\n< 2-1")
    table.play("2-1", "2-2", "1-1")
    answer(dialogue, table.question(), "> TURN 1:2-1 2:2-2 0:1-1\n< 2-1")


def test_chance_and_moves_made_at_once_are_told() -> None:
    table = Table(game_from("goofspiel:cards=3"), 0)
    dialogue = ready(table)
    table.play("2")
    steps = [[Move(CHANCE, "2")], [Move(0, "1"), Move(1, "3")], [Move(CHANCE, "3")]]
    assert dialogue.ask(Request(0, View(table.state, 0), Clock(), steps)) == b"TURN *:2 0:1 1:3 *:3\n"


def test_errors_are_remarked_and_waited_out() -> None:
    table = Table(game_from("connect-four"), 0)
    dialogue = ready(table)
    assert answer(dialogue, table.question(), "> START\n< ERROR what now\n< 4").move == 3
    assert dialogue.remarks == ["sent ERROR what now"]


def test_message_is_repeated_once_after_an_error() -> None:
    table = Table(game_from("connect-four"), 0)
    dialogue = ready(table)
    answer(dialogue, table.question(), "> START\n< 4")
    table.play("4", "5")
    dialogue.ask(table.question())
    assert dialogue.again() == b""
    assert dialogue.receive("ERROR what now") is None
    assert dialogue.again() == b"TURN 5\n"
    assert dialogue.again() == b""
    with pytest.raises(FoulError, match=r"^said ERROR I give up$") as found:
        dialogue.receive("ERROR I give up")
    assert found.value.fault is Fault.FAILED


def test_unknown_information_may_be_answered_with_an_error() -> None:
    table = Table(game_from("connect-four"), 0)
    dialogue = StdioDialogue()
    talk = dialogue.begin(table.briefing)
    assert next(talk) == b"INFO game connect-four\n"
    assert talk.send("ERROR never heard of it") == b"INFO players 2\n"
    assert talk.send("hello") == b""
    assert talk.send("OK") == b"INFO seat 0\n"
    assert dialogue.remarks == ["answered INFO game with ERROR never heard of it", "wrote 'hello' before OK"]


def test_remarks_without_end_are_cut() -> None:
    table = Table(game_from("connect-four"), 0)
    dialogue = ready(table)
    dialogue.ask(table.question())
    for _ in range(10_000):
        assert dialogue.receive(f"METRIC {'x' * 300}") is None
    assert len(dialogue.remarks) == 20
    assert {len(remark) for remark in dialogue.remarks} == {200}


def test_what_a_game_cannot_read_is_no_legal_move(tmp_path: Path) -> None:
    strict = (
        "class TakeAway(Game):",
        "class TakeAway(Game):\n    def parse(self, state, player, text):\n        return int(text)\n",
    )
    table = Table(game_from(str(write_game(tmp_path, strict))), 0)
    dialogue = ready(table)
    dialogue.ask(table.question())
    with pytest.raises(FoulError, match="sent 'two', which take-away cannot read: ValueError"):
        dialogue.receive("two")


def test_metrics_before_a_move_belong_to_it() -> None:
    table = Table(game_from("connect-four"), 0)
    dialogue = ready(table)
    said = "< METRIC Depth 7\n< METRIC Value -0.5\n< METRIC Line 4 4 5\n< METRIC Nothing\n< 4"
    assert answer(dialogue, table.question(), f"> START\n{said}").metrics == {
        "Depth": 7,
        "Value": -0.5,
        "Line": "4 4 5",
    }
    (remark,) = dialogue.remarks
    assert "'METRIC Nothing'" in remark
    table.play("4", "5")
    assert answer(dialogue, table.question(), "> TURN 5\n< 1").metrics == {}


def test_metrics_without_end_are_cut_with_one_remark() -> None:
    table = Table(game_from("connect-four"), 0)
    dialogue = ready(table)
    for _ in range(2):
        dialogue.ask(table.question())
        for number in range(60):
            assert dialogue.receive(f"METRIC {number} {'x' * 300}") is None
        dialogue.receive("METRIC 7 1")
        choice = dialogue.receive("4")
        assert choice is not None
        assert choice.metrics == {str(number): "x" * 200 for number in range(50)} | {"7": 1}
    assert dialogue.remarks == ["sent more than 50 metrics before a move; only the first were kept"]
    dialogue.ask(table.question())
    assert dialogue.receive(f"METRIC {'n' * 300} 1") is None
    choice = dialogue.receive("4")
    assert choice is not None
    assert choice.metrics == {"n" * 200: 1}


@pytest.mark.parametrize("said", ["9", "OK", "four", "4 5", "�"])
def test_what_is_no_legal_move_is_one_sentence(said: str) -> None:
    table = Table(game_from("connect-four"), 0)
    dialogue = ready(table)
    dialogue.ask(table.question())
    with pytest.raises(FoulError, match="is not a legal move here: write a move like 1, 2, 3") as caught:
        dialogue.receive(said)
    assert caught.value.fault is Fault.ILLEGAL
