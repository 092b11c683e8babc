"""Costs of an answer in time, computing and memory."""

import msgspec

SLOWEST_CLOCK = 10
"""The coarsest clock of the referee, in nanoseconds."""


class Cost(msgspec.Struct, kw_only=True, omit_defaults=True, gc=False):
    """The cost of an answer, of a move or of getting ready; values that were not measured are 0."""

    wall: int = 0
    """Elapsed time in nanoseconds."""
    cpu: int = 0
    """CPU time in nanoseconds: of an agent's thread, or of all threads of all processes of a bot."""
    waited: int = 0
    """Nanoseconds of waiting for a core, included in `wall`; the longest of several threads."""
    memory: int = 0
    """For a bot, the highest measured memory of its processes in bytes."""

    @property
    def on_the_clock(self) -> int:
        """Nanoseconds on the referee's clock: the wall time without waiting for a core.

        At least the CPU time, so that threads that wait for each other gain nothing, and at most the wall time; and the
        clock never stops for long.
        """
        wall = self.wall
        return min(wall, max(wall - self.waited, self.cpu, wall // SLOWEST_CLOCK))
