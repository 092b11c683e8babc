"""Each mistake that beginners make in starting, getting ready and ending is named at its step."""

from pathlib import Path

import pytest

from ludus.bots import bot_player
from ludus.check import bot_life
from support.checked_bots import BRAIN, CONNECT_FOUR, stays, write_bot
from support.sentences import missing
from support.trying import check, seen, verdicts

pytestmark = pytest.mark.slow

# --- Starting -----------------------------------------------------------------------------------------------------


def test_missing_program_fails_first_step_and_the_others_are_skipped(tmp_path: Path) -> None:
    steps = check(f"{tmp_path}/mybot")
    assert verdicts(steps) == "fsssssssss"
    assert missing(steps[1].problem, f"program {tmp_path}/mybot") == []
    assert steps[1].remedy
    assert all("step 1" in steps[number].problem for number in range(2, 11))


def test_file_that_may_not_be_executed_gets_two_ways_out(tmp_path: Path) -> None:
    program = write_bot(tmp_path)
    Path(program).chmod(0o644)
    steps = check(program)
    assert missing(steps[1].problem, f"{tmp_path}/bot.py executable") == []
    assert f"chmod +x {tmp_path}/bot.py" in steps[1].remedy
    assert f"'python3 {tmp_path}/bot.py'" in steps[1].remedy


def test_script_without_first_line_is_told_what_it_lacks(tmp_path: Path) -> None:
    program = write_bot(tmp_path)
    Path(program).write_text(CONNECT_FOUR)
    steps = check(program)
    assert verdicts(steps) == "fsssssssss"
    assert "#!" in steps[1].problem


def test_unknown_protocol_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    steps = check(f"stdio:gomocpu:{tmp_path}/pbrain-x")
    assert missing(steps[1].remedy, "protocol gomocup stdio uci") == []


def test_bot_of_another_game_is_refused(tmp_path: Path) -> None:
    steps = check(f"gomocup:{write_bot(tmp_path, source=BRAIN)}", "connect-four")
    assert missing(steps[1].problem, "gomoku") == []
    assert missing(steps[1].remedy, "game protocol") == []


def test_program_that_breaks_at_once_is_shown_with_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_life, "_WATCHED", 60.0)
    steps = check(write_bot(tmp_path, ("import random", "import rndom")))
    assert verdicts(steps) == "fsssssssss"
    assert missing(steps[1].problem, "status 1") == []
    assert missing(steps[1].remedy, "standard error") == []
    assert steps[1].notes[0].splitlines()[-1] == "ModuleNotFoundError: No module named 'rndom'"


# --- Getting ready ------------------------------------------------------------------------------------------------


def test_bot_that_does_not_flush_is_found_out(tmp_path: Path, haste: None) -> None:
    steps = check(write_bot(tmp_path, (", flush=True)", f")\n    {stays()}")))
    assert verdicts(steps) == "pfssssssss"
    assert missing(steps[2].problem, "'INFO game connect-four' 20s input ended") == []
    assert missing(steps[2].remedy, "buffer flush") == []
    assert all("step 2" in steps[number].problem for number in range(3, 11))


def test_bot_that_answers_no_info_is_told_which(tmp_path: Path, haste: None) -> None:
    steps = check(write_bot(tmp_path, ('say("OK")', stays())))
    assert verdicts(steps) == "pfssssssss"
    assert missing(steps[2].problem, "'INFO game connect-four' 20s") == []
    assert missing(steps[2].remedy, "INFO OK flush") == []


def test_bot_that_answers_only_what_it_knows_is_told_which_message_it_left(tmp_path: Path, haste: None) -> None:
    known = f'if key in ("game", "players"):\n        return say("OK")\n    {stays()}'
    steps = check(write_bot(tmp_path, ('say("OK")', known)))
    assert missing(steps[2].problem, "'INFO seat 0' 20s") == []
    assert missing(steps[2].remedy, "INFO OK key") == []


def test_other_answers_than_ok_are_shown(tmp_path: Path, haste: None) -> None:
    steps = check(write_bot(tmp_path, ('say("OK")', f'say("READY")\n    {stays()}')))
    assert missing(steps[2].problem, "'INFO game connect-four' 20s 'READY'") == []
    assert missing(steps[2].remedy, "INFO OK") == []


def test_missing_end_of_line_is_named(tmp_path: Path, haste: None) -> None:
    steps = check(write_bot(tmp_path, ("print(text, flush=True)", f'print(text, end="", flush=True)\n    {stays()}')))
    assert missing(steps[2].problem, "'INFO game connect-four' 'OK' end of a line") == []
    assert missing(steps[2].remedy, "line feed") == []


def test_bot_that_breaks_over_a_message_is_shown_with_its_last_words(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ('if key == "seed"', 'assert key != "rows"\n    if key == "seed"')))
    assert verdicts(steps) == "pfssssssss"
    assert missing(steps[2].problem, "status 1 'INFO rows 6'") == []
    assert steps[2].notes[0].splitlines()[-1] == "AssertionError"


# --- The end ------------------------------------------------------------------------------------------------------


def test_forgotten_end_is_named(tmp_path: Path, hurry: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_life, "ENDING", 2.0)
    steps = check(write_bot(tmp_path, ("sys.exit()", "pass")))
    assert verdicts(steps) == "ppppppppfp", seen(steps)
    assert missing(steps[9].problem, "2 s 'END'") == []
    assert missing(steps[9].remedy, "end END") == []


def test_orphan_that_stays_is_named(tmp_path: Path, hurry: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_life, "ENDING", 5.0)
    monkeypatch.setattr(bot_player, "FAREWELL", 0.5)
    steps = check(
        write_bot(tmp_path, ("while line := sys.stdin.readline():", "while True:\n        line = sys.stdin.readline()"))
    )
    assert verdicts(steps) == "ppppppppfp", seen(steps)
    assert missing(steps[9].problem, "5 s input") == []
    assert missing(steps[9].remedy, "end of the input") == []


def test_processes_left_behind_are_named(tmp_path: Path, hurry: None) -> None:
    leaves = (
        "    say(column + 1)",
        '    import subprocess\n    subprocess.Popen(["sleep", "60"])\n    say(column + 1)',
    )
    steps = check(write_bot(tmp_path, leaves))
    assert verdicts(steps) == "pppppppppf", seen(steps)
    assert "sleep" in steps[10].problem
    assert steps[10].remedy


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("say(column + 1)", 'say(f"{column + 1}\\nI like it")'), "'I like it'"),
        (('say("OK")', 'say("I see\\nOK")'), "'I see' OK"),
    ],
)
def test_talk_beside_the_answers_is_sent_to_standard_error(
    tmp_path: Path, hurry: None, change: tuple[str, str], words: str
) -> None:
    steps = check(write_bot(tmp_path, change))
    assert verdicts(steps) == "pppppppppf", seen(steps)
    assert missing(steps[10].problem, words) == []
    assert missing(steps[10].remedy, "one line standard error") == []


def test_more_than_one_ok_is_too_much(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ('say("OK")', 'say("OK\\nOK")')))
    failed = next(step for step in steps.values() if step.verdict == "failed")
    if failed.number < 10:  # one of them was still to be read when a move was asked for
        assert missing(failed.problem, "'OK' legal") == []
        assert missing(failed.remedy, "OK once") == []
    else:
        assert failed.number == 10
        assert missing(failed.problem, "'OK'") == []


def test_error_is_a_note_and_no_mistake(tmp_path: Path, hurry: None) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", 'say(f"ERROR too hard for me\\n{column + 1}")')))
    assert verdicts(steps) == "p" * 10, seen(steps)
    assert any("ERROR too hard for me" in note for note in steps[10].notes)


def test_files_that_it_writes_are_counted(tmp_path: Path, hurry: None) -> None:
    writes = ('    say("OK")', '    if key == "match_name":\n        open(value + ".log", "w").close()\n    say("OK")')
    steps = check(write_bot(tmp_path, writes))
    assert verdicts(steps) == "p" * 10, seen(steps)
    logs = sorted(tmp_path.glob("*.log"))
    assert any(not missing(note, f"{len(logs)} {logs[0].name}") for note in steps[10].notes)


def test_bot_that_breaks_in_a_game_is_not_blamed_for_what_it_left_too(tmp_path: Path) -> None:
    starts = (
        "    say(column + 1)",
        '    import subprocess\n    subprocess.Popen(["sleep", "60"])\n    raise SystemExit',
    )
    steps = check(write_bot(tmp_path, starts))
    assert verdicts(steps) == "ppfssssspp", seen(steps)
