"""Agents of spe_ed that look no further than the next round: Straight, Basic and dontHit."""

import time
from typing import ClassVar

import numpy as np

from ludus.agents.agent import Choice, Clock, View
from ludus.contests.speed.agents.agent import SpeedAgent, priorities_from
from ludus.contests.speed.agents.walking import first_safe, shuffle
from ludus.contests.speed.game import CHANGE_NOTHING, SPEED_UP, TURN_LEFT, TURN_RIGHT
from ludus.core.spec import Duration, param
from ludus.games.game import Game
from ludus.kernel.rng import new_rng


class Straight(SpeedAgent):
    """Always goes straight on: for testing connections and, with a delay, deadlines.

    It waits for its delay whatever the clock says: use a delay longer than the deadline to test lateness.
    """

    name: ClassVar[str] = "speed.straight"

    delay: Duration = param(0, "delay of each answer", low=0)

    def is_deterministic(self, game: Game) -> bool:
        return True

    def prepare(self, game: Game) -> None:
        """Prepare as usual, but without the delay."""
        self.begin(game, 0, 0)
        self._go_on(View(game.start(new_rng(0)), 0))

    def choose(self, view: View, clock: Clock) -> Choice:
        time.sleep(self.delay / 1e9)
        return self._go_on(view)

    def _go_on(self, view: View) -> Choice:
        if self.layers:
            self.look(view)
        return self.answer(CHANGE_NOTHING, {}, [CHANGE_NOTHING])


_ORDER = np.array([CHANGE_NOTHING, TURN_LEFT, TURN_RIGHT])


class Basic(SpeedAgent):
    """Goes straight on as long as possible, else to the left, else to the right; never changes its speed."""

    name: ClassVar[str] = "speed.basic"

    def is_deterministic(self, game: Game) -> bool:
        return True

    def choose(self, view: View, clock: Clock) -> Choice:
        self.look(view)
        safe = int(first_safe(self._ground, self._head, self._now, _ORDER, len(_ORDER)))
        action = CHANGE_NOTHING if safe < 0 else safe
        return self.answer(action, {"trapped": int(safe < 0)}, [action])


FIXED, RANDOM, SEMI_RANDOM = "fixed", "random", "semi-random"


class DontHit(SpeedAgent):
    """Takes the first action of its list of priorities that it survives; if there is none, it speeds up.

    With order=random the list is shuffled for every move; with order=semi-random its first action stays first.
    """

    name: ClassVar[str] = "speed.dont-hit"

    priorities: str = param("change_nothing-turn_right-turn_left", "actions to try, in this order, joined by -")
    order: str = param(FIXED, "order of the list for a move", choices=(FIXED, RANDOM, SEMI_RANDOM))

    def __post_init__(self) -> None:
        self._priorities = priorities_from(self.priorities, self.name)

    def is_deterministic(self, game: Game) -> bool:
        return self.order == FIXED

    def choose(self, view: View, clock: Clock) -> Choice:
        self.look(view)
        actions = self._priorities.copy()
        if self.order != FIXED:
            shuffled = actions[1:] if self.order == SEMI_RANDOM else actions
            shuffle(shuffled, len(shuffled), self._rng)
        safe = int(first_safe(self._ground, self._head, self._now, actions, len(actions)))
        action = SPEED_UP if safe < 0 else safe
        return self.answer(action, {"trapped": int(safe < 0)}, [action])
