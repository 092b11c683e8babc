import os
import signal
import threading
from pathlib import Path

import pytest

from ludus import LudusError
from ludus.episode.cores import can_pin
from ludus.episode.limits import Limits, Policy
from ludus.episode.record import Ending, Fault, Key, Record
from ludus.episode.replay import replay
from ludus.kernel.rules import CHANCE
from ludus.run import pool, runner
from ludus.run.runner import Progress, run
from ludus.store import Store, open_store
from ludus.tournaments.formats.format import Match, Rounds
from ludus.tournaments.formats.round_robin import DoubleRoundRobin
from ludus.tournaments.run_options import PATIENCE, RunOptions
from ludus.tournaments.tournament import Entrant, Tournament
from support.crowding import needs_linux
from support.sentences import missing, one_sentence
from support.stored_results import begin
from support.tournaments import MISBEHAVING, all_records, dawdler, rogue, small

pytestmark = pytest.mark.slow

S = 10**9
AMPLE = 3 * S
"""More than a good agent takes, even if it has to wait for a core."""


def played(tournament: Tournament, path: Path, workers: int) -> dict[tuple[int, ...], dict[str, object]]:
    with open_store(str(path)) as store:
        return all_records(store, run(tournament, store, RunOptions(workers=workers)).id)


def test_any_number_of_workers_gives_the_same_records(tmp_path: Path) -> None:
    here, one, two = (played(small(repetitions=2), tmp_path / f"{n}.db", n) for n in (0, 1, 2))
    assert len(here) == 2 * 6 * 5
    assert here == one == two


def test_openings_are_the_same_in_every_match_and_other_in_every_repetition(store: Store) -> None:
    records = all_records(store, run(small(repetitions=2), store, RunOptions(workers=0)).id)
    openings = {(key[0], key[2], str(record["opening"])) for key, record in records.items()}
    assert len(openings) == 2 * 5
    assert {text for rep, _, text in openings if rep == 0} != {text for rep, _, text in openings if rep == 1}


def test_running_again_plays_nothing(store: Store) -> None:
    first = run(small(), store, RunOptions(workers=0))
    again = run(small(), store, RunOptions(workers=0))
    assert (first.played, again.played, first.id) == (30, 0, again.id)


@pytest.mark.parametrize("workers", [0, 2])
def test_what_was_stopped_goes_on_to_the_same_end(
    store: Store, tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "_WRITE_AFTER", 0.0)  # so that it is told of every episode
    tournament = small(
        agents=["random", "mcts:simulations=30", "alphabeta:depth=2", "mc:iterations=3"], episodes=20, format="swiss"
    )

    done: list[int] = []

    def stop(progress: Progress) -> None:
        done.append(progress.done)
        if progress.done >= 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(tournament, store, RunOptions(workers=workers), watch=stop)
    stored = store.tournaments()[0].episodes
    assert done[-1] == stored, "the last report counts what was stored at the end"
    ran = run(tournament, store, RunOptions(workers=workers))
    undisturbed = played(tournament, tmp_path / "undisturbed.db", 0)
    assert 10 <= stored < len(undisturbed)
    assert ran.played == len(undisturbed) - stored
    assert all_records(store, ran.id) == undisturbed


def test_second_process_on_the_same_tournament_is_refused(store: Store) -> None:
    ran = run(small(), store, RunOptions(workers=0))
    with store.lock(ran.id), open_store(store.url) as other, pytest.raises(LudusError, match="small"):
        run(small(), other, RunOptions(workers=0))


def ends(store: Store, id: int) -> list[Record]:
    return [record for _, record in store.records(id)]


@pytest.mark.parametrize(
    ("does", "fault", "evidence"),
    [
        ("raise", Fault.FAILED, "I have no idea"),
        ("hang", Fault.LATE, "still thinking after"),
        ("spin", Fault.LATE, "still thinking after"),
        ("crash", Fault.FAILED, "SIGSEGV"),
        ("exit", Fault.FAILED, "status 3: I am leaving"),
        ("kill", Fault.FAILED, "SIGKILL"),
        ("fork", Fault.FAILED, "SIGSEGV"),
        ("nameless", Fault.FAILED, "signal 40"),
        ("hoard", Fault.FAILED, "MiB with a limit of 100 MiB"),
    ],
)
def test_terrible_agent_loses_its_episodes_and_the_tournament_goes_on(
    store: Store, does: str, fault: Fault, evidence: str
) -> None:
    limits = {"hoard": Limits(memory=100 << 20), "hang": Limits(move=AMPLE), "spin": Limits(move=AMPLE)}
    ran = run(rogue(does, limits=limits.get(does, Limits()), episodes=1), store, RunOptions(workers=2))
    records = ends(store, ran.id)
    assert len(records) == 2
    for culprit, record in enumerate(records):
        assert record.ending == Ending(fault)
        assert record.by == [culprit]
        assert record.scores[culprit] == -1
        assert record.scores[1 - culprit] == 1
        assert evidence in record.steps[-1][-1].evidence
        assert len(list(replay(record))) == 1 + 2 + culprit, "the moves before are kept"


@needs_linux
def test_worker_that_waits_for_a_core_is_left_alone(store: Store) -> None:
    limit = 2 * S  # a tenth of all time counts, so that other programs may slow this test down to ten times the limit
    ran = run(rogue("starve", limits=Limits(move=limit), episodes=1), store, RunOptions(workers=1))
    for seat, record in enumerate(ends(store, ran.id)):
        assert record.ending is Ending.RULES
        move = record.steps[2 + seat][0]
        assert move.wall > limit, "the core was not crowded"


def test_late_answers_that_the_policy_makes_good_do_not_end_the_worker(store: Store) -> None:
    limits = Limits(move=S // 2, policy=Policy.RANDOM)
    agents = ["random", f"{MISBEHAVING}:Tardy"]
    ran = run(small(agents=agents, limits=limits, episodes=1, opening_plies=0), store, RunOptions(workers=1))
    for record in ends(store, ran.id):
        assert record.ending is Ending.RULES
        assert Fault.LATE in {move.fault for step in record.steps for move in step}


def test_hanging_without_any_limit_is_a_matter_of_patience(store: Store) -> None:
    ran = run(rogue("hang", episodes=1), store, RunOptions(workers=2, patience=AMPLE))
    assert {record.ending for record in ends(store, ran.id)} == {Ending.LATE}


def test_agent_that_never_gets_ready_is_tried_without(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def watch(progress: Progress) -> None:
        """Have patience with the compiler alone."""
        monkeypatch.setattr(pool, "COMPILING", AMPLE if "unready" in progress.compiling else PATIENCE)

    agents = [Entrant("unready", f"{MISBEHAVING}:Unready"), f"{MISBEHAVING}:First"]
    ran = run(small(agents=agents, episodes=3, opening_plies=0), store, RunOptions(workers=2), watch=watch)
    assert {record.ending for record in ends(store, ran.id)} == {Ending.RULES}


def test_compiling_is_not_a_matter_of_patience(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    ran = run(small(agents=["random", "mc:iterations=5"], episodes=1), store, RunOptions(workers=2, patience=AMPLE))
    assert {record.ending for record in ends(store, ran.id)} == {Ending.RULES}


@pytest.mark.parametrize("what", ["float", "array", "nothing", "trap"])
def test_answer_that_is_no_number_is_illegal(store: Store, what: str) -> None:
    agents = [f"{MISBEHAVING}:Odd:what={what}", f"{MISBEHAVING}:First"]
    for workers in (0, 1):
        ran = run(small(name=f"cup {workers}", agents=agents, episodes=1 + workers), store, RunOptions(workers=workers))
        assert {record.ending for record in ends(store, ran.id)} == {Ending.ILLEGAL}


@pytest.mark.parametrize("workers", [0, 1])
def test_report_that_is_no_dict_is_the_fault_of_its_agent(store: Store, workers: int) -> None:
    ran = run(
        small(agents=[f"{MISBEHAVING}:Odd:what=report", f"{MISBEHAVING}:First"]), store, RunOptions(workers=workers)
    )
    for record in ends(store, ran.id):
        assert (record.ending, record.seats[record.by[0]].agent) == (Ending.FAILED, f"{MISBEHAVING}:Odd:what=report")
        moves = [move for step in record.steps for move in step]
        assert missing(moves[-1].evidence, "TypeError dict ndarray") == []


def test_time_that_was_saved_may_be_used(store: Store) -> None:
    agents = [f"{MISBEHAVING}:Saver", f"{MISBEHAVING}:First"]
    limits = Limits(total=AMPLE, increment=60 * S)
    ran = run(small(agents=agents, episodes=1, opening_plies=0, limits=limits), store, RunOptions(workers=2))
    assert {record.ending for record in ends(store, ran.id)} == {Ending.RULES}


def test_memory_is_counted_for_each_agent_alone(store: Store) -> None:
    agents = [f"{MISBEHAVING}:Heavy", Entrant("other", f"{MISBEHAVING}:Heavy")]
    ran = run(
        small(agents=agents, episodes=1, opening_plies=0, limits=Limits(memory=100 << 20)), store, RunOptions(workers=1)
    )
    assert {record.ending for record in ends(store, ran.id)} == {Ending.RULES}


def test_memory_is_not_limited_in_this_process(store: Store) -> None:
    with pytest.raises(LudusError, match="at least one worker"):
        run(small(limits=Limits(memory=1 << 20)), store, RunOptions(workers=0))
    with pytest.raises(LudusError, match="at least one worker"):
        run(small(agents=["random", "stdio:cat"], limits=Limits(memory=1 << 30)), store, RunOptions(workers=0))


def test_rules_that_hang_end_the_tournament(store: Store) -> None:
    tournament = small(game=f"{MISBEHAVING}:Endless", agents=["random", f"{MISBEHAVING}:First"], opening_plies=0)
    with pytest.raises(LudusError, match=r"Endless hang in episode 1 of match 1.*'ludus check game"):
        run(tournament, store, RunOptions(workers=1, patience=AMPLE))


@pytest.mark.parametrize("workers", [0, 1])
def test_rules_that_fail_end_the_tournament_and_its_name_is_free(store: Store, workers: int) -> None:
    tournament = small(game=f"{MISBEHAVING}:Faulty", agents=["random", f"{MISBEHAVING}:First"], opening_plies=0)
    with one_sentence("Faulty match 1 ZeroDivisionError"):
        run(tournament, store, RunOptions(workers=workers))
    assert store.tournaments() == []


def test_tournament_that_cannot_begin_leaves_nothing(store: Store) -> None:
    with one_sentence("9"):
        run(small(opening_plies=9), store, RunOptions(workers=0), tell=lambda sentence: None)
    assert store.tournaments() == []


def test_matches_of_another_version_are_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def arrange(self: DoubleRoundRobin, agents: int, seats: int, seed: int) -> Rounds:
        yield [Match(0, (1, 0)), Match(0, (0, 1))]

    id = begin(store, agents=["random", "mc:iterations=1"], episodes=8)
    tournament, before = store.tournament(id), all_records(store, id)
    monkeypatch.setattr(DoubleRoundRobin, "schedule", arrange)
    with one_sentence("Match 1 stored name"):
        run(tournament, store, RunOptions(workers=0))
    assert all_records(store, id) == before


def test_file_of_the_user_does_not_stand_in_for_a_module_of_python(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "random.py").write_text("raise ImportError('not this one')")
    monkeypatch.chdir(tmp_path)
    assert run(small(episodes=1), store, RunOptions(workers=1)).played == 6


def test_chance_is_the_same_in_every_match(store: Store) -> None:
    ran = run(
        small(game="goofspiel:cards=5", agents=["random", "mc:iterations=1"], episodes=3), store, RunOptions(workers=0)
    )
    prizes = {
        (key.number, tuple(move.move for step in record.steps for move in step if move.seat == CHANCE))
        for key, record in store.records(ran.id)
    }
    assert len({drawn for _, drawn in prizes}) > 1
    assert len(prizes) == 3
    moves = [[move.move for step in r.steps for move in step if move.seat >= 0] for _, r in store.records(ran.id)]
    assert moves[0] != moves[3], "but agents have luck of their own in each"


def test_notes_come_before_the_first_episode(store: Store) -> None:
    store.enter(small(), {"ludus": "0.0.1"})
    told: list[str] = []
    seen: list[list[str]] = []
    run(small(), store, RunOptions(workers=0), watch=lambda progress: seen.append([*told]), tell=told.append)
    (sentence,) = told
    assert missing(sentence, "0.0.1") == []
    assert seen[0] == told


def run_until_signal(delay: float, tournament: Tournament, store: Store, workers: int) -> None:
    """Run something that lasts longer than this many seconds, after which it gets a signal."""
    timer = threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    run(tournament, store, RunOptions(workers=workers))


@pytest.mark.parametrize("workers", [0, 2])
def test_signal_at_any_moment_stops_cleanly(store: Store, tmp_path: Path, workers: int) -> None:
    tournament = small(agents=["random", "alphabeta:depth=2", dawdler(tmp_path)], episodes=100)
    for delay in (0.3, 1.2):
        with pytest.raises(KeyboardInterrupt):
            run_until_signal(delay, tournament, store, workers)
    stored = sum(summary.episodes for summary in store.tournaments())
    (tmp_path / "go").touch()
    assert run(tournament, store, RunOptions(workers=0)).played == 6 * 100 - stored


def test_unexplained_death_is_blamed_on_the_machine(store: Store) -> None:
    agents = ["random", "alphabeta:depth=1"]
    format = "single-round-robin"
    game = f"{MISBEHAVING}:Deadly:signal=SIGKILL"
    tournament = small(game=game, agents=agents, episodes=1, opening_plies=0, format=format)
    ran = run(tournament, store, RunOptions(workers=1))
    record = store.record(ran.id, Key(0, 0, 0))
    assert record.ending is Ending.MACHINE
    assert record.scores == [0, 0]
    assert len(record.steps) == 2, "what was carried out when it died is not tried here"


def test_rules_that_kill_a_worker_again_and_again_are_named(store: Store) -> None:
    tournament = small(game=f"{MISBEHAVING}:Deadly", agents=["random", "alphabeta:depth=1"], opening_plies=0)
    with one_sentence("Deadly episode 1 match 1 ludus check game"):
        run(tournament, store, RunOptions(workers=1))
    assert store.tournaments() == [], "nothing was played, so its name is free"


def test_rules_that_kill_every_worker_end_the_tournament(store: Store) -> None:
    tournament = small(game=f"{MISBEHAVING}:Deadly:after=0", agents=["random", "mc"], opening_plies=0)
    with one_sentence("ludus check game"):
        run(tournament, store, RunOptions(workers=1))


def test_exclusive_agent_never_plays_twice_at_once(store: Store, tmp_path: Path) -> None:
    agents = [f"{MISBEHAVING}:Alone:folder={tmp_path}", "random", "alphabeta:depth=1", "mc:iterations=1"]
    ran = run(small(agents=agents, episodes=4), store, RunOptions(workers=2))
    assert {record.ending for record in ends(store, ran.id)} == {Ending.RULES}


@pytest.mark.skipif(not can_pin(), reason="this system cannot pin processes to cores")
def test_timed_workers_have_cores_of_their_own(store: Store) -> None:
    before = os.sched_getaffinity(0)
    run(small(), store, RunOptions(timed=True))
    sitting = store.sittings(1)[0]
    assert sitting.timed
    assert sitting.workers == max(1, len(before) - 1)
    assert os.sched_getaffinity(0) == before


def test_more_timed_workers_than_cores_are_refused(store: Store) -> None:
    with one_sentence("1000 workers core"):
        run(small(), store, RunOptions(workers=1000, timed=True))


def test_one_player_games_have_the_same_seeds_for_all(store: Store) -> None:
    tournament = small(game="2048", agents=["random", "mc:iterations=1,rollout_depth=1"], episodes=2, opening_plies=0)
    ran = run(tournament, store, RunOptions(workers=0))
    records = dict(store.records(ran.id))
    for number in range(2):
        first, second = (records[Key(0, match, number)] for match in range(2))
        assert first.opening == second.opening
        assert first.seed == second.seed
    assert records[Key(0, 0, 0)].seed != records[Key(0, 0, 1)].seed
