"""The evaluation of ReversiXT, and the order in which moves are tried."""

import numpy as np
import pytest

from ludus import rules
from ludus.games.reversixt.evaluation import bring_forward
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.maps import Map
from ludus.games.reversixt.rules import EMPTY, SPECIALS, ReversiXtState
from ludus.rng import new_rng

PLAIN = ReversiXT(map=Map(2, 0, 1, 0, ("0" * 6, "0" * 6, "001200", "002100", "0" * 6, "0" * 6)).packed())


def value(text: str, player: int = 0) -> float:
    return float(rules.heuristic(PLAIN.load(text), player))


def tried_first(game: ReversiXT, state: ReversiXtState) -> str:
    [player] = game.movers(state)
    moves = np.array(game.moves(state, player))
    assert rules.order(state, player, moves, len(moves)) > 0
    return game.format(state, player, int(moves[0]))


def test_a_corner_is_worth_more_than_the_field_beside_it() -> None:
    corner = "100000/000000/001200/002100/000000/000000 t 1 0,1 0,1"
    beside = "000000/010000/001200/002100/000000/000000 t 1 0,1 0,1"
    assert value(corner) > value(beside)
    assert value(corner, 1) < value(beside, 1)


def test_override_stones_and_bombs_are_worth_something() -> None:
    board = "000000/000000/001200/002100/000000/000000 t 1"
    assert value(f"{board} 1,1 0,1") > value(f"{board} 0,1 0,1")
    assert value(f"{board} 0,2 0,1") > value(f"{board} 0,1 0,1")


def test_with_bombs_only_stones_count() -> None:
    assert value("100000/000000/002000/000000/000000/000000 b 1 0,1 0,1") == 0.0
    assert value("110000/000000/002000/000000/000000/000000 b 1 0,1 0,1") > 0.0


def test_special_fields_are_tried_first_and_override_stones_last() -> None:
    game = ReversiXT(map=Map(2, 1, 0, 0, ("b210", "0210", "1210")).packed())
    state = game.start(new_rng(0))
    assert tried_first(game, state) == "0,0,override"
    moves = np.array(game.moves(state, 0))
    rules.order(state, 0, moves, len(moves))
    covered = [state.cells[move // SPECIALS] != EMPTY for move in moves[2:]]
    assert covered == sorted(covered)
    assert any(covered)


def test_a_bomb_is_tried_first_where_it_hits_most_of_a_rival() -> None:
    game = ReversiXT(map=Map(2, 0, 1, 1, ("11000222", "11000222", "00000222")).packed())
    assert tried_first(game, game.load("11000222/11000222/00000222 b 1 0,1 0,1")) == "6,1"


@pytest.mark.parametrize("most", [1, 3, 50])
def test_the_best_come_forward_and_none_is_lost(most: int) -> None:
    rng = np.random.default_rng(5)
    for n in range(1, 20):
        ranks = rng.integers(0, 6, n).astype(float)
        moves, kept = np.arange(n), ranks.copy()
        tried = bring_forward(moves, ranks, n, most)
        assert tried == min(n, most)
        assert sorted(moves) == list(range(n))
        assert kept[moves].tolist() == ranks.tolist()
        assert ranks[:tried].tolist() == sorted(kept, reverse=True)[:tried]
