import numpy as np
import pytest

from contests.speed.drawn import drawn
from ludus.contests.speed.agents.voronoi import (
    CELLS,
    EDGES,
    MEETS,
    Field,
    divide,
    flip_way,
    new_field,
    survey,
    territory,
)
from ludus.contests.speed.agents.walking import HEADING, PACE, PLACE, Ground, lay_out, new_ground, stand, walk
from ludus.contests.speed.game import SPEED_UP, SpeedState
from ludus.kernel.state import Array

NOBODY = -1


def laid_out(state: SpeedState) -> tuple[Ground, Field, Array]:
    height, width = state.cells.shape
    ground, field = new_ground(width, height), new_field(width, height, len(state.players))
    heads = np.zeros((len(state.players), 3), np.int64)
    lay_out(state, ground)
    for player in range(len(heads)):
        stand(state, player, ground, heads[player])
    survey(ground, field)
    return ground, field, heads


def divided(state: SpeedState, walks: int) -> tuple[Field, Array]:
    ground, field, heads = laid_out(state)
    divide(ground, field, heads, int(state.clock[0]), walks)
    width = state.cells.shape[1]
    return field, np.array([territory(field, player, width) for player in range(len(heads))])


def by_hand(state: SpeedState, walks: int) -> Array:
    """The owner of each cell, counted in the simplest way: −1 for none."""
    height, width = state.cells.shape
    owner = np.full((height, width), NOBODY)
    vacant = state.cells == 0
    reached = [{(int(player[0]), int(player[1]))} for player in state.players]
    for time in range(height * width):
        fresh = []
        for player, cells in enumerate(reached):
            jumps = (state.clock[0] + time) % 6 == 0 and state.players[player, 3] + time >= 2 and time < 36
            steps = [1, 3, 4] if jumps and player != walks else [1]
            found = set()
            for x, y in cells:
                for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    for step in steps:
                        way = [(x + dx, y + dy), (x + dx * step, y + dy * step)]
                        if all(0 <= a < width and 0 <= b < height and vacant[b, a] for a, b in way):
                            found.add(way[-1])
            fresh.append(found)
        for player, cells in enumerate(fresh):
            others = set().union(*(found for other, found in enumerate(fresh) if other != player))
            for x, y in cells:
                vacant[y, x] = False
                if (x, y) not in others:
                    owner[y, x] = player
                    reached[player].add((x, y))
    return owner


def walled(width: int, height: int, players: int, seed: int) -> SpeedState:
    """A board with walls at random."""
    random = np.random.default_rng(seed)
    rows = [["."] * width for _ in range(height)]
    for _ in range(width * height // 60):
        x, y, length = random.integers(width), random.integers(height), random.integers(3, 12)
        for step in range(length):
            a, b = (x + step, y) if length % 2 else (x, y + step)
            if a < width and b < height:
                rows[b][a] = "*"
    words = []
    for player, place in enumerate(random.choice(width * height, players, replace=False).tolist()):
        rows[place // width][place % width] = str(player + 1)
        words.append(f"{place % width},{place // width},up,{random.integers(1, 4)}")
    return drawn("\n".join("".join(row) for row in rows), *words, now=int(random.integers(1, 12)))


@pytest.mark.parametrize(("width", "height", "players"), [(9, 7, 2), (64, 9, 3), (70, 11, 2), (130, 5, 6)])
@pytest.mark.parametrize("seed", [1, 2])
def test_each_gets_what_it_reaches_first(width: int, height: int, players: int, seed: int) -> None:
    state = walled(width, height, players, seed)
    _, cells = divided(state, walks=0)
    owner = by_hand(state, walks=0)
    for player in range(players):
        here = np.zeros(owner.shape, bool)
        here[state.players[player, 1], state.players[player, 0]] = True
        np.testing.assert_array_equal(cells[player], (owner == player) | here)


def test_a_territory_is_measured() -> None:
    field, _ = divided(drawn("1..*2\n...*.\n...*.", "0,0,down,1", "4,0,down,1", now=1), walks=0)
    # Three by three without a corner, and the two cells of a column; a jump comes too late to matter.
    assert field.sizes[0].tolist() == [8, 10, 0]
    assert field.sizes[1].tolist() == [2, 1, 0]


def test_neighbours_meet() -> None:
    field, cells = divided(drawn("1.....2", "0,0,right,1", "6,0,left,1"), walks=0)
    assert field.sizes[:, CELLS].tolist() == [2, 2]
    assert field.sizes[:, EDGES].tolist() == [1, 1]
    assert field.sizes[:, MEETS].all()
    assert not cells[:, 0, 3].any()


def test_walls_are_jumped_by_all_but_one() -> None:
    state = drawn("1...*....2", "0,0,right,3", "9,0,left,3", now=6)
    assert divided(state, walks=0)[0].sizes[:, CELLS].tolist() == [3, 4]
    assert divided(state, walks=1)[0].sizes[:, CELLS].tolist() == [3, 4]
    behind = drawn("1.*......2", "0,0,right,3", "9,0,left,1", now=6)
    assert divided(behind, walks=1)[1][0, 0, 3]
    assert not divided(behind, walks=0)[1][0, 0, 3:].any()


@pytest.mark.parametrize("now", [5, 6])
def test_a_way_is_flipped_there_and_back(now: int) -> None:
    ground, field, heads = laid_out(drawn("1.........\n.........2", "0,0,right,3", "9,1,up,1", now=now))
    before, head = field.free.copy(), np.zeros(3, np.int64)
    assert walk(ground, heads[0], SPEED_UP, now, 1, head)
    flip_way(ground, field, head, now)
    after = field.free.copy()
    survey(ground, field)
    np.testing.assert_array_equal(field.free, after)
    flip_way(ground, field, head, now)
    np.testing.assert_array_equal(field.free, before)
    assert head[PLACE] != heads[0, PLACE]
    assert (head[HEADING], head[PACE]) == (heads[0, HEADING], 4)
