"""Each mistake that beginners make in their moves is named at its step."""

from pathlib import Path

import pytest

from ludus.check import bot_moves
from support.checked_bots import BRAIN, TAKE_ONE, stays, write_bot
from support.sentences import missing
from support.takeaway import write_game
from support.trying import check, seen, verdicts

pytestmark = pytest.mark.slow


def test_wrong_notation_gets_an_example_and_the_board(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", 'say("abcdefg"[column])')))
    assert verdicts(steps) == "ppfssssspp"
    assert missing(steps[3].problem, "'START' legal") == []
    assert missing(steps[3].remedy, "move 4") == []
    board, legal = steps[3].notes
    assert board.startswith("seat 0, its move 1:\n")
    assert board.count(". . . . . . .") == 6
    assert legal == "legal moves: 1 2 3 4 5 6 7"


def test_talk_on_standard_output_is_sent_to_standard_error(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", 'say("thinking hard")\n    say(column + 1)')))
    assert missing(steps[3].problem, "'START' 'thinking hard' legal") == []
    assert missing(steps[3].remedy, "4 standard error") == []


def test_counting_from_the_wrong_number_is_guessed(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", "say(column)")))
    failed = next(step for step in steps.values() if step.verdict == "failed")
    assert missing(failed.problem, "'0' legal") == []
    assert missing(failed.remedy, "count 0 1") == []


def test_brain_that_counts_from_one_is_guessed(tmp_path: Path) -> None:
    steps = check(f"gomocup:{write_bot(tmp_path, ('range(9)', 'range(9, 10)'), source=BRAIN)}", "gomoku:size=9")
    assert missing(steps[3].problem, "'9,9' legal") == []
    assert missing(steps[3].remedy, "count 1 0 4,4") == []


def test_bot_that_forgets_its_own_moves_is_shown_every_position_where_that_mattered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_moves, "_ROUNDS", 20)
    steps = check(write_bot(tmp_path, ("    heights[column] += 1\n", "")))
    assert verdicts(steps) == "ppppfpsspp"
    assert "legal" in steps[5].problem
    assert missing(steps[5].remedy, "board every move") == []
    boards = [note for note in steps[5].notes if note.startswith("seat ")]
    assert len(boards) == 3
    assert all("x" in board and "o" in board for board in boards)
    assert sum(note.startswith("legal moves: ") for note in steps[5].notes) == 3


def test_silence_when_asked_to_open_is_named(tmp_path: Path, haste: None) -> None:
    silent = ('word == "START":\n        play()', f'word == "START":\n        {stays()}')
    steps = check(write_bot(tmp_path, silent))
    assert verdicts(steps) == "ppfssssspp"
    assert missing(steps[3].problem, "answer 'START'") == []
    assert missing(steps[3].remedy, "START TURN move flush") == []


def test_endless_thinking_is_told_apart_from_silence(tmp_path: Path, haste: None) -> None:
    endless = ("def play():", f"def play():\n    {stays('running')}\n    while True: pass")
    steps = check(write_bot(tmp_path, endless))
    assert "busy" in steps[3].problem
    assert "loop" in steps[3].remedy


def test_bot_that_breaks_over_a_move_is_shown_with_its_last_words(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("heights[int(rest) - 1]", "heights[rest]")))
    assert verdicts(steps) == "pppfspsspp"
    assert missing(steps[4].problem, "status 1 'TURN") == []
    assert steps[4].notes[0].splitlines()[-1].startswith("TypeError: list indices")


def test_bot_that_ends_after_one_move_is_told_to_read_on(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", "say(column + 1)\n    sys.exit()")))
    assert missing(steps[4].problem, "status 0") == []
    assert steps[4].remedy


def test_bot_that_is_killed_is_told_by_which_signal(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("def play():", "def play():\n    import os\n    os.abort()")))
    assert missing(steps[3].problem, "SIGABRT 'START'") == []
    assert steps[3].remedy


def test_closed_streams_are_named(tmp_path: Path) -> None:
    closes = ("def play():", "def play():\n    import os, time\n    os.close(1)\n    time.sleep(60)")
    steps = check(write_bot(tmp_path, closes))
    assert missing(steps[3].problem, "closed standard output") == []
    assert missing(steps[3].remedy, "open") == []


def test_flood_of_output_is_named(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", 'say("x" * 5_000_000)')))
    assert missing(steps[3].problem, "1,048,576 bytes") == []
    assert "loop" in steps[3].remedy


def test_late_moves_fail_their_own_step_alone(tmp_path: Path, hurry: None) -> None:
    late = ("def play():", "def play():\n    import time\n    time.sleep(0.05)")
    steps = check(write_bot(tmp_path, late), move_time=10**7)
    assert verdicts(steps) == "pppppfpppp", seen(steps)
    count = steps[6].problem.split()[0]
    assert missing(steps[6].problem, f"{count} of 10ms grace") == []
    assert missing(steps[6].remedy, "INFO timeout_turn milliseconds") == []


def test_ignored_start_position_is_guessed(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ('"initial_board"', '"start_board"')))
    assert verdicts(steps) == "ppppppfppp", seen(steps)
    assert "position" in steps[7].problem
    assert missing(steps[7].remedy, "position INFO initial_board file") == []


def test_brain_that_ignores_the_board_is_guessed(tmp_path: Path) -> None:
    ignores = ('            put(stone.rpartition(",")[0])', "            pass")
    steps = check(f"gomocup:{write_bot(tmp_path, ignores, source=BRAIN)}", "gomoku:size=9")
    assert verdicts(steps) == "ppppppfppp", seen(steps)
    assert missing(steps[7].remedy, "position BOARD") == []


def test_game_without_text_of_positions_skips_that_step(tmp_path: Path) -> None:
    game = write_game(tmp_path, ("def save(", "def write("))
    steps = check(write_bot(tmp_path, source=TAKE_ONE), str(game))
    assert verdicts(steps) == "ppppppsppp", seen(steps)
    assert "take-away" in steps[7].problem


def test_other_moves_from_the_same_seed_are_no_mistake(tmp_path: Path, hurry: None) -> None:
    counts = 'with open("runs", "a+") as runs:\n            chance.seed(runs.write("x") + runs.tell())'
    steps = check(write_bot(tmp_path, ("chance.seed(value)", counts)))
    assert verdicts(steps) == "p" * 10, seen(steps)
    assert steps[8].figures == {"same": False}
    assert steps[8].notes[0].startswith("different moves: its move ")
