"""Columns of the table after `ludus play`: a series of episodes between the same agents."""

from collections.abc import Sequence

from ludus.core.text import percent, spoken_time, whole
from ludus.views.column import Column
from ludus.views.columns import AGENT, BEST, MEAN, MEDIAN, OUTCOMES


def series(seats: int) -> Sequence[Column]:
    """The columns of a series of episodes between this many players."""
    score = "wins and half the ties" if seats == 2 else "points for places: 1 for the first, 0 for the last"
    results = (*OUTCOMES, Column("score", "score", score, percent, best="highest"), MEAN)
    return (
        AGENT,
        *((MEAN, MEDIAN, BEST) if seats == 1 else results),
        Column("moves", "moves", write=whole),
        Column("time", "time", "mean time of a move", spoken_time, best="lowest"),
        Column("slowest", "slowest", "time of the slowest move", spoken_time, best="lowest"),
    )


BY_SEAT = (AGENT, Column("seat", "seat"), *OUTCOMES)
