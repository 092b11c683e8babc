import numpy as np
import pytest

from contests.speed.drawn import drawn, paths
from ludus.contests.speed.agents.filling import MOST, Filling, fill, new_filling
from ludus.contests.speed.agents.walking import PLACE, Ground, lay_out, new_ground, stand
from ludus.contests.speed.game import SpeedState
from ludus.kernel.deadline import FOREVER, new_watch
from ludus.kernel.rng import new_rng

# Player 1 goes up. To the left are four cells, to the right is a room with a bay.
ROOMS = drawn(
    """
    ..*......
    ..*......
    ...*.*...
    *.1....**
    ***22****
    """,
    "2,3,up,1",
    "3,4,right,1",
)


def filled(state: SpeedState, tries: int, seed: int = 1) -> tuple[Ground, Filling, list[int]]:
    height, width = state.cells.shape
    ground, head = new_ground(width, height), np.zeros(3, np.int64)
    lay_out(state, ground)
    stand(state, 0, ground, head)
    filling = new_filling(len(ground.cells))
    length = fill(ground, filling, int(head[PLACE]), tries, new_rng(seed))
    return ground, filling, filling.best[: length + 1].tolist()


@pytest.mark.parametrize("seed", range(5))
def test_a_path_is_one(seed: int) -> None:
    ground, filling, path = filled(ROOMS, 50, seed)
    assert len(set(path)) == len(path)
    assert all(ground.cells[place] == 0 for place in path[1:])
    assert set(np.abs(np.diff(path)).tolist()) <= {1, ground.stride}
    assert len(path) - 1 <= filling.counts[MOST]
    assert (filling.numbers == -1).all()


def test_the_longest_path_is_found() -> None:
    small = drawn("..*....\n.1.....\n...*...\n*2*...*", "1,1,up,1", "1,3,up,1", now=1)
    longest = max(len(path) for path in paths(small, 0))
    assert len(filled(small, 2000)[2]) - 1 == longest


def test_an_empty_hall_is_filled() -> None:
    hall = drawn("\n".join(["1" + "." * 29] + ["." * 30] * 28 + ["." * 29 + "2"]), "0,0,down,1", "29,29,up,1")
    _, filling, path = filled(hall, 500)
    assert len(path) - 1 > 0.95 * (30 * 30 - 2)
    assert len(path) - 1 <= filling.counts[MOST]


def test_the_search_goes_on_where_it_was() -> None:
    ground, filling, path = filled(ROOMS, 300)
    length = len(path) - 1
    for place in path[1:4]:
        ground.cells[place] = 1
        assert fill(ground, filling, place, 0, new_rng(0)) == length - 1
        length -= 1
    blocked = path[8]
    ground.cells[blocked] = 1
    length = fill(ground, filling, path[3], 0, new_rng(0))
    assert blocked not in filling.best[: length + 1]


def test_no_time_still_gives_a_path() -> None:
    ground, filling, _ = filled(ROOMS, 0)
    filling.watch[:] = new_watch(0)
    start = int(filling.best[0])
    assert fill(ground, filling, start, FOREVER, new_rng(0)) > 0
