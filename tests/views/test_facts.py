from datetime import UTC, datetime

import pytest

from ludus.episode.limits import Limits, Policy
from ludus.episode.record import Opening
from ludus.stats.endings import Faulty
from ludus.store import Sitting
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.tournament import Entrant, Openings
from ludus.views import facts
from support.sentences import missing


def test_limits_come_with_the_policy() -> None:
    assert facts.limits(Limits()) == "none"
    told = facts.limits(Limits(move=250_000_000, hard=10**9, plies=40, memory=2**30, policy=Policy.SOFT))
    assert told == "250ms a move, 1s at the very most, 10ms grace, 40 plies, 1 GiB of memory, policy soft"
    assert facts.limits(Limits(total=60 * 10**9)) == "1m in total, 10ms grace, policy lose"
    assert facts.limits(Limits(policy=Policy.RANDOM)) == "policy random"


def test_unusual_limits_of_bots_are_listed() -> None:
    limits = Limits(cpu=5 * 10**9, output=4096, files=1, processes=8, disk=100 << 20)
    told = "5s of CPU in an episode, answers of 4,096 bytes, 1 open file, 8 processes, 100 MiB written to files"
    assert facts.limits(limits) == f"{told}, policy lose"


def test_default_limits_of_bots_are_listed() -> None:
    assert facts.limits(Limits(), bots=True) == ("none; bots have 10s to get ready, 10m a move, 2 GiB of memory")
    assert facts.limits(Limits(total=60 * 10**9), bots=True) == (
        "1m in total, 10ms grace, policy lose; bots have 10s to get ready, 2 GiB of memory"
    )
    all_set = Limits(preparation=10**9, move=10**9, memory=2**30)
    assert facts.limits(all_set, bots=True) == facts.limits(all_set)


@pytest.mark.parametrize(
    ("openings", "told"),
    [
        (Openings(), "none"),
        (Openings(plies=1), "1 random ply"),
        (Openings(plies=2), "2 random plies"),
        (Openings(listed=(Opening(), Opening())), "2 openings from a file"),
    ],
)
def test_openings_are_described(openings: Openings, told: str) -> None:
    assert facts.openings(openings) == told


@pytest.mark.parametrize(
    ("workers", "cores", "timed", "told"),
    [
        (0, 4, False, "none: all in one process"),
        (2, 4, False, "2 on 4 cores, 0.5 per core"),
        (1, 1, True, "1 on 1 core, each on its own"),
    ],
)
def test_workers_are_described_with_their_cores(workers: int, cores: int, timed: bool, told: str) -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    assert facts.workers(Sitting(now, now, workers, cores, timed, "1.0")) == told


def test_games_that_ended_by_faults_are_told_with_whose_and_the_command() -> None:
    command = "ludus results 3 --faults"
    assert list(facts.ended_by_faults(Faulty(0, 41, {}, command))) == []
    (one,) = facts.ended_by_faults(Faulty(14, 41, {"four": 14}, command))
    assert one == "14 of 41 games ended by faults of four: 'ludus results 3 --faults' lists them."
    (two,) = facts.ended_by_faults(Faulty(14, 41, {"four": 10, "five": 5}, command))
    assert not missing(two, "14 of 41 10 of four 5 of five 'ludus results 3 --faults'")


def test_pairings_that_only_repeat_themselves_are_named() -> None:
    assert list(facts.equal_games([])) == []
    (one,) = facts.equal_games([["a", "b"]])
    assert not missing(one, "a and b equal deterministic=yes")
    (several,) = facts.equal_games([["a", "b"], ["a", "c"], ["b", "c"]])
    assert not missing(several, "3 pairings a and b")


def test_limits_of_single_agents_are_told() -> None:
    slow = Entrant("slow", "mcts:simulations=9,limit.move_time=2s,limit.memory=1GiB")
    tournament = make_tournament("tic-tac-toe", ["random", slow], limits=Limits(move=10**9))
    (told,) = facts.own_limits_of(tournament)
    assert told == "slow has 2s a move and 1 GiB of memory"
