"""spe_ed: every rule by itself, the start as the server draws it, and how positions are written."""

from collections import Counter

import numpy as np
import pytest

from contests.speed.positions import board, game_of, head, living, play, position, scores
from ludus.contests.speed.game import DIRECTION, DIRECTIONS, FELL, NAMES, SPEED, empty_board
from ludus.core.errors import LudusError
from ludus.games.game import game_from
from ludus.kernel import rules
from ludus.kernel.rng import below, new_rng
from ludus.kernel.rules import duplicate

# --- Actions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "before", "after"),
    [
        ("turn_left", "up", "left"),
        ("turn_left", "left", "down"),
        ("turn_left", "down", "right"),
        ("turn_left", "right", "up"),
        ("turn_right", "up", "right"),
        ("turn_right", "right", "down"),
        ("turn_right", "down", "left"),
        ("turn_right", "left", "up"),
        ("change_nothing", "up", "up"),
    ],
)
def test_turns_come_before_the_step(action: str, before: str, after: str) -> None:
    state = position("..... ..... ..1.. ..... 2....", f"2,2,{before},1", "0,4,right,1")
    play(state, action, "change_nothing")
    ways = {"up": (2, 1), "right": (3, 2), "down": (2, 3), "left": (1, 2)}
    assert head(state, 0) == (*ways[after], after, 1)


def test_speed_changes_before_the_steps_and_every_cell_on_the_way_is_written() -> None:
    state = position("1......... .......... 2.........", "0,0,right,2", "0,2,right,3")
    play(state, "speed_up", "slow_down")
    assert board(state) == ["1111......", "..........", "222......."]
    assert head(state, 0) == (3, 0, "right", 3)
    assert head(state, 1) == (2, 2, "right", 2)
    assert state.clock[0] == 2


def test_speed_above_ten_is_out_and_not_moved_and_shows_eleven() -> None:
    state = position("1......... .......... 2.........", "0,0,right,10", "0,2,right,1")
    play(state, "speed_up", "change_nothing")
    assert board(state)[0] == "1........."
    assert head(state, 0) == (0, 0, "right", 11)
    assert living(state) == [1]


def test_speed_below_one_is_out_and_not_moved_and_shows_zero() -> None:
    state = position("1......... .......... 2.........", "0,0,right,1", "0,2,right,1")
    play(state, "slow_down", "change_nothing")
    assert board(state)[0] == "1........."
    assert head(state, 0) == (0, 0, "right", 0)
    assert living(state) == [1]


def test_speed_ten_and_one_are_allowed() -> None:
    state = position("1............ ............. 2............", "0,0,right,9", "0,2,right,2")
    play(state, "speed_up", "slow_down")
    assert living(state) == [0, 1]
    assert head(state, 0) == (10, 0, "right", 10)
    assert head(state, 1) == (1, 2, "right", 1)


def test_who_gives_no_answer_is_out_and_not_moved() -> None:
    state = position("1.... ..... 2....", "0,0,right,1", "0,2,right,1")
    play(state, "no_answer", "change_nothing")
    assert board(state) == ["1....", ".....", "22..."]
    assert head(state, 0) == (0, 0, "right", 1)
    assert living(state) == [1]


@pytest.mark.parametrize(
    ("action", "shown"),
    [
        ("turn_left", ("up", 2)),
        ("speed_up", ("right", 3)),
        ("slow_down", ("right", 1)),
        ("change_nothing", ("right", 2)),
    ],
)
def test_who_answers_twice_is_out_and_its_first_answer_shows(action: str, shown: tuple[str, int]) -> None:
    state = position("..... 1.... 2....", "0,1,right,2", "0,2,right,1")
    play(state, f"{action}_void", "change_nothing")
    assert head(state, 0) == (0, 1, *shown)
    assert board(state) == [".....", "1....", "22..."]
    assert living(state) == [1]


# --- Jumps --------------------------------------------------------------------------------------------------------


def test_in_every_sixth_round_the_cells_between_first_and_last_are_skipped() -> None:
    for now in (6, 12, 60):
        state = position("1..22..... .......... 2.........", "0,0,right,5", "0,2,right,1", now=now)
        play(state, "change_nothing", "change_nothing")
        assert board(state)[0] == "11.221...."
        assert living(state) == [0, 1]


@pytest.mark.parametrize("now", [1, 2, 3, 4, 5, 7, 11])
def test_in_other_rounds_nobody_jumps(now: int) -> None:
    state = position("1..22..... .......... 2.........", "0,0,right,5", "0,2,right,1", now=now)
    play(state, "change_nothing", "change_nothing")
    assert board(state)[0] == "111**1...."
    assert living(state) == [1]


def test_the_speed_after_the_action_decides_whether_it_is_a_jump() -> None:
    state = position("1.2....... .......... 2.........", "0,0,right,2", "0,2,right,3", now=6)
    play(state, "speed_up", "slow_down")
    assert board(state) == ["1121......", "..........", "222......."]
    assert living(state) == [0, 1]


def test_first_and_last_cell_of_a_jump_count() -> None:
    for trail, after in (("12........", "1*.1......"), ("1..2......", "11.*......")):
        state = position(f"{trail} .......... 2.........", "0,0,right,3", "0,2,right,1", now=6)
        play(state, "change_nothing", "change_nothing")
        assert board(state)[0] == after
        assert living(state) == [1]


def test_who_jumps_over_another_in_the_same_round_does_not_meet_it() -> None:
    state = position("1......... .......... ..2.......", "0,0,right,4", "2,2,up,2", now=6)
    play(state, "change_nothing", "change_nothing")
    assert board(state) == ["112.1.....", "..2.......", "..2......."]
    assert living(state) == [0, 1]


# --- Hits ---------------------------------------------------------------------------------------------------------


def test_who_hits_a_trail_is_out_alone_and_its_move_is_carried_out_to_the_end() -> None:
    state = position("1..2...... ...2...... ..........", "0,0,right,5", "3,1,down,1")
    play(state, "change_nothing", "change_nothing")
    assert board(state) == ["111*11....", "...2......", "...2......"]
    assert head(state, 0) == (5, 0, "right", 5)
    assert living(state) == [1]


def test_who_hits_its_own_trail_is_out() -> None:
    state = position("11... .1... 2....", "0,0,right,1", "0,2,right,1")
    play(state, "change_nothing", "change_nothing")
    assert board(state)[0] == "1*..."
    assert living(state) == [1]


def test_who_hits_the_head_that_another_has_just_left_is_out_alone() -> None:
    state = position("12... ..... .....", "0,0,right,1", "1,0,right,1")
    play(state, "change_nothing", "change_nothing")
    assert board(state)[0] == "1*2.."
    assert living(state) == [1]


def test_two_on_one_cell_in_a_round_are_both_out_whatever_the_step() -> None:
    state = position("1...... ....... ....2..", "0,0,right,5", "4,2,up,2")
    play(state, "change_nothing", "change_nothing")
    assert board(state) == ["1111*1.", "....2..", "....2.."]
    assert living(state) == []


def test_who_leaves_the_board_stays_at_the_first_place_outside_and_keeps_what_it_wrote() -> None:
    state = position("...1. ..... 2....", "3,0,right,4", "0,2,right,1")
    play(state, "change_nothing", "change_nothing")
    assert board(state)[0] == "...11"
    assert head(state, 0) == (5, 0, "right", 4)
    state = position("..... .1... 2....", "1,1,up,3", "0,2,right,1")
    play(state, "change_nothing", "change_nothing")
    assert head(state, 0) == (1, -1, "up", 3)


def test_cells_written_by_who_left_the_board_still_kill() -> None:
    state = position("...1. ....2 .....", "3,0,right,4", "4,1,up,1")
    play(state, "change_nothing", "change_nothing")
    assert board(state)[0] == "...1*"
    assert living(state) == []


def test_trails_of_the_dead_stay_and_the_dead_do_not_move() -> None:
    state = position("11... ..... 2.... 3....", "1,0,right,1", "0,2,right,1", "0,3,right,1")
    play(state, "no_answer", "change_nothing", "change_nothing")
    assert game_of(3).movers(state) == [1, 2]
    play(state, "change_nothing", "change_nothing")
    assert board(state) == ["11...", ".....", "222..", "333.."]


def test_the_numbers_of_players_do_not_matter() -> None:
    rng = new_rng("numbers")
    for _ in range(300):
        n, width, height = 2 + below(rng, 5), 5 + below(rng, 5), 4 + below(rng, 4)
        players = [(below(rng, width), below(rng, height), below(rng, 4), 1 + below(rng, 4), 0) for _ in range(n)]
        state = empty_board(width, height, players)
        state.clock[0] = 5
        for number, (x, y, *_) in enumerate(players, 1):
            state.cells[y, x] = number
        turned = duplicate(state)
        turned.players[:] = state.players[::-1]
        for _ in range(4):
            if not living(state):
                break
            moves = np.array([below(rng, 7) for _ in living(state)])
            rules.play(state, moves)
            rules.play(turned, moves[::-1].copy())
            assert turned.players[::-1].tolist() == state.players.tolist()
            assert ((turned.cells == -1) == (state.cells == -1)).all()
            assert ((turned.cells == 0) == (state.cells == 0)).all()


# --- The end ------------------------------------------------------------------------------------------------------


def test_the_last_one_left_wins() -> None:
    state = position("1.... ..... 2....", "0,0,up,1", "0,2,right,1")
    play(state, "change_nothing", "change_nothing")
    assert rules.over(state)
    assert scores(state) == [-1.0, 1.0]


def test_nobody_left_is_a_draw() -> None:
    state = position("1.... ..... 2....", "0,0,up,1", "0,2,down,1")
    assert not rules.over(state)
    play(state, "change_nothing", "change_nothing")
    assert rules.over(state)
    assert scores(state) == [0.0, 0.0]


def test_places_go_by_the_round_in_which_players_went_out() -> None:
    state = position("1....... ........ 2....... 3....... 4.......", "0,0,up,1", *(f"0,{y},right,1" for y in (2, 3, 4)))
    play(state, *["change_nothing"] * 4)
    play(state, "no_answer", "no_answer", "change_nothing")
    assert rules.over(state)
    assert state.players[:, FELL].tolist() == [1, 2, 2, 0]
    assert scores(state) == pytest.approx([-1.0, 0.0, 0.0, 1.0])


def test_there_is_no_limit_of_rounds() -> None:
    rows = ["." * 40 for _ in range(4)]
    state = position(
        " ".join(["1" + rows[0][1:], *rows[1:3], "2" + rows[3][1:]]), "0,0,right,1", "0,3,right,1", now=10**9
    )
    play(state, "change_nothing", "change_nothing")
    assert not rules.over(state)
    assert state.clock[0] == 10**9 + 1


# --- The start ----------------------------------------------------------------------------------------------------


def test_sides_of_the_board_are_drawn_from_41_to_80() -> None:
    shapes = [game_of(2).start(new_rng(seed)).cells.shape for seed in range(2000)]
    for axis in range(2):
        assert {shape[axis] for shape in shapes} == set(range(41, 81))
    assert len(set(shapes)) > 500


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_players_start_in_sectors_of_their_own_in_a_random_cyclic_order(players: int) -> None:
    turned: Counter[int] = Counter()
    for seed in range(600):
        state = game_of(players).start(new_rng(seed))
        height, width = state.cells.shape
        wide, high = width // 4, height // 2
        sectors = []
        for number, (x, y, direction, speed, fell) in enumerate(state.players.tolist(), 1):
            column, row = x // wide, y // high
            assert 0 <= column < 4
            sectors.append(row * 4 + column)
            assert (speed, fell) == (1, 0)
            assert state.cells[y, x] == number
            right, low = x > width // 2, y > height // 2
            assert DIRECTIONS[direction] == (("up" if low else "left") if right else ("right" if low else "down"))
        assert sectors == [(sectors[0] + i) % players for i in range(players)]
        assert np.count_nonzero(state.cells) == players
        assert state.clock[0] == 1
        turned[sectors[0]] += 1
    assert set(turned) == set(range(players))
    assert min(turned.values()) > 600 / players / 2


def test_size_can_be_given() -> None:
    state = game_from("speed:width=60,height=50,players=6").start(new_rng(3))
    assert state.cells.shape == (50, 60)


# --- Text ---------------------------------------------------------------------------------------------------------


def test_position_keeps_round_speed_and_who_is_out() -> None:
    text = "11*../...../22..3 r 17 1,-10,up,11,9 1,2,up,10 4,2,down,1"
    state = game_of(3).load(text)
    assert game_of(3).save(state) == text
    assert living(state) == [1, 2]
    assert state.clock[0] == 17
    assert (state.players[1, SPEED], DIRECTIONS[state.players[1, DIRECTION]]) == (10, "up")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "rows of equal length"),
        ("/ r 5 0,0,up,1,1 0,0,up,1,1", "rows of equal length"),
        ("1../2. r 1 0,0,up,1 0,1,up,1", "rows of equal length"),
        ("1x./2.. r 1 0,0,up,1 0,1,up,1", "begins with rows"),
        ("1../2.. r 0 0,0,up,1 0,1,up,1", "the number of the next round"),
        ("1../2.. r 99999999999999999999 0,0,up,1 0,1,up,1", "the number of the next round"),
        ("1../2.. r 1 0,0,up,1", "2 players"),
        ("1../2.. r 1 0,0,up,1 0,1,north,1", "'0,1,north,1' is not a player"),
        (f"1{'.' * 999}2 r 1 0,0,up,1 1000,0,up,1", "the position has 1001×1 cells, but a side has at most 1000"),
        ("1../2.. r 1 0,0,up,1 0,1,up,11", "'0,1,up,11' is not a player"),
        ("1../2.. r 1 0,0,up,1 9,1,up,1", "'9,1,up,1' is not a player"),
        ("1../2.. r 5 0,0,up,1 0,1,up,1,5", "'0,1,up,1,5' is not a player"),
        ("1../2.. r 5 0,0,up,1 99999999999999999999,1,up,1,2", "99,1,up,1,2' is not a player"),
        ("1.3/2.. r 1 0,0,up,1 0,1,up,1", "trails of player 3"),
        ("1../2.. r 1 1,0,up,1 0,1,up,1", "its trail is not"),
    ],
)
def test_bad_position_is_refused_in_a_sentence(text: str, complaint: str) -> None:
    with pytest.raises(LudusError, match=complaint):
        game_of(2).load(text)


def test_position_of_another_size_is_refused() -> None:
    with pytest.raises(LudusError, match="has 3×2 cells, not 4×4"):
        game_from("speed:width=4,height=4").load("1../2.. r 1 0,0,up,1 0,1,up,1")


def test_moves_are_read_whatever_their_case_and_what_the_record_says_of_faults_too() -> None:
    game = game_of(2)
    state = game.start(new_rng(0))
    assert [game.parse(state, 0, text) for text in ("TURN_LEFT", " speed_up ")] == [0, 3]
    assert [game.parse(state, 0, name) for name in NAMES] == list(range(len(NAMES)))
    with pytest.raises(LudusError, match="turn_up"):
        game.parse(state, 0, "turn_up")
