"""`check_bot`: good bots pass every step, and each mistake that beginners make is named at its step."""

from pathlib import Path

import pytest

from checking.programs import CONNECT_FOUR, stays, write_bot
from ludus.agents.bot import Bot
from ludus.catalog import agent_from, game_from
from ludus.checking import Step, bot_life, bot_moves
from ludus.checking.bots import STEPS, check_bot
from ludus.players import pipe, wire
from players.leftovers import let_time_fly
from takeaway import write_game

LONG = 20 * 10**9
"""Nanoseconds: more than a good bot needs."""

NIM = """\
import sys

piles = []

def take(move, sign=-1):
    pile, number = map(int, move.split("-"))
    piles[pile - 1] += sign * number

for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO":
        if rest[0] == "piles":
            piles = [int(pile) for pile in rest[1].split("-")]
        if rest[0] == "initial_board":
            with open(rest[1]) as file:
                piles = [int(pile) for pile in file.read().split("/")[0].split("-")]
        print("OK", flush=True)
    elif word == "END":
        break
    else:
        for happened in rest:
            take(happened.partition(":")[2])
        pile = max(range(len(piles)), key=piles.__getitem__)
        print(f"{pile + 1}-1", flush=True)
"""

GOOFSPIEL = """\
import sys

hand = []
seat = None

for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO":
        if rest[0] == "seat":
            seat = int(rest[1])
        if rest[0] == "cards":
            hand = list(range(1, int(rest[1]) + 1))
        if rest[0] == "initial_board":
            with open(rest[1]) as file:
                cards = file.read().split("/")[2 + seat].split(":")[0]
            hand = [int(card) for card in cards.split("-")]
        print("OK", flush=True)
    elif word == "END":
        break
    else:
        print(hand.pop(), flush=True)
"""

TAKE_ONE = """\
import sys

for line in sys.stdin:
    if line == "END\\n":
        break
    print("OK" if line.startswith("INFO") else "1", flush=True)
"""

BRAIN = """\
import random
import sys

taken = set()
lines = iter(sys.stdin.readline, "")

def put(place):
    taken.add(place)
    return place

def play():
    free = [f"{x},{y}" for x in range(9) for y in range(9) if f"{x},{y}" not in taken]
    print(put(random.choice(free)), flush=True)

for line in lines:
    word, _, rest = line.strip().partition(" ")
    if word in ("START", "RESTART"):
        taken.clear()
        print("OK", flush=True)
    elif word == "BEGIN":
        play()
    elif word == "TURN":
        put(rest)
        play()
    elif word == "BOARD":
        taken.clear()
        while (stone := next(lines).strip()) != "DONE":
            put(stone.rpartition(",")[0])
        play()
    elif word == "END":
        break
"""

ENGINE = """\
import sys

import chess

board = chess.Board()

for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name small\\nuciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        told = words.index("moves") if "moves" in words else len(words)
        board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:told]))
        for move in words[told + 1:]:
            board.push_uci(move)
    elif words[0] == "go":
        print("bestmove", sorted(move.uci() for move in board.legal_moves)[0], flush=True)
    elif words[0] == "quit":
        break
"""


@pytest.fixture(autouse=True)
def leisure(monkeypatch: pytest.MonkeyPatch) -> None:
    """No episode is left out and no bot is misjudged because the machine is slow."""
    monkeypatch.setattr(bot_moves, "SECONDS", 300.0)
    monkeypatch.setattr(bot_moves, "_ROUNDS", 6)
    monkeypatch.setattr(bot_life, "ENDING", 60.0)
    monkeypatch.setattr(bot_life, "_LAST_CHANCE", 60.0)
    monkeypatch.setattr(bot_life, "_WATCHED", 0.0)  # those that break at once have more
    monkeypatch.setattr(pipe, "FAREWELL", 60.0)
    monkeypatch.setattr(wire, "_STILL_DYING", 60.0)


@pytest.fixture
def hurry(leisure: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """As few episodes as there can be, and as short."""
    monkeypatch.setattr(bot_moves, "SECONDS", 0.0)


@pytest.fixture
def haste(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a bot that stays silent is up as soon as it does."""
    let_time_fly(tmp_path, monkeypatch)


def check(command: str, game: str = "connect-four", *, move_time: int = LONG, patience: int = LONG) -> dict[int, Step]:
    bot = agent_from(command if ":" in command.partition(" ")[0] else f"stdio:{command}")
    assert isinstance(bot, Bot)
    steps = {step.number: step for step in check_bot(bot, game_from(game), move_time, patience)}
    assert list(steps) == list(range(1, len(STEPS) + 1))
    return steps


def verdicts(steps: dict[int, Step]) -> str:
    """A letter for each step: passed, failed or skipped."""
    return "".join(step.verdict[0] for step in steps.values())


def seen(steps: dict[int, Step]) -> dict[int, str]:
    return {number: "\n".join([step.problem, *step.notes]) for number, step in steps.items()}


def test_good_bot_passes_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_life, "_WATCHED", 0.5)
    steps = check(write_bot(tmp_path))
    assert verdicts(steps) == "p" * 10, seen(steps)
    assert steps[1].notes == [f"runs {tmp_path}/bot.py in {tmp_path}"]
    assert steps[5].notes[0].startswith("episodes against random moves: ")
    assert steps[6].figures["moves"] > 50
    assert 0 < steps[6].figures["slowest"] < LONG
    assert 0 < steps[6].figures["start_up"] < LONG
    assert steps[8].figures == {"same": True}
    assert [note.partition(" it ended")[0] for note in steps[9].notes[:2]] == [
        "after 'END'",
        "after the end of its input",
    ]
    assert steps[10].figures["memory"] > 0
    assert not [file for file in tmp_path.iterdir() if file.name != "bot.py"]


def test_lines_may_end_as_in_windows(tmp_path: Path, hurry: None) -> None:
    steps = check(write_bot(tmp_path, ("flush=True", 'end="\\r\\n", flush=True')))
    assert verdicts(steps) == "p" * 10, seen(steps)


@pytest.mark.parametrize(
    ("protocol", "game", "source"),
    [
        ("stdio", "nim:players=3", NIM),
        ("stdio", "goofspiel:cards=4", GOOFSPIEL),
        ("gomocup", "gomoku:size=9", BRAIN),
    ],
)
def test_good_bots_for_other_games_pass(tmp_path: Path, protocol: str, game: str, source: str) -> None:
    steps = check(f"{protocol}:{write_bot(tmp_path, source=source)}", game)
    assert verdicts(steps) == "p" * 10, seen(steps)


def test_good_engine_passes(tmp_path: Path, hurry: None) -> None:
    pytest.importorskip("chess")
    steps = check(f"uci:{write_bot(tmp_path, source=ENGINE, options='-I')}", "chess")
    assert verdicts(steps) == "p" * 10, seen(steps)
    assert steps[5].notes == [
        "episodes against random moves: 2, with 20 moves of its own",
        "cut after 20 plies, since it takes its time: 2",
    ]
    assert steps[9].notes[0].startswith("after 'quit' it ended")


# --- Starting -----------------------------------------------------------------------------------------------------


def test_missing_program_fails_first_step_and_the_others_are_skipped(tmp_path: Path) -> None:
    steps = check(f"{tmp_path}/mybot")
    assert verdicts(steps) == "fsssssssss"
    assert steps[1].problem == f"it cannot be started: there is no program {tmp_path}/mybot"
    assert steps[1].remedy == "look at its name; a path begins where you are"
    assert {steps[number].problem for number in range(2, 11)} == {"step 1 must pass first"}


def test_file_that_may_not_be_executed_gets_two_ways_out(tmp_path: Path) -> None:
    program = write_bot(tmp_path)
    Path(program).chmod(0o644)
    steps = check(program)
    assert steps[1].problem == f"it cannot be started: {tmp_path}/bot.py is not executable"
    assert f"chmod +x {tmp_path}/bot.py" in steps[1].remedy
    assert f"'python3 {tmp_path}/bot.py'" in steps[1].remedy


def test_script_without_first_line_is_told_what_it_lacks(tmp_path: Path) -> None:
    program = write_bot(tmp_path)
    Path(program).write_text(CONNECT_FOUR)
    steps = check(program)
    assert verdicts(steps) == "fsssssssss"
    assert "a script begins with a line such as #!" in steps[1].problem


def test_unknown_protocol_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    steps = check(f"stdio:gomocpu:{tmp_path}/pbrain-x")
    assert steps[1].remedy == "before the colon stands a protocol: stdio, gomocup, uci"


def test_bot_of_another_game_is_refused(tmp_path: Path) -> None:
    steps = check(f"gomocup:{write_bot(tmp_path, source=BRAIN)}", "connect-four")
    assert steps[1].problem == "it plays gomoku only"
    assert steps[1].remedy == "name another game, or the protocol that it speaks"


def test_program_that_breaks_at_once_is_shown_with_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_life, "_WATCHED", 60.0)
    steps = check(write_bot(tmp_path, ("import random", "import rndom")))
    assert verdicts(steps) == "fsssssssss"
    assert steps[1].problem == "its process ended with status 1 before it was told anything"
    assert steps[1].remedy == "mend what it wrote to standard error"
    assert steps[1].notes[0].splitlines()[-1] == "ModuleNotFoundError: No module named 'rndom'"


# --- Getting ready ------------------------------------------------------------------------------------------------


def test_bot_that_does_not_flush_is_found_out(tmp_path: Path, haste: None) -> None:
    steps = check(write_bot(tmp_path, (", flush=True)", f")\n    {stays()}")))
    assert verdicts(steps) == "pfssssssss"
    assert steps[2].problem == "no answer to 'INFO game connect-four' within 20 s, but one when its input ended"
    assert steps[2].remedy.startswith("many languages keep output back until a buffer is full: flush after every line")
    assert {steps[number].problem for number in range(3, 11)} == {"step 2 must pass first"}


def test_bot_that_answers_no_info_is_told_which(tmp_path: Path, haste: None) -> None:
    steps = check(write_bot(tmp_path, ('say("OK")', stays())))
    assert verdicts(steps) == "pfssssssss"
    assert steps[2].problem == "no answer to 'INFO game connect-four' within 20 s"
    assert steps[2].remedy.startswith("answer every INFO with a line OK, whatever its key, and flush your output")


def test_bot_that_answers_only_what_it_knows_is_told_which_message_it_left(tmp_path: Path, haste: None) -> None:
    known = f'if key in ("game", "players"):\n        return say("OK")\n    {stays()}'
    steps = check(write_bot(tmp_path, ('say("OK")', known)))
    assert steps[2].problem == "no answer to 'INFO seat 0' within 20 s"
    assert "whatever its key" in steps[2].remedy


def test_other_answers_than_ok_are_shown(tmp_path: Path, haste: None) -> None:
    steps = check(write_bot(tmp_path, ('say("OK")', f'say("READY")\n    {stays()}')))
    assert steps[2].problem == "no answer to 'INFO game connect-four' within 20 s: it said 'READY'"
    assert "answer every INFO with a line OK" in steps[2].remedy


def test_missing_end_of_line_is_named(tmp_path: Path, haste: None) -> None:
    steps = check(write_bot(tmp_path, ("print(text, flush=True)", f'print(text, end="", flush=True)\n    {stays()}')))
    assert steps[2].problem == "it answered 'INFO game connect-four' with 'OK', but without the end of a line"
    assert "end every line with a line feed" in steps[2].remedy


def test_bot_that_breaks_over_a_message_is_shown_with_its_last_words(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ('if key == "seed"', 'assert key != "rows"\n    if key == "seed"')))
    assert verdicts(steps) == "pfssssssss"
    assert steps[2].problem == "its process ended with status 1, after 'INFO rows 6'"
    assert steps[2].notes[0].splitlines()[-1] == "AssertionError"


# --- Moves --------------------------------------------------------------------------------------------------------


def test_wrong_notation_gets_an_example_and_the_board(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", 'say("abcdefg"[column])')))
    assert verdicts(steps) == "ppfssssspp"
    assert steps[3].problem.startswith("it answered 'START' with '")
    assert steps[3].problem.endswith("', which is no legal move")
    assert steps[3].remedy == "write a move like 4"
    board, legal = steps[3].notes
    assert board.startswith("seat 0, its move 1:\n")
    assert board.count(". . . . . . .") == 6
    assert legal == "legal moves: 1 2 3 4 5 6 7"


def test_talk_on_standard_output_is_sent_to_standard_error(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", 'say("thinking hard")\n    say(column + 1)')))
    assert steps[3].problem == "it answered 'START' with 'thinking hard', which is no legal move"
    assert steps[3].remedy == "answer with the move alone, as in 4, and write everything but answers to standard error"


def test_counting_from_the_wrong_number_is_guessed(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", "say(column)")))
    failed = next(step for step in steps.values() if step.verdict == "failed")
    assert "with '0', which is no legal move" in failed.problem
    assert failed.remedy.startswith("perhaps you count from 0 where the game counts from 1: a legal move is ")


def test_brain_that_counts_from_one_is_guessed(tmp_path: Path) -> None:
    steps = check(f"gomocup:{write_bot(tmp_path, ('range(9)', 'range(9, 10)'), source=BRAIN)}", "gomoku:size=9")
    assert steps[3].problem.endswith("with '9,9', which is no legal move")
    assert steps[3].remedy == "perhaps you count from 1 where the game counts from 0: a legal move is 4,4"


def test_bot_that_forgets_its_own_moves_is_shown_every_position_where_that_mattered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_moves, "_ROUNDS", 20)
    steps = check(write_bot(tmp_path, ("    heights[column] += 1\n", "")))
    assert verdicts(steps) == "ppppfpsspp"
    assert "which is no legal move" in steps[5].problem
    assert steps[5].remedy.startswith("that move is there, but not now: let your board have every move")
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
    assert "look for a loop that never ends" in steps[3].remedy


def test_bot_that_breaks_over_a_move_is_shown_with_its_last_words(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("heights[int(rest) - 1]", "heights[rest]")))
    assert verdicts(steps) == "pppfspsspp"
    assert steps[4].problem.startswith("its process ended with status 1, after 'TURN ")
    assert steps[4].notes[0].splitlines()[-1].startswith("TypeError: list indices")


def test_bot_that_ends_after_one_move_is_told_to_read_on(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", "say(column + 1)\n    sys.exit()")))
    assert steps[4].problem.startswith("its process ended with status 0, after '")
    assert steps[4].remedy == "read on until it is told to end"


def test_bot_that_is_killed_is_told_by_which_signal(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("def play():", "def play():\n    import os\n    os.abort()")))
    assert steps[3].problem.startswith("its process was killed by signal 6 (SIGABRT)")
    assert steps[3].problem.endswith(", after 'START'")
    assert steps[3].remedy == "say the same to it by hand, and find out where it breaks"


def test_closed_streams_are_named(tmp_path: Path) -> None:
    closes = ("def play():", "def play():\n    import os, time\n    os.close(1)\n    time.sleep(60)")
    steps = check(write_bot(tmp_path, closes))
    assert steps[3].problem.startswith("it closed its standard output, and its process is ")
    assert steps[3].remedy == "leave its standard input and output open"


def test_flood_of_output_is_named(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", 'say("x" * 5_000_000)')))
    assert steps[3].problem.startswith("it wrote more than 1,048,576 bytes in answer to one message")
    assert "a loop that writes without end" in steps[3].remedy


def test_late_moves_fail_their_own_step_alone(tmp_path: Path, hurry: None) -> None:
    late = ("def play():", "def play():\n    import time\n    time.sleep(0.05)")
    steps = check(write_bot(tmp_path, late), move_time=10**7)
    assert verdicts(steps) == "pppppfpppp", seen(steps)
    count = steps[6].problem.split()[0]
    assert steps[6].problem.startswith(f"{count} of its {count} moves took longer than 0.01 s and 0.01 s of grace, ")
    assert steps[6].remedy.startswith("INFO timeout_turn tells the milliseconds for a move")


def test_ignored_start_position_is_guessed(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ('"initial_board"', '"start_board"')))
    assert verdicts(steps) == "ppppppfppp", seen(steps)
    assert steps[7].problem.startswith("from a position after ")
    assert steps[7].remedy.startswith("perhaps it ignores the start position; INFO initial_board names a file")


def test_brain_that_ignores_the_board_is_guessed(tmp_path: Path) -> None:
    ignores = ('            put(stone.rpartition(",")[0])', "            pass")
    steps = check(f"gomocup:{write_bot(tmp_path, ignores, source=BRAIN)}", "gomoku:size=9")
    assert verdicts(steps) == "ppppppfppp", seen(steps)
    assert "perhaps it ignores the start position; the lines after BOARD" in steps[7].remedy


def test_game_without_text_of_positions_skips_that_step(tmp_path: Path) -> None:
    game = write_game(tmp_path, ("def save(", "def write("))
    steps = check(write_bot(tmp_path, source=TAKE_ONE), str(game))
    assert verdicts(steps) == "ppppppsppp", seen(steps)
    assert steps[7].problem == "take-away has no text form of a position"


def test_other_moves_from_the_same_seed_are_no_mistake(tmp_path: Path, hurry: None) -> None:
    counts = 'with open("runs", "a+") as runs:\n            chance.seed(runs.write("x") + runs.tell())'
    steps = check(write_bot(tmp_path, ("chance.seed(value)", counts)))
    assert verdicts(steps) == "p" * 10, seen(steps)
    assert steps[8].figures == {"same": False}
    assert steps[8].notes[0].startswith("other moves: its move ")


# --- The end ------------------------------------------------------------------------------------------------------


def test_forgotten_end_is_named(tmp_path: Path, hurry: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_life, "ENDING", 2.0)
    steps = check(write_bot(tmp_path, ("sys.exit()", "pass")))
    assert verdicts(steps) == "ppppppppfp", seen(steps)
    assert steps[9].problem == "it was still there 2 s after 'END'"
    assert steps[9].remedy.startswith("leave your loop and end the program when it reads END")


def test_orphan_that_stays_is_named(tmp_path: Path, hurry: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_life, "ENDING", 5.0)
    monkeypatch.setattr(pipe, "FAREWELL", 0.5)
    steps = check(
        write_bot(tmp_path, ("while line := sys.stdin.readline():", "while True:\n        line = sys.stdin.readline()"))
    )
    assert verdicts(steps) == "ppppppppfp", seen(steps)
    assert steps[9].problem.startswith("it was still there 5 s after the end of its input")
    assert steps[9].remedy.startswith("end the program when a read finds the end of the input")


def test_processes_left_behind_are_named(tmp_path: Path, hurry: None) -> None:
    leaves = (
        "    say(column + 1)",
        '    import subprocess\n    subprocess.Popen(["sleep", "60"])\n    say(column + 1)',
    )
    steps = check(write_bot(tmp_path, leaves))
    assert verdicts(steps) == "pppppppppf", seen(steps)
    assert steps[10].problem.startswith("it left ")
    assert "sleep" in steps[10].problem
    assert steps[10].remedy.startswith("end what it has started")


@pytest.mark.parametrize(
    ("change", "remark"),
    [
        (("say(column + 1)", 'say(f"{column + 1}\\nI like it")'), "it said 'I like it' without being asked"),
        (('say("OK")', 'say("I see\\nOK")'), "it said 'I see' before OK"),
    ],
)
def test_talk_beside_the_answers_is_sent_to_standard_error(
    tmp_path: Path, hurry: None, change: tuple[str, str], remark: str
) -> None:
    steps = check(write_bot(tmp_path, change))
    assert verdicts(steps) == "pppppppppf", seen(steps)
    assert steps[10].problem == remark
    assert steps[10].remedy == "answer every message with one line, and write everything but answers to standard error"


def test_more_than_one_ok_is_too_much(tmp_path: Path) -> None:
    steps = check(write_bot(tmp_path, ('say("OK")', 'say("OK\\nOK")')))
    failed = next(step for step in steps.values() if step.verdict == "failed")
    if failed.number < 10:  # one of them was still to be read when a move was asked for
        assert failed.problem.startswith("it answered '")
        assert failed.problem.endswith("' with 'OK', which is no legal move")
        assert failed.remedy.startswith("say OK once to what asks for it")
    else:
        assert failed.number == 10
        assert failed.problem == "it said 'OK' without being asked"


def test_error_is_a_note_and_no_mistake(tmp_path: Path, hurry: None) -> None:
    steps = check(write_bot(tmp_path, ("say(column + 1)", 'say(f"ERROR too hard for me\\n{column + 1}")')))
    assert verdicts(steps) == "p" * 10, seen(steps)
    assert "it said ERROR too hard for me" in steps[10].notes


def test_files_that_it_writes_are_counted(tmp_path: Path, hurry: None) -> None:
    writes = ('    say("OK")', '    if key == "match_name":\n        open(value + ".log", "w").close()\n    say("OK")')
    steps = check(write_bot(tmp_path, writes))
    assert verdicts(steps) == "p" * 10, seen(steps)
    logs = sorted(tmp_path.glob("*.log"))
    assert f"files that it wrote in its folder: {len(logs)}, as {logs[0].name}" in steps[10].notes


def test_bot_that_breaks_in_a_game_is_not_blamed_for_what_it_left_too(tmp_path: Path) -> None:
    starts = (
        "    say(column + 1)",
        '    import subprocess\n    subprocess.Popen(["sleep", "60"])\n    raise SystemExit',
    )
    steps = check(write_bot(tmp_path, starts))
    assert verdicts(steps) == "ppfssssspp", seen(steps)
