"""The study of the clock in words, tables and figures."""

from typing import TYPE_CHECKING

import polars as pl

from ludus.core.text import percent, spoken_time, whole
from ludus.stats.clock import RELIABLE, ClockTest, errors
from ludus.views.column import Column
from ludus.views.study_views import Study, StudyFigure, StudyTable

if TYPE_CHECKING:
    from ludus.views.charts.chart_list import Drawn

_SORTS = (
    Column("numbers", "numbers", write=whole),
    Column("sorts", "sorts"),
    Column("median", "median", write=spoken_time),
    Column("mean", "mean", write=spoken_time),
    Column("error", "error", "standard deviation of the sorts, as a share of their mean", percent),
    Column("outliers", "outliers", "sorts beyond 1.5 interquartile ranges from the quartiles"),
    Column("kept_error", "without\noutliers", write=percent),
    Column("fastest", "fastest", write=spoken_time, aside=True),
    Column("slowest", "slowest", write=spoken_time, aside=True),
)


def clock_study(measured: ClockTest) -> Study:
    """The study of the clock: the shortest interval that this machine times reliably."""
    table = errors(measured.sorts)
    found = [
        f"The clock steps by at least {spoken_time(measured.tick)}; a reading takes {spoken_time(measured.reading)}.",
        verdict(measured),
    ]
    named = table.with_columns(agent=pl.format("{} numbers", "numbers"), moves=pl.col("sorts"))

    def errors_drawn() -> "Drawn":
        from ludus.views.charts import study_charts

        return study_charts.clock_errors(table, RELIABLE)

    def times_drawn() -> "Drawn":
        from ludus.views.charts import boxes

        return boxes.move_times(named, "time of a sort")

    return Study(
        "The clock",
        found,
        [StudyTable("sorts", table, "Insertion sorts", _SORTS)],
        [
            StudyFigure("Relative error", "Equal sorts should take equal times.", errors_drawn),
            StudyFigure("Times of sorts", "Fastest, quartiles, slowest, and the mean as a ring.", times_drawn),
        ],
    )


def verdict(measured: ClockTest) -> str:
    """One sentence on the shortest reliable time."""
    limit = f"a relative error of at most {percent(RELIABLE, 0)} without outliers"
    if measured.reliable is None:
        return f"No time is reliable: no sorts have {limit}. Repeat the study on an idle machine."
    last = ", the shortest that was tried" if measured.reliable == round(measured.shortest) else ""
    return f"Times are reliable from {spoken_time(measured.reliable)}{last}: {limit}."
