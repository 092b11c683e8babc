"""The frames of a tournament's results in order: the name of each in JSON, its title and its columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ludus.core.text import decimal
from ludus.stats.results import Results
from ludus.views import columns
from ludus.views.columns import Column, with_derived


@dataclass(frozen=True)
class ResultTable:
    """A frame of results, and its presentation; a frame without columns is data for charts and programs."""

    name: str
    """The name in JSON."""
    read: Callable[..., pl.DataFrame]
    title: str = ""
    columns: Callable[[Results], Sequence[Column]] = lambda results: ()
    suits: Callable[[Results], bool] = lambda results: True
    option: str = ""
    """The option of `ludus results` that shows the table."""
    from_records: bool = False
    """True if it needs all records, which is slow."""
    empty: str = ""
    """The text shown if it has no rows."""
    note: Callable[[Results, pl.DataFrame], str] = lambda results, frame: ""
    """A note needed to read it."""
    arranged: Callable[[pl.DataFrame], pl.DataFrame] = lambda frame: frame
    """The rows in the arrangement for people."""

    def frame(self, results: Results, **options: Any) -> pl.DataFrame:
        """The frame with every declared column."""
        return with_derived(self.read(results, **options), self.columns(results))


def _one(results: Results) -> bool:
    return results.seats == 1


def _two(results: Results) -> bool:
    return results.seats == 2


def _not_two(results: Results) -> bool:
    return results.seats != 2


def _rated(results: Results) -> bool:
    return results.seats > 1


def _several(results: Results) -> bool:
    return results.seats > 2


def _repeated(results: Results) -> bool:
    return results.tournament.repetitions > 1


def _by_match(results: Results) -> Sequence[Column]:
    return [columns.RUN, *columns.TIMING_BY_MATCH] if _repeated(results) else columns.TIMING_BY_MATCH


_RANKED = {
    1: "Ranked by the mean score; all agents play the same seeds.",
    2: "Ranked by Bradley–Terry ratings, which allow for the strength of opponents and the advantage of moving first.",
}
_RANKED_SEVERAL = "Ranked by Plackett–Luce ratings of the order in which players finished."


def _over_repetitions(results: Results) -> str:
    complete, planned = len(results.complete_repetitions), results.tournament.repetitions
    over = "the repetitions" if complete == planned else f"the {complete} complete repetitions of {planned}"
    return f"Means with their deviations over {over}; ranks are compared with this order, by mean ratings."


def _how_even(results: Results) -> str:
    if results.seats != 2 or not len(symmetry := results.symmetry()):
        return ""
    by_seat, by_agent = symmetry.select(pl.col("by_seat", "by_agent").mean()).row(0)
    cause = "who moves first" if by_seat < by_agent else "the agents"
    return (
        f"Results depend mostly on {cause}: when two agents swap seats, an agent's score changes by "
        f"{decimal(by_agent, 2)} on average, the first mover's by {decimal(by_seat, 2)}."
    )


def _first_fault(faults: pl.DataFrame) -> str:
    return f"‘ludus replay {faults['episode'][0]} --log’ shows the first one with the output of its bots."


def _place_by_place(places: pl.DataFrame) -> pl.DataFrame:
    """A row for each agent and seat, with a column for each place."""
    by_seat = places.with_columns(place=pl.format("place_{}", "place"))
    return by_seat.pivot("place", index=["agent", "seat"], values="episodes")


TABLES = {
    table.name: table
    for table in (
        ResultTable(
            "standings",
            Results.standings,
            "Standings",
            lambda results: columns.standings(results.seats),
            note=lambda results, frame: _RANKED.get(results.seats, _RANKED_SEVERAL),
        ),
        ResultTable(
            "stability",
            Results.stability,
            "Over the repetitions",
            lambda results: columns.stability(results.seats),
            _repeated,
            empty="No repetition is complete yet.",
            note=lambda results, frame: _over_repetitions(results),
        ),
        ResultTable("shifts", Results.shifts, "Repetition by repetition", lambda results: columns.SHIFTS, _repeated),
        ResultTable("repetitions", Results.repetitions, suits=_repeated),
        ResultTable("crosstable", Results.crosstable, suits=_two),
        ResultTable("symmetry", Results.symmetry, suits=_two),
        ResultTable("ahead", Results.ahead, suits=_not_two),
        ResultTable(
            "by_seat",
            Results.by_seat,
            "Results by seat",
            lambda results: columns.SEATS,
            _rated,
            note=lambda results, frame: _how_even(results),
        ),
        ResultTable(
            "places",
            Results.places,
            "Places by seat",
            lambda results: columns.places(results.seats),
            _several,
            arranged=_place_by_place,
        ),
        ResultTable("course", Results.course, suits=_rated),
        ResultTable("timing", Results.timing, "Times", lambda results: columns.TIMING),
        ResultTable(
            "timing_by_match", lambda results: results.timing("match"), "Times by match", _by_match, option="matches"
        ),
        ResultTable("strength_speed", Results.strength_speed),
        ResultTable("endings", Results.endings, "Endings", lambda results: columns.endings(results.played)),
        ResultTable(
            "faults",
            Results.faults,
            "Faults",
            lambda results: columns.FAULTS,
            option="faults",
            from_records=True,
            empty="There were no faults.",
            note=lambda results, frame: _first_fault(frame),
        ),
        ResultTable(
            "remarks",
            Results.remarks,
            "Remarks on bots",
            lambda results: columns.REMARKS,
            option="faults",
            from_records=True,
            empty="There are no remarks.",
        ),
        ResultTable(
            "metrics",
            Results.metrics,
            "Metrics of moves",
            lambda results: columns.METRICS,
            option="metrics",
            from_records=True,
            empty="No agent reported metrics.",
        ),
        ResultTable(
            "usage",
            Results.usage,
            "Resources of bots",
            lambda results: columns.USAGE,
            option="metrics",
            from_records=True,
            empty="No bot took part.",
        ),
    )
}
