"""Studies as people see them: sentences on the findings, tables, matrices and figures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from ludus.core.errors import InvalidError
from ludus.core.text import DASH, decimal, did_you_mean, figure, listing, percent, plural, rounded, signed, whole
from ludus.run.study_plans import StudyPlan
from ludus.stats import studies
from ludus.stats.rank_shifts import stability
from ludus.stats.results import orders
from ludus.stats.studies import TOP, StudySetting
from ludus.views import columns
from ludus.views.column import Column
from ludus.views.columns import AGENT, RANK, RATING_AXIS
from ludus.views.short_names import explained, shown_names

if TYPE_CHECKING:
    from ludus.stats.results import Results
    from ludus.views.charts.chart_list import Drawn


class RatingAxis(NamedTuple):
    """A rating by which a study ranks: its name on axes, its presentation in tables."""

    title: str
    write: Callable[[float], str]


MEASURES = {
    "rating": RatingAxis(RATING_AXIS, signed),
    "glicko": RatingAxis("Glicko-2", rounded),
    "fide": RatingAxis("Elo (FIDE)", rounded),
    "uscf": RatingAxis("Elo (USCF)", rounded),
    "wtl": RatingAxis("score", percent),
    "points": RatingAxis("points", decimal),
}
"""The ratings by which a study may rank; a tournament has some of them."""


@dataclass(frozen=True)
class StudyTable:
    """A frame of a study; one without columns is data for programs."""

    name: str
    frame: pl.DataFrame
    title: str = ""
    columns: Sequence[Column] = ()
    note: str = ""
    grouped: bool = False
    """True if columns whose names end with the same number belong together."""


@dataclass(frozen=True)
class StudyMatrix:
    """Agents against agents: in each cell a mean and its deviation."""

    title: str
    cells: dict[tuple[str, str], tuple[float, float | None]]
    note: str


@dataclass(frozen=True)
class StudyFigure:
    """A chart of a study, drawn on demand, since Altair is slow to import."""

    title: str
    sentence: str
    draw: Callable[[], "Drawn"]
    names_agents: bool = True

    def titled(self, agents: Sequence[str]) -> "Drawn":
        """The chart as a picture of its own, with its title, a sentence, and the meaning of short names."""
        from ludus.views.charts.theme import framed, titled

        meaning = explained(agents) if self.names_agents else ""
        names = f"Names are short for {meaning}." if meaning else ""
        return framed(titled(self.draw(), self.title, self.sentence, names))


@dataclass(frozen=True)
class Study:
    """A study: its findings in sentences, its tables, matrices and figures, the first of which is the main one."""

    title: str
    found: Sequence[str]
    tables: Sequence[StudyTable]
    figures: Sequence[StudyFigure]
    matrices: Sequence[StudyMatrix] = ()
    order: Sequence[str] = ()
    """The agents, the best first."""


def ends(low: float | None, high: float | None, write: Callable[[float], str]) -> str:
    """An interval in figures."""
    return DASH if low is None or high is None else f"{write(low)} to {write(high)}"


def _interval(prefix: str, head: str, write: Callable[[float], str], tip: str = "") -> Column:
    """The column of an interval, whose ends are in two columns of the frame."""
    low, high = f"{prefix}low", f"{prefix}high"
    text = pl.struct(low, high).map_elements(
        lambda row: ends(row[low], row[high], write), return_dtype=pl.String, skip_nulls=False
    )
    return Column(f"{prefix}interval", head, tip, of=lambda: text)


def _two_digits(value: float) -> str:
    return decimal(value, 2)


def measure(seats: int, by: str | None) -> str:
    """The rating to rank by in a game of this many players; by default that of the standings."""
    known = [name for name in MEASURES if name == "rating" or name in orders(seats)]
    if by is None:
        return known[0]
    if by not in known:
        raise InvalidError(
            f"A study of this tournament cannot rank by '{by}'{did_you_mean(by, known)}: choose from {listing(known)}."
        )
    return by


def study_of(planned: StudyPlan, played: Sequence["Results"], by: str) -> Study:
    """The study that was planned, from the results of its tournaments."""
    if planned.kind == "commutativity":
        return commutativity(played[0])
    if planned.kind == "repetition":
        return repetition(played[0], by)
    series = [
        StudySetting(part.setting, results.repetitions(None if results.seats == 1 else by))
        for part, results in zip(planned.parts, played, strict=True)
    ]
    return openings(series, by) if planned.kind == "openings" else fraction(series, by, planned.left_out)


# --- Commutativity ----------------------------------------------------------------------------------------------------

_RELATIONS = {
    "first_mover": "score of the first mover",
    "by_seat": "|W_ab − W_ba|, 0 if the seat decides",
    "by_agent": "|W_ab − (1 − W_ba)|, 0 if the agent decides",
}
_SIZES = (
    Column("relation", "relation", write=_RELATIONS.__getitem__, words=True),
    Column("mean", "mean", write=_two_digits),
    _interval("", "95 %", _two_digits),
)
_MAPS = ("symmetry", "first-mover", "same-agent", "scores")


def commutativity(results: "Results") -> Study:
    """The study of seats: the first move or the better agent decides, pair by pair."""
    pairs = studies.relations(results)
    sizes = studies.sizes(pairs)
    seat, agent = (sizes.row(by_predicate=pl.col("relation") == name, named=True) for name in ("by_seat", "by_agent"))
    cause = "who moves first" if seat["mean"] < agent["mean"] else "the agents"
    over = plural(len(results.complete_repetitions), "repetition")
    return Study(
        "Commutativity",
        [f"Results depend mostly on {cause}: {plural(len(pairs) // 2, 'pair')} of agents, {over}."],
        [
            StudyTable("sizes", sizes, "Over all pairs", _SIZES, "The intervals are over pairs."),
            StudyTable("pairs", pairs),
        ],
        [_map(results, name) for name in _MAPS],
        [
            _matrix(pairs, "W_ab − W_ba (0 if the seat decides)", "by_seat", f"Means and deviations over {over}."),
            _matrix(pairs, "W_ab − (1 − W_ba) (0 if the agent decides)", "by_agent", "W_ab: the row moves first."),
        ],
        results.order(),
    )


def _matrix(pairs: pl.DataFrame, title: str, name: str, note: str) -> StudyMatrix:
    rows = pairs.select("a", "b", f"{name}_mean", f"{name}_deviation").iter_rows()
    return StudyMatrix(title, {(a, b): (mean, deviation) for a, b, mean, deviation in rows}, note)


def _map(results: "Results", name: str) -> StudyFigure:
    """A map of a tournament of two players, as in its report."""

    def draw() -> "Drawn":
        from ludus.views.charts.chart_list import Charts

        return Charts(results).draw(name, **({"sorted": True} if name == "scores" else {}))

    titles = {
        "symmetry": ("Seat or agent", "The seat above the diagonal, the agent below it, each dark if it decides."),
        "first-mover": ("The seat decides", "The difference between W_ab and W_ba, dark if the seat decides."),
        "same-agent": ("The agent decides", "The difference between W_ab and 1 − W_ba, dark if the agent decides."),
        "scores": ("Scores", "The score of each row, which moves first, against each column."),
    }
    return StudyFigure(*titles[name], draw)


# --- One setting after the other --------------------------------------------------------------------------------------


def openings(series: Sequence[StudySetting], by: str) -> Study:
    """The study of random plies before the first move."""
    compared = studies.compared(series, by)
    label = _plies
    found = [
        f"{label(row['setting'])}: {_shifted(row)}." for row in compared.iter_rows(named=True) if row["setting"] > 0
    ]
    order = studies.order(series[0], by)
    return Study(
        "Random openings",
        found,
        [*_tables(series, compared, by, "random plies", rounded, label)],
        [
            StudyFigure(
                "Ratings by random plies",
                "Ratings over the repetitions: lowest, quartiles, highest.",
                partial(_side_by_side, series, order, by, "random plies", rounded),
            ),
            _shift_figure(compared, "random plies", rounded),
        ],
        order=order,
    )


def _plies(setting: float) -> str:
    return plural(round(setting), "random ply", "random plies")


def fraction(series: Sequence[StudySetting], by: str, left_out: Sequence[int] = ()) -> Study:
    """The study of fewer matches: ranks from a part of them, compared with ranks from all."""
    compared = studies.compared(series, by)
    found = [f"{_share(row['setting'])} of the matches: {_shifted(row)}." for row in compared[1:].iter_rows(named=True)]
    if left_out:
        found.append(f"Left out, because the field is too small: {', '.join(map(_share, left_out))}.")
    order = studies.order(series[0], by)
    return Study(
        "A fraction of the matches",
        found,
        [*_tables(series, compared, by, "matches", _share, _share)],
        [
            _shift_figure(compared, "share of the matches", _share),
            StudyFigure(
                "The best agents",
                "Ratings of the best agents of the full tournament: lowest, quartiles, highest.",
                partial(_side_by_side, series, order[:TOP], by, "share of the matches", _share),
            ),
        ],
        order=order,
    )


def _share(setting: float) -> str:
    return f"{setting:g} %"


def _shifted(row: dict[str, float]) -> str:
    agents = plural(int(row["moved"]), "agent")
    by = f" by {figure(row['shift'])} on average" if row["moved"] else ""
    return f"{agents} with another rank{by}, the best agent first in {percent(row['best_first'], 0)} of the repetitions"


def _tables(
    series: Sequence[StudySetting],
    compared: pl.DataFrame,
    by: str,
    setting: str,
    write: Callable[[float], str],
    label: Callable[[float], str],
) -> list[StudyTable]:
    """The comparison with the first setting, the means of each setting, and every rating as data."""
    first = label(series[0].setting)
    shifts = (
        Column("setting", setting, write=write),
        Column("moved", "ranks\nmoved", f"agents with another rank than with {first}", whole),
        _interval("moved_", "95 %", rounded, "repetitions drawn anew"),
        Column("shift", "by", "mean distance of their ranks", figure),
        _interval("shift_", "95 %", figure),
        Column("best_first", "best\nfirst", f"repetitions in which the best agent with {first} is first", _percent),
        _interval("best_", "95 %", _percent),
    )
    measure = MEASURES[by]
    means = [RANK, AGENT]
    for number, one in enumerate(series):
        means += [
            Column(
                f"mean_{number}", label(one.setting), write=measure.write, margin=f"deviation_{number}", best="highest"
            ),
            *([Column(f"rank_{number}", "#")] if number else []),
        ]
    note = (
        f"The intervals in the row of {first} show how far chance alone moves ranks."
        if compared["moved_low"].count()
        else ""
    )
    return [
        StudyTable("compared", compared, f"Ranks compared with {first}", shifts, note),
        StudyTable("means", studies.means(series, by), f"Mean {measure.title}, with deviations", means, grouped=True),
        StudyTable("values", studies.values(series, by)),
    ]


def _percent(share: float) -> str:
    return percent(share, 0)


def _side_by_side(
    series: Sequence[StudySetting], order: Sequence[str], by: str, setting: str, write: Callable[[float], str]
) -> "Drawn":
    from ludus.views.charts import study_charts

    title = MEASURES[by].title
    return study_charts.side_by_side(studies.values(series, by), order, title, setting, write)


def _shift_figure(compared: pl.DataFrame, setting: str, write: Callable[[float], str]) -> StudyFigure:
    def draw() -> "Drawn":
        from ludus.views.charts import study_charts

        return study_charts.shifts(compared, setting, write)

    return StudyFigure("Rank shifts", "Compared with the first setting, with 95 % intervals.", draw, names_agents=False)


# --- Repetition -------------------------------------------------------------------------------------------------------


def repetition(results: "Results", by: str) -> Study:
    """The study of repetition: the spread of ratings over repetitions of one tournament."""
    repetitions = results.repetitions(by)
    table = stability(repetitions, by)
    mean, largest = (table[f"{by}_deviation"].mean(), table.sort(f"{by}_deviation", descending=True).row(0, named=True))
    write, digits = MEASURES[by].write, _deviation(by)
    found = []
    if isinstance(mean, float):
        found.append(
            f"Mean standard deviation {digits(mean)}; largest {digits(largest[f'{by}_deviation'])}, of "
            f"{largest['agent']}."
        )
    best = table["agent"].to_list()[:TOP]
    labels = shown_names(results.agents)
    top = repetitions.filter(pl.col("agent").is_in(best)).pivot("agent", index="repetition", values=by)
    top = top.select("repetition", *best).rename({name: f"top_{place}" for place, name in enumerate(best)})
    top_columns = [
        Column("repetition", "repetition", words=True),
        *(Column(f"top_{place}", labels[name], write=write) for place, name in enumerate(best)),
    ]

    def draw() -> "Drawn":
        from ludus.views.charts import boxes

        return boxes.repetitions(repetitions.with_columns(rating=pl.col(by)), measure=MEASURES[by].title)

    return Study(
        "Repetition",
        found,
        [
            StudyTable("stability", table, "Over the repetitions", columns.stability(results.seats)),
            StudyTable("top", top, "The best agents, repetition by repetition", top_columns),
            StudyTable("values", repetitions),
        ],
        [StudyFigure("Repetitions", "Ratings over the repetitions, each of them a dot.", draw)],
        order=best,
    )


def _deviation(by: str) -> Callable[[float], str]:
    return partial(percent, digits=1) if by == "wtl" else partial(decimal, digits=3 if by == "points" else 1)
