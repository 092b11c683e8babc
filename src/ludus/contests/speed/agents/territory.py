"""`speed.territory`: a search for territory, and for the longest path once nobody else can enter it."""

import time
from typing import ClassVar

import numpy as np

from ludus.agents.agent import Choice, Clock, View
from ludus.agents.layers import PROBABILITY
from ludus.contests.speed.agents.agent import TimedAgent
from ludus.contests.speed.agents.duel import (
    DEPTH,
    FIRST_MOVE,
    HORIZON,
    ME,
    MOST_DEPTH,
    NODE_LIMIT,
    NODES,
    NOW,
    OPTIONS,
    RIVAL,
    STOPPED,
    TOP_PACE,
    decide,
    new_duel,
)
from ludus.contests.speed.agents.escaping import find_escape, look_around, new_escape
from ludus.contests.speed.agents.filling import TRIES, fill, new_filling
from ludus.contests.speed.agents.leaving import BEHIND, MOVES, RUN, new_leaving, plan_to_leave
from ludus.contests.speed.agents.voronoi import CELLS, MEETS, divide, new_field, survey, territory
from ludus.contests.speed.agents.walking import HEADING, PACE, PLACE, ahead, reachable, stand, unwalk, walk
from ludus.contests.speed.game import ACTIONS, CHANGE_NOTHING, FELL, SPEED_UP, TURN_LEFT, TURN_RIGHT, X, Y
from ludus.core.kinds import MOST_COUNT
from ludus.core.spec import param
from ludus.games.game import Game
from ludus.kernel.deadline import FOREVER, new_watch
from ludus.kernel.rules import Array

_CLOSE = 3  # cells beyond a rival's speed within which it may be in the way next round
_WORTH_LEAVING = 1.5  # minimum ratio of the space outside to that inside
_COST_OF_LEAVING = 10  # cells


class Territory(TimedAgent):
    """Claims the cells that it can reach before the others.

    It looks ahead as if its nearest rival knew its moves, and counts the cells that each player would reach first. Once
    nobody else can enter its space, it looks for the longest path there, and for one that ends with a jump into another
    space; until then, it jumps if that gains more space. Its layer of probabilities shows the cells
    that others reach first.
    """

    name: ClassVar[str] = "speed.territory"

    depth: int | None = param(None, "rounds to look ahead", low=1, high=MOST_DEPTH)
    nodes: int | None = param(None, "positions to look at for a move", low=1, high=MOST_COUNT)
    caution: float = param(0.5, "weight of a rival's worst answer, against its likely answers", low=0, high=1)
    top: int = param(2, "maximum speed", low=1, high=10)

    def prepare(self, game: Game) -> None:
        super().prepare(game)
        self._filling.watch[:] = self._duel.watch
        fill(self._ground, self._filling, int(self._head[PLACE]), 0, self._rng)
        plan_to_leave(self._ground, self._escape, self._plan, self._filling, self._head, self._now, 0, self._rng)
        self._way_out()

    def begin(self, game: Game, seat: int, seed: int) -> None:
        super().begin(game, seat, seed)
        self._seats = game.seats
        self._leaving = False
        self._layers: dict[str, Array] = {}
        self._duel = new_duel(game.seats)
        self._options = np.zeros(OPTIONS, np.int64)

    def _make_room(self) -> None:
        width, height = self._size
        self._field = new_field(width, height, self._seats)
        self._filling = new_filling(len(self._ground.cells))
        self._escape = new_escape(len(self._ground.cells))
        self._plan = new_leaving(len(self._ground.cells))
        self._headings = {int(ahead(self._ground, heading)): heading for heading in range(4)}

    def choose(self, view: View, clock: Clock) -> Choice:
        self._until = self.until(clock, self.depth if self.nodes is None else self.nodes)
        self.look(view)
        duel, heads, me = self._duel, self._duel.heads[0], view.seat
        duel.watch[:] = new_watch(self._until)
        duel.counts[:] = 0
        for player in range(self._seats):
            heads[player] = 0
            if view.state.players[player, FELL] == 0:
                stand(view.state, player, self._ground, heads[player])
        survey(self._ground, self._field)
        divide(self._ground, self._field, heads, self._now, me)
        share = int(self._field.sizes[me, CELLS]) / max(1, int(self._field.sizes[:, CELLS].sum()))
        rival, distance = self._nearest(view)
        alone = not self._field.sizes[me, MEETS] and distance > heads[rival, PACE] + _CLOSE
        metrics = {"share": share}
        self._layers = {}
        if self.layers:
            cells = [territory(self._field, player, self._size[0]) for player in range(self._seats) if player != me]
            self._layers[PROBABILITY] = np.any(cells, axis=0)
        inside = int(look_around(self._ground, self._escape, heads, me))
        if inside >= 0 and alone and self._head[PACE] == 1 and not self._is_free_behind():
            self._leaving = False
            return self._fill(metrics)
        mine = int(self._field.sizes[me, CELLS])
        if self._leaving or is_better(int(self._escape.sizes.max()), mine):
            outside = self._way_out()
            if outside > 0 and (self._leaving or is_better(outside, mine)):
                return self._leave(metrics)
        self._leaving = False
        return self._search(view, -1 if alone else rival, metrics)

    def _is_free_behind(self) -> bool:
        """True if the cell behind it is free, as at a start: paths would lead there, but no move does."""
        behind = self._head[PLACE] - ahead(self._ground, self._head[HEADING])
        return bool(self._ground.cells[behind] == 0)

    def _nearest(self, view: View) -> tuple[int, int]:
        """The nearest of the others, and its distance in cells."""
        players, me = view.state.players, view.seat
        others = [player for player in range(self._seats) if player != me and players[player, FELL] == 0]
        distances = [int(abs(players[me, [X, Y]] - players[other, [X, Y]]).sum()) for other in others]
        return others[int(np.argmin(distances))], min(distances)

    def _widest(self) -> int:
        """The move after which most cells can be reached, if nobody else moves."""
        best, most, after = CHANGE_NOTHING, -1, np.zeros_like(self._head)
        for action in range(len(ACTIONS)):
            if walk(self._ground, self._head, action, self._now, self._mark, after):
                size = int(reachable(self._ground, int(after[PLACE]), self._escape.queue))
                if size > most:
                    best, most = action, size
                unwalk(self._ground, after, self._now)
        return best

    def _search(self, view: View, rival: int, metrics: dict[str, float]) -> Choice:
        duel, options = self._duel, self._options
        options[:] = 0
        options[ME], options[RIVAL], options[NOW] = view.seat, rival, self._now
        options[NODE_LIMIT] = self.nodes or FOREVER
        options[TOP_PACE] = self.top
        best, value, reached = self._widest(), 0.0, 0
        line = [best]
        for depth in range(1, (self.depth or MOST_DEPTH) + 1):
            options[DEPTH], options[FIRST_MOVE] = depth, best
            found = int(decide(self._ground, self._field, duel, options, self.caution))
            if found >= 0:
                best, value = int(duel.moves[0, 0, found]), float(duel.values[found])
                line = duel.lines[0, 0, 1 : duel.lines[0, 0, 0] + 1].tolist()
            if duel.counts[STOPPED]:
                break
            reached = depth
            if not duel.counts[HORIZON]:
                break
        metrics |= {"depth": reached, "nodes": int(duel.counts[NODES]), "value": value}
        return self.answer(best, metrics, line, **self._layers)

    def _fill(self, metrics: dict[str, float]) -> Choice:
        """Follow the longest path, or one that ends with a jump into another space."""
        ground, filling, leaving, head = self._ground, self._filling, self._plan, self._head
        tries = self.nodes if self.nodes is not None else self.depth if self.depth is not None else MOST_COUNT
        filling.watch[:] = new_watch(_part(self._until, 2))
        length = int(fill(ground, filling, int(head[PLACE]), tries, self._rng))
        filling.watch[:] = new_watch(self._until)
        total = plan_to_leave(ground, self._escape, leaving, filling, head, self._now, tries, self._rng)
        metrics |= {"depth": length, "nodes": int(filling.counts[TRIES]), "outside": int(leaving.facts[BEHIND])}
        if total > length + _COST_OF_LEAVING:
            self._leaving = leaving.facts[MOVES] == 0
            path = [*self._actions(leaving.plan[: leaving.facts[MOVES] + 1]), *[SPEED_UP] * int(leaving.facts[RUN])]
        else:
            path = self._actions(filling.best[: length + 1])
        return self.answer(path[0] if path else self._widest(), metrics, path, **self._layers)

    def _leave(self, metrics: dict[str, float]) -> Choice:
        moves = self._escape.best[1 : self._escape.best[0] + 1].tolist()
        self._leaving = len(moves) > 1
        metrics |= {"depth": len(moves), "nodes": 0}
        return self.answer(moves[0], metrics, moves, **self._layers)

    def _way_out(self) -> int:
        """The size of the space that can be reached by a jump within some rounds."""
        # Uses a separate watch: one calibrated for these quick steps would read the clock too rarely in a search.
        watch = new_watch(_part(self._until, 4))
        return int(find_escape(self._ground, self._escape, self._head, self._now, self._mark, watch))

    def _actions(self, places: Array) -> list[int]:
        """The actions that lead along a path at speed 1."""
        actions, heading = [], int(self._head[HEADING])
        for step in np.diff(places).tolist():
            turned = self._headings[step]
            actions.append({0: CHANGE_NOTHING, 1: TURN_RIGHT, 3: TURN_LEFT}[(turned - heading) % 4])
            heading = turned
        return actions


def is_better(outside: int, mine: int) -> bool:
    """True if a space outside is worth the cells lost on the way there, and the cells that are mine here."""
    return outside > _WORTH_LEAVING * mine + _COST_OF_LEAVING


def _part(until: int, parts: int) -> int:
    """The moment when the given fraction of the remaining time has passed."""
    now = time.monotonic_ns()
    return until if until >= FOREVER else now + (until - now) // parts
