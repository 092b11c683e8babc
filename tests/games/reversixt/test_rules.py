"""ReversiXT: every rule by itself on small maps, and recorded games replayed exactly."""

from pathlib import Path

import numpy as np
import pytest

from games.reversixt.recorded import MAPS, game_on, needs_recorded_games, recorded_games, replayed
from ludus import rules
from ludus.games.othello import PASS, Othello
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.maps import Map, Transition
from ludus.games.reversixt.rules import (
    BOMBING,
    BOMBS,
    GONE,
    MOVER,
    OUT,
    OVERRIDES,
    REVERSIBLE,
    SPECIALS,
    ReversiXtState,
    legal,
    may_take,
    stones_of,
)
from ludus.rng import below, new_rng
from ludus.rules import duplicate


def game_of(rows: str, players: int = 2, overrides: int = 0, bombs: int = 0, radius: int = 0, *ways: str) -> ReversiXT:
    """A game on a map given by its rows, separated by blanks, and transitions as `x1 y1 r1 x2 y2 r2`."""
    transitions = tuple(Transition(*map(int, way.split())) for way in ways)
    chart = Map(players, overrides, bombs, radius, tuple(rows.split()), transitions)
    return ReversiXT(map=chart.packed())


def start(game: ReversiXT) -> ReversiXtState:
    return game.start(new_rng(0))


def play(game: ReversiXT, state: ReversiXtState, *moves: str) -> ReversiXtState:
    """Play moves, each that of whoever is to move."""
    for text in moves:
        rules.play(state, np.array([game.parse(state, game.movers(state)[0], text)]))
    return state


def moves(game: ReversiXT, state: ReversiXtState) -> list[str]:
    player = game.movers(state)[0]
    return [game.format(state, player, move) for move in game.moves(state, player)]


def rows(game: ReversiXT, state: ReversiXtState) -> str:
    return " ".join(game.rows(state))


# --- Lines ----------------------------------------------------------------------------------------------------------


def test_a_line_captures_what_lies_between_the_field_and_an_own_stone() -> None:
    game = game_of("02210 00000")
    state = start(game)
    assert moves(game, state) == ["0,0"]
    assert rows(game, play(game, state, "0,0")) == "11110 00000"


def test_expansion_fields_are_captured_like_stones() -> None:
    game = game_of("0x2x1 00002")
    assert rows(game, play(game, start(game), "0,0")) == "11111 00002"


@pytest.mark.parametrize("between", "0bci-")
def test_what_is_neither_a_stone_nor_an_expansion_field_ends_a_line(between: str) -> None:
    game = game_of(f"02{between}21 12000")
    assert "0,0" not in moves(game, start(game))


def test_lines_are_judged_on_the_board_before_the_move() -> None:
    # East of 0,0 the line turns the stone at 1,0. Only then would the one through it from the south-east have an end.
    game = game_of("021- 020- --0-", 2, 0, 0, 0, "0 0 3 1 1 4")
    state = play(game, game.load("021-/020-/--0- t 1 0,0 0,0"), "0,0")
    assert rows(game, state) == "111- 020- --0-"


def test_a_transition_goes_on_in_the_direction_opposite_to_its_other_end() -> None:
    game = game_of("002 -1- 000", 2, 0, 0, 0, "2 0 2 1 2 4")
    # East of 2,0 the line comes into 1,2 from below and goes on north to the stone at 1,1.
    state = game.load("002/-1-/020 t 1 0,0 0,0")
    assert "1,0" in moves(game, state)
    assert rows(game, play(game, state, "1,0")) == "011 -1- 010"


def test_a_transition_replaces_a_neighbour_and_the_neighbour_still_leads_back() -> None:
    game = game_of("02100 00000", 2, 0, 0, 0, "0 0 2 3 1 6")
    state = start(game)
    assert not state.shape[REVERSIBLE]
    assert "0,0" not in moves(game, game.load("02100/02000 t 2 0,0 0,0"))


def test_a_line_that_comes_back_to_its_start_captures_nothing() -> None:
    game = game_of("222 000", 2, 3, 0, 0, "0 0 6 2 0 2")
    state = game.load("122/010 t 1 3,0 3,0")
    # West of the own stone at 0,0 the line runs round the first row, back to where it began.
    assert moves(game, state) == ["1,0", "2,0"]


def test_a_line_that_runs_in_a_circle_ends() -> None:
    # The transition out of 2,0 leads back to 1,0, past the field where the line began.
    game = game_of("0222 1000", 2, 0, 0, 0, "2 0 2 1 0 6")
    assert "0,0" not in moves(game, game.load("0222/1200 t 1 0,0 0,0"))


# --- Override stones --------------------------------------------------------------------------------------------------


def test_an_override_stone_takes_a_stone_if_that_captures_something() -> None:
    game = game_of("221 000", 2, 1)
    state = start(game)
    assert moves(game, state) == ["0,0"]
    play(game, state, "0,0")
    assert rows(game, state) == "111 000"
    assert state.players[0, OVERRIDES] == 0


def test_an_override_stone_may_take_an_own_stone() -> None:
    game = game_of("121 002", 2, 1)
    assert "0,0" in moves(game, start(game))


def test_an_expansion_field_is_taken_with_an_override_stone_and_without_a_capture() -> None:
    game = game_of("x001 0002", 2, 1)
    state = play(game, start(game), "0,0")
    assert rows(game, state) == "1001 0002"
    assert state.players[:, OVERRIDES].tolist() == [0, 1]


def test_without_override_stones_no_stone_can_be_taken() -> None:
    game = game_of("x2210 00000")
    state = start(game)
    assert not one_by_one(state, 0)
    assert state.turn[MOVER] == 1
    assert moves(game, state) == ["4,0"]


# --- Special fields ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "what"), [("bomb", BOMBS), ("override", OVERRIDES), ("20", BOMBS), ("21", OVERRIDES)]
)
def test_a_bonus_field_gives_a_bomb_or_an_override_stone(chosen: str, what: int) -> None:
    game = game_of("b21 000")
    state = start(game)
    assert moves(game, state) == ["0,0,bomb", "0,0,override"]
    play(game, state, f"0,0,{chosen}")
    assert state.players[0, what] == 1
    assert state.players.sum() == 1


def test_a_choice_field_swaps_all_stones_after_the_captures() -> None:
    game = game_of("c21 --- 330", 3)
    state = start(game)
    assert moves(game, state) == ["0,0,1", "0,0,2", "0,0,3"]
    assert rows(game, play(game, duplicate(state), "0,0,3")) == "333 --- 110"
    assert rows(game, play(game, duplicate(state), "0,0,1")) == "111 --- 330"


def test_an_inversion_field_hands_everybodys_stones_on_after_the_captures() -> None:
    game = game_of("i21 330 000", 3)
    assert rows(game, play(game, start(game), "0,0")) == "222 110 000"


@pytest.mark.parametrize("text", ["0,0", "0,0,1", "0,0,3"])
def test_what_is_chosen_must_suit_the_field(text: str) -> None:
    game = game_of("b21 000")
    with pytest.raises(Exception, match="no legal move"):
        play(game, start(game), text)


# --- Turns and phases -------------------------------------------------------------------------------------------------


def test_who_cannot_move_is_skipped() -> None:
    game = game_of("021- 0000 021-")
    state = play(game, start(game), "0,0")
    assert state.turn[MOVER] == 0
    assert rules.over(play(game, state, "0,2"))


def test_bombs_follow_with_the_player_after_the_last_one_who_moved() -> None:
    game = game_of("021 000", 2, 0, 1)
    state = play(game, start(game), "0,0")
    assert state.turn[BOMBING]
    assert state.turn[MOVER] == 1


def test_a_map_without_a_move_begins_with_the_bombs_of_player_1() -> None:
    game = game_of("100 002", 2, 0, 1)
    state = start(game)
    assert state.turn[BOMBING]
    assert state.turn[MOVER] == 0


def test_who_has_no_bomb_is_skipped_and_the_last_bomb_ends_the_game() -> None:
    game = game_of("10000 00002", 2, 0, 1)
    state = game.load("10000/00002 b 2 0,0 0,2")
    play(game, state, "0,0")
    assert state.turn[MOVER] == 1
    play(game, state, "1,0")
    assert rules.over(state)
    assert rows(game, state) == "--000 00002"


@pytest.mark.parametrize(
    ("radius", "after"), [(0, "00000 00-00 00002"), (1, "0---0 0---0 0---2"), (2, "----- ----- -----")]
)
def test_a_bomb_hits_all_fields_within_its_radius(radius: int, after: str) -> None:
    game = game_of("00000 00100 00002", 2, 0, 2, radius)
    assert rows(game, play(game, start(game), "2,1")) == after


def test_a_blast_runs_through_transitions_and_stops_at_holes() -> None:
    game = game_of("01-02 00-00 -----", 2, 0, 2, 1, "0 1 6 4 1 2")
    assert rows(game, play(game, start(game), "0,1")) == "---02 ---0- -----"


def test_the_game_ends_when_no_fields_are_left() -> None:
    game = game_of("12", 2, 0, 5, 3)
    state = play(game, start(game), "0,0")
    assert rules.over(state)
    assert game.scores(state) == [0.0, 0.0]


# --- Disqualification and result --------------------------------------------------------------------------------------


def test_a_disqualified_player_is_skipped_and_its_stones_stay() -> None:
    game = game_of("0210 0320 0130 0000", 3)
    state = start(game)
    rules.play(state, np.array([OUT]))
    assert state.players[0, GONE]
    assert rows(game, state) == "0210 0320 0130 0000"
    while not rules.over(state):
        assert state.turn[MOVER] != 0
        rules.play(state, np.array([game.moves(state, int(state.turn[MOVER]))[0]]))
    assert game.scores(state)[0] == -1.0


def test_the_last_player_left_wins_at_once() -> None:
    game = game_of("0210 0120", 2, 0, 3)
    state = start(game)
    rules.play(state, np.array([OUT]))
    assert rules.over(state)
    assert game.scores(state) == [-1.0, 1.0]


def test_players_rank_by_stones_and_ties_share_the_better_rank() -> None:
    game = game_of("1123300 0000000", 3, 0, 1)
    assert game.scores(start(game)) == [0.5, -1.0, 0.5]


# --- Against other rules ----------------------------------------------------------------------------------------------


def test_the_classic_map_is_othello() -> None:
    game, othello = ReversiXT(), Othello()
    for number in range(20):
        rng = new_rng("classic", number)
        state, other = game.start(rng), othello.start(rng)
        while not rules.over(other):
            [player] = othello.movers(other)
            theirs = othello.moves(other, player)
            if theirs == [PASS]:
                rules.play(other, np.array([PASS]))
                continue
            assert game.movers(state) == [player]
            assert [move // SPECIALS for move in game.moves(state, player)] == sorted(theirs)
            move = theirs[below(rng, len(theirs))]
            rules.play(other, np.array([move]))
            rules.play(state, np.array([move * SPECIALS]))
        assert rules.over(state)
        assert game.scores(state) == othello.scores(other)


def one_by_one(state: ReversiXtState, player: int) -> list[int]:
    """The fields that may be taken, each looked at by itself."""
    return [field for field in range(len(state.cells)) if may_take(state, player, field)]


@pytest.mark.parametrize("name", ["arena", "bazaar", "islands", "torus"])
def test_moves_found_from_stones_are_those_found_from_fields(name: str) -> None:
    assert_both_ways_agree(ReversiXT(map=name))


def assert_both_ways_agree(game: ReversiXT, plies: int = 80) -> None:
    state, rng = start(game), new_rng("both", game.map)
    out = np.zeros(rules.most_moves(state), np.int64)
    for _ in range(plies):
        if rules.over(state) or state.turn[BOMBING]:
            break
        for player in range(game.seats):
            n = legal(state, player, out)
            assert sorted(set((out[:n] // SPECIALS).tolist())) == one_by_one(state, player)
        rules.play(state, np.array([rules.sample(state, int(state.turn[MOVER]), rng)]))


# --- Recorded games ---------------------------------------------------------------------------------------------------


@needs_recorded_games
def test_every_recorded_game_replays_exactly() -> None:
    assert recorded_games()
    for recorded in recorded_games():
        game, state = game_on(recorded["map"]), replayed(recorded)
        assert list(game.rows(state)) == [row.replace(" ", "") for row in recorded["board"]]
        stones = np.zeros(14, np.int64)
        stones_of(state, stones)
        for player, count in recorded["scores"].items():
            if not state.players[int(player) - 1, GONE]:
                assert stones[int(player)] == count


@needs_recorded_games
@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
def test_real_maps_are_read_and_moves_are_found_both_ways(path: Path) -> None:
    assert_both_ways_agree(ReversiXT(map=str(path)), 30)
