"""Each mistake that beginners make in their moves is named at its step."""

from pathlib import Path

import pytest

from ludus.check import bot_moves
from support.checked_bots import BRAIN, TAKE_ONE, stays, write_bot
from support.takeaway import write_game
from support.trying import check, seen, verdicts


def test_wrong_notation_gets_an_example_and_the_board(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", 'say("abcdefg"[column])')))
    assert verdicts(steps) == "ppfssssspp"
    assert steps[3].problem.startswith("it answered 'START' with '")
    assert steps[3].problem.endswith("', which is not a legal move")
    assert steps[3].remedy == "write a move like 4"
    board, legal = steps[3].notes
    assert board.startswith("seat 0, its move 1:\n")
    assert board.count(". . . . . . .") == 6
    assert legal == "legal moves: 1 2 3 4 5 6 7"


def test_talk_on_standard_output_is_sent_to_standard_error(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", 'say("thinking hard")\n    say(column + 1)')))
    assert steps[3].problem == "it answered 'START' with 'thinking hard', which is not a legal move"
    assert steps[3].remedy == "answer with the move alone, as in 4, and write all other output to standard error"


def test_counting_from_the_wrong_number_is_guessed(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", "say(column)")))
    failed = next(step for step in steps.values() if step.verdict == "failed")
    assert "with '0', which is not a legal move" in failed.problem
    assert failed.remedy.startswith("it may count from 0, but the game counts from 1: a legal move is ")


def test_brain_that_counts_from_one_is_guessed(tmp_path: Path) -> None:
    steps = check(f"gomocup:{write_bot(tmp_path, ('range(9)', 'range(9, 10)'), source=BRAIN)}", "gomoku:size=9")
    assert steps[3].problem.endswith("with '9,9', which is not a legal move")
    assert steps[3].remedy == "it may count from 1, but the game counts from 0: a legal move is 4,4"


def test_bot_that_forgets_its_own_moves_is_shown_every_position_where_that_mattered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_moves, "_ROUNDS", 20)
    steps = check(write_bot(tmp_path, ("    heights[column] += 1\n", "")))
    assert verdicts(steps) == "ppppfpsspp"
    assert "which is not a legal move" in steps[5].problem
    assert steps[5].remedy.startswith("the game has that move, but not in this position")
    boards = [note for note in steps[5].notes if note.startswith("seat ")]
    assert len(boards) == 3
    assert all("x" in board and "o" in board for board in boards)
    assert sum(note.startswith("legal moves: ") for note in steps[5].notes) == 3


def test_silence_when_asked_to_open_is_named(tmp_path: Path, haste: None) -> None:
    silent = ('word == "START":\n        play()', f'word == "START":\n        {stays()}')
    steps = check(write_bot(tmp_path, silent))
    assert verdicts(steps) == "ppfssssspp"
    assert steps[3].problem.startswith("no answer to 'START' within ")
    assert steps[3].remedy.startswith("answer START and every TURN with a line that holds a move, and flush")


def test_endless_thinking_is_told_apart_from_silence(tmp_path: Path, haste: None) -> None:
    endless = ("def play():", f"def play():\n    {stays('running')}\n    while True: pass")
    steps = check(write_bot(tmp_path, endless))
    assert steps[3].problem.endswith("and it was still busy")
    assert "look for an endless loop" in steps[3].remedy


def test_bot_that_breaks_over_a_move_is_shown_with_its_last_words(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("heights[int(rest) - 1]", "heights[rest]")))
    assert verdicts(steps) == "pppfspsspp"
    assert steps[4].problem.startswith("its process ended with status 1, after 'TURN ")
    assert steps[4].notes[0].splitlines()[-1].startswith("TypeError: list indices")


def test_bot_that_ends_after_one_move_is_told_to_read_on(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", "say(column + 1)\n    sys.exit()")))
    assert steps[4].problem.startswith("its process ended with status 0, after '")
    assert steps[4].remedy == "keep reading until it is asked to end"


def test_bot_that_is_killed_is_told_by_which_signal(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("def play():", "def play():\n    import os\n    os.abort()")))
    assert steps[3].problem.startswith("its process was killed by signal 6 (SIGABRT)")
    assert steps[3].problem.endswith(", after 'START'")
    assert steps[3].remedy == "send it the same messages by hand to find the error"


def test_closed_streams_are_named(tmp_path: Path) -> None:
    closes = ("def play():", "def play():\n    import os, time\n    os.close(1)\n    time.sleep(60)")
    steps = check(write_bot(tmp_path, closes))
    assert steps[3].problem.startswith("it closed its standard output, and its process is ")
    assert steps[3].remedy == "leave its standard input and output open"


def test_flood_of_output_is_named(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", 'say("x" * 5_000_000)')))
    assert steps[3].problem.startswith("it wrote more than 1,048,576 bytes in answer to one message")
    assert "an endless loop that writes" in steps[3].remedy


def test_late_moves_fail_their_own_step_alone(tmp_path: Path, hurry: None) -> None:
    late = ("def play():", "def play():\n    import time\n    time.sleep(0.05)")
    steps = check(write_bot(tmp_path, late), move_time=10**7)
    assert verdicts(steps) == "pppppfpppp", seen(steps)
    count = steps[6].problem.split()[0]
    assert steps[6].problem.startswith(f"{count} of its {count} moves took longer than 10ms plus 10ms of grace; ")
    assert steps[6].remedy.startswith("INFO timeout_turn gives the milliseconds for a move")


def test_ignored_start_position_is_guessed(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ('"initial_board"', '"start_board"')))
    assert verdicts(steps) == "ppppppfppp", seen(steps)
    assert steps[7].problem.startswith("from a position after ")
    assert steps[7].remedy.startswith("it may ignore the start position; INFO initial_board names a file")


def test_brain_that_ignores_the_board_is_guessed(tmp_path: Path) -> None:
    ignores = ('            put(stone.rpartition(",")[0])', "            pass")
    steps = check(f"gomocup:{write_bot(tmp_path, ignores, source=BRAIN)}", "gomoku:size=9")
    assert verdicts(steps) == "ppppppfppp", seen(steps)
    assert "it may ignore the start position; the lines after BOARD" in steps[7].remedy


def test_game_without_text_of_positions_skips_that_step(tmp_path: Path) -> None:
    game = write_game(tmp_path, ("def save(", "def write("))
    steps = check(write_bot(tmp_path, source=TAKE_ONE), str(game))
    assert verdicts(steps) == "ppppppsppp", seen(steps)
    assert steps[7].problem == "positions of take-away have no text form"


def test_other_moves_from_the_same_seed_are_no_mistake(tmp_path: Path, hurry: None) -> None:
    counts = 'with open("runs", "a+") as runs:\n            chance.seed(runs.write("x") + runs.tell())'
    steps = check(write_bot(tmp_path, ("chance.seed(value)", counts)))
    assert verdicts(steps) == "p" * 10, seen(steps)
    assert steps[8].figures == {"same": False}
    assert steps[8].notes[0].startswith("different moves: its move ")
