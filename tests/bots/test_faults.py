"""Every fault of a bot, with a program that commits it: who loses, what the record tells, and that nothing is left."""

import os
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from ludus.agents.agent import agent_from
from ludus.bots import bot_player
from ludus.bots.process import process_io
from ludus.episode import verdict
from ludus.episode.driver import play_episode
from ludus.episode.limits import Limits, Policy
from ludus.episode.local_player import player_for
from ludus.episode.record import Ending, Fault, Move, Preparation, Record
from ludus.games.game import game_from
from support import playing
from support.crowding import crowded_core, needs_linux
from support.leftovers import alive, bot, let_time_fly, nothing_left, pids
from support.places import SUPPORT

pytestmark = pytest.mark.slow

MS, S = 10**6, 10**9
AMPLE = Limits(preparation=30 * S, move=30 * S)
SHORT = Limits(preparation=30 * S, move=100 * MS)
"""Limits for bots that must really run out of time at the first turn, when no other can be late."""

PONDERING = ",pondering=yes"
"""Option of a bot that does something in the turns of others."""
FIRST = f"{SUPPORT / 'simple_agents.py'}:AlwaysFirst"
GRANTED = r"; limit {} and 10ms of grace; [\d.]+ \w?s of CPU, [\d.]+ \w?s of waiting for a core"
ENDED = rf"gave no answer, and was ended after 1 h 00 min{GRANTED.format('30s')}; its process was"
WROTE = r"wrote [\d.]+ MiB to files with a limit of 8 MiB"


class Case(NamedTuple):
    """A kind of bot, its fault, the first line of the evidence, and what must be in the rest of it."""

    kind: str
    fault: Fault
    sentence: str
    rest: tuple[str, ...] = ()
    limits: Limits = AMPLE


ILLEGAL, LATE, FAILED = Fault.ILLEGAL, Fault.LATE, Fault.FAILED
ASKED = "> TURN b1"
IN_PREPARATION = [
    Case("exits_at_once", FAILED, r"its process ended with status 3", ("standard error:", "no model file")),
    Case(
        "never_gets_ready",
        LATE,
        r"did not answer INFO game tic-tac-toe within 30s; its process was sleeping",
        ("> INFO game tic-tac-toe",),
    ),
]
IN_PLAY = [
    Case(
        "exits_in_mid_game",
        FAILED,
        r"its process ended with status 1",
        ("> START", "< a1", ASKED, "standard error:", "ValueError: I have no idea"),
    ),
    Case("exits_after_its_move", FAILED, r"its process ended with status 0", ("< a1",)),
    Case("exits_and_leaves_a_child", FAILED, r"its process ended with status 5", (ASKED,)),
    Case("kills_itself", FAILED, r"its process was killed by signal 11 \(SIGSEGV\)", (ASKED, "farewell")),
    Case("closes_its_output", FAILED, r"closed its standard output, and its process is sleeping", (ASKED,)),
    Case("closes_its_input", FAILED, r"closed its standard input, and its process is sleeping", ("< a1", ASKED)),
    Case(
        "plays_an_illegal_move",
        ILLEGAL,
        r"'a1' is not a legal move here: write a move like c1, a2, b2\.",
        (ASKED, "< a1", "standard error:", "a1 looks fine"),
    ),
    Case("talks_nonsense", ILLEGAL, r"'xyzzy �\[2J' is not a legal move here: .*", (ASKED, "< xyzzy �[2J")),
    Case("talks_much_nonsense", ILLEGAL, r"'x{199}.* … \(\d,\d\d\d bytes\)", (ASKED, "x … (200,000 bytes)")),
    Case("says_what_is_no_text", ILLEGAL, r"'���' is not a legal move here: .*", (ASKED, "< ���")),
    Case(
        "says_a_line_of_100_mb",
        FAILED,
        r"wrote more than 1,048,576 bytes in answer to one message",
        (ASKED, "xxx … (1,", "(half a line)"),
    ),
    Case(
        "says_metrics_without_end",
        FAILED,
        r"wrote more than 1,048,576 bytes in answer to one message",
        (ASKED, "< METRIC depth 1"),
    ),
    Case("says_blank_lines_without_end", FAILED, r"wrote more than 1,048,576 bytes in answer to one message", (ASKED,)),
    Case("is_silent", LATE, rf"{ENDED} sleeping"),
    Case("thinks_without_end", LATE, rf"{ENDED} \w+", ("> START", "thinking")),
    Case("says_error_and_waits", LATE, rf"{ENDED} sleeping", ("> START", "< ERROR I am lost")),
    Case("says_half_a_line", LATE, rf"{ENDED} sleeping", ("> START", "< a (half a line)")),
    Case("stops_itself", LATE, rf"{ENDED} stopped"),
    Case(
        "eats_memory",
        FAILED,
        r"held 1\d\d(\.\d)? MiB with a limit of 100 MiB",
        (ASKED,),
        msgspec.structs.replace(AMPLE, memory=100 << 20),
    ),
    Case(
        "eats_cpu",
        FAILED,
        r"took \d\.\d\d s of CPU with a limit of 1\.00 s|its process was killed by .*: its CPU time was used up",
        (ASKED,),
        msgspec.structs.replace(AMPLE, cpu=1 * S),
    ),
    Case(
        "forks_and_forks",
        FAILED,
        r"runs \d+ processes with a limit of 20",
        (ASKED,),
        msgspec.structs.replace(AMPLE, processes=20),
    ),
    Case(
        "fills_a_file",
        FAILED,
        rf"its process was killed by signal 25 \(SIGXFSZ\): a file exceeded .*|{WROTE}",
        (ASKED,),
        msgspec.structs.replace(AMPLE, disk=8 << 20),
    ),
    Case(
        "fills_many_files",
        FAILED,
        WROTE,
        (ASKED,),
        msgspec.structs.replace(AMPLE, disk=8 << 20),
    ),
    Case(
        "fills_memory_with_files",
        FAILED,
        WROTE,
        (ASKED,),
        msgspec.structs.replace(AMPLE, disk=8 << 20),
    ),
    Case(
        "makes_many_files",
        FAILED,
        r"made more than 10,000 files",
        (ASKED,),
    ),
    Case(
        "opens_many_files",
        FAILED,
        r"its process ended with status 1",
        ("Too many open files",),
        msgspec.structs.replace(AMPLE, files=20),
    ),
]


@pytest.fixture(autouse=True)
def _nothing_is_left(tmp_path: Path) -> Iterator[None]:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with nothing_left(temporary):
        yield


@pytest.fixture(autouse=True)
def _leisure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is killed or misjudged because the machine is slow."""
    monkeypatch.setattr(bot_player, "FAREWELL", 60.0)
    monkeypatch.setattr(process_io, "_STILL_DYING", 60.0)


played = partial(playing.played, limits=AMPLE, seed=1)


def faulty(record: Record, seat: int) -> list[Move]:
    return [move for step in record.steps for move in step if move.seat == seat and move.fault]


def check_evidence(told: Move | Preparation, case: Case) -> None:
    assert told.fault is case.fault
    sentence, *rest = told.evidence.splitlines()
    assert re.fullmatch(case.sentence, sentence)
    for part in case.rest:
        assert part in "\n".join(rest)
    assert max(map(len, rest), default=0) <= 250


def name_of(case: Case) -> str:
    return case.kind


def hurry(case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if case.fault is LATE:
        let_time_fly(folder, monkeypatch)


def skip_without_files_in_memory(case: Case) -> None:
    if case.kind == "fills_memory_with_files" and not os.access("/dev/shm", os.W_OK):
        pytest.skip("there is no /dev/shm to write to")


# --- Programs that cannot be started --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\x01\x02\x03", "it is not a program; a script begins with a line such as #!/bin/sh"),
        (b"#!/no/such/interpreter\n", "the program in the first line of .* does not exist"),
        (b"\x7fELF" + bytes(60), "it is not a program.*"),
    ],
    ids=["no program", "missing interpreter", "no executable"],
)
def test_bot_that_cannot_be_started_loses(tmp_path: Path, content: bytes, sentence: str) -> None:
    program = tmp_path / "program"
    program.write_bytes(content)
    program.chmod(0o755)
    record = played("tic-tac-toe", "random", str(program))
    assert (record.ending, record.by, record.scores) == (Ending.FAILED, [1], [1, -1])
    made = record.seats[1].preparation
    assert made
    assert made.fault is Fault.FAILED
    assert re.fullmatch(rf"{re.escape(str(program))} cannot be started: {sentence}", made.evidence)


# --- Programs that break -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", IN_PREPARATION, ids=name_of)
def test_bot_that_does_not_get_ready_loses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: Case) -> None:
    hurry(case, tmp_path, monkeypatch)
    record = played("tic-tac-toe", bot(case.kind, tmp_path), "random", limits=case.limits)
    assert (record.ending, record.by, record.scores) == (Ending(case.fault), [0], [-1, 1])
    made = record.seats[0].preparation
    assert made
    check_evidence(made, case)
    assert record.steps == []


@pytest.mark.parametrize("case", IN_PLAY, ids=name_of)
def test_bot_with_a_fault_loses_and_its_opponent_is_unharmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    skip_without_files_in_memory(case)
    hurry(case, tmp_path, monkeypatch)
    other = tmp_path / "other"
    other.mkdir()
    record = played("tic-tac-toe", bot(case.kind, tmp_path), bot("good", other), limits=case.limits)
    assert (record.ending, record.by, record.scores) == (Ending(case.fault), [0], [-1, 1])
    check_evidence(record.steps[-1][0], case)
    assert faulty(record, 0) == record.steps[-1]
    assert faulty(record, 1) == []
    assert record.seats[1].remarks == []
    assert pids(tmp_path)
    assert alive(tmp_path) == alive(other) == []


@pytest.mark.parametrize("case", [*IN_PREPARATION, *IN_PLAY], ids=name_of)
def test_random_moves_replace_those_of_a_bot_with_a_fault_under_that_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    skip_without_files_in_memory(case)
    hurry(case, tmp_path, monkeypatch)
    limits = msgspec.structs.replace(case.limits, policy=Policy.RANDOM)
    record = played("tic-tac-toe", bot(case.kind, tmp_path), FIRST, limits=limits)
    assert record.ending is Ending.RULES
    told = [made for made in [record.seats[0].preparation, *faulty(record, 0)] if made and made.fault]
    check_evidence(told[0], case)
    if case.fault is not Fault.ILLEGAL:
        gone = f"has been gone since: {told[0].evidence.splitlines()[0]}"
        assert {made.evidence for made in told[1:]} == {gone}
        assert {made.fault for made in told[1:]} == {Fault.FAILED}
    assert faulty(record, 1) == []
    assert alive(tmp_path) == []


@pytest.mark.parametrize(
    "kind", ["exits_at_once", "exits_after_its_move", "is_silent", "talks_nonsense", "says_metrics_without_end"]
)
def test_others_go_on_when_one_of_three_falls_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    let_time_fly(folders[1], monkeypatch)
    agents = [bot("good", folders[0]), bot(kind, folders[1]), "random"]
    record = played("nim:piles=9-9-9,players=3", *agents)
    assert record.ending is Ending.RULES
    [out] = record.out
    assert out.seat == 1
    assert record.scores[1] == -1
    assert faulty(record, 0) == faulty(record, 2) == []
    assert alive(folders[0]) == alive(folders[1]) == []


# --- A little late ------------------------------------------------------------------------------------------------


@needs_linux
def test_bot_is_not_late_while_others_have_its_core(tmp_path: Path) -> None:
    limits = Limits(preparation=60 * S, move=600 * MS)
    with crowded_core(rivals=8):
        record = played("tic-tac-toe", bot("computes", tmp_path), "random", limits=limits)
    assert faulty(record, 0) == []
    move = record.steps[0][0]
    assert move.wall > (600 + 10) * MS, "the core was not crowded"
    assert move.wall - move.waited < (600 + 10) * MS


def test_monitor_is_patient_as_long_as_a_bot_may_wait_for_a_core(tmp_path: Path) -> None:
    granted: list[int | None] = []

    class Noting:
        def thinking(self, seat: int, nanoseconds: int | None) -> None:
            granted.append(nanoseconds)

        def answered(self, *told: object) -> None:
            pass

    agents = bot("good", tmp_path), "random"
    players = [player_for(agent_from(agent)) for agent in agents]
    play_episode(game_from("tic-tac-toe"), players, limits=AMPLE, monitor=Noting())
    assert granted[0] == 35 * S
    assert granted[2] == 10 * (30 * S + 510 * MS) + 5 * S
    assert granted[3] == 30 * S


def test_late_answer_is_waited_for_since_it_is_better_evidence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict, "_MORE", 30 * S)
    record = played("tic-tac-toe", bot("is_a_little_late", tmp_path), "random", limits=SHORT)
    assert (record.ending, record.by) == (Ending.LATE, [0])
    check_evidence(
        record.steps[0][0], Case("", LATE, rf"answered after [\d.]+ m?s{GRANTED.format('100ms')}", ("> START", "< a1"))
    )


@pytest.mark.parametrize(
    "limits",
    [
        Limits(preparation=30 * S, move=S, policy=Policy.RANDOM),
        Limits(preparation=30 * S, move=300 * MS, hard=30 * S, policy=Policy.SOFT),
    ],
)
def test_late_move_is_replaced_and_the_bot_plays_on_where_that_is_granted(tmp_path: Path, limits: Limits) -> None:
    record = played("tic-tac-toe", bot("is_a_little_late", tmp_path), "random", limits=limits)
    late, *later = [move for step in record.steps for move in step if move.seat == 0]
    assert late.fault is Fault.LATE
    assert late.evidence.startswith("answered after ")
    assert all(move.fault is not Fault.FAILED for move in later)


@pytest.mark.parametrize(
    "limits", [SHORT, Limits(preparation=30 * S, move=50 * MS, hard=100 * MS, policy=Policy.SOFT)], ids=["lose", "soft"]
)
def test_bot_that_is_silent_loses_when_its_time_is_up(tmp_path: Path, limits: Limits) -> None:
    record = played("tic-tac-toe", bot("is_silent", tmp_path), FIRST, limits=limits)
    assert (record.ending, record.by) == (Ending.LATE, [0])
    assert record.steps[0][0].evidence.startswith("gave no answer")
    assert alive(tmp_path) == []


# --- In the turn of others ----------------------------------------------------------------------------------------

SMALL = msgspec.structs.replace(AMPLE, memory=100 << 20)
TOO_MUCH = r"held [12]\d\d(\.\d)? MiB with a limit of 100 MiB"


def test_limit_that_is_broken_while_another_bot_thinks_is_a_fault_when_next_asked(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("hungry", "other")]
    for folder in folders:
        folder.mkdir()
    agents = [
        bot("eats_memory_after_its_move", folders[0], PONDERING),
        bot("waits_until_the_other_is_gone", folders[1]),
    ]
    record = played("tic-tac-toe", *agents, limits=SMALL)
    assert (record.ending, record.by, len(record.steps)) == (Ending.FAILED, [0], 3)
    check_evidence(record.steps[2][0], Case("", FAILED, TOO_MUCH, ("> START", "< a1")))
    assert faulty(record, 1) == []


def test_limit_that_is_broken_while_another_bot_gets_ready_is_a_fault_when_first_asked(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("hungry", "other")]
    for folder in folders:
        folder.mkdir()
    agents = [
        bot("eats_memory_when_ready", folders[0], PONDERING),
        bot("gets_ready_when_the_other_is_gone", folders[1]),
    ]
    record = played("tic-tac-toe", *agents, limits=SMALL)
    assert (record.ending, record.by, len(record.steps)) == (Ending.FAILED, [0], 1)
    check_evidence(record.steps[0][0], Case("", FAILED, TOO_MUCH))


def test_limit_that_is_broken_after_the_last_move_is_a_remark(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("hungry", "other")]
    for folder in folders:
        folder.mkdir()
    limits = msgspec.structs.replace(SMALL, plies=2)
    agents = [
        bot("eats_memory_after_its_move", folders[0], PONDERING),
        bot("waits_until_the_other_is_gone", folders[1]),
    ]
    record = played("tic-tac-toe", *agents, limits=limits)
    assert record.ending is Ending.PLIES
    remarks = record.seats[0].remarks
    assert [remark for remark in remarks if re.fullmatch(TOO_MUCH, remark)], remarks


def test_answer_stands_though_a_limit_is_broken_while_others_still_think(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("hungry", "other")]
    for folder in folders:
        folder.mkdir()
    agents = [
        bot("eats_memory_after_its_move", folders[0], PONDERING),
        bot("waits_until_the_other_is_gone", folders[1]),
    ]
    record = played("goofspiel:cards=3", *agents, limits=SMALL)
    turns = [step for step in record.steps if step[0].seat >= 0]
    assert [(move.seat, move.fault) for move in turns[0]] == [(0, None), (1, None)]
    assert (record.ending, record.by, len(turns)) == (Ending.FAILED, [0], 2)
    check_evidence(turns[1][0], Case("", FAILED, TOO_MUCH))


def test_computing_in_the_turn_of_others_is_remarked(tmp_path: Path) -> None:
    agents = [bot("computes_after_its_move", tmp_path, PONDERING), bot("waits_while_the_other_computes", tmp_path)]
    record = played("tic-tac-toe", *agents)
    [remark] = record.seats[0].remarks
    assert re.fullmatch(r"used [\d.]+ m?s of CPU while others were thinking", remark)


# --- Odd, but no fault --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "remarks"),
    [
        ("good", []),
        ("blank_lines_and_crlf", []),
        ("says_error_and_moves", ["sent ERROR I am confused"]),
        ("says_two_moves", ["wrote 'c3' unasked"]),
        ("says_two_moves_at_the_end", ["wrote 'c3' unasked"]),
        ("answers_before_it_is_asked", ["wrote 'b2' unasked"]),
        ("floods_its_log", []),
        ("exits_after_its_last_move", []),
        ("leaves_a_child", [r"left a process running \(python\S*\), which was killed"]),
        ("leaves_a_grandchild", [r"left a process running \(python\S*\), which was killed"]),
        ("leaves_a_daemon", [r"left a process running \(python\S*\), which was killed"]),
    ],
)
def test_what_is_odd_is_remarked_and_no_fault(tmp_path: Path, kind: str, remarks: list[str]) -> None:
    record = played("tic-tac-toe", bot(kind, tmp_path), bot("good", tmp_path))
    assert (record.ending, record.scores) == (Ending.RULES, [1, -1])
    assert not any(move.fault for step in record.steps for move in step)
    seat, other = record.seats
    assert len(seat.remarks) == len(remarks)
    for remark, pattern in zip(seat.remarks, remarks, strict=True):
        assert re.fullmatch(pattern, remark)
    assert other.remarks == []
    assert len(pids(tmp_path)) == 2 + kind.startswith("leaves")
    assert alive(tmp_path) == []


@pytest.mark.parametrize("kind", ["ignores_the_end", "talks_after_the_end"])
def test_bot_that_stays_after_the_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(bot_player, "FAREWELL", 0.5)
    record = played("tic-tac-toe", bot(kind, tmp_path), FIRST)
    assert (record.ending, record.scores) == (Ending.RULES, [1, -1])
    assert record.seats[0].remarks == ["was still there 0.5 s after the end, and was killed"]
    assert len(pids(tmp_path)) == 1
    assert alive(tmp_path) == []


def test_log_that_is_too_long_is_cut_in_the_middle(tmp_path: Path) -> None:
    log = played("tic-tac-toe", bot("floods_its_log", tmp_path), "random").seats[0].log
    assert log.startswith("turn 1, line 0: xxx")
    assert re.search(r"\n… [\d,]+ bytes left out …\n", log)
    assert log.endswith("the last line\n")
    assert len(log) < 20_000


def test_what_a_bot_says_is_not_written_to_files(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(AMPLE, disk=1 << 20)
    record = played("tic-tac-toe", bot("floods_its_log", tmp_path), "random", limits=limits)
    assert record.ending is Ending.RULES
