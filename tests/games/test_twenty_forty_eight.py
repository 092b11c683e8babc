"""2048: sliding, falling tiles, points and the evaluation."""

import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.games.game import game_from
from ludus.games.twenty_forty_eight import TwentyFortyEight, row_table
from ludus.kernel import rules
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, new_rng
from ludus.kernel.rules import CHANCE, Array, State, at, stack_of


def played(position: str, move: str) -> str:
    """Rows and points after a move."""
    game = game_from("2048")
    state = game.load(position)
    rules.play(state, np.array([game.parse(state, 0, move)]))
    return game.save(state).rpartition("/")[0]


def slid_by_hand(row: list[int]) -> tuple[list[int], int]:
    """A row of powers slid to the left, written plainly."""
    tiles, out, points = [tile for tile in row if tile], [], 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile < 15:
            tiles.pop(0)
            tile += 1
            points += 2**tile
        out.append(tile)
    return out + [0] * (4 - len(out)), points


def test_every_row_slides_as_by_hand() -> None:
    table = row_table()
    for number in range(65536):
        row = [number >> shift & 15 for shift in (0, 4, 8, 12)]
        left, points = slid_by_hand(row)
        right, same_points = slid_by_hand(row[::-1])
        assert table[number, 0] == sum(tile << 4 * i for i, tile in enumerate(left))
        assert table[number, 1] == sum(tile << 4 * i for i, tile in enumerate(right[::-1]))
        assert table[number, 2] == points == same_points


@pytest.mark.parametrize(
    ("position", "move", "after"),
    [
        ("2-2-2-2/0-4-4-2/4-8-2-0/2-0-0-0", "left", "4-4-0-0/8-2-0-0/4-8-2-0/2-0-0-0/16"),
        ("2-2-2-2/0-4-4-2/4-8-2-0/2-0-0-0", "right", "0-0-4-4/0-0-8-2/0-4-8-2/0-0-0-2/16"),
        ("2-4-2-2/0-4-4-0/4-8-0-0/2-0-2-0", "up", "2-8-2-2/4-8-4-0/2-0-2-0/0-0-0-0/8"),
        ("2-4-2-2/0-4-4-0/4-8-0-0/2-0-2-0", "down", "0-0-0-0/2-0-2-0/4-8-4-0/2-8-2-2/8"),
        ("2-2-4-8/0-0-0-0/0-0-0-0/0-0-0-0", "left", "4-4-8-0/0-0-0-0/0-0-0-0/0-0-0-0/4"),
    ],
)
def test_tiles_slide_and_merge_once(position: str, move: str, after: str) -> None:
    assert played(position, move) == after


def test_only_moves_that_change_something_are_legal() -> None:
    game = game_from("2048")
    state = game.load("2-4-0-0/4-2-0-0/2-4-0-0/4-2-0-0")
    assert [game.format(state, 0, move) for move in game.moves(state, 0)] == ["right"]
    with pytest.raises(LudusError, match="'left' is not a legal move here: write a move like right"):
        game.parse(state, 0, "left")


def test_full_board_without_pairs_is_the_end() -> None:
    game = game_from("2048")
    assert rules.over(game.load("2-4-2-4/4-2-4-2/2-4-2-4/4-2-4-2/60"))
    assert not rules.over(game.load("2-4-2-4/4-2-4-2/2-4-2-4/4-2-4-4/60"))
    assert game.scores(game.load("2-4-2-4/4-2-4-2/2-4-2-4/4-2-4-2/60")) == [60.0]


def test_two_largest_tiles_do_not_merge() -> None:
    game = game_from("2048")
    stuck = "32768-32768-2-4/2-4-8-16/16-8-4-2/2-4-8-16"
    assert rules.over(game.load(stuck))
    assert played("32768-32768-0-0/0-0-0-0/0-0-0-0/0-0-0-0", "right").startswith("0-0-32768-32768/")


def test_two_tiles_fall_at_the_start_and_one_after_each_move() -> None:
    game = game_from("2048")
    state, rng = game.start(new_rng(0)), new_rng(0)
    fallen = []
    for expected in (CHANCE, CHANCE, 0, CHANCE, 0, CHANCE):
        (mover,) = game.movers(state)
        assert mover == expected
        move = int(rules.sample(state, mover, rng))
        fallen += [game.format(state, mover, move)] if mover == CHANCE else []
        rules.play(state, np.array([move]))
    assert all(text[:2] in ("2@", "4@") for text in fallen)
    board = game.save(state).replace("/", "-").split("-")[:16]
    assert sum(int(tile) for tile in board) == sum(int(text[0]) for text in fallen)


def test_probabilities_of_tiles() -> None:
    state = game_from("2048").load("0-2-0-0/0-0-0-0/0-0-4-0/0-0-0-0/0/1")
    probabilities = np.zeros(32)
    assert rules.chance(state, probabilities) == 28
    assert np.allclose(probabilities[:28:2], 0.9 / 14)
    assert np.allclose(probabilities[1:28:2], 0.1 / 14)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0-2-0-0/0-0-0-0", "a position is four rows of four tiles"),
        ("a-2-0-0/0-0-0-0/0-0-4-0/0-0-0-0", "a position is four rows of four tiles"),
        ("3-2-0-0/0-0-0-0/0-0-4-0/0-0-0-0", "3 is not a tile"),
        ("0-2-0-0/0-0-0-0/0-0-4-0/0-0-0-0/7", "7 points are impossible"),
        ("0-0-0-0/0-0-0-0/0-0-0-0/0-0-0-0", "0 tiles to be placed do not fit 16 empty cells"),
        ("2-4-2-4/4-2-4-2/2-4-2-4/4-2-4-0/0/2", "2 tiles to be placed do not fit 1 empty cells"),
    ],
)
def test_bad_position_is_one_sentence(text: str, problem: str) -> None:
    with pytest.raises(LudusError, match=problem):
        game_from("2048").load(text)


def test_agrees_with_openspiel_step_by_step() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    peer = pyspiel.load_game("2048(max_tile=65536)")
    game = game_from("2048")
    for seed in range(5):
        rng = new_rng(seed)
        ours, theirs = game.start(rng), peer.new_initial_state()
        while not rules.over(ours):
            assert not theirs.is_terminal()
            (mover,) = game.movers(ours)
            assert mover == theirs.current_player()
            move = int(rules.sample(ours, mover, rng))
            if mover == CHANCE:
                outcomes = theirs.chance_outcomes()
                probabilities = np.zeros(32)
                n = rules.chance(ours, probabilities)
                assert np.allclose(probabilities[:n], [probability for _, probability in outcomes])
                theirs.apply_action(outcomes[move][0])
            else:
                # Its legal_actions leaves out merges with a tile that the last move has merged, which it then carries
                # out: what changes the board is the better question.
                changing = [way for way in range(4) if str(theirs.child(way)) != str(theirs)]
                assert game.moves(ours, 0) == changing
                assert set(theirs.legal_actions()) <= set(changing)
                theirs.apply_action(move)
            rules.play(ours, np.array([move]))
            board = game.save(ours).split("/")[:4]
            assert [int(tile) for row in board for tile in row.split("-")] == [int(t) for t in str(theirs).split()]
        assert theirs.is_terminal()
        assert game.scores(ours) == theirs.returns()


@compiled
def look_ahead(stack: State, rng: Rng, moves: Array, out: Array, rounds: int) -> float:
    """The points of a game in which each move is chosen by the mean evaluation of a few tiles that may fall."""
    now, then = at(stack, 0), at(stack, 1)
    while not rules.over(now):
        rules.movers(now, moves)
        if moves[0] == CHANCE:
            moves[0] = rules.sample(now, CHANCE, rng)
            rules.play(now, moves)
            continue
        n = rules.legal(now, 0, moves)
        best, chosen = -1.0, moves[0]
        for i in range(n):
            total = 0.0
            for _ in range(rounds):
                rules.copy(now, then)
                rules.play(then, moves[i : i + 1])
                moves[4] = rules.sample(then, CHANCE, rng)
                rules.play(then, moves[4:5])
                rules.scores(then, out)
                total += out[0] if rules.over(then) else rules.heuristic(then, 0)
            if total > best:
                best, chosen = total, moves[i]
        moves[0] = chosen
        rules.play(now, moves)
    rules.scores(now, out)
    return out[0]


def test_evaluation_plays_far_better_than_chance() -> None:
    game, out = game_from("2048"), np.zeros(1)
    points, by_chance = [], []
    for seed in range(20):
        state = game.start(new_rng(seed))
        stack = stack_of(state, 2)
        rules.copy(state, at(stack, 0))
        points.append(look_ahead(stack, new_rng(seed), np.zeros(8, np.int64), out, 4))
        rules.playout(state, new_rng(seed), out)
        by_chance.append(out[0])
    assert np.mean(points) > 5 * np.mean(by_chance)


def test_weights_change_the_evaluation() -> None:
    game = game_from("2048")
    state = game.load("2-4-2-0/0-0-0-0/0-0-4-0/0-0-0-0/8")
    assert isinstance(game, TwentyFortyEight)
    lower = game.weigh(state, {"alive": 100.0, "empty": 0.0, "pair": 0.0, "disorder": 0.0})
    assert rules.heuristic(lower, 0) == 108.0
    assert rules.heuristic(state, 0) > 10_000


def test_sampled_tiles_are_fours_one_time_in_ten() -> None:
    state, rng = game_from("2048").start(new_rng(0)), new_rng(1)
    fours = sum(int(rules.sample(state, CHANCE, rng)) & 1 for _ in range(10_000))
    assert 880 < fours < 1120
