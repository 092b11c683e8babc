import numpy as np
import pytest

from contests.speed.drawn import drawn
from ludus import Choice, Clock, View
from ludus.contests.speed.agents.analysis import nearest
from ludus.contests.speed.agents.minimax import Deepening, Minimax, Seen
from ludus.contests.speed.agents.walking import lay_out, new_ground
from ludus.contests.speed.game import (
    ACTIONS,
    CHANGE_NOTHING,
    SPEED_UP,
    TURN_LEFT,
    TURN_RIGHT,
    Speed,
    SpeedState,
    is_skipped,
    steer,
)
from ludus.games.game import game_from
from ludus.kernel.deadline import FOREVER
from ludus.kernel.rng import new_rng
from support.positions import random_position

Head = tuple[int, ...]
Cells = frozenset[tuple[int, int]]
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))


class PlainMinimax:
    """The search without pruning, on sets of cells."""

    def __init__(self, state: SpeedState, others: list[int], depth: int, aggression: float) -> None:
        self.height, self.width = state.cells.shape
        self.taken: Cells = frozenset((int(x), int(y)) for y, x in np.argwhere(state.cells))
        self.others: list[Head | None] = [tuple(map(int, state.players[other, :4])) for other in others]
        self.now, self.depth, self.aggression = int(state.clock[0]), depth, aggression

    def way(self, head: Head, action: int, ahead: int, taken: Cells) -> tuple[Head, Cells] | None:
        player = np.array([*head, 0])
        if not steer(player, action):
            return None
        x, y, direction, speed = map(int, player[:4])
        cells = set()
        for step in range(speed):
            x, y = x + STEPS[direction][0], y + STEPS[direction][1]
            if not (0 <= x < self.width and 0 <= y < self.height):
                return None
            if not is_skipped(step, speed, self.now + ahead):
                cells.add((x, y))
        return None if cells & taken else ((x, y, direction, speed), frozenset(cells))

    def freedom(self, head: Head, taken: Cells) -> int:
        return sum(self.way(head, action, self.depth, taken) is not None for action in range(len(ACTIONS)))

    def values(self, head: Head, others: list[Head | None], ahead: int, taken: Cells) -> list[float]:
        found = []
        for action in range(len(ACTIONS)):
            way = self.way(head, action, ahead, taken)
            found.append(-np.inf if way is None else self.answered(way[0], others, [], way[1], ahead, taken))
        return found

    def answered(
        self, head: Head, others: list[Head | None], gone: list[Head | None], mine: Cells, ahead: int, taken: Cells
    ) -> float:
        death = ahead - self.depth - self.aggression * len(ACTIONS)
        if not others:
            taken |= mine
            if ahead + 1 == self.depth:
                theirs = sum(self.freedom(other, taken) for other in gone if other) / max(1, len(gone))
                return self.freedom(head, taken) - self.aggression * theirs
            return max(death + 1, *self.values(head, gone, ahead + 1, taken))
        first, *rest = others
        answers = []
        for action in range(len(ACTIONS)):
            if first and (way := self.way(first, action, ahead, taken)):
                met = way[1] & mine
                further = self.answered(head, rest, [*gone, way[0]], mine, ahead, taken | way[1]) if not met else death
                answers.append(further)
        return min(answers) if answers else self.answered(head, rest, [*gone, None], mine, ahead, taken)


def search(
    state: SpeedState, others: list[int], depth: int, aggression: float = 0.0, threads: int = 1, slack: float = 0.0
) -> Seen:
    height, width = state.cells.shape
    ground = new_ground(width, height)
    lay_out(state, ground)
    return Deepening(ground, aggression, threads, slack).search(state, 0, others, ground, depth, FOREVER)


@pytest.mark.parametrize("aggression", [0.0, 0.4])
@pytest.mark.parametrize("opponents", [0, 1, 2])
def test_it_finds_what_a_search_without_pruning_finds(opponents: int, aggression: float) -> None:
    game = game_from("speed:players=3,width=7,height=7")
    compared = 0
    for seed in range(12):
        state = random_position(game, 3, seed)
        if state.players[0, 4]:
            continue
        others = [other for _, other in nearest(state, 0)[:opponents]]
        for depth in (1, 2) if opponents == 2 else (1, 2, 3):
            plain = PlainMinimax(state, others, depth, aggression)
            head = tuple(map(int, state.players[0, :4]))
            expected = np.array(plain.values(head, plain.others, 0, plain.taken), np.float64)
            seen = search(state, others, depth, aggression)
            assert seen.values.max() == pytest.approx(expected.max())
            best = np.isfinite(expected) & (expected >= expected.max() - 1e-6)
            assert seen.good == np.flatnonzero(best).tolist()
            alive = -aggression * len(ACTIONS)
            if expected.max() >= alive:
                survived = np.flatnonzero(expected >= alive).tolist()
                assert search(state, others, depth, aggression, slack=100).good == survived
                compared += 1
    assert compared > 10


def chosen(state: SpeedState, agent: Minimax, seat: int = 0) -> Choice:
    agent.begin(Speed(), seat, 1)
    return agent.choose(View(state, seat), Clock())


def test_it_keeps_off_a_cell_that_another_may_enter_in_the_same_round() -> None:
    # Both look at the one cell between them.
    state = drawn("......\n......\n.1.2..\n......\n......", "1,2,right,1", "3,2,left,1")
    assert chosen(state, Minimax(depth=1)).move in (TURN_LEFT, TURN_RIGHT)
    assert chosen(state, Minimax(depth=2), seat=1).move not in (CHANGE_NOTHING, SPEED_UP)


def test_only_the_nearest_are_reckoned_with() -> None:
    players = ("1,2,right,1", "3,2,left,1", "0,0,right,9")
    state = drawn("3.....\n......\n.1.2..\n......\n......", *players)
    assert [other for _, other in nearest(state, 0)] == [2, 1], "the fast one is nearer by its speed"
    counted = [chosen(state, Minimax(depth=2, opponents=number)).metrics["nodes"] for number in range(3)]
    assert counted[0] < counted[1] < counted[2]


def test_threads_find_the_same() -> None:
    state = random_position(game_from("speed:width=12,height=12"), 3, 1)
    alone, together = (search(state, [1], 4, 0.3, threads) for threads in (1, 3))
    assert alone.good == together.good
    assert alone.values.max() == together.values.max()


def test_a_lost_player_holds_out_as_long_as_it_can() -> None:
    # Up are three cells, to the right there is one.
    state = drawn("2.222\n2.222\n2.222\n21.22\n22222", "1,3,right,1", "4,4,right,1")
    choice = chosen(state, Minimax(depth=12))
    assert choice.move == TURN_LEFT
    # Its three rounds are seen to the end four rounds ahead: no need to look further.
    assert (choice.metrics["depth"], choice.metrics["value"]) == (4, 3 - 4)


def test_one_seed_gives_one_choice() -> None:
    state = game_from("speed").start(new_rng(5))
    assert chosen(state, Minimax(depth=3)) == chosen(state, Minimax(depth=3))


def test_without_time_it_does_not_crash_if_it_need_not() -> None:
    agent = Minimax()
    agent.begin(Speed(), 0, 1)
    blocked = drawn("...\n11.\n22.", "1,1,up,1", "1,2,left,1")
    assert agent.choose(View(blocked, 0), Clock(move=0)).move in (CHANGE_NOTHING, TURN_RIGHT)
