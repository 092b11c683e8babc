from collections.abc import Sequence
from pathlib import Path

import pytest

from ludus.contests.speed.game import ACTIONS, CHANGE_NOTHING, TURN_RIGHT, Speed
from ludus.episode.record import Ending, Fault, Opening, Record, Seat
from ludus.episode.referee import Referee
from ludus.episode.request import Answer
from ludus.games.game import game_from
from ludus.stats.early_ends import went_out_early, with_early
from ludus.store import Store, open_store
from support.running import ludus
from support.stored_results import play

WIDTH, HEIGHT = 60, 8
EARLY_ROUNDS = Speed.early_rounds


def position(*players: str) -> str:
    """A board without trails but the heads of these players: `x,y,direction`, all at speed 1."""
    rows = [["."] * WIDTH for _ in range(HEIGHT)]
    for number, player in enumerate(players, 1):
        x, y, _ = player.split(",")
        rows[int(y)][int(x)] = str(number)
    return " ".join(["/".join("".join(row) for row in rows), "r", "1", *(f"{player},1" for player in players)])


def episode(start: str, *rounds: Sequence[int | Fault], players: int = 2) -> Record:
    """An episode in which those who live answer so, and go straight on for ever after; a fault is no answer."""
    game = game_from(f"speed:players={players},width={WIDTH},height={HEIGHT}")
    referee = Referee(game, [Seat("random", f"p{n}") for n in range(players)], opening=Opening(start))
    referee.begin()
    answers = iter(rounds)
    while requests := referee.requests():
        given = next(answers, [CHANGE_NOTHING] * len(requests))
        for request, answer in zip(requests, given, strict=True):
            fault = answer if isinstance(answer, Fault) else None
            referee.answer(request.seat, Answer(None if fault else answer, fault=fault))
    return referee.record


def test_who_leaves_the_board_at_once_went_out_early() -> None:
    record = episode(position("5,0,up", "20,4,right"))
    assert len(record.steps) == 1
    assert went_out_early(record) == {0}


def test_who_circles_into_its_own_trail_went_out_early() -> None:
    record = episode(position("5,2,up", "20,4,right"), *([TURN_RIGHT, CHANGE_NOTHING] for _ in range(4)))
    assert len(record.steps) == 4
    assert went_out_early(record) == {0}


def test_who_brakes_below_speed_1_went_out_early() -> None:
    record = episode(position("5,2,up", "20,4,right"), [ACTIONS.index("slow_down"), CHANGE_NOTHING])
    assert went_out_early(record) == {0}


def test_who_runs_into_the_trail_of_another_did_not() -> None:
    # The second crosses the way of the first, who comes to its trail three rounds later.
    record = episode(position("5,4,right", "9,3,down"), players=2)
    assert record.scores == [-1.0, 1.0]
    assert went_out_early(record) == set()


def test_two_who_meet_did_not() -> None:
    record = episode(position("5,4,right", "9,4,left"))
    assert record.scores == [0.0, 0.0]
    assert went_out_early(record) == set()


def test_who_goes_out_later_did_not() -> None:
    record = episode(position(f"{WIDTH - 1 - EARLY_ROUNDS},2,right", "5,4,right"))
    assert len(record.steps) == EARLY_ROUNDS + 1
    assert went_out_early(record) == set()


def test_who_goes_out_at_once_in_a_record_that_begins_later_did_not() -> None:
    for begin, out in ((1, {0}), (7, set()), (EARLY_ROUNDS + 1, set())):
        record = episode(position("5,0,up", "20,4,right").replace(" r 1 ", f" r {begin} "))
        assert went_out_early(record) == out


@pytest.mark.parametrize("fault", [Fault.LATE, Fault.ILLEGAL, Fault.FAILED])
def test_who_gives_no_valid_answer_did_in_whatever_round(fault: Fault) -> None:
    straight = [CHANGE_NOTHING, CHANGE_NOTHING]
    record = episode(position("2,2,right", "2,4,right"), *[straight] * (EARLY_ROUNDS + 5), [CHANGE_NOTHING, fault])
    assert record.ending is Ending.RULES
    assert went_out_early(record) == {1}


def test_who_leaves_the_table_did() -> None:
    record = episode(position("2,2,right", "2,4,right"), [CHANGE_NOTHING, Fault.QUIT])
    assert record.ending is Ending.QUIT
    assert went_out_early(record) == {1}


def early_of(store: Store, id: int) -> list[list[bool]]:
    episodes = store.episodes(id).join(store.matches(id), on=["repetition", "match"], maintain_order="left")
    return with_early(episodes, store, id)["early"].to_list()


def test_only_records_that_may_tell_are_read(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "s.db")) as store:
        id = play(store, "speed:width=12,height=10", ["random", "mc:iterations=2"], episodes=6)
        expected = []
        for _, record in store.records(id):
            out = went_out_early(record)
            expected.append([out >= {1}, out >= {0}])
        assert early_of(store, id) == expected
        assert any(map(any, expected))


def test_among_several_all_opponents_must_have_gone_out_early(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "s.db")) as store:
        id = play(store, "speed:width=16,height=12,players=3", ["random", "mc:iterations=2", "mc:iterations=3"])
        outs = [went_out_early(record) for _, record in store.records(id)]
        assert early_of(store, id) == [[out >= {0, 1, 2} - {seat} for seat in range(3)] for out in outs]


def test_early_exits_are_named_below_win_rates(tmp_path: Path) -> None:
    file = tmp_path / "s.db"
    with open_store(str(file)) as store:
        play(store, "tic-tac-toe", ["random", "mcts:simulations=5"])
        play(store, "speed:width=12,height=10", ["random", "mc:iterations=2"])
    shown = " ".join(ludus("stats", "--store", str(file), columns=200).stdout.split())
    assert "without early ends: without episodes that ended by a fault of an opponent and games of spe_ed" in shown
