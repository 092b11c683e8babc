import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.games.hex import Hex
from ludus.games.hex.rules import distance
from ludus.kernel import rules
from ludus.kernel.rng import new_rng
from support import playthroughs
from support.perft import episodes, perft
from support.playthroughs import played

GAME = Hex()
SMALL = Hex(size=4)
SWAPPING = Hex(size=4, swap=True)


@pytest.mark.parametrize("size", [2, 3, 5, 11, 19])
@pytest.mark.parametrize("swap", [False, True])
def test_plays_like_openspiel(size: int, swap: bool) -> None:
    game = Hex(size=size, swap=swap)
    playthroughs.assert_agrees_with_openspiel(game, f"hex(board_size={size},swap={swap})", 200 // size)


def test_moves_are_written_like_openspiel_does() -> None:
    theirs = pytest.importorskip("pyspiel").load_game("hex(board_size=5)").new_initial_state()
    game = Hex(size=5)
    state = played(game, "")
    for move in game.moves(state, 0):
        assert game.format(state, 0, move) == theirs.action_to_string(0, move)


def test_lines_of_play_are_all_orders_of_cells_until_a_chain_wins() -> None:
    game = Hex(size=3)
    # Eight chains of three stones win at the fifth ply, in any order of theirs and whatever the other side did.
    won = 8 * (3 * 2 * 1) * (6 * 5)
    assert [perft(game, depth) for depth in range(1, 7)] == [9, 72, 504, 3024, 15120, (15120 - won) * 4]
    assert episodes(game, 5) == won


def test_the_first_player_joins_top_and_bottom() -> None:
    state = played(SMALL, "b1 a1 b2 a2 b3 a3 b4")
    assert rules.over(state)
    assert SMALL.scores(state) == [1.0, -1.0]


def test_the_second_player_joins_left_and_right() -> None:
    state = played(SMALL, "a1 a2 b1 b2 c1 c2 d4 d2")
    assert rules.over(state)
    assert SMALL.scores(state) == [-1.0, 1.0]


def test_a_cell_touches_the_two_below_at_its_left_and_not_at_its_right() -> None:
    assert rules.over(played(SMALL, "d1 a1 c2 a2 b3 b1 a4"))
    assert not rules.over(played(SMALL, "a1 d1 b2 c1 c3 a3 d4"))


@pytest.mark.parametrize("link", ["a1", "a3", "b4", "d2", "e3", "e5"])
def test_a_chain_may_wind_back(link: str) -> None:
    game = Hex(size=5)
    rows = ["xoooo", "xoxxx", "xoxox", "xxxox", "oooox"]
    assert rules.over(game.load("/".join(rows) + " o"))
    column, row = ord(link[0]) - ord("a"), int(link[1]) - 1
    rows[row] = rows[row][:column] + "." + rows[row][column + 1 :]
    state = game.load("/".join(rows) + " x")
    assert not rules.over(state)
    rules.play(state, np.array([game.parse(state, 0, link)]))
    assert game.scores(state) == [1.0, -1.0]


@pytest.mark.parametrize(("first", "mirrored"), [("b1", "a2"), ("c3", "c3"), ("a4", "d1")])
def test_swap_takes_over_the_first_stone_mirrored(first: str, mirrored: str) -> None:
    state = played(SWAPPING, f"{first} swap")
    assert SWAPPING.movers(state) == [0]
    assert SWAPPING.save(state).count("x") == 1  # whose turn it is
    assert SWAPPING.save(state).count("o") == 1
    with pytest.raises(LudusError, match="not a legal move"):
        SWAPPING.parse(state, 0, mirrored)
    assert len(SWAPPING.moves(state, 0)) == 15


def test_a_swapped_stone_counts_for_the_second_player() -> None:
    state = played(SWAPPING, "a1 swap a4 b1 b4 c1 c4 d1")
    assert rules.over(state)
    assert SWAPPING.scores(state) == [-1.0, 1.0]


def test_swap_is_offered_once_and_only_to_the_second_player() -> None:
    swap = 16
    assert swap not in SWAPPING.moves(played(SWAPPING, ""), 0)
    assert swap in SWAPPING.moves(played(SWAPPING, "a1"), 1)
    assert swap not in SWAPPING.moves(played(SWAPPING, "a1 b1"), 0)
    assert swap not in SWAPPING.moves(played(SWAPPING, "a1 swap"), 0)
    assert swap not in SWAPPING.moves(played(SWAPPING, "a1 swap b1"), 1)
    assert swap not in SMALL.moves(played(SMALL, "a1"), 1)


@pytest.mark.parametrize("text", ["", "a0", "a5", "e1", "b2", "1a", "a", "a1b", "swap", "ä1", "a²", "a" + 5000 * "1"])
def test_what_is_no_free_cell_is_no_move(text: str) -> None:
    with pytest.raises(LudusError, match="not a legal move"):
        SMALL.parse(played(SMALL, "b2"), 1, text)


def test_equal_positions_have_equal_keys() -> None:
    assert rules.key(played(SMALL, "a1 b2 c3 d4")) == rules.key(played(SMALL, "c3 d4 a1 b2"))
    assert rules.key(played(SMALL, "a1 b2 c3")) != rules.key(played(SMALL, "b2 a1 c3"))
    assert rules.key(played(SWAPPING, "b1 swap d4")) != rules.key(played(SWAPPING, "d4 a2"))


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        (SMALL, ""),
        (SMALL, "b2 c3 a1"),
        (SWAPPING, ""),
        (SWAPPING, "b1"),
        (SWAPPING, "b1 swap"),
        (Hex(size=2, swap=True), ""),
        (Hex(size=7), "d4"),
        (Hex(size=5), "a1 b1 a2 b2 a3 b3 a4"),
        (GAME, "f6 e6 g3"),
    ],
)
def test_playout_has_the_law_of_random_play(game: Hex, moves: str) -> None:
    playthroughs.assert_playout_has_the_law_of_random_play(played(game, moves))


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        ("xo./xo./x.. o", 1.0),  # over already
        ("ooo/xx./x.. x", -1.0),
        ("xoo/xxo/.ox x", 1.0),  # one cell left, and it wins
        ("oxx/o.x/xoo x", 1.0),
    ],
)
def test_playout_from_the_end_is_certain(position: str, expected: float) -> None:
    game = Hex(size=3)
    out = np.zeros(2)
    for seed in range(20):
        rules.playout(game.load(position), new_rng(seed), out)
        assert out.tolist() == [expected, -expected]


@pytest.mark.parametrize("game", [SMALL, SWAPPING, Hex(size=7)])
def test_compiled_and_interpreted_agree(game: Hex) -> None:
    playthroughs.assert_compiled_and_interpreted_agree(game, 3)


@pytest.mark.parametrize("game", [SMALL, SWAPPING, GAME, Hex(size=19)])
def test_text_round_trips(game: Hex) -> None:
    playthroughs.assert_text_round_trips(game, 1, every=max(1, game.size**2 // 40))


def test_samples_evenly() -> None:
    playthroughs.assert_samples_evenly(SMALL, played(SMALL, "b2 c3 a1"))
    playthroughs.assert_samples_evenly(SWAPPING, played(SWAPPING, "b2"))


def test_is_drawn_as_a_slanted_board() -> None:
    assert Hex(size=3).draw(played(Hex(size=3), "b1 c2")) == "  a b c\n 1 . x .\n  2 . . o\n   3 . . ."


def test_evaluation_is_fair() -> None:
    playthroughs.assert_evaluation_is_fair(SWAPPING, 5)
    playthroughs.assert_evaluation_is_fair(GAME, 1)


@pytest.mark.parametrize(
    ("position", "first", "second"),
    [
        ("..../..../..../.... x", 4, 4),
        (".x../..../..../...o x", 3, 3),
        (".x../.x../.o../.o.. x", 2, 3),
        (".x../.xo./.xo./o... x", 1, 2),
        ("xo../xo../xo../.... x", 1, 3),
        ("x.../x.../x.../xooo o", 0, 16),
    ],
)
def test_distance_is_the_number_of_stones_to_go(position: str, first: int, second: int) -> None:
    state = SMALL.load(position)
    assert distance(state, 0) == first
    assert distance(state, 1) == second


def test_distance_is_what_the_fewest_moves_show() -> None:
    game = Hex(size=3)
    for state in playthroughs.positions(game, 10):
        if not rules.over(state):
            for player in (0, 1):
                assert distance(state, player) == _fewest_stones(game.save(state), player)


def _fewest_stones(position: str, player: int) -> int:
    cells = [letter for row in position.split()[0].split("/") for letter in row]
    free = [cell for cell, letter in enumerate(cells) if letter == "."]
    for chosen in sorted(range(1 << len(free)), key=int.bit_count):
        stones = {cell for cell, letter in enumerate(cells) if letter == "xo"[player]}
        stones |= {cell for i, cell in enumerate(free) if chosen >> i & 1}
        if _joins(stones, player):
            return chosen.bit_count()
    return 9


def _joins(stones: set[int], player: int) -> bool:
    def along(cell: int) -> int:
        return cell // 3 if player == 0 else cell % 3

    reached = {cell for cell in stones if along(cell) == 0}
    while True:
        grown = reached | {
            cell
            for cell in stones
            for other in reached
            if (cell // 3 - other // 3, cell % 3 - other % 3) in ((0, 1), (0, -1), (-1, 0), (-1, 1), (1, 0), (1, -1))
        }
        if grown == reached:
            return any(along(cell) == 2 for cell in reached)
        reached = grown


def test_evaluation_grows_with_every_useful_stone() -> None:
    values = [rules.heuristic(GAME.load(_column_of(stones)), 0) for stones in range(1, 6)]
    assert values == sorted(values)
    assert len(set(values)) == 5


def _column_of(stones: int) -> str:
    """Stones of `x` below each other in the middle, as many of `o` at its own side, where one does as well as all."""
    rows = [["."] * 11 for _ in range(11)]
    for row in range(stones):
        rows[row + 3][5] = "x"
        rows[row + 3][0] = "o"
    return "/".join("".join(row) for row in rows) + " x"


def test_order_begins_in_the_middle() -> None:
    playthroughs.assert_order_keeps_moves(SWAPPING, 3)
    state = played(GAME, "")
    moves = np.array(GAME.moves(state, 0))
    rules.order(state, 0, moves, len(moves))
    assert GAME.format(state, 0, int(moves[0])) == "f6"
    assert {GAME.format(state, 0, int(move)) for move in moves[-2:]} == {"a1", "k11"}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("..../..../..../....", "the player to move"),
        ("..../..../.... x", "4 rows of 4 letters"),
        ("x.../..../..../.... x", "1 'x' and 0 'o' with 'x' to move"),
        ("..../..../..../.... o", "0 'x' and 0 'o' with 'o' to move"),
        ("o.../..../..../.... x", "0 'x' and 1 'o' with 'x' to move"),
        ("xo../xo../xo../xo.. x", "'x' is to move, but has already won"),
    ],
)
def test_bad_positions_are_rejected(text: str, complaint: str) -> None:
    with pytest.raises(LudusError, match=complaint):
        SMALL.load(text)


def test_positions_after_a_swap_need_the_rule() -> None:
    assert SWAPPING.movers(SWAPPING.load("o.../..../..../.... x")) == [0]
    assert SWAPPING.movers(SWAPPING.load("o..x/..../..../.... o")) == [1]
    with pytest.raises(LudusError, match="'x' begins"):
        SWAPPING.load("..../..../..../.... o")
