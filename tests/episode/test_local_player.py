import re
from functools import partial

import pytest

from ludus import Choice, Clock, LudusError, View
from ludus.agents.agent import agent_from
from ludus.episode.driver import play_episode
from ludus.episode.limits import Limits, Policy
from ludus.episode.local_player import player_for
from ludus.episode.record import Ending, Fault
from ludus.episode.seating import check_seats, prepare, suited
from ludus.games.game import game_from
from support import playing
from support.crowding import crowded_core, needs_linux
from support.simple_agents import AlwaysFirst, Failing, IllegalAt, Sleeper, Spinner, Threaded

MS = 1_000_000

played = partial(playing.played, seed=1)


def test_an_episode_is_recorded_with_names_times_and_metrics() -> None:
    game = game_from("tic-tac-toe")
    record = play_episode(game, [player_for(AlwaysFirst(), "Ada"), player_for(Sleeper(ms=100))], seed=3)
    assert [(seat.agent, seat.name) for seat in record.seats] == [("always-first", "Ada"), ("sleeper:ms=100",) * 2]
    assert (record.game, record.seed, record.ending) == ("tic-tac-toe", 3, Ending.RULES)
    sleeping, *_ = record.steps[1]
    assert sleeping.wall >= 100 * MS > sleeping.cpu > 0
    assert sleeping.metrics == {"turn": 1}
    assert all(seat.preparation and seat.preparation.wall > 0 for seat in record.seats)


@pytest.mark.parametrize("game", ["connect-four", "goofspiel:players=4,cards=6", "2048", "nim:players=5"])
def test_one_seed_gives_one_episode(game: str) -> None:
    def moves(seed: int) -> list[str]:
        seats = game_from(game).seats
        record = played(game, *(agent_from("random") for _ in range(seats)), seed=seed)
        return [move.move for step in record.steps for move in step]

    assert moves(1) == moves(1)
    assert len({tuple(moves(seed)) for seed in range(5)}) > 1


def test_a_late_agent_loses() -> None:
    record = played("tic-tac-toe", Sleeper(ms=30), AlwaysFirst(), limits=Limits(move=5 * MS, grace=0))
    assert (record.ending, record.by, record.scores) == (Ending.LATE, [0], [-1.0, 1.0])


@pytest.mark.slow
@needs_linux
def test_an_agent_is_not_late_while_others_have_its_core() -> None:
    prepare(game_from("tic-tac-toe"), [AlwaysFirst()])
    with crowded_core(rivals=8):
        record = played("tic-tac-toe", Spinner(ms=40), AlwaysFirst(), limits=Limits(move=140 * MS))
    assert (record.ending, record.by) == (Ending.RULES, [])
    moves = [step[0] for step in record.steps[::2]]
    assert max(move.wall for move in moves) > 150 * MS, "the core was not crowded"
    assert all(move.wall - move.waited < 150 * MS for move in moves)


@needs_linux
def test_an_agent_whose_threads_wait_for_each_other_is_late() -> None:
    record = played("tic-tac-toe", Threaded(ms=30), AlwaysFirst(), limits=Limits(move=120 * MS))
    assert (record.ending, record.by) == (Ending.LATE, [0])
    assert record.steps[-1][0].wall > 130 * MS


@pytest.mark.slow
@needs_linux
def test_an_agent_that_fails_has_waited_too() -> None:
    class Unlucky(Spinner):
        def choose(self, view: View, clock: Clock) -> Choice:
            super().choose(view, clock)
            raise ValueError("no idea")

    limits = Limits(move=10 * MS, hard=200 * MS, policy=Policy.SOFT)
    with crowded_core(rivals=8):
        record = played("tic-tac-toe", Unlucky(ms=40), AlwaysFirst(), limits=limits)
    move = record.steps[0][0]
    assert move.fault is Fault.FAILED
    assert move.wall > 210 * MS, "the core was not crowded"
    assert record.out == []


def test_waiting_is_not_measured_without_a_clock() -> None:
    record = played("tic-tac-toe", Sleeper(ms=5), AlwaysFirst())
    assert not any(step[0].waited for step in record.steps)


@pytest.mark.parametrize(
    ("where", "evidence"),
    [
        ("begin", r"OSError: no model file \(simple_agents\.py, line \d+\)"),
        ("choose", r"ZeroDivisionError: division by zero \(simple_agents\.py, line \d+\)"),
        ("exit", r"SystemExit: enough \(simple_agents\.py, line \d+\)"),
        ("answer", "AttributeError: 'str' object has no attribute 'move'"),
    ],
)
def test_an_agent_that_fails_loses_and_the_record_tells_why_and_where(where: str, evidence: str) -> None:
    record = played("tic-tac-toe", Failing(where=where), AlwaysFirst())
    assert (record.ending, record.by, record.scores) == (Ending.FAILED, [0], [-1.0, 1.0])
    told = record.seats[0].preparation if where == "begin" else record.steps[-1][0]
    assert told
    assert told.fault is Fault.FAILED
    assert re.fullmatch(evidence, told.evidence)


def test_an_agent_that_always_fails_plays_at_random_under_that_policy() -> None:
    record = played("tic-tac-toe", Failing(), AlwaysFirst(), limits=Limits(policy=Policy.RANDOM))
    assert record.ending is Ending.RULES
    assert {move.fault for step in record.steps for move in step if move.seat == 0} == {Fault.FAILED}


def test_an_interrupt_from_the_keyboard_passes() -> None:
    with pytest.raises(KeyboardInterrupt):
        played("tic-tac-toe", Failing(where="interrupt"), AlwaysFirst())


def test_illegal_moves_in_a_game_of_several_leave_the_others_to_play() -> None:
    record = played("goofspiel:players=3,cards=4", IllegalAt(turn=2), AlwaysFirst(), AlwaysFirst())
    assert record.ending is Ending.RULES
    assert [(out.seat, out.fault) for out in record.out] == [(0, Fault.ILLEGAL)]
    assert record.scores[0] == -1.0


@pytest.mark.parametrize(
    ("game", "agents", "said"),
    [
        ("tic-tac-toe", ["random"], "tic-tac-toe needs 2 agents, one for each seat, but 1 is given."),
        ("tic-tac-toe", [], "tic-tac-toe needs 2 agents, one for each seat, but none are given."),
        ("2048", ["random"] * 2, "2048 needs one agent, but 2 are given."),
        ("nim:players=3", ["random"] * 2, "nim:players=3 needs 3 agents, one for each seat, but 2 are given."),
        ("nim", ["random"] * 9, "nim takes 2 to 8 agents, but 9 are given."),
    ],
)
def test_the_number_of_agents_must_fit(game: str, agents: list[str], said: str) -> None:
    with pytest.raises(LudusError) as caught:
        check_seats(game_from(game), [agent_from(text) for text in agents])
    assert str(caught.value) == said


def test_an_unsuited_agent_is_refused_and_suited_ones_are_named() -> None:
    with pytest.raises(LudusError, match=r"^alphabeta does not support chance; these suit goofspiel: .*mcts, random"):
        check_seats(game_from("goofspiel"), [agent_from("random"), agent_from("alphabeta")])
    assert "alphabeta" in suited(game_from("hex"))


class Shy(AlwaysFirst):
    """Cannot be prepared."""

    name = "shy"

    def prepare(self, game: object) -> None:
        raise LudusError("shy: not today.")


def test_preparing_tells_what_the_user_can_mend_and_leaves_failures_to_the_episode() -> None:
    game = game_from("tic-tac-toe")
    prepare(game, [Failing(), Failing(where="begin"), agent_from("human")])
    with pytest.raises(LudusError, match="not today"):
        prepare(game, [Shy()])
