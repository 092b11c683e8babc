"""Columns of the tables of comparisons, sweeps and single episodes."""

from collections.abc import Sequence

from ludus.core.text import DASH, chance, decimal, figure, spoken_time, whole
from ludus.run.compare import KINDS
from ludus.run.sweep_results import Swept
from ludus.stats.participants import column_of
from ludus.views.column import Column
from ludus.views.columns import EPISODES, OUTCOMES

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
