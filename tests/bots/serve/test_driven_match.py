"""The match as a program: the real command, driven over real pipes."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from ludus.bots.serve import driven_match
from ludus.core.errors import LudusError
from ludus.episode.record import Key, Opening, Record
from ludus.games.game import game_from
from ludus.store import open_store
from support.sentences import missing

pytestmark = pytest.mark.slow

BOT = """
import sys
heights, log = [0] * 7, open("told.txt", "a")
for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO":
        log.write(line)
        log.flush()
        print("OK", flush=True)
    elif word == "END":
        break
    else:
        if word == "TURN":
            heights[int(rest[0]) - 1] += 1
        column = next(i for i in range(7) if heights[i] < 6)
        heights[column] += 1
        print(column + 1, flush=True)
"""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    for name in ("Bot1", "Bot2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.py").write_text(BOT)
    return tmp_path


def drive(cup: Path, *lines: str, options: Sequence[str] = ()) -> tuple[list[str], str]:
    """The match's answers to these lines, and its output on standard error."""
    command = [sys.executable, "-m", "ludus", "bot", "match", "connect-four", "--folder", str(cup)]
    command += ["--store", str(cup / "store.db"), *options]
    done = subprocess.run(command, input="".join(f"{line}\n" for line in lines), capture_output=True, text=True)
    assert done.returncode == 0
    return done.stdout.splitlines(), done.stderr


def said(cup: Path, *lines: str) -> list[str]:
    heard, complaints = drive(cup, *lines)
    if heard[-1] == "DONE":
        assert missing(complaints, "stored 1/1.1 Moves times .csv") == []
    else:
        assert complaints == ""
    return heard


def told(cup: Path, bot: str) -> set[str]:
    return set((cup / bot / "told.txt").read_text().splitlines())


def test_match_is_played_and_its_points_are_printed(cup: Path) -> None:
    heard = said(cup, "START Bot1 Bot2", "INFO timeout_turn 60000", "INFO match_name final", "BEGIN Bot2")
    assert heard[:5] == ["OK", "OK", "OK", "OK", "FINISH"]
    assert sorted(heard[5:7]) in (["Bot1 -1", "Bot2 1"], ["Bot1 1", "Bot2 -1"])
    assert heard[7:] == ["DONE"]


def test_information_is_passed_on_to_the_bots(cup: Path) -> None:
    said(cup, "START Bot1 Bot2", "INFO timeout_turn 60000", "INFO match_name final", "INFO lucky 7", "BEGIN Bot1")
    assert {
        "INFO timeout_turn 60000",
        "INFO match_name final",
        "INFO lucky 7",
        "INFO seat 1",
    } <= told(cup, "Bot2")


def test_all_limits_are_passed_on_once(cup: Path) -> None:
    limits = ["cpu_limit 90000", "space_limit 900", "disk_limit 90", "output_limit 9000", "file_limit 90"]
    said(cup, "START Bot1 random", *(f"INFO {limit}" for limit in [*limits, "process_limit 9"]), "BEGIN Bot1")
    lines = (cup / "Bot1" / "told.txt").read_text().splitlines()
    assert {f"INFO {limit}" for limit in [*limits, "process_limit 9"]} <= set(lines)
    keys = [line.split()[1] for line in lines]
    assert len(keys) == len(set(keys))


def test_named_bot_moves_first(cup: Path) -> None:
    said(cup, "START Bot1 Bot2", "BEGIN Bot2")
    assert "INFO seat 0" in told(cup, "Bot2")


@pytest.mark.parametrize(
    ("board", "seat"),
    [
        ("......./......./......./o....../o....../ox.xx.x", 1),
        ("......./......./......./o....../o....../ox.xx..", 0),
    ],
)
def test_named_bot_moves_first_from_a_start_board(cup: Path, board: str, seat: int) -> None:
    (cup / "board.txt").write_text(board)
    heard, _ = drive(cup, "START Bot2 Bot1", "INFO initial_board board.txt", "BEGIN Bot1")
    assert heard[:4] == ["OK", "OK", "OK", "FINISH"]
    assert f"INFO seat {seat}" in told(cup, "Bot1")
    assert any(line.startswith("INFO initial_board") for line in told(cup, "Bot1"))


def test_every_match_draws_its_own_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    openings: list[Opening] = []

    def keep_opening(*_: object, opening: Opening, **__: object) -> None:
        openings.append(opening)
        raise LudusError("not played")

    monkeypatch.setattr(driven_match, "play_episode", keep_opening)
    for _ in range(2):
        service = driven_match.DrivenMatch(game_from("goofspiel"), tmp_path, str, lambda *_: None)
        for line in ("START random mc", "BEGIN random"):
            list(service.answer(line))
    assert openings[0] != openings[1]


def test_disqualified_bot_is_named_on_standard_error(cup: Path) -> None:
    (cup / "Bot2" / "Bot2.py").write_text(BOT.replace("print(column + 1", "print(column + 9"))
    heard, complaints = drive(cup, "START Bot1 Bot2", "BEGIN Bot2")
    assert heard[-3:] == ["Bot1 1", "Bot2 -1", "DONE"]
    assert missing(complaints, "Bot2 illegal '9'") == []
    assert complaints.count("\n") == 3


def test_bot_that_does_not_start_is_named_on_standard_error(cup: Path) -> None:
    (cup / "Bot2" / "Bot2.py").write_text("raise SystemExit(3)")
    heard, complaints = drive(cup, "START Bot1 Bot2", "BEGIN Bot1")
    assert heard[-3:] == ["Bot1 1", "Bot2 -1", "DONE"]
    assert missing(complaints, "Bot2 failed status 3") == []
    assert complaints.count("\n") == 3


def test_match_is_stored_and_its_moves_and_times_are_written(cup: Path) -> None:
    _, told_where = drive(cup, "START Bot1 Bot2", "INFO match_name final", "BEGIN Bot2")
    assert missing(told_where, f"1/1.1 {cup / 'final.csv'}") == []
    head, *rows = [line.split(";") for line in (cup / "final.csv").read_text().splitlines()]
    assert head == ["Bot", "Turn", "Time"]
    with open_store(str(cup / "store.db")) as store:
        record = store.record(1, Key(0, 0, 0))
    assert [seat.name for seat in record.seats] == ["Bot2", "Bot1"]
    moves = [move for step in record.steps for move in step]
    assert [(bot, turn) for bot, turn, _ in rows] == [(record.seats[move.seat].name, move.move) for move in moves]
    assert [round(float(time) * 1e6, -3) for *_, time in rows] == [round(move.wall, -3) for move in moves]


def test_record_of_a_match_is_written_as_json_alone(cup: Path) -> None:
    heard, told_where = drive(cup, "START Bot1 Bot2", "BEGIN Bot2", options=["--json"])
    assert heard[-1] == "DONE"
    assert Record.from_json(told_where).scores in ([1.0, -1.0], [-1.0, 1.0])


def test_manager_gets_its_points_even_if_the_moves_cannot_be_written(cup: Path) -> None:
    (cup / "final.csv").mkdir()
    command = [sys.executable, "-m", "ludus", "bot", "match", "connect-four", "--folder", str(cup)]
    lines = "START Bot1 Bot2\nINFO match_name final\nBEGIN Bot1\n"
    done = subprocess.run([*command, "--store", str(cup / "s.db")], input=lines, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "DONE"
    assert done.returncode != 0
    assert missing(done.stderr, "1/1.1 final.csv") == []


def test_start_board_in_a_format_of_the_bots_is_passed_on_by_its_name(cup: Path) -> None:
    (cup / "board.dat").write_text("......./......./......./o....../o....../ox.xx..")
    for bot in ("Bot1", "Bot2"):
        (cup / bot / "board.dat").write_text("nobody but the bot can read this")
    heard, _ = drive(cup, "START Bot1 Bot2", "INFO initial_board board.dat", "BEGIN Bot1")
    assert heard[:4] == ["OK", "OK", "OK", "FINISH"]
    for bot in ("Bot1", "Bot2"):
        assert "INFO initial_board board.dat" in told(cup, bot)


def test_start_board_may_lie_in_the_folders_of_the_bots_alone(cup: Path) -> None:
    (cup / "Bot1" / "board.dat").write_text("nobody but the bot can read this")
    (cup / "Bot2" / "board.dat").write_text("......./......./......./o....../o....../ox.xx..")
    heard, _ = drive(cup, "START Bot1 Bot2", "INFO initial_board board.dat", "BEGIN Bot1")
    assert heard[:4] == ["OK", "OK", "OK", "FINISH"]
    assert "INFO initial_board board.dat" in told(cup, "Bot1")
    (cup / "Bot2" / "board.dat").write_text("nor this")
    *_, refused = drive(cup, "START Bot1 Bot2", "INFO initial_board board.dat")[0]
    assert missing(refused, "ERROR board.dat") == []


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["HELLO"], "'HELLO' START INFO BEGIN"),
        (["START Bot1 Bot3"], "'Bot3' folder"),
        (["START Bot1 Bot1"], "Bot1 twice"),
        (["START Bot1 human"], "person"),
        (["START Bot1"], "connect-four 2 1"),
        (["BEGIN Bot1"], "START"),
        (["START Bot1 Bot2", "BEGIN Bot3"], "'Bot3' Bot1 Bot2"),
        (["INFO timeout_turn soon"], "timeout_turn 'soon'"),
        (["INFO process_limit 0"], "process_limit 1 '0'"),
        (["INFO seat 1"], "seat"),
        (["INFO rows 7"], "rows"),
        (["INFO match_name ../final"], "'../final' match_name"),
        (["INFO timeout_turn"], "INFO key value"),
        (["INFO initial_board nowhere.txt"], "nowhere.txt"),
    ],
)
def test_wrong_line_is_answered_with_an_error(cup: Path, lines: list[str], words: str) -> None:
    *before, last = said(cup, *lines)
    assert set(before) <= {"OK"}
    assert last.startswith("ERROR ")
    assert missing(last, words) == []
