"""Columns of the tables of series, comparisons, sweeps and single episodes."""

from collections.abc import Sequence

from ludus.core.text import DASH, chance, decimal, figure, percent, spoken_time, whole
from ludus.run.compare import KINDS
from ludus.run.sweep_results import Swept
from ludus.stats.participants import column_of
from ludus.views.columns import AGENT, EPISODES, OUTCOMES, Column

_PACE = (
    Column("moves", "moves", write=whole),
    Column("time", "mean", "mean time of a move", spoken_time, best="lowest"),
    Column("slowest", "slowest", "time of the slowest move", spoken_time, best="lowest"),
)


def series(seats: int) -> Sequence[Column]:
    """The columns of a series of episodes between this many players."""
    if seats == 1:
        points = [Column(name, head, write=figure) for name, head in (("points", "mean points"), ("median", "median"))]
        return (AGENT, *points, Column("best", "best", write=figure), *_PACE)
    return (
        AGENT,
        *OUTCOMES,
        Column("score", "score", "wins and half the ties" if seats == 2 else "mean share of points", percent),
        Column("points", "points", "the mean", figure),
        *_PACE,
    )


BY_SEAT = (AGENT, Column("seat", "seat", "1 moves first"), *OUTCOMES)

MOVES = (
    Column("step", "#"),
    Column("agent", "player", unknown="chance", words=True),
    Column("move", "move", unknown="", words=True),
    Column("time", "time", write=spoken_time, unknown=""),
    Column("note", "note", unknown="", words=True, if_any=True),
)

COMPARED = (
    Column("pairs", "pairs", write=whole),
    *(Column(name, name, write=whole) for name in KINDS),
    *OUTCOMES,
)


def sweep(found: Swept) -> Sequence[Column]:
    """The columns of a sweep, with one for each parameter."""
    outcomes = () if found.seats == 1 else OUTCOMES
    head, write = ("mean points", figure) if found.seats == 1 else ("score", decimal)
    return (
        *(Column(column_of(axis.parameter), axis.parameter) for axis in found.sweep.axes),
        EPISODES,
        *outcomes,
        Column("score", head, write=write, best="highest"),
        Column("interval", "95 %", unknown=DASH),
        Column("better", "better", "the chance to be better than the agent as given", chance, ""),
    )
