"""The frames of a tournament's results in order: the name of each in JSON, its title and its columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ludus.core.text import decimal, percent, plural, spoken_time, whole
from ludus.stats.clock import shortest_reliable
from ludus.stats.results import Results
from ludus.views import columns, data_columns, move_columns
from ludus.views.column import Column, with_derived


@dataclass(frozen=True)
class ResultTable:
    """A frame of results, and its presentation."""

    name: str
    """The name in JSON."""
    read: Callable[..., pl.DataFrame]
    title: str = ""
    columns: Callable[[Results], Sequence[Column]] = lambda results: ()
    suits: Callable[[Results], bool] = lambda results: True
    shown: bool = True
    """False for data for charts and programs."""
    option: str = ""
    """The option of `ludus results` that shows the table."""
    from_records: bool = False
    """True if it needs all records, which is slow."""
    small_fields: bool = False
    """True if pages of large fields leave it out: it would be slow, or too long to read."""
    on_request: bool = False
    """True if JSON has it only if it is asked for, since it takes long."""
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


def by_rounds(results: Results) -> bool:
    """True if the format ranks by rounds, in which most pairs never meet: a knockout, or a Swiss tournament."""
    return bool(results.by_format.orders)


def _rounds(results: Results) -> Sequence[Column]:
    return [columns.RUN, *columns.ROUNDS] if _repeated(results) else columns.ROUNDS


def _departures(results: Results) -> Sequence[Column]:
    return [columns.RUN, *columns.DEPARTURES] if _repeated(results) else columns.DEPARTURES


def _by_match(results: Results) -> Sequence[Column]:
    return [columns.RUN, *move_columns.TIMING_BY_MATCH] if _repeated(results) else move_columns.TIMING_BY_MATCH


_RANKED = {
    1: "Ranked by the mean score; all agents play the same seeds.",
    2: "Ranked by Bradley–Terry ratings, which allow for the strength of opponents and the advantage of moving first.",
}
_RANKED_BY_FORMAT = {
    "place": "Ranked by the round reached in the knockout, then by Bradley–Terry ratings.",
    "points": "Ranked by points, then by Buchholz, then by Bradley–Terry ratings.",
}
_RANKED_SEVERAL = "Ranked by Plackett–Luce ratings of the order in which players finished."


_NASH = "Scores count as they were played, without error bars: where pairs are close, play more episodes."


def _ranked(results: Results) -> str:
    for name in results.by_format.orders:
        return _RANKED_BY_FORMAT[name]
    return _RANKED.get(results.seats, _RANKED_SEVERAL)


def _saved(results: Results) -> str:
    saved, full = results.by_format.saved
    if not full:
        return ""
    return (
        f"This saved {whole(saved)} of {plural(full, 'episode')} of a full double round robin "
        f"({percent(saved / full, 0)})."
    )


def _how_far(standings: pl.DataFrame) -> str:
    if "low" not in standings.columns:
        return ""
    is_open = pl.col("low").is_null() | pl.col("high").is_null()
    if standings.filter(pl.col("rating").is_not_null() & is_open).is_empty():
        return ""
    return " An agent that won or lost everything may be any distance away."


def _over_repetitions(results: Results) -> str:
    complete, planned = len(results.complete_repetitions), results.tournament.repetitions
    over = "the repetitions" if complete == planned else f"the {complete} complete repetitions of {planned}"
    return f"Means with their deviations over {over}; ranks are compared with this order, by mean ratings."


def _how_even(results: Results) -> str:
    if results.seats != 2 or results.by_format.orders or not len(symmetry := results.symmetry()):
        return ""
    by_seat, by_agent = symmetry.select(pl.col("by_seat", "by_agent").mean()).row(0)
    cause = "who moves first" if by_seat < by_agent else "the agents"
    return (
        f"Results depend mostly on {cause}: when two agents swap seats, an agent's score changes by "
        f"{decimal(by_agent, 2)} on average, the first mover's by {decimal(by_seat, 2)}."
    )


def _too_short(results: Results, frame: pl.DataFrame) -> str:
    """A note on marked times; empty if no time is marked."""
    shortest = (
        frame.select(pl.min_horizontal(move_columns.CLOCKED & set(frame.columns)).min()).item() if len(frame) else None
    )
    if shortest is None or shortest >= (reliable := shortest_reliable()):
        return ""
    return f"~: shorter than {spoken_time(reliable)}, from which this machine times reliably ('ludus study clock')."


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
            lambda results: columns.standings(results.seats, results.by_format.orders),
            note=lambda results, frame: _ranked(results) + _how_far(frame),
        ),
        ResultTable("rounds", Results.rounds, "Rounds", _rounds, by_rounds),
        ResultTable(
            "departures",
            Results.departures,
            "Left early",
            _departures,
            lambda results: bool(len(results.departures())),
            note=lambda results, frame: _saved(results),
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
        ResultTable(
            "repetitions",
            Results.repetitions,
            "Ranks by repetition",
            lambda results: data_columns.repetitions(results.seats),
            _repeated,
            shown=False,
        ),
        ResultTable(
            "crosstable",
            Results.crosstable,
            "Cross table",
            lambda results: data_columns.crosstable(_repeated(results)),
            _two,
            small_fields=True,
            shown=False,
        ),
        ResultTable(
            "symmetry",
            Results.symmetry,
            "Seats and agents",
            lambda results: data_columns.symmetry(_repeated(results)),
            _two,
            small_fields=True,
            shown=False,
        ),
        ResultTable(
            "ahead",
            Results.ahead,
            "Pairwise results",
            lambda results: data_columns.AHEAD,
            _not_two,
            shown=False,
            small_fields=True,
        ),
        ResultTable(
            "nash",
            Results.nash,
            "Nash averaging and α-rank",
            lambda results: columns.NASH,
            _two,
            option="nash",
            on_request=True,
            empty="Nash averaging and α-rank need every pair of agents to have met, as in a round robin.",
            note=lambda results, frame: _NASH,
        ),
        ResultTable(
            "by_seat",
            Results.by_seat,
            "Results by seat",
            lambda results: columns.MOVERS if _two(results) else columns.SEATS,
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
        ResultTable(
            "course",
            Results.course,
            "Ratings over the matches",
            lambda results: data_columns.COURSE,
            _rated,
            shown=False,
            small_fields=True,
        ),
        ResultTable(
            "match_results",
            Results.match_results,
            "Matches",
            lambda results: data_columns.match_results(results.seats),
            shown=False,
        ),
        ResultTable("timing", Results.timing, "Times", lambda results: move_columns.TIMING, note=_too_short),
        ResultTable(
            "timing_by_match",
            lambda results: results.timing("match"),
            "Times by match",
            _by_match,
            option="matches",
            small_fields=True,
            note=_too_short,
        ),
        ResultTable(
            "strength_speed",
            Results.strength_speed,
            "Strength and time",
            lambda results: data_columns.strength_speed(results.seats),
            shown=False,
        ),
        ResultTable("endings", Results.endings, "Endings", lambda results: move_columns.endings(results.played)),
        ResultTable(
            "faults",
            Results.faults,
            "Faults",
            lambda results: move_columns.FAULTS,
            option="faults",
            from_records=True,
            on_request=True,
            empty="There were no faults.",
            note=lambda results, frame: _first_fault(frame),
        ),
        ResultTable(
            "remarks",
            Results.remarks,
            "Remarks on bots",
            lambda results: move_columns.REMARKS,
            option="faults",
            from_records=True,
            on_request=True,
            empty="There are no remarks.",
        ),
        ResultTable(
            "metrics",
            Results.metrics,
            "Metrics of moves",
            lambda results: move_columns.METRICS,
            option="metrics",
            from_records=True,
            on_request=True,
            empty="No agent reported metrics.",
        ),
        ResultTable(
            "usage",
            Results.usage,
            "Resources of bots",
            lambda results: move_columns.USAGE,
            option="metrics",
            from_records=True,
            on_request=True,
            empty="No bot took part.",
        ),
    )
}
