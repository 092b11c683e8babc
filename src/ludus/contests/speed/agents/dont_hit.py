"""dontHit: the first action of a list that is survived."""

from typing import ClassVar

from ludus.agents.agent import Choice, Clock, View
from ludus.contests.speed.agents.agent import SpeedAgent, priorities_from
from ludus.contests.speed.agents.walking import first_safe, shuffle
from ludus.contests.speed.game import SPEED_UP
from ludus.core.spec import param

FIXED, RANDOM, SEMI_RANDOM = "fixed", "random", "semi-random"


class DontHit(SpeedAgent):
    """Takes the first action of its list of priorities that it survives; if there is none, it speeds up.

    With order=random the list is shuffled anew for every move; with order=semi-random its first action stays the first.
    """

    name: ClassVar[str] = "speed.dont-hit"

    priorities: str = param("change_nothing-turn_right-turn_left", "actions to try, the first one first, joined by -")
    order: str = param(FIXED, "how the list is ordered for a move", choices=(FIXED, RANDOM, SEMI_RANDOM))

    def __post_init__(self) -> None:
        self._priorities = priorities_from(self.priorities, self.name)

    def choose(self, view: View, clock: Clock) -> Choice:
        self.look(view)
        actions = self._priorities.copy()
        if self.order != FIXED:
            shuffled = actions[1:] if self.order == SEMI_RANDOM else actions
            shuffle(shuffled, len(shuffled), self._rng)
        safe = int(first_safe(self._ground, self._head, self._now, actions, len(actions)))
        action = SPEED_UP if safe < 0 else safe
        return self.answer(action, {"trapped": int(safe < 0)}, [action])
