"""The talk with brains of the Gomocup, as scripts."""

import re
import sys

import pytest

from ludus.agents.agent import Choice, agent_from
from ludus.bots.dialogue import AgainError, FoulError
from ludus.bots.protocols.gomocup import Gomocup, GomocupDialogue
from ludus.core.spec import Spec
from ludus.episode.limits import Limits
from ludus.episode.record import Fault
from ludus.games.game import game_from
from support.dialogue_scripts import Table, answer, prepare

CRLF = "\r\n"
EMPTY_9 = "/".join(["." * 9] * 9)
OPENED_9 = "/".join(["." * 9] * 3 + ["..xo....."] + ["...x....."] + ["." * 9] * 4)
"""Stones of the first player on 2,3 and 3,4, of the second on 3,3; the second is to move."""


@pytest.fixture
def brain() -> Gomocup:
    bot = agent_from(f"gomocup,folder=/brains:{sys.executable}")
    assert isinstance(bot, Gomocup)
    return bot


@pytest.fixture
def dialogue(brain: Gomocup) -> GomocupDialogue:
    return brain.dialogue()


def table(seat: int, spec: str = "gomoku", limits: Limits | None = None, position: str | None = None) -> Table:
    return Table(game_from(spec), seat, limits or Limits(move=5 * 10**9), position)


def started(
    dialogue: GomocupDialogue,
    seat: int,
    spec: str = "gomoku",
    limits: Limits | None = None,
    position: str | None = None,
) -> Table:
    here = table(seat, spec, limits, position)
    size = Spec.parse(spec).options.get("size", "15")
    prepare(dialogue, here.briefing, f"> START {size}\n< OK", CRLF)
    return here


def asked(dialogue: GomocupDialogue, here: Table, *said: str, left: tuple[int, ...] = ()) -> Choice:
    """Ask, and receive these lines, the last of which is the answer."""
    dialogue.ask(here.question(*left))
    for line in said[:-1]:
        assert dialogue.receive(line) is None
    choice = dialogue.receive(said[-1])
    assert choice is not None
    return choice


def move_text(here: Table, choice: Choice) -> str:
    return here.game.format(here.state, here.briefing.seat, choice.move)


def test_brain_that_opens_is_told_all_before_begin(dialogue: GomocupDialogue) -> None:
    here = started(dialogue, 0)
    choice = answer(
        dialogue,
        here.question(),
        """
        > INFO timeout_turn 5000
        > INFO timeout_match 0
        > INFO max_memory 1879048192
        > INFO game_type 1
        > INFO rule 0
        > INFO folder /brains
        > INFO time_left 2147483647
        > BEGIN
        < 7,8
        """,
        CRLF,
    )
    assert move_text(here, choice) == "7-8"


def test_brain_is_told_the_opponents_moves(dialogue: GomocupDialogue) -> None:
    here = started(dialogue, 1, spec="gomoku:size=20,rule=caro", limits=Limits(total=10**10, memory=350 << 20))
    here.play("10-11")
    answer(
        dialogue,
        here.question(10**10, 10**10),
        """
        > INFO timeout_turn 10000
        > INFO timeout_match 10000
        > INFO max_memory 321126400
        > INFO game_type 1
        > INFO rule 8
        > INFO folder /brains
        > INFO time_left 10000
        > TURN 10,11
        < 9,9
        """,
        CRLF,
    )
    here.play("9-9", "0-19")
    answer(dialogue, here.question(10**10, 4_500_000_000), "> INFO time_left 4500\n> TURN 0,19\n< 8,8", CRLF)


@pytest.mark.parametrize(("rule", "number"), [("freestyle", 0), ("standard", 1), ("caro", 8), ("exact-caro", 9)])
def test_rule_is_told_by_its_number(dialogue: GomocupDialogue, rule: str, number: int) -> None:
    here = started(dialogue, 0, spec=f"gomoku:rule={rule}")
    assert f"INFO rule {number}\r\n".encode() in dialogue.ask(here.question())


def test_brain_without_a_limit_is_told_to_think_for_a_second(dialogue: GomocupDialogue) -> None:
    here = started(dialogue, 0, limits=Limits())
    assert b"INFO timeout_turn 1000\r\nINFO timeout_match 0\r\n" in dialogue.ask(here.question())


def test_more_than_32_bits_of_anything_is_told_as_the_most(dialogue: GomocupDialogue) -> None:
    here = started(dialogue, 0, limits=Limits(total=4000 * 3600 * 10**9, memory=1 << 40))
    left = (4000 * 3600 * 10**9,) * 2
    sent = dialogue.ask(here.question(*left)).decode()
    assert sent.count("2147483647") == 4
    assert max(map(int, re.findall("[0-9]+", sent))) == 2147483647


@pytest.mark.parametrize("granted", [1 << 20, 200 * 10**6, 350 << 20, 2 << 30, 8 << 30, 1 << 40])
def test_brain_is_told_less_memory_than_is_enforced(dialogue: GomocupDialogue, granted: int) -> None:
    here = started(dialogue, 0, limits=Limits(move=5 * 10**9, memory=granted))
    (told,) = re.findall("INFO max_memory ([0-9]+)", dialogue.ask(here.question()).decode())
    assert granted // 2 <= int(told) <= granted - min(32 << 20, granted // 2) or int(told) == 2**31 - 1 < granted


def test_start_position_is_told_as_a_board(dialogue: GomocupDialogue) -> None:
    here = started(dialogue, 1, spec="gomoku:size=9", position=OPENED_9)
    question = here.question()
    sent = dialogue.ask(question).decode()
    assert sent.endswith("BOARD\r\n2,3,2\r\n3,3,1\r\n3,4,2\r\nDONE\r\n")
    assert "RESTART" not in sent
    assert dialogue.receive("4,4") is not None
    here.play("4-4", "5-5")
    answer(dialogue, here.question(), "> INFO time_left 2147483647\n> TURN 5,5\n< 6,6", CRLF)


def test_start_position_with_the_first_move_of_the_opponent_is_one_board(dialogue: GomocupDialogue) -> None:
    here = started(dialogue, 0, spec="gomoku:size=9", position=OPENED_9)
    here.play("8-8")
    sent = dialogue.ask(here.question()).decode()
    assert sent.endswith("BOARD\r\n2,3,1\r\n3,3,2\r\n3,4,1\r\n8,8,2\r\nDONE\r\n")


def test_empty_start_position_is_no_board(dialogue: GomocupDialogue) -> None:
    here = started(dialogue, 0, spec="gomoku:size=9", position=EMPTY_9)
    assert dialogue.ask(here.question()).endswith(b"BEGIN\r\n")


@pytest.mark.parametrize("said", [["3,3"], []])
def test_brain_whose_move_was_replaced_is_told_the_board(dialogue: GomocupDialogue, said: list[str]) -> None:
    here = started(dialogue, 0)
    dialogue.ask(here.question())
    for line in said:
        dialogue.receive(line)
    here.play("4-4", "5-5")  # not what it said
    answer(
        dialogue,
        here.question(),
        """
        > INFO time_left 2147483647
        > RESTART
        > BOARD
        > 4,4,1
        > 5,5,2
        > DONE
        < OK
        < 6,6
        """,
        CRLF,
    )
    here.play("6-6", "7-7")
    answer(dialogue, here.question(), "> INFO time_left 2147483647\n> TURN 7,7\n< 8,8", CRLF)


def test_next_episode_restarts_the_brain(dialogue: GomocupDialogue) -> None:
    here = started(dialogue, 0)
    asked(dialogue, here, "7,7")
    here = table(1)
    prepare(dialogue, here.briefing, "> RESTART\n< 3,3\n< MESSAGE hello\n< OK", CRLF)
    here.play("7-7")
    sent = dialogue.ask(here.question())
    assert sent.startswith(b"INFO timeout_turn 5000\r\n")
    assert sent.endswith(b"TURN 7,7\r\n")


def test_next_episode_on_another_board_is_started(dialogue: GomocupDialogue) -> None:
    started(dialogue, 0)
    prepare(dialogue, table(0, "gomoku:size=20").briefing, "> START 20\n< OK", CRLF)


@pytest.mark.parametrize("said", ["UNKNOWN command", "unknown", "ERROR what?"])
def test_brain_that_cannot_restart_asks_for_a_new_process(dialogue: GomocupDialogue, said: str) -> None:
    started(dialogue, 0)
    with pytest.raises(AgainError):
        prepare(dialogue, table(0).briefing, f"> RESTART\n< {said}", CRLF)


@pytest.mark.parametrize("said", ["ERROR unsupported size", "UNKNOWN command START"])
def test_refused_board_is_a_fault(dialogue: GomocupDialogue, said: str) -> None:
    with pytest.raises(FoulError, match=f"answered START 15 with {said}") as caught:
        prepare(dialogue, table(0).briefing, f"> START 15\n< {said}", CRLF)
    assert caught.value.fault is Fault.FAILED


def test_what_is_said_before_ok_is_skipped(dialogue: GomocupDialogue) -> None:
    said = "< pbrain 1.0 (c) somebody\n< MESSAGE loading\n< \n< DEBUG 3,3\n< OK - everything is good"
    prepare(dialogue, table(0).briefing, f"> START 15\n{said}", CRLF)
    assert dialogue.remarks == ["sent pbrain 1.0 (c) somebody", "sent MESSAGE loading", "sent DEBUG 3,3"]


@pytest.mark.parametrize(
    ("said", "move"),
    [
        (["9,7"], "9-7"),
        (["9,7\tValue: 12"], "9-7"),
        ([" 9 , 7 "], "9-7"),
        (["09,07"], "9-7"),
        (["", "MESSAGE 1,1", "DEBUG 2,2", "ERROR 3,3", "UNKNOWN 4,4", "message 5,5", "OK", "9,7"], "9-7"),
        (["SUGGEST 9,7"], "9-7"),
    ],
)
def test_move_is_found_in_what_is_said(dialogue: GomocupDialogue, said: list[str], move: str) -> None:
    here = started(dialogue, 0)
    assert move_text(here, asked(dialogue, here, *said)) == move


def test_leading_zeros_are_no_other_move(dialogue: GomocupDialogue) -> None:
    here = started(dialogue, 0)
    asked(dialogue, here, "09,07")
    here.play("9-7", "0-0")
    assert dialogue.ask(here.question()).endswith(b"TURN 0,0\r\n")


def test_brain_that_suggested_its_move_is_told_the_board(dialogue: GomocupDialogue) -> None:
    here = started(dialogue, 0)
    asked(dialogue, here, "SUGGEST 9,7")
    here.play("9-7", "0-0")
    assert dialogue.ask(here.question()).endswith(b"RESTART\r\nBOARD\r\n9,7,1\r\n0,0,2\r\nDONE\r\n")


@pytest.mark.parametrize(
    ("said", "evidence"),
    [
        ("7,7", "played 7,7, which is taken or not on the board"),
        ("15,0", "played 15,0, which is taken or not on the board"),
        ("-1,-1", "played -1,-1, which is taken or not on the board"),
        ("h8", "sent 'h8', which is not a move x,y"),
        ("7", "sent '7', which is not a move x,y"),
        ("SUGGEST a move", "sent 'SUGGEST a move', which is not a move x,y"),
        ("1" * 5000 + ",7", "which is not a move x,y"),
    ],
)
def test_wrong_answer_is_an_illegal_move(dialogue: GomocupDialogue, said: str, evidence: str) -> None:
    here = started(dialogue, 1)
    here.play("7-7")
    with pytest.raises(FoulError) as caught:
        asked(dialogue, here, said)
    assert caught.value.fault is Fault.ILLEGAL
    assert evidence in caught.value.evidence
    assert len(caught.value.evidence) < 300


def test_ten_thousand_messages_leave_few_remarks(dialogue: GomocupDialogue) -> None:
    here = started(dialogue, 0)
    lines = [f"{'MESSAGE' if i % 2 else 'DEBUG'} {i} {'x' * 1000}" for i in range(10_000)]
    asked(dialogue, here, *lines, "ERROR no book", "7,7")
    assert len(dialogue.remarks) == 11
    assert dialogue.remarks[-1] == "sent ERROR no book"
    assert all(len(remark) < 250 for remark in dialogue.remarks)
    dialogue.remarks.clear()
    here.play("7-7", "8-8")
    asked(dialogue, here, *["ERROR again"] * 10_000, "1,1")
    assert len(dialogue.remarks) == 20


def test_brain_is_told_to_end(dialogue: GomocupDialogue) -> None:
    assert dialogue.end() == b"END\r\n"


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("connect-four", "plays gomoku only"),
        ("gomoku:length=4", "plays for five in a row, not for 4"),
        ("gomoku", None),
        ("gomoku:size=20,rule=standard", None),
    ],
)
def test_brain_suits_gomoku_alone(brain: Gomocup, game: str, reason: str | None) -> None:
    brain.folder = "/"
    assert brain.unsuited(game_from(game)) == reason


def test_rule_that_is_not_known_is_refused(brain: Gomocup) -> None:
    game = game_from("gomoku")
    game.rule = "renju"  # type: ignore[attr-defined]
    assert brain.unsuited(game) == "does not support the rule renju, only freestyle, standard, caro, exact-caro"
