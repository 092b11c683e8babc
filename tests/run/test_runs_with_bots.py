"""Tournaments of bots that misbehave, are killed, or must not meet themselves."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil
import pytest

from ludus.core.errors import LudusError
from ludus.episode.cores import can_pin
from ludus.episode.limits import Limits
from ludus.episode.record import Ending, Record
from ludus.run.runner import run
from ludus.store import Store, open_store
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.run_options import RunOptions
from ludus.tournaments.tournament import Entrant, Tournament
from support.leftovers import alive, bot, nothing_left, pids, wait_until
from support.tournaments import MISBEHAVING

pytestmark = pytest.mark.slow

MS, S = 10**6, 10**9
AMPLE = Limits(preparation=30 * S, move=30 * S)
RANDOM = Entrant("random", "random")
STARTING = 600.0
"""Seconds in which even a slow machine has started all processes, and compiled what they need."""

FAULTS = {
    "exits_in_mid_game": (Ending.FAILED, "its process ended with status 1", "ValueError: I have no idea"),
    "talks_nonsense": (Ending.ILLEGAL, "'xyzzy �[2J' is not a legal move here", "< xyzzy"),
    "says_metrics_without_end": (Ending.FAILED, "wrote more than 1,048,576 bytes", "< METRIC depth 1"),
}
"""Of each kind: how its episodes end, and what the evidence says, first and later."""


def entrant(kind: str, parent: Path, options: str = "") -> Entrant:
    """A bot in a folder of its own."""
    folder = parent / kind
    folder.mkdir()
    return Entrant(kind, bot(kind, folder, options))


def tournament(*agents: Entrant, **changes: Any) -> Tournament:
    settings: dict[str, Any] = {"game": "tic-tac-toe", "name": "bots", "limits": AMPLE}
    return make_tournament(agents=agents, **(settings | changes))


def records(store: Store, id: int) -> list[Record]:
    return [record for _, record in store.records(id)]


def check(record: Record) -> None:
    """Check that the first misbehaving bot to reach its second turn lost, and that the record says why."""
    names = [seat.name for seat in record.seats]
    guilty = next((seat for seat, name in enumerate(names) if name in FAULTS), None)
    if guilty is None:
        assert record.ending is Ending.RULES
        return
    ending, sentence, rest = FAULTS[names[guilty]]
    assert (record.ending, record.by) == (ending, [guilty])
    assert record.scores[guilty] == -1
    evidence = record.steps[-1][0].evidence
    assert evidence.startswith(sentence)
    assert rest in evidence


def test_tournament_with_bots_that_misbehave_comes_to_its_end(store: Store, tmp_path: Path) -> None:
    kinds = ["good", "leaves_a_daemon", *FAULTS]
    planned = tournament(RANDOM, *(entrant(kind, tmp_path) for kind in kinds))
    ran = run(planned, store, RunOptions(workers=2))
    played = records(store, ran.id)
    assert ran.played == len(played) == 6 * 5
    for record in played:
        check(record)
        for seat in record.seats:
            left = seat.name == "leaves_a_daemon" and record.ending is Ending.RULES
            assert any(remark.startswith("left a process running") for remark in seat.remarks) >= left
    assert [alive(tmp_path / kind) for kind in kinds] == [[]] * len(kinds)
    assert run(planned, store, RunOptions(workers=2)).played == 0


def test_late_bot_loses_by_its_own_clock_and_not_by_the_watch_on_the_worker(store: Store, tmp_path: Path) -> None:
    limits = Limits(preparation=30 * S, move=100 * MS)
    # It moves first in all matches, so that nobody else can be late.
    planned = tournament(entrant("is_silent", tmp_path), RANDOM, limits=limits, format="single-round-robin", episodes=2)
    played = records(store, run(planned, store, RunOptions(workers=2)).id)
    assert len(played) == 2
    for record in played:
        assert record.ending is Ending.LATE
        assert record.seats[record.by[0]].name == "is_silent"
        [late] = [move for step in record.steps for move in step if move.fault]
        assert late.evidence.startswith("gave no answer, and was ended after ")


def test_bots_play_without_workers_too(store: Store, tmp_path: Path) -> None:
    planned = tournament(entrant("leaves_a_daemon", tmp_path), RANDOM, opening_plies=1)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    run(
        tournament(RANDOM, Entrant("other", "random"), name="first"), store, RunOptions(workers=0)
    )  # now all is open that stays open
    with nothing_left(temporary):
        assert run(planned, store, RunOptions(workers=0)).played == 2
    assert alive(tmp_path / "leaves_a_daemon") == []


# --- The same bot ---------------------------------------------------------------------------------------------------


def test_bot_never_plays_twice_at_once(store: Store, tmp_path: Path) -> None:
    others = [Entrant(f"random {number}", "random") for number in range(3)]
    ran = run(tournament(entrant("must_be_alone", tmp_path), *others, episodes=3), store, RunOptions(workers=2))
    assert {record.ending for record in records(store, ran.id)} == {Ending.RULES}


def test_bot_that_is_safe_plays_twice_at_once(store: Store, tmp_path: Path) -> None:
    ran = run(tournament(entrant("waits_for_company", tmp_path, ",safe=yes"), RANDOM), store, RunOptions(workers=2))
    assert {record.ending for record in records(store, ran.id)} == {Ending.RULES}


LONELY_BRAIN = """
import fcntl, sys
lock = open("lock", "w")
try:
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    sys.exit("another one of me is there")
with open("starts", "a") as starts:
    starts.write("x")
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word in ("START", "RESTART"):
        size, taken = int(rest or size), set()
        print("OK", flush=True)
    elif word in ("BEGIN", "TURN"):
        taken.add(rest)
        move = next(cell for y in range(size) for x in range(size) if (cell := f"{x},{y}") not in taken)
        taken.add(move)
        print(move, flush=True)
    elif word == "END":
        break
"""
"""Speaks the protocol of the Gomocup, and as long as its process lives nobody else holds the lock in its folder."""


def lonely_brain(folder: Path) -> Entrant:
    folder.mkdir()
    file = folder / "brain.py"
    file.write_text(LONELY_BRAIN)
    return Entrant(folder.name, f"gomocup:{sys.executable} -I -S {file}")


def test_bot_that_stays_between_episodes_is_never_there_twice(store: Store, tmp_path: Path) -> None:
    brains = [lonely_brain(tmp_path / name) for name in ("one", "other")]
    ran = run(tournament(RANDOM, *brains, game="gomoku:size=7"), store, RunOptions(workers=2))
    assert {record.ending for record in records(store, ran.id)} == {Ending.RULES}


def test_bot_that_stays_is_kept_by_a_worker_without_company(store: Store, tmp_path: Path) -> None:
    planned = tournament(lonely_brain(tmp_path / "brain"), RANDOM, game="gomoku:size=7", episodes=3)
    ran = run(planned, store, RunOptions(workers=1))
    assert {record.ending for record in records(store, ran.id)} == {Ending.RULES}
    assert (tmp_path / "brain" / "starts").read_text() == "x"


# --- Cores ----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not can_pin(), reason="this system cannot pin processes to cores")
def test_bot_that_may_use_several_cores_has_them_in_a_worker(store: Store, tmp_path: Path) -> None:
    planned = tournament(entrant("waits_for_a_sign", tmp_path, ",cores=2"), RANDOM)
    folder = tmp_path / "waits_for_a_sign"
    seen: list[int] = []

    def look() -> None:
        wait_until(lambda: alive(folder), STARTING)
        wait_until(lambda: len(os.sched_getaffinity(alive(folder)[0])) >= min(2, len(os.sched_getaffinity(0))))
        seen.append(len(os.sched_getaffinity(alive(folder)[0])))
        (folder / "go").touch()

    watcher = threading.Thread(target=look)
    watcher.start()
    run(planned, store, RunOptions(workers=1))
    watcher.join()
    assert seen == [min(2, len(os.sched_getaffinity(0)))]


@pytest.mark.skipif(not can_pin(), reason="this system cannot pin processes to cores")
def test_bot_that_wants_several_cores_is_refused_where_episodes_are_timed(store: Store, tmp_path: Path) -> None:
    planned = tournament(entrant("good", tmp_path, ",cores=2"), RANDOM)
    with pytest.raises(LudusError, match=r"^A timed episode has one core, but good uses 2: omit --timed"):
        run(planned, store, RunOptions(workers=1, timed=True))
    assert store.tournaments() == []


# --- Kills ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_episode_of_a_killed_worker_is_played_again_and_its_bot_is_gone(
    store: Store, tmp_path: Path, number: signal.Signals
) -> None:
    planned = tournament(entrant("waits_for_a_sign", tmp_path), RANDOM, episodes=2)
    folder = tmp_path / "waits_for_a_sign"
    killed: list[int] = []  # the bot and its daemon

    def kill_the_worker() -> None:
        wait_until(lambda: len(alive(folder)) == 2, STARTING)
        killed.extend(alive(folder))
        os.kill(psutil.Process(killed[0]).ppid(), number)
        wait_until(lambda: not set(killed) & set(alive(folder)))
        (folder / "go").touch()

    killer = threading.Thread(target=kill_the_worker)
    killer.start()
    ran = run(planned, store, RunOptions(workers=2))
    killer.join()
    assert {record.ending for record in records(store, ran.id)} == {Ending.RULES}
    assert ran.played == 2 * 2
    assert len(pids(folder)) == 2 * (2 * 2 + 1), "each time it and its daemon"
    assert alive(folder) == []


KILLER = """
import os, signal, sys
for line in sys.stdin:
    if not line.startswith("INFO"):
        os.kill(os.getppid(), signal.SIGSEGV)
    print("OK", flush=True)
"""
"""Kills the worker whenever it is asked for a move."""


def test_episode_whose_worker_always_dies_while_a_bot_thinks_is_lost_for_the_bot(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "killer.py"
    file.write_text(KILLER)
    ran = run(
        tournament(Entrant("killer", f"stdio:{sys.executable} -I -S {file}"), RANDOM), store, RunOptions(workers=1)
    )
    played = records(store, ran.id)
    assert len(played) == 2
    for record in played:
        assert (record.ending, [record.seats[seat].name for seat in record.by]) == (Ending.FAILED, ["killer"])


def test_machine_that_fails_is_named_and_not_the_rules(store: Store, tmp_path: Path) -> None:
    filler = Entrant("filler", f"{MISBEHAVING}:Filler")
    planned = tournament(filler, entrant("good", tmp_path), episodes=2, opening_plies=1)
    with pytest.raises(LudusError, match=r"^This machine failed in episode 1 of match 2: File too large\.$"):
        run(planned, store, RunOptions(workers=1))


def started(planned: Tournament, folder: Path, environment: Mapping[str, str]) -> "subprocess.Popen[str]":
    """A run of its own, into the store in this folder."""
    agents = ", ".join(f"{{ name = '{agent.name}', agent = '{agent.spec}' }}" for agent in planned.agents)
    file = folder / "bots.toml"
    file.write_text(
        f'name = "{planned.name}"\ngame = "{planned.game}"\nagents = [{agents}]\nepisodes = {planned.episodes}\n'
        f"opening_plies = {planned.openings.plies}\n[limits]\nprepare = '30s'\nmove_time = '30s'\n"
    )
    command = [sys.executable, "-m", "ludus", "run", str(file), "--store", str(folder / "results.db"), "--workers", "2"]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_bots_are_gone_when_the_run_is_killed_or_stopped(tmp_path: Path, number: signal.Signals) -> None:
    planned = tournament(entrant("waits_for_a_sign", tmp_path, ",safe=yes"), RANDOM, episodes=2, opening_plies=1)
    folder, temporary = tmp_path / "waits_for_a_sign", tmp_path / "temporary"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    first = started(planned, tmp_path, environment)
    wait_until(lambda: first.poll() is not None or len(alive(folder)) == 2 * 2, STARTING)
    first.send_signal(number)
    said, _ = first.communicate(timeout=60)
    assert first.returncode == (-number if number is signal.SIGKILL else 130)
    assert "Traceback" not in said
    wait_until(lambda: not alive(folder))
    if number is signal.SIGINT:
        assert list(temporary.iterdir()) == []

    (folder / "go").touch()
    again = started(planned, tmp_path, environment)
    said, _ = again.communicate(timeout=STARTING)
    assert again.returncode == 0, said
    with open_store(str(tmp_path / "results.db")) as store:
        (summary,) = store.tournaments()
        assert {record.ending for record in records(store, summary.id)} == {Ending.RULES}
        assert summary.episodes == 2 * 2
    assert alive(folder) == []


# --- Names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [0, 2])
def test_bots_hear_the_tournament_the_round_the_match_and_the_game(store: Store, tmp_path: Path, workers: int) -> None:
    planned = tournament(entrant("tells_what_it_was_told", tmp_path), RANDOM, name="Hex cup", episodes=2)
    ran = run(planned, store, RunOptions(workers=workers))
    logs = [seat.log for record in records(store, ran.id) for seat in record.seats if seat.log]
    heard = {line.split()[1] for log in logs for line in log.splitlines() if line.startswith("match_name")}
    assert heard == {f"Hex-cup_1_1_{game}" for game in range(1, 5)}


# --- Other programs -------------------------------------------------------------------------------------------------


def test_bot_is_never_there_twice_across_programs(tmp_path: Path) -> None:
    brains = [lonely_brain(tmp_path / name) for name in ("one", "other")]
    programs = []
    for first, second in (brains, brains[::-1]):  # so that each may hold what the other one wants
        command = [sys.executable, "-m", "ludus", "play", "gomoku:size=7", first.spec, second.spec, "-n", "4", "--json"]
        programs.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    for program in programs:
        said, _ = program.communicate(timeout=STARTING)
        assert [Record.from_json(line).ending for line in said.splitlines()] == [Ending.RULES] * 4


# --- Limits of single agents ----------------------------------------------------------------------------------------


def test_agent_may_have_limits_of_its_own(store: Store, tmp_path: Path) -> None:
    told = entrant("tells_what_it_was_told", tmp_path, ",limit.move_time=20s,limit.memory=1GB")
    played = records(store, run(tournament(told, RANDOM), store, RunOptions(workers=1)).id)
    assert len(played) == 2
    for record in played:
        own = next(seat for seat in record.seats if seat.name == told.name)
        assert own.limits == Limits(preparation=30 * S, move=20 * S, memory=10**9)
        assert {"timeout_turn 20000", "space_limit 1000"} <= set(own.log.splitlines())
        assert [seat.limits for seat in record.seats if seat.name == "random"] == [None]


def test_memory_of_one_agent_is_limited(store: Store) -> None:
    heavy = [
        Entrant(name, f"{MISBEHAVING}:Heavy{own}") for name, own in (("free", ""), ("poor", ":limit.memory=20MiB"))
    ]
    played = records(store, run(tournament(*heavy, limits=Limits()), store, RunOptions(workers=1)).id)
    assert {record.ending for record in played} == {Ending.FAILED}
    assert {record.seats[record.by[0]].name for record in played} == {"poor"}


# --- Workers that bots kill -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["kills_its_manager", "kills_its_manager_by_a_child"])
def test_bot_that_kills_its_worker_loses(store: Store, tmp_path: Path, kind: str) -> None:
    played = records(store, run(tournament(entrant(kind, tmp_path), RANDOM), store, RunOptions(workers=1)).id)
    assert len(played) == 2
    for record in played:
        assert record.ending is Ending.FAILED
        assert [record.seats[seat].name for seat in record.by] == [kind]
        (fault,) = record.faults()
        assert "killed by signal 9" in fault.evidence
