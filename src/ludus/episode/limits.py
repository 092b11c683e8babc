"""What the players of an episode are granted."""

from enum import StrEnum

import msgspec

from ludus.core.errors import InvalidError
from ludus.core.text import format_duration, spoken_time

START_UP = 10 * 10**9
"""Nanoseconds that a bot has to get ready, where nothing else is said."""
THINKING = 600 * 10**9
"""Nanoseconds that a bot has for a move, where nothing else is said."""
MEMORY = 2 << 30
"""Bytes that a bot's processes may hold, where nothing else is said."""


class Policy(StrEnum):
    """What happens to an illegal or late move, or a failing player."""

    LOSE = "lose"  # the player is out
    RANDOM = "random"  # a random legal move is played instead
    SOFT = "soft"  # a random legal move is played instead, but past the hard limit the player is out


class Limits(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the players of an episode are granted: times in nanoseconds, sizes in bytes; None is without limit.

    The last ones are for bots alone, for which nothing is without a limit.
    """

    preparation: int | None = None
    move: int | None = None
    total: int | None = None
    increment: int = 0
    grace: int = 10_000_000
    hard: int | None = None
    plies: int | None = None
    memory: int | None = None  # of a bot, its whole tree of processes
    policy: Policy = Policy.LOSE
    cpu: int = 3600 * 10**9  # in an episode
    output: int = 1 << 20  # in answer to one message
    files: int = 256  # open at a time
    processes: int = 64  # at a time
    disk: int = 256 << 20  # written in an episode

    def __post_init__(self) -> None:
        if self.policy is Policy.SOFT and (self.move is None or self.hard is None):
            raise InvalidError("The policy 'soft' needs two limits for a move: a soft one (move time) and a hard one.")
        if self.hard is not None and self.policy is not Policy.SOFT:
            raise InvalidError(f"A hard limit belongs to the policy 'soft', but the policy is '{self.policy}'.")
        if self.hard is not None and self.move is not None and self.hard < self.move:
            raise InvalidError(
                f"The hard limit {format_duration(self.hard)} is below the move time {format_duration(self.move)}."
            )
        if self.increment and self.total is None:
            raise InvalidError("An increment is added to a total time: give the total as well.")

    def lateness(self, granted: int, wall: int, cpu: int, waited: int) -> str:
        """How late an answer was, and whether that time was spent on thinking or on waiting for a core."""
        return (
            f"after {spoken_time(wall)} where {format_duration(granted)} and {format_duration(self.grace)} of grace "
            f"are granted: {spoken_time(cpu)} of CPU, {spoken_time(waited)} of waiting for a core"
        )

    def for_bots(self) -> "Limits":
        """The limits of a bot: nothing is without one."""
        filled = {"preparation": START_UP, "memory": MEMORY}
        if self.move is None and self.total is None:
            filled["move"] = THINKING
        changes = {name: value for name, value in filled.items() if getattr(self, name) is None}
        return msgspec.structs.replace(self, **changes) if changes else self


UNLIMITED = Limits()
