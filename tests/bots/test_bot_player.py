"""Bots that behave: what they are told, what is measured, and what is kept of what they say."""

import os
import resource
import select
import signal
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter_ns

import psutil
import pytest

from ludus import LudusError
from ludus.agents.agent import agent_from
from ludus.bots import bot_player
from ludus.bots.bot_player import BotPlayer
from ludus.bots.process import process_io
from ludus.episode.driver import play_episode
from ludus.episode.limits import Limits, Policy
from ludus.episode.local_player import player_for
from ludus.episode.player import Briefing, Player
from ludus.episode.record import Ending, Fault, Move, Opening, Record, Seat
from ludus.episode.referee import Referee
from ludus.games.game import game_from
from support import playing
from support.leftovers import alive, bot, nothing_left, pids, wait_until
from support.places import SUPPORT
from support.playing import players_for

pytestmark = pytest.mark.slow

MS, S = 10**6, 10**9
AMPLE = Limits(preparation=30 * S, move=30 * S)
AGENTS = SUPPORT / "simple_agents.py"


@pytest.fixture(autouse=True)
def _nothing_is_left(tmp_path: Path) -> Iterator[None]:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with nothing_left(temporary):
        yield


@pytest.fixture(autouse=True)
def _leisure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is killed or started anew because the machine is slow."""
    monkeypatch.setattr(bot_player, "FAREWELL", 60.0)
    monkeypatch.setattr(bot_player, "_GOING_ON", 60 * S)


played = partial(playing.played, limits=AMPLE)


def moves_of(record: Record, seat: int) -> list[Move]:
    return [move for step in record.steps for move in step if move.seat == seat]


def told(record: Record, seat: int = 0) -> dict[str, str]:
    """The information that a bot received, as it reports it."""
    return dict(line.split(" ", 1) for line in record.seats[seat].log.splitlines())


# --- What is measured ---------------------------------------------------------------------------------------------


def test_times_and_memory_of_every_move_are_measured(tmp_path: Path) -> None:
    record = played("tic-tac-toe", bot("takes_its_time", tmp_path), "random")
    for move in moves_of(record, 0):
        assert move.wall >= 100 * MS > move.cpu > 0
        assert move.waited >= 0
        assert move.memory > MS
    made = record.seats[0].preparation
    assert made
    assert made.wall > made.cpu > 0


# --- What bots say besides their moves ----------------------------------------------------------------------------


def test_metrics_before_a_move_belong_to_it(tmp_path: Path) -> None:
    record = played("tic-tac-toe", bot("says_metrics", tmp_path), "random")
    for turn, move in enumerate(moves_of(record, 0), 1):
        assert move.metrics == {"depth": turn, "line": f"{move.move} and on", "value": 0.5}
    (remark,) = set(record.seats[0].remarks)
    assert "'METRIC'" in remark


def test_metrics_written_to_a_file_are_read_after_the_episode(tmp_path: Path) -> None:
    record = played("tic-tac-toe", bot("writes_metrics", tmp_path), "random", name="cup-7")
    assert (tmp_path / "cup-7.csv").exists()
    assert [move.metrics for move in moves_of(record, 0)][:2] == [{"Nodes": 1}, {"Nodes": 2}]


def test_metrics_of_an_earlier_episode_of_the_same_name_are_not_taken(tmp_path: Path) -> None:
    file = tmp_path / "cup-7.csv"
    file.write_text("Turn;Nodes\na1;1\n")
    os.utime(file, (10**9, 10**9))
    record = played("tic-tac-toe", bot("good", tmp_path), "random", name="cup-7")
    assert [move.metrics for move in moves_of(record, 0) if move.metrics] == []
    assert record.seats[0].remarks == ["wrote cup-7.csv, which is older than this episode and was not read"]


def test_standard_error_is_kept_to_the_last_word(tmp_path: Path) -> None:
    record = played("tic-tac-toe", bot("tells_its_log", tmp_path), "random")
    made = [f"turn {turn}: {move.move}" for turn, move in enumerate(moves_of(record, 0), 1)]
    assert record.seats[0].log.splitlines() == [*made, "farewell"]
    assert record.seats[1].log == ""


def test_move_that_came_before_the_end_of_the_process_counts(tmp_path: Path) -> None:
    game, player = game_from("tic-tac-toe"), player_for(agent_from(bot("exits_after_its_move", tmp_path)))
    assert isinstance(player, BotPlayer)
    referee = Referee(game, [Seat("", "")] * 2, limits=AMPLE)
    player.begin(Briefing(game, 0, 1, AMPLE.for_bots(), referee.state, "cup-1"))
    referee.begin()
    [request] = referee.requests()
    player.ask(request)
    [process] = map(psutil.Process, pids(tmp_path))
    wait_until(lambda: process.status() == psutil.STATUS_ZOMBIE)
    later = perf_counter_ns() + S
    player.attend([], later)
    while player.waits:
        player.attend([(stream, select.POLLIN) for stream in list(player.streams)], later)
    answer = player.settle()
    assert (answer.move, answer.fault) == (0, None)
    player.close()


# --- What bots are told -------------------------------------------------------------------------------------------


def test_bots_are_told_what_they_play_and_by_which_limits(tmp_path: Path) -> None:
    limits = Limits(preparation=30 * S, move=20 * S, total=600 * S, increment=S, memory=10**9)
    agents = [bot("tells_what_it_was_told", tmp_path)] * 2
    record = played("tic-tac-toe", *agents, limits=limits, name="cup-1-2", information={"folder": "/cup"})
    first, second = told(record, 0), told(record, 1)
    for expected in [
        {"game": "tic-tac-toe", "players": "2", "seat": "0", "match_name": "cup-1-2-seat0", "folder": "/cup"},
        {"timeout_start": "30000", "timeout_turn": "20000", "timeout_game": "600000", "increment": "1000"},
        {"timeout_grace": "10", "cpu_limit": "3600000", "space_limit": "1000", "disk_limit": "268"},
        {"output_limit": "1048576", "file_limit": "256", "process_limit": "64"},
    ]:
        assert first.items() >= expected.items()
    assert (second["seat"], second["match_name"]) == ("1", "cup-1-2-seat1")
    assert first["seed"] != second["seed"]
    assert "initial_board" not in first


def test_bots_are_told_limits_where_none_are_set(tmp_path: Path) -> None:
    record = played("tic-tac-toe", bot("tells_what_it_was_told", tmp_path), "random", limits=Limits())
    expected = {"timeout_start": "10000", "timeout_turn": "600000", "space_limit": "2147"}
    assert told(record).items() >= {**expected, "match_name": "episode"}.items()


def test_seed_of_a_bot_is_the_same_in_the_same_episode_and_fits_every_language(tmp_path: Path) -> None:
    agent = bot("tells_what_it_was_told", tmp_path)
    seeds = [int(told(played("tic-tac-toe", agent, "random", seed=seed))["seed"]) for seed in (5, 5, 6)]
    assert seeds[0] == seeds[1] != seeds[2]
    assert max(seeds) < 2**31


def test_bot_is_told_the_move_that_was_played_for_it(tmp_path: Path) -> None:
    only_the_first_is_late = Limits(
        preparation=30 * S, move=30 * S, hard=30 * S, total=100 * MS, increment=30 * S, policy=Policy.SOFT
    )
    agents = [bot("is_a_little_late", tmp_path), "random"]
    record = played("tic-tac-toe", *agents, limits=only_the_first_is_late, seed=9)
    late, *later = moves_of(record, 0)
    assert late.fault is Fault.LATE
    assert late.move != "a1", "with this seed nothing is shown"
    assert later[0].move == "a1"
    assert all(move.fault is None for move in later)


def test_start_position_is_in_a_file_as_the_game_saves_it(tmp_path: Path) -> None:
    opening = Opening(position="x../.o./...", moves=[["c1"], ["c3"]])
    record = played("tic-tac-toe", bot("tells_what_it_was_told", tmp_path), "random", opening=opening)
    assert told(record)["board"] == repr("x.x/.o./..o\n")
    assert not Path(told(record)["initial_board"]).exists()


def test_bots_in_folders_of_their_own_hear_the_name_of_the_match_unchanged(tmp_path: Path) -> None:
    agents = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        agents.append(bot("tells_what_it_was_told", tmp_path / name))
    record = played("tic-tac-toe", *agents, name="cup_1_1_1")
    assert [told(record, seat)["match_name"] for seat in range(2)] == ["cup_1_1_1"] * 2


def test_start_board_of_the_bots_own_is_passed_on_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "board.dat").write_text("x...o....")  # a form of its own
    opening = Opening("x../.o./...", file="board.dat")
    record = played("tic-tac-toe", bot("tells_what_it_was_told", tmp_path), "random", opening=opening)
    assert (told(record)["initial_board"], told(record)["board"]) == ("board.dat", repr("x...o...."))
    after_moves = Opening("x../.o./...", moves=[["c1"], ["c3"]], file="board.dat")
    record = played("tic-tac-toe", bot("tells_what_it_was_told", tmp_path), "random", opening=after_moves)
    assert told(record)["board"] == repr("x.x/.o./..o\n")


PLAIN = """
import sys
taken, slow = set(), True
for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO":
        print("OK", flush=True)
    elif word in ("START", "TURN"):
        assert len(rest) == (word == "TURN") and all(len(move) == 2 for move in rest), line
        taken.update(rest)
        cell = next(letter + digit for digit in "123" for letter in "abc" if letter + digit not in taken)
        print("none" if slow else cell, flush=True)
        slow = False
        taken.add(cell)
"""
"""A bot for two players that reads one move after TURN and answers OK to everything else; its first answer is none."""


def test_replaced_move_does_not_break_a_plain_bot(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(PLAIN)
    limits = Limits(preparation=30 * S, move=30 * S, policy=Policy.RANDOM)
    record = played("tic-tac-toe", f"stdio:{sys.executable} {tmp_path / 'plain.py'}", "random", limits=limits, seed=9)
    first, *later = moves_of(record, 0)
    assert first.fault is Fault.ILLEGAL
    assert later
    assert Fault.FAILED not in [move.fault for move in later], record.seats[0].log


def test_bot_that_says_error_is_asked_again(tmp_path: Path) -> None:
    record = played("tic-tac-toe", bot("says_error_until_it_is_asked_again", tmp_path), "random")
    assert record.ending is Ending.RULES
    assert set(record.seats[0].remarks) == {"sent ERROR say that again"}


def test_second_error_forfeits_at_once(tmp_path: Path) -> None:
    record = played("tic-tac-toe", bot("says_error_again_and_again", tmp_path), "random")
    assert (record.ending, record.by) == (Ending.FAILED, [0])
    (failed,) = moves_of(record, 0)
    assert failed.evidence.startswith("said ERROR I am lost after START\n")


def test_bot_runs_in_its_folder(tmp_path: Path) -> None:
    played("tic-tac-toe", bot("good", tmp_path), "random")
    assert len(pids(tmp_path)) == 1


# --- Bots that move at once ---------------------------------------------------------------------------------------


def test_bots_that_move_at_once_think_at_once(tmp_path: Path) -> None:
    record = played("goofspiel:cards=3", *[bot("waits_for_the_other", tmp_path)] * 2)
    assert record.ending is Ending.RULES
    assert len(list(tmp_path.glob("turn*-seat*"))) == 2 * 3


def test_bot_that_breaks_does_not_make_others_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = [bot("closes_its_output", tmp_path), bot("takes_its_time", tmp_path), f"{AGENTS}:AlwaysFirst"]
    players, look = players_for(*agents), process_io.ProcessIO._how_it_ended
    waited_for: list[Player] = []

    def look_slowly(broken: process_io.ProcessIO) -> str:
        waited_for.extend(player for player in players if isinstance(player, BotPlayer) and player.waits)
        return look(broken)

    monkeypatch.setattr(process_io.ProcessIO, "_how_it_ended", look_slowly)
    record = play_episode(game_from("goofspiel:cards=3,players=3"), players, limits=AMPLE)
    assert waited_for == [], "the others answer before its end is examined, which is slow"
    assert record.ending is Ending.RULES
    assert [(out.seat, out.fault) for out in record.out] == [(0, Fault.FAILED)]
    assert all(move.fault is None for seat in (1, 2) for move in moves_of(record, seat))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system lets no process fill its own input")
def test_bot_that_cannot_be_told_anything_does_not_make_others_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_io, "_BLOCKED", 4.0)
    agents = [bot("good", tmp_path), bot("stops_up_its_input", tmp_path)]
    record = played("goofspiel:cards=3", *agents, limits=Limits(preparation=30 * S, move=3 * S, grace=0))
    assert [(out.seat, out.fault) for out in record.out] == [(1, Fault.FAILED)]
    (last,) = [move for move in record.steps[-1] if move.seat == 1]
    assert last.evidence.startswith("does not read its standard input")


# --- Processes that stay ------------------------------------------------------------------------------------------


def brains(kind: str, folder: Path) -> list[Player]:
    return players_for(bot(kind, folder).replace("stdio", "gomocup", 1), "random")


def test_process_serves_several_episodes_if_it_can(tmp_path: Path) -> None:
    game, players = game_from("gomoku:size=5"), brains("brain", tmp_path)
    records = [play_episode(game, players, limits=AMPLE, seed=seed) for seed in range(2)]
    assert len(alive(tmp_path)) == 1
    players[0].close()
    assert alive(tmp_path) == []
    assert len(pids(tmp_path)) == 1
    assert {record.ending for record in records} == {Ending.RULES}
    logs = [record.seats[0].log for record in records]
    assert logs[0].startswith("START 5\n")
    assert "START 5" not in logs[1].splitlines()
    assert all("INFO timeout_turn" in log for log in logs), "each record has the log of its own episode"
    assert [record.seats[0].remarks for record in records] == [[], []]


@pytest.mark.parametrize(
    ("kind", "seconds", "why"),
    [
        ("brain_without_restart", 60, "its process cannot serve another episode"),
        ("brain_silent_at_restart", 3, "did not answer RESTART within 3s; its process was sleeping"),
    ],
)
def test_bot_that_cannot_serve_another_episode_is_started_anew_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, seconds: int, why: str
) -> None:
    monkeypatch.setattr(bot_player, "_GOING_ON", seconds * S)
    game, players = game_from("gomoku:size=5"), brains(kind, tmp_path)
    records = []
    for seed in range(3):
        records.append(play_episode(game, players, limits=AMPLE, seed=seed))
        assert len(alive(tmp_path)) == (1 if seed == 0 else 0)
    assert {record.ending for record in records} == {Ending.RULES}
    assert len(pids(tmp_path)) == 3
    assert [record.seats[0].remarks for record in records] == [[], [f"was restarted: {why}"], []]
    preparation = records[1].seats[0].preparation
    assert preparation
    assert preparation.fault is None
    logs = [record.seats[0].log.splitlines() for record in records]
    assert logs[2][0] == "START 5"


def test_process_that_died_between_two_episodes_is_started_again(tmp_path: Path) -> None:
    game, players = game_from("gomoku:size=5"), brains("brain", tmp_path)
    play_episode(game, players, limits=AMPLE, seed=1)
    [process] = map(psutil.Process, alive(tmp_path))
    os.kill(process.pid, signal.SIGKILL)
    wait_until(lambda: process.status() == psutil.STATUS_ZOMBIE)
    record = play_episode(game, players, limits=AMPLE, seed=2)
    assert record.ending is Ending.RULES
    assert not any(move.fault for move in moves_of(record, 0))
    assert record.seats[0].remarks == ["was restarted: its process was killed by signal 9 (SIGKILL)"]
    assert len(pids(tmp_path)) == 2
    assert len(alive(tmp_path)) == 1
    players[0].close()


# --- What is not the bot's fault ----------------------------------------------------------------------------------


def test_bots_are_gone_after_an_interrupt(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        played("tic-tac-toe", bot("good", tmp_path), f"{AGENTS}:Failing:where=interrupt")
    assert len(pids(tmp_path)) == 1
    assert alive(tmp_path) == []


@pytest.mark.parametrize("more", [0, 2, 4, 6])
def test_machine_that_can_start_no_process_is_not_the_fault_of_the_bot(tmp_path: Path, more: int) -> None:
    game, players = game_from("tic-tac-toe"), players_for(bot("good", tmp_path), "random")
    play_episode(game, players, limits=AMPLE)
    next_one = os.dup(0)
    os.close(next_one)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (next_one + more, before[1]))
    try:
        with pytest.raises(LudusError, match=r"This machine cannot start \S+: Too many open files\."):
            play_episode(game, players, limits=AMPLE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert len(pids(tmp_path)) == 1
