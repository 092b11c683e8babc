"""What an answer cost, by the referee's clock."""

SLOWEST_CLOCK = 10
"""The referee's clock counts at least one of so many nanoseconds."""


def on_the_clock(wall: int, cpu: int, waited: int) -> int:
    """What a move took by the referee's clock, in nanoseconds: its wall time without what it waited for a core.

    But no less than its CPU time, so that threads which wait for each other gain nothing, and no more than its wall
    time; and the clock never stands for long.
    """
    return min(wall, max(wall - waited, cpu, wall // SLOWEST_CLOCK))
