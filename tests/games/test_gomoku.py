import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.games.gomoku import Gomoku
from ludus.games.gomoku.state import LENGTH, OPEN, SIZE, WINNER, GomokuState
from ludus.kernel import rules
from ludus.kernel.rng import new_rng
from support import playthroughs
from support.perft import episodes, perft
from support.playthroughs import played

GAME = Gomoku()
SMALL = Gomoku(size=6, length=4)
LEAST = Gomoku(size=3, length=3)
RULES = ("freestyle", "standard", "caro", "exact-caro")


@pytest.mark.parametrize(("size", "length"), [(15, 5), (19, 5), (60, 5), (6, 4), (5, 5), (3, 3), (9, 6)])
def test_freestyle_plays_like_openspiel(size: int, length: int) -> None:
    game = Gomoku(size=size, length=length)
    playthroughs.assert_agrees_with_openspiel(game, f"gomoku(size={size},connect={length})", max(1, 60 // size))


def test_three_on_three_is_tic_tac_toe() -> None:
    assert episodes(LEAST, 9) == 255_168
    assert perft(LEAST, 6) == 54_720


def place(game: Gomoku, row: str, step: tuple[int, int] = (1, 0), at: tuple[int, int] = (2, 7)) -> GomokuState:
    """A position with stones in one line from a cell on, filled up with stones elsewhere so that `x` moves next.

    In `row` the place of the next stone is written `*`; it is played.
    """
    cells = {}
    for i, letter in enumerate(row):
        cells[at[0] + i * step[0], at[1] + i * step[1]] = letter
    first, second = row.count("x"), row.count("o")
    fillers = [(x, y) for y in (0, 14) for x in range(0, 15, 2) if (x, y) not in cells]
    for filler in fillers[: abs(first - second)]:
        cells[filler] = "o" if first > second else "x"
    rows = ["".join(cells.get((x, y), ".").replace("*", ".") for x in range(15)) for y in range(15)]
    state = game.load("/".join(rows))
    assert not rules.over(state)
    gap = row.index("*")
    move = f"{at[0] + gap * step[0]}-{at[1] + gap * step[1]}"
    rules.play(state, np.array([game.parse(state, 0, move)]))
    return state


STEPS = [((1, 0), (2, 7)), ((0, 1), (7, 2)), ((1, 1), (2, 3)), ((-1, 1), (12, 3))]


@pytest.mark.parametrize(("step", "at"), STEPS)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("row", ["*xxxx", "xx*xx", "xxxx*", "oxx*xx", "xxxx*o"])
def test_five_win_in_every_direction(step: tuple[int, int], at: tuple[int, int], rule: str, row: str) -> None:
    game = Gomoku(rule=rule)
    state = place(game, row, step, at)
    assert rules.over(state)
    assert game.scores(state) == [1.0, -1.0]


@pytest.mark.parametrize(("step", "at"), STEPS)
@pytest.mark.parametrize(("rule", "wins"), list(zip(RULES, (True, False, True, False), strict=True)))
@pytest.mark.parametrize("row", ["xxx*xx", "xx*xxxx", "oxxx*xxo"])
def test_more_than_five(step: tuple[int, int], at: tuple[int, int], rule: str, wins: bool, row: str) -> None:
    assert rules.over(place(Gomoku(rule=rule), row, step, at)) is wins


@pytest.mark.parametrize(("step", "at"), STEPS)
@pytest.mark.parametrize(("rule", "wins"), list(zip(RULES, (True, True, False, False), strict=True)))
@pytest.mark.parametrize("row", ["oxxx*xo", "o*xxxxo"])
def test_five_between_two_stones(step: tuple[int, int], at: tuple[int, int], rule: str, wins: bool, row: str) -> None:
    assert rules.over(place(Gomoku(rule=rule), row, step, at)) is wins


@pytest.mark.parametrize(("row", "at"), [("xxx*xo", (0, 7)), ("oxxx*x", (9, 7))])
def test_the_edge_does_not_block_in_caro(row: str, at: tuple[int, int]) -> None:
    assert rules.over(place(Gomoku(rule="caro"), row, at=at))


def test_rows_do_not_wrap_around_the_edges() -> None:
    rows = ["." * 15 for _ in range(15)]
    rows[6], rows[7] = "............xxx", "x.............."
    rows[0] = "o.o.o.o........"
    state = GAME.load("/".join(rows))
    rules.play(state, np.array([GAME.parse(state, 0, "1-7")]))
    assert not rules.over(state)


def test_the_second_player_can_win() -> None:
    assert GAME.scores(played(GAME, "0-0 7-7 1-0 8-7 2-0 9-7 3-0 10-7 0-5 11-7")) == [-1.0, 1.0]


def test_a_full_board_is_a_draw() -> None:
    state = LEAST.load("xox/xox/oxo")
    assert rules.over(state)
    assert LEAST.scores(state) == [0.0, 0.0]


def test_an_overline_stays_without_effect_in_standard() -> None:
    game = Gomoku(rule="standard")
    state = place(game, "xxx*xx")
    rules.play(state, np.array([game.parse(state, 1, "14-10")]))
    rules.play(state, np.array([game.parse(state, 0, "8-9")]))
    assert not rules.over(state)


@pytest.mark.parametrize("game", [SMALL, Gomoku(size=9, rule="standard"), Gomoku(size=9, rule="caro")])
def test_open_lines_are_those_that_a_look_at_the_board_finds(game: Gomoku) -> None:
    for state in playthroughs.positions(game, 3):
        for player in (0, 1):
            packed = int(state.info[OPEN + player])
            assert [packed >> (16 * kind) & 0xFFFF for kind in range(4)] == _open_lines(game, state, player)


def _open_lines(game: Gomoku, state: GomokuState, player: int) -> list[int]:
    size, length = int(state.shape[SIZE]), int(state.shape[LENGTH])
    rows = game.save(state).split("/")
    found = [0] * (length + 1)
    for y in range(size):
        for x in range(size):
            for step_x, step_y in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                cells = [(x + i * step_x, y + i * step_y) for i in range(length)]
                if all(0 <= a < size and 0 <= b < size for a, b in cells):
                    letters = [rows[b][a] for a, b in cells]
                    if "ox"[player] not in letters:
                        found[letters.count("xo"[player])] += 1
    return found[-4:]


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        (GAME, ""),
        (LEAST, ""),
        (LEAST, "0-0 1-1"),
        (SMALL, "2-2 3-3 2-3"),
        (Gomoku(size=7, rule="standard"), ""),
        (Gomoku(size=7, rule="caro"), ""),
        (Gomoku(size=6, length=3, rule="caro"), "0-0 2-0 1-0 5-5 3-3"),
    ],
)
def test_playout_has_the_law_of_random_play(game: Gomoku, moves: str) -> None:
    playthroughs.assert_playout_has_the_law_of_random_play(played(game, moves))


@pytest.mark.parametrize("rule", RULES)
def test_playout_has_the_law_of_random_play_around_overlines_and_blocked_rows(rule: str) -> None:
    game = Gomoku(size=7, rule=rule)
    state = game.load("xxx.xx./ooo.oo./oxxx.xo/......o/x.o.x.o/x.o.x.o/.......")
    playthroughs.assert_playout_has_the_law_of_random_play(state)


def test_playout_from_the_end_is_certain() -> None:
    out = np.zeros(2)
    for text, expected in (("xxx/oo./...", 1.0), ("xox/xox/oxo", 0.0), ("xox/xo./oxo", 0.0)):
        for seed in range(10):
            rules.playout(LEAST.load(text), new_rng(seed), out)
            assert out.tolist() == [expected, -expected]


@pytest.mark.parametrize("game", [SMALL, LEAST, Gomoku(size=9, rule="standard"), Gomoku(size=6, length=4, rule="caro")])
def test_compiled_and_interpreted_agree(game: Gomoku) -> None:
    playthroughs.assert_compiled_and_interpreted_agree(game, 1 if game.size > 6 else 3)


@pytest.mark.parametrize("game", [SMALL, LEAST, GAME, Gomoku(size=60), Gomoku(size=10, rule="caro")])
def test_text_round_trips(game: Gomoku) -> None:
    playthroughs.assert_text_round_trips(game, 1, every=max(1, game.size**2 // 40))


@pytest.mark.parametrize("text", ["", "1", "1-", "-1-1", "1--1", "1-1", "3-0", "0-3", "a-b", "0,0", "²-1"])
def test_what_is_no_free_cell_is_no_move(text: str) -> None:
    with pytest.raises(LudusError, match="not a legal move"):
        LEAST.parse(played(LEAST, "1-1"), 1, text)


def test_equal_positions_have_equal_keys() -> None:
    assert rules.key(played(GAME, "7-7 8-8 6-6 5-5")) == rules.key(played(GAME, "6-6 5-5 7-7 8-8"))
    assert rules.key(played(GAME, "7-7 8-8 6-6")) != rules.key(played(GAME, "8-8 7-7 6-6"))


def test_samples_evenly() -> None:
    playthroughs.assert_samples_evenly(SMALL, played(SMALL, "2-2 3-3 2-3"))


def test_is_drawn_with_coordinates() -> None:
    assert LEAST.draw(played(LEAST, "1-1 2-0")) == "  0 1 2\n0 . . o\n1 . x .\n2 . . ."


def test_evaluation_is_fair() -> None:
    playthroughs.assert_evaluation_is_fair(SMALL, 5)
    playthroughs.assert_evaluation_is_fair(GAME, 2)


def test_evaluation_grows_with_threats() -> None:
    def value(row: str) -> float:
        """For `x`, with `o` to move and its stones far from each other."""
        cells = list(row.center(15, "."))
        rows = ["." * 15 for _ in range(15)]
        rows[7] = "".join(cells)
        corners = ["o" if i < row.count("x") - 1 else "." for i in range(4)]
        rows[0] = corners[0] + "." * 13 + corners[1]
        rows[14] = corners[2] + "." * 13 + corners[3]
        return rules.heuristic(GAME.load("/".join(rows)), 0)

    values = [value(row) for row in ("xx", "xxx", "xxxx")]
    assert 0.0 < values[0] < values[1] < values[2]


def test_who_is_to_move_with_a_four_is_as_good_as_won() -> None:
    rows = ["." * 15 for _ in range(15)]
    rows[3] = "...xxxxo......."
    rows[9] = "...ooo........."
    state = GAME.load("/".join(rows))
    assert GAME.movers(state) == [0]
    assert rules.heuristic(state, 0) > 0.8


def test_evaluation_can_be_weighed() -> None:
    state = played(GAME, "7-7 0-0 8-7")
    assert rules.heuristic(GAME.weigh(state, {"two": 0.0}), 0) == 0.0
    assert rules.heuristic(state, 0) > 0.0
    for five in (0.0, -1.0):
        assert 0.0 < rules.heuristic(GAME.weigh(state, {"five": five}), 0) < 1.0


def ordered(game: Gomoku, state: GomokuState) -> list[str]:
    [player] = game.movers(state)
    moves = np.array(game.moves(state, player))
    kept = rules.order(state, player, moves, len(moves))
    return [game.format(state, player, int(move)) for move in moves[:kept]]


def test_order_begins_in_the_middle_of_an_empty_board() -> None:
    assert ordered(GAME, played(GAME, "")) == ["7-7"]


def test_order_keeps_only_cells_beside_stones() -> None:
    around = {f"{x}-{y}" for x in (6, 7, 8) for y in (6, 7, 8)} - {"7-7"}
    assert set(ordered(GAME, played(GAME, "7-7"))) == around
    assert set(ordered(GAME, played(GAME, "0-0"))) == {"1-0", "0-1", "1-1"}
    playthroughs.assert_order_keeps_moves(SMALL, 3, all_of_them=False)
    widest = Gomoku(size=60)
    assert set(ordered(widest, played(widest, "59-59"))) == {"58-59", "59-58", "58-58"}


def test_order_completes_first_and_blocks_second() -> None:
    assert ordered(GAME, played(GAME, "3-3 3-9 4-3 4-9 5-3 5-9 6-3 6-9"))[0] in ("2-3", "7-3")
    assert set(ordered(GAME, played(GAME, "3-3 3-9 4-3 4-9 5-3 5-9 6-3 9-13"))[:2]) == {"2-3", "7-3"}
    blocking = ordered(GAME, played(GAME, "3-3 3-9 4-3 4-9 5-3 0-14 6-3"))
    assert set(blocking[:2]) == {"2-3", "7-3"}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("...", "3 rows of 3 letters"),
        (".../.../..z", "3 rows of 3 letters"),
        ("xx./.../...", "2 'x' and 0 'o'"),
        ("xxx/ooo/...", "'x' is to move, but has already won"),
    ],
)
def test_bad_positions_are_rejected(text: str, complaint: str) -> None:
    with pytest.raises(LudusError, match=complaint):
        LEAST.load(text)


def test_a_position_may_hold_a_finished_row() -> None:
    state = LEAST.load("xxx/oo./...")
    assert rules.over(state)
    assert state.info[WINNER] == 0


def test_rows_longer_than_the_board_are_rejected() -> None:
    with pytest.raises(LudusError, match="does not fit"):
        Gomoku(size=4)
