"""Late, illegal and failed answers, judged by the same rule for all players."""

from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ludus.bots.serve.driven_match import DrivenMatch
from ludus.episode import verdict
from ludus.episode.cost import Cost
from ludus.episode.limits import UNLIMITED, Limits, Policy
from ludus.episode.record import Ending, Fault, Out, Record
from ludus.episode.request import Answer
from ludus.games.game import game_from
from ludus.net import remote_player
from support import playing
from support.leftovers import bot, nothing_left
from support.nim_contest import NimContest

MS, S = 10**6, 10**9
TURN = 7 * S
"""For a move: no other limit of these tests is as long."""
LIMITS = Limits(preparation=60 * S, move=TURN)


def test_only_what_the_clock_counts_makes_late() -> None:
    limits = Limits(grace=10 * MS)
    assert verdict.late(limits, 100 * MS, Cost(wall=110 * MS)) is None
    assert verdict.late(limits, 100 * MS, Cost(wall=400 * MS, cpu=80 * MS, waited=300 * MS)) is None
    assert verdict.late(limits, 100 * MS, Cost(wall=400 * MS, cpu=380 * MS, waited=300 * MS)) is not None
    assert verdict.late(limits, None, Cost(wall=400 * S)) is None


def test_late_answers_are_waited_for_as_long_as_they_are_of_use() -> None:
    soft = Limits(move=S, hard=3 * S, policy=Policy.SOFT, grace=0)
    random = Limits(policy=Policy.RANDOM, grace=0)
    lose = Limits(grace=0)
    assert S < verdict.patience(lose, S) < verdict.patience(soft, S) < verdict.patience(random, S)
    assert verdict.patience(soft, S) > 3 * S
    assert verdict.patience(soft, S, starting=True) == verdict.patience(random, S, starting=True)


def test_what_puts_a_player_out() -> None:
    soft = Limits(move=S, hard=3 * S, policy=Policy.SOFT)
    assert verdict.puts_out(UNLIMITED, Fault.ILLEGAL, Cost())
    assert not verdict.puts_out(soft, Fault.LATE, Cost(wall=2 * S))
    assert verdict.puts_out(soft, Fault.LATE, Cost(wall=4 * S))
    assert not verdict.puts_out(Limits(policy=Policy.RANDOM), Fault.FAILED, Cost())
    assert verdict.puts_out(Limits(policy=Policy.RANDOM), Fault.QUIT, Cost())


def test_answer_that_cannot_even_be_shown_is_no_move() -> None:
    class Mute:
        def __repr__(self) -> str:
            raise ValueError

    assert verdict.no_move(Mute()) == (Fault.ILLEGAL, "Mute")


def test_places_share_ties_and_add_up_to_nothing() -> None:
    game = game_from("nim:players=5")
    points = [0.2, 1.0, -0.5, 1.0, 0.0]
    assert verdict.final_scores(points, [], game) == points
    out = [Out(3, 7, Fault.LATE), Out(0, 4, Fault.LATE)]
    assert verdict.final_scores(points, out, game) == [-1.0, 1.0, 0.0, -0.5, 0.5]
    together = [Out(3, 7, Fault.LATE), Out(0, 7, Fault.LATE)]
    assert verdict.final_scores([1.0] * 5, together, game) == [-0.75, 0.5, 0.5, -0.75, 0.5]


# --- One rule for all -----------------------------------------------------------------------------------------------


@pytest.fixture
def _in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another rule: all moves are late that take any time."""
    monkeypatch.setattr(verdict, "latest", lambda limits, granted: 0 if granted == TURN else granted + limits.grace)


played = partial(playing.played, limits=LIMITS)


@pytest.mark.usefixtures("_in_no_time")
def test_another_rule_holds_for_an_agent_of_this_process() -> None:
    record = played("tic-tac-toe", "random", "random")
    assert (record.ending, record.by) == (Ending.LATE, [0])


@pytest.mark.slow
@pytest.mark.usefixtures("_in_no_time")
def test_another_rule_holds_for_a_bot(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with nothing_left(temporary):
        record = played("tic-tac-toe", bot("good", tmp_path), "random")
    assert (record.ending, record.by) == (Ending.LATE, [0])
    assert record.steps[0][0].evidence.startswith("answered after")


class Door:
    """Stands for the place where clients connect: the one client that is there answers at once."""

    contest = NimContest()

    def __init__(self) -> None:
        self.granted: list[int] = []

    def take(self, name: str, nanoseconds: int) -> object:
        return self

    def ask(self, questions: list[tuple[Any, bytes, int]]) -> "Future[list[Answer]]":
        self.granted += [nanoseconds for _, _, nanoseconds in questions]
        answers: Future[list[Answer]] = Future()
        answers.set_result([Answer(0, cost=Cost(wall=MS)) for _ in questions])
        return answers

    def send(self, client: object, message: bytes) -> None:
        """Nobody reads that."""

    def release(self, client: object) -> None:
        """Keep the client."""


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Door:
    opened = Door()
    monkeypatch.setattr(remote_player, "open_gates", [opened])
    return opened


@pytest.mark.usefixtures("_in_no_time")
def test_another_rule_holds_for_a_client(door: Door) -> None:
    record = played("nim", "remote:anna", "random")
    assert record.steps[0][0].fault is Fault.LATE
    assert door.granted == [0]


@pytest.mark.usefixtures("_in_no_time")
def test_another_rule_holds_in_a_driven_match(tmp_path: Path) -> None:
    records: list[Record] = []
    match = DrivenMatch(game_from("tic-tac-toe"), tmp_path, str, lambda name, record, wall: records.append(record))
    lines = ["START random mcts:simulations=1", f"INFO timeout_turn {TURN // MS}", "BEGIN random"]
    said = [answer for line in lines for answer in match.answer(line)]
    assert said[-3:] == ["random -1", "mcts:simulations=1 1", "DONE"]
    assert (records[0].ending, records[0].by) == (Ending.LATE, [0])
