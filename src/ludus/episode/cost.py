"""Costs: what an answer took of time, computing and memory."""

import msgspec

SLOWEST_CLOCK = 10
"""The referee's clock counts at least one of so many nanoseconds."""


class Cost(msgspec.Struct, kw_only=True, omit_defaults=True, gc=False):
    """The cost of an answer, of a move or of getting ready; what was not measured is 0."""

    wall: int = 0
    """Nanoseconds that went by."""
    cpu: int = 0
    """Nanoseconds of computing: of an agent its thread, of a bot all threads of all its processes added up."""
    waited: int = 0
    """Nanoseconds of waiting for a core, which `wall` includes; of several threads the longest."""
    memory: int = 0
    """Of a bot, the most bytes that its processes were seen to hold."""

    @property
    def on_the_clock(self) -> int:
        """Nanoseconds by the referee's clock: the wall time without what was waited for a core.

        But no less than the CPU time, so that threads which wait for each other gain nothing, and no more than the wall
        time; and the clock never stands for long.
        """
        wall = self.wall
        return min(wall, max(wall - self.waited, self.cpu, wall // SLOWEST_CLOCK))
