"""Turns, chance, several players, openings, how episodes end."""

import msgspec
import numpy as np
import pytest

from ludus import Game, LudusError
from ludus.episode.cost import Cost
from ludus.episode.limits import Limits, Policy
from ludus.episode.record import Ending, Fault, Opening, Out, Preparation, Seat
from ludus.episode.referee import Referee
from ludus.episode.replay import replay
from ludus.episode.request import Answer
from ludus.games.game import game_from
from ludus.kernel.rng import Rng, below
from ludus.kernel.rules import Array, rule
from support.filled import filled
from support.refereeing import asked, begun, play_first_moves, referee_of, texts

MS = 1_000_000


# --- Turns --------------------------------------------------------------------------------------------------------


def test_players_are_asked_in_turn_until_the_rules_end_the_game() -> None:
    referee = begun("tic-tac-toe")
    for seat, move in [(0, 0), (1, 3), (0, 1), (1, 4)]:
        assert asked(referee) == [seat]
        referee.answer(seat, Answer(move))
    referee.answer(0, Answer(2, metrics={"value": 1.0}, cost=Cost(wall=5, cpu=4)))
    assert asked(referee) == []
    record = referee.record
    assert (record.ending, record.by, record.scores) == (Ending.RULES, [], [1.0, -1.0])
    last = record.steps[-1][0]
    assert (last.seat, last.wall, last.cpu, last.metrics) == (0, 5, 4, {"value": 1.0})


def test_simultaneous_players_are_asked_together_and_the_turn_waits_for_all() -> None:
    referee = begun("goofspiel:cards=2,prizes=descending")
    assert asked(referee) == [0, 1]
    referee.answer(1, Answer(2))
    assert asked(referee) == [0]
    referee.answer(0, Answer(1))
    assert asked(referee) == [0, 1]
    referee.answer(0, Answer(2))
    referee.answer(1, Answer(1))
    record = referee.record
    assert [[move.move for move in step] for step in record.steps] == [["1", "2"], ["2", "1"]]
    assert record.scores == [-1.0, 1.0]


def test_chance_is_rolled_by_the_referee_from_the_seed() -> None:
    game = "goofspiel:cards=5"
    runs = [play_first_moves(begun(game, seed=seed), game) for seed in (1, 1, 2, 3, 4)]
    assert texts(runs[0]) == texts(runs[1])
    assert len({tuple(texts(run)) for run in runs}) > 1
    assert [step[0].seat for step in runs[0].steps[:2]] == [-1, 0]


def test_a_view_tells_all_moves_since_the_players_last_turn_its_own_first() -> None:
    game = game_from("nim:players=3")
    referee = begun("nim:players=3")
    since, moves = [], []
    for _ in range(5):
        (request,) = referee.requests()
        since.append(request.view.since)
        moves.append(game.moves(request.view.state, request.seat)[0])
        referee.answer(request.seat, Answer(moves[-1]))
    steps = [[move] for move in moves]
    assert since == [[], steps[:1], steps[:2], steps[:3], steps[1:4]]


def test_a_player_who_spoils_its_view_spoils_nothing() -> None:
    referee = begun("tic-tac-toe")
    (request,) = referee.requests()
    request.view.state.board[:] = 0b111
    referee.answer(0, Answer(4))
    (request,) = referee.requests()
    assert request.view.state.board.tolist() == [0b10000, 0, 1]


def test_every_seat_is_taken() -> None:
    with pytest.raises(LudusError, match="tic-tac-toe has 2 seats, but 1 are taken"):
        Referee(game_from("tic-tac-toe"), [Seat("test", "lonely")])


def test_only_who_is_asked_may_answer() -> None:
    referee = begun("tic-tac-toe")
    with pytest.raises(ValueError, match="not in list"):
        referee.answer(1, Answer(0))


def test_the_watcher_is_told_every_step_of_opening_and_game() -> None:
    told = []
    opening = Opening(moves=[["b2"]])
    referee = begun(
        "tic-tac-toe", opening=opening, watch=lambda state, step: told.append((int(state.board[2]), step[0].move))
    )
    referee.answer(1, Answer(0))
    assert told == [(1, "b2"), (2, "a1")]


# --- Several players ----------------------------------------------------------------------------------------------


def test_the_seat_of_a_player_that_is_out_plays_on_at_random() -> None:
    game = "nim:players=3"
    referee = begun(game, seed=5)
    referee.answer(0, Answer(999))
    assert asked(referee) == [1]
    record = play_first_moves(referee, game)
    assert record.ending is Ending.RULES
    assert record.out == [Out(0, 0, Fault.ILLEGAL)]
    first, *later = [step[0] for step in record.steps if step[0].seat == 0]
    assert first.fault is Fault.ILLEGAL
    assert first.move
    assert later
    assert all(move.fault is None and move.move for move in later)
    assert record.scores[0] == -1.0
    assert sorted(record.scores) == [-1.0, 0.0, 1.0]


def test_the_last_player_left_wins_at_once() -> None:
    referee = begun("nim:players=3")
    referee.answer(0, Answer(999))
    referee.answer(1, Answer(999))
    record = referee.record
    assert (record.ending, record.by, record.scores) == (Ending.ILLEGAL, [1], [-1.0, 0.0, 1.0])
    assert [out.seat for out in record.out] == [0, 1]


def test_who_falls_out_in_the_same_turn_ties() -> None:
    referee = begun("goofspiel:players=2,cards=3,prizes=ascending")
    referee.answer(0, Answer(99))
    referee.answer(1, Answer(None, fault=Fault.FAILED))
    record = referee.record
    assert (record.ending, record.by, record.scores) == (Ending.ILLEGAL, [0, 1], [0.0, 0.0])


def test_one_of_three_simultaneous_players_falls_out_and_the_others_play_on() -> None:
    game = "goofspiel:players=3,cards=3,prizes=ascending"
    referee = begun(game)
    for seat, move in [(0, 1), (1, 99), (2, 2)]:
        referee.answer(seat, Answer(move))
    assert asked(referee) == [0, 2]
    record = play_first_moves(referee, game)
    assert [move.fault for move in record.steps[0]] == [None, Fault.ILLEGAL, None]
    assert [move.move for move in record.steps[0]][::2] == ["1", "2"]
    assert record.scores[1] == -1.0
    assert sum(record.scores) == 0


def test_a_lone_player_that_is_out_gets_the_lowest_score() -> None:
    referee = begun("2048")
    referee.answer(0, Answer(99))
    record = referee.record
    assert (record.ending, record.scores) == (Ending.ILLEGAL, [game_from("2048").facts().lowest_score])


# --- Limit of plies -----------------------------------------------------------------------------------------------


def test_at_the_limit_of_plies_nobody_wins() -> None:
    referee = begun("tic-tac-toe", limits=Limits(plies=2))
    referee.answer(0, Answer(0))
    referee.answer(1, Answer(1))
    record = referee.record
    assert (record.ending, record.scores, len(record.steps)) == (Ending.PLIES, [0.0, 0.0], 2)


def test_at_the_limit_of_plies_those_in_the_game_share_the_places_before_those_out() -> None:
    referee = begun("nim:players=3", limits=Limits(plies=2))
    referee.answer(0, Answer(999))
    referee.answer(1, Answer(0))
    assert referee.record.scores == [-1.0, 0.5, 0.5]


def test_at_the_limit_of_plies_a_lone_player_keeps_its_points() -> None:
    game = game_from("2048")
    referee = begun("2048", limits=Limits(plies=40), seed=1)
    points = 0.0
    while requests := referee.requests():
        points = game.scores(requests[0].view.state)[0]
        referee.answer(0, Answer(game.moves(requests[0].view.state, 0)[0]))
    assert referee.record.ending is Ending.PLIES
    assert referee.record.scores[0] >= points > 0


def test_chance_counts_as_no_ply() -> None:
    game = "goofspiel:cards=4"
    record = play_first_moves(begun(game, limits=Limits(plies=2)), game)
    assert [step[0].seat for step in record.steps] == [-1, 0, -1, 0, -1]


# --- Openings -----------------------------------------------------------------------------------------------------


def test_the_opening_is_played_and_seen_but_not_timed() -> None:
    referee = begun("tic-tac-toe", opening=Opening(moves=[["b2"], ["a1"], ["c3"]]))
    (request,) = referee.requests()
    assert request.seat == 1
    assert request.view.since == [[4], [0], [8]]
    record = play_first_moves(referee, "tic-tac-toe")
    assert record.opening.moves == [["b2"], ["a1"], ["c3"]]
    assert record.steps[0][0].seat == 1


def test_a_position_is_where_play_begins() -> None:
    position = "xx./oo./..."
    referee = begun("tic-tac-toe", opening=Opening(position))
    referee.answer(0, Answer(2))
    assert referee.record.scores == [1.0, -1.0]


@pytest.mark.parametrize(
    ("opening", "said"),
    [
        (Opening("xxx/oo./..."), "is the end of a game"),
        (Opening(moves=[["b2"], ["b2"]]), "not a legal move"),
        (Opening(moves=[["b2", "a1"]]), "2 moves instead of 1"),
        (Opening(moves=[["a1"], ["a2"], ["b1"], ["b2"], ["c1"]]), "ends the game"),
    ],
)
def test_an_impossible_opening_is_refused(opening: Opening, said: str) -> None:
    with pytest.raises(LudusError, match=said):
        begun("tic-tac-toe", opening=opening)


class Drawn:
    """A number that the start draws."""

    number: int = -1


@rule
def most_moves(state: Drawn) -> int:
    return 1


@rule
def movers(state: Drawn, out: Array) -> int:
    out[0] = 0
    return 1


@rule
def legal(state: Drawn, player: int, out: Array) -> int:
    out[0] = state.number
    return 1


@rule
def play(state: Drawn, moves: Array) -> None:
    state.number = -1


@rule
def over(state: Drawn) -> bool:
    return state.number < 0


@rule
def scores(state: Drawn, out: Array) -> None:
    out[:2] = 0.0


@rule
def copy(state: Drawn, into: Drawn) -> None:
    into.number = state.number


class DrawnGame(Game):
    """Repeat the number that the start has drawn."""

    name = "drawn"

    def start(self, rng: Rng) -> Drawn:
        state = Drawn()
        state.number = int(below(rng, 1000))
        return state


def test_a_random_start_comes_from_the_openings_seed_and_rules_may_be_interpreted() -> None:
    game = DrawnGame()
    numbers = []
    for seed in (1, 1, 2):
        referee = Referee(game, [Seat("test", "a"), Seat("test", "b")], opening=Opening(seed=seed), seed=7)
        referee.begin()
        numbers.append(game.moves(referee.requests()[0].view.state, 0)[0])
        referee.answer(0, Answer(np.int64(numbers[-1])))
        assert referee.record.ending is Ending.RULES
    assert numbers[0] == numbers[1] != numbers[2]


def test_player_whose_process_is_gone_loses_whatever_the_policy() -> None:
    referee = begun("tic-tac-toe", limits=Limits(policy=Policy.RANDOM))
    referee.answer(0, Answer(4))
    referee.abandon(1, Fault.FAILED, "killed by signal 11", 7 * MS)
    record = referee.record
    assert (record.ending, record.by, record.scores) == (Ending.FAILED, [1], [1, -1])
    assert record.out == [Out(1, 1, Fault.FAILED)]
    assert (record.steps[-1][0].evidence, record.steps[-1][0].wall) == ("killed by signal 11", 7 * MS)


def test_player_whose_process_goes_while_it_gets_ready_loses() -> None:
    referee = referee_of("tic-tac-toe")
    referee.abandon(0, Fault.LATE, "still getting ready", 9 * MS)
    record = referee.record
    assert (record.ending, record.by, record.scores, record.steps) == (Ending.LATE, [0], [-1, 1], [])
    assert record.seats[0].preparation == Preparation(Fault.LATE, "still getting ready", wall=9 * MS)


def test_episode_given_up_has_no_result() -> None:
    referee = begun("tic-tac-toe")
    referee.answer(0, Answer(4))
    referee.give_up()
    assert (referee.record.ending, referee.record.scores, referee.record.out) == (Ending.MACHINE, [0, 0], [])
    referee = begun("nim:players=3")
    referee.answer(0, Answer(999))
    referee.give_up()
    assert (referee.record.scores, [out.seat for out in referee.record.out]) == ([0, 0, 0], [0])
    assert len(list(replay(referee.record))) > 1


def test_a_move_has_all_that_its_answer_cost() -> None:
    referee = begun("tic-tac-toe")
    cost = filled(Cost)
    referee.answer(0, Answer(4, cost=cost))
    referee.answer(1, Answer(None, fault=Fault.QUIT))
    [[move], _] = referee.record.steps
    assert {name: getattr(move, name) for name in Cost.__struct_fields__} == msgspec.structs.asdict(cost)


def test_player_with_limits_of_its_own_has_its_own_clock() -> None:
    game = game_from("connect-four")
    own = Limits(move=2 * 10**9, grace=0)
    seats = [Seat("test", "patient", limits=own), Seat("test", "hasty")]
    referee = Referee(game, seats, limits=Limits(move=10**9, grace=0))
    referee.begin()
    clocks = []
    for move in (0, 1):
        (request,) = referee.requests()
        clocks.append(request.clock.move)
        referee.answer(request.seat, Answer(move, cost=Cost(wall=15 * 10**8)))
    assert clocks == [2 * 10**9, 10**9]
    assert (referee.record.ending, referee.record.by) == (Ending.LATE, [1])


def test_one_player_alone_may_have_a_total_time() -> None:
    game = game_from("connect-four")
    seats = [Seat("test", "limited", limits=Limits(total=10**9, grace=0)), Seat("test", "free")]
    referee = Referee(game, seats)
    referee.begin()
    for move in (0, 1, 0):
        (request,) = referee.requests()
        referee.answer(request.seat, Answer(move, cost=Cost(wall=6 * 10**8)))
    assert (referee.record.ending, referee.record.by) == (Ending.LATE, [0])
