"""Every column of results, declared once for the terminal, the page and JSON."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ludus.core.text import (
    DASH,
    balance,
    chance,
    counted_share,
    decimal,
    figure,
    first_line,
    ordinal,
    percent,
    printable,
    rounded,
    signed,
    spoken_moment,
    spoken_size,
    spoken_time,
    whole,
)
from ludus.episode.record import Ending, Fault
from ludus.stats.clock import shortest_reliable

if TYPE_CHECKING:  # slow to import, and not needed after `ludus play`
    import polars as pl


class Frame(Protocol):
    """Values by the name of their column: a frame of Polars, or a dict of lists."""

    def __contains__(self, name: str, /) -> bool: ...
    def __getitem__(self, name: str, /) -> Iterable[Any]: ...


@dataclass(frozen=True)
class Column:
    """The presentation of a column of a frame."""

    name: str
    """The name in the frame."""
    head: str
    """The head of the column; line breaks are for the terminal alone."""
    tip: str = ""
    """An explanation of the head, shown beside the pointer or below the table."""
    write: Callable[[Any], str] = str
    unknown: str = DASH
    """The text for an unknown value."""
    margin: str = ""
    """The column with the margin of error."""
    best: Literal["highest", "lowest", "none"] = "none"
    """The value to highlight."""
    words: bool = False
    """True for words, which are aligned left; figures are aligned right."""
    agents: bool = False
    """True if the values are names of agents."""
    aside: bool = False
    """True if it moves to a second table when the first has no room."""
    if_any: bool = False
    """True if it is omitted when all its values are 0."""
    of: "Callable[[], pl.Expr] | None" = None
    """Makes the expression that computes it for a frame without it."""
    unit: str = ""
    """The unit of the values in the frame, which exports add to its name: `ns`, `bytes`, `elo`."""
    drawn: bool = False
    """True if charts and exports use it, and tables do not show it."""

    def cells(self, frame: Frame, names: Mapping[str, str]) -> list[str]:
        """The values as texts, with aligned ± signs; `names` has the labels of agents."""
        write = names.__getitem__ if self.agents else self.write
        values = list(frame[self.name])
        texts = [self.unknown if value is None else write(value) for value in values]
        if not self.margin or self.margin not in frame:
            return texts
        margins = [DASH if value is None else self.write(value).removeprefix("+") for value in frame[self.margin]]
        width = max(map(len, margins), default=0)
        return [
            text if value is None else f"{text} ± {margin:>{width}}"
            for text, margin, value in zip(texts, margins, values, strict=True)
        ]

    @property
    def title(self) -> str:
        """The head on one line."""
        return self.head.replace("\n", " ")


def with_derived(frame: "pl.DataFrame", columns: Iterable[Column]) -> "pl.DataFrame":
    """The frame with the columns that are computed from others."""
    missing = [column for column in columns if column.name not in frame.columns]
    return frame.with_columns(**{column.name: column.of() for column in missing if column.of})


def shown(frame: Frame, columns: Iterable[Column]) -> list[Column]:
    """The columns that the frame has, without empty ones."""
    return [
        column
        for column in columns
        if column.name in frame and not column.drawn and not (column.if_any and not any(frame[column.name]))
    ]


def units(columns: Iterable[Column]) -> dict[str, str]:
    """The units of the columns, margins of error included, by name."""
    return {name: column.unit for column in columns if column.unit for name in (column.name, column.margin) if name}


def exported(frame: "pl.DataFrame", columns: Iterable[Column]) -> "pl.DataFrame":
    """The frame as exports have it: values with a unit have that in their names."""
    return frame.rename({name: f"{name}_{unit}" for name, unit in units(columns).items()}, strict=False)


def explained(columns: Iterable[Column]) -> str:
    """The heads that need an explanation, with their meaning."""
    return "; ".join(f"{column.title}: {column.tip}" for column in columns if column.tip)


RANK = Column("rank", "#")
AGENT = Column("agent", "agent", words=True, agents=True)
EPISODES = Column("episodes", "episodes", write=whole)
OUTCOMES = (
    Column("wins", "won", write=whole, best="highest"),
    Column("ties", "tied", write=whole),
    Column("losses", "lost", write=whole, best="lowest"),
)

ELO, NANOSECONDS, BYTES = "elo", "ns", "bytes"
"""Units; Glicko-2 has the scale of Elo too."""

# --- Strength -------------------------------------------------------------------------------------------------------

RATING = Column(
    "rating",
    "rating",
    "Elo points around 0, with the 95 % interval",
    signed,
    margin="error",
    best="highest",
    unit=ELO,
)
MEAN = Column("mean", "mean", "the mean score by the rules of the game", figure, best="highest")
MEDIAN = Column("median", "median", write=figure, best="highest")
BEST = Column("best", "best", write=figure, best="highest")
BETTER = Column("better", "better", "the probability of being stronger than the next one", chance, "")
STANDINGS_OF_ONE = (
    RANK,
    AGENT,
    MEAN,
    Column("ahead", "ahead", "the share of seeds on which it beats the next one", counted_share, ""),
    MEDIAN,
    BEST,
    EPISODES,
    Column("worst", "worst", write=figure, best="highest", aside=True),
    Column("q1", "25 %", "this share of the scores is below", figure, best="highest", aside=True),
    Column("q3", "75 %", write=figure, best="highest", aside=True),
    Column("deviation", "deviation", write=figure, aside=True),
)
STANDINGS_OF_TWO = (
    RANK,
    AGENT,
    RATING,
    BETTER,
    Column("wtl", "score", "wins and half the ties", percent, best="highest"),
    Column("points", "points", "the sum of its scores in the game, such as 1 and −1", balance, best="highest"),
    *OUTCOMES,
    Column("fide", "FIDE", write=rounded, best="highest", aside=True, unit=ELO),
    Column("uscf", "USCF", write=rounded, best="highest", aside=True, unit=ELO),
    Column(
        "glicko",
        "Glicko-2",
        "with its deviation",
        rounded,
        margin="glicko_deviation",
        best="highest",
        aside=True,
        unit=ELO,
    ),
)
STANDINGS_OF_SEVERAL = (
    RANK,
    AGENT,
    RATING,
    BETTER,
    Column("points", "points", "the mean, 1 for the first place and 0 for the last", decimal, best="highest"),
    *OUTCOMES,
)


_BY_PLACE = (
    Column(
        "place",
        "place",
        "1 for the winner, 2 for the other finalist, 3 for who lost a semi-final, 5 before that …",
        figure,
        best="lowest",
    ),
)
_BY_POINTS = (
    Column(
        "points",
        "points",
        "1 for winning a pairing, ½ for a tie, 1 for a round without an opponent",
        figure,
        "",
        "",
        "highest",
    ),
    Column("buchholz", "Buchholz", "the sum of the points of the opponents", figure),
    Column("byes", "byes", "rounds without an opponent", figure, if_any=True),
)
_BY_FORMAT = {"place": _BY_PLACE, "points": _BY_POINTS}
"""The columns by which a format ranks, by the name of the first."""


def standings(seats: int, orders: Sequence[str] = ()) -> list[Column]:
    """The columns of standings, for games of that many players; `orders` are those by which the format ranks."""
    if seats > 2:
        return [*STANDINGS_OF_SEVERAL, *_places(seats)]
    columns = [*(STANDINGS_OF_ONE if seats == 1 else STANDINGS_OF_TWO)]
    if not orders:
        return columns
    own = _BY_FORMAT[orders[0]]
    counts = {column.name for column in OUTCOMES}
    rest = [replace(column, aside=column.aside or column.name in counts) for column in columns[2:]]
    return [*columns[:2], *own, *(column for column in rest if column.name not in {one.name for one in own})]


def _places(seats: int) -> list[Column]:
    """Columns with the counts of each place."""
    places = range(1, seats + 1)
    return [Column(f"place_{place}", ordinal(place), write=whole, aside=True) for place in places]


LADDER = (
    RANK,
    AGENT,
    Column("rating", "Glicko-2", "the rating with its standard deviation", rounded, margin="deviation", best="highest"),
    Column(
        "volatility", "volatility", "how much its strength seems to change", lambda value: decimal(value, 4), aside=True
    ),
    Column("games", "games", write=whole),
    Column("periods", "periods", "tournaments in which it played", whole, aside=True),
    Column("last", "last played", write=spoken_moment, aside=True),
)
"""Ratings that go on from tournament to tournament."""

NASH = (
    AGENT,
    Column("nash", "Nash", "the share in the mixture of agents that no agent beats", percent, best="highest"),
    Column("against", "against it", "the score against that mixture", percent, best="highest"),
    Column(
        "alpha_rank",
        "α-rank",
        "the share of time as the agent in power, where winners replace losers",
        percent,
        best="highest",
    ),
)

AGAINST = (
    Column("opponent", "opponent", words=True, agents=True),
    Column("score", "score", "wins and half the ties", percent, best="highest"),
    *OUTCOMES,
    EPISODES,
)
"""One agent against each opponent."""

_BY_SEAT = (
    Column("score", "score", "the mean", percent, best="highest"),
    Column("advantage", "advantage", "worth in Elo points, with the 95 % interval", signed, margin="error", unit=ELO),
    *OUTCOMES,
    EPISODES,
)
MOVERS = (
    Column(
        "seat",
        "moves",
        "who chooses the first move after the opening",
        {1: "first", 2: "second"}.__getitem__,
        words=True,
    ),
    *_BY_SEAT,
)
SEATS = (Column("seat", "seat", words=True), *_BY_SEAT)


def places(seats: int) -> list[Column]:
    """The columns of places by seat."""
    return [AGENT, Column("seat", "seat"), *_places(seats)]


_OTHERS = (("fide", "FIDE"), ("uscf", "USCF"), ("glicko", "Glicko-2"))
"""Ratings of two players besides the one for the ranking."""

# --- Rounds ---------------------------------------------------------------------------------------------------------


def _points_of_both() -> "pl.Expr":
    import polars as pl

    return pl.format("{}–{}", _halves("points"), _halves("opponent_points"))


def _halves(column: str) -> "pl.Expr":
    """Points as a text such as 1½."""
    import polars as pl

    points = pl.col(column)
    full = points.floor().cast(pl.Int64)
    half = pl.when(points > full).then(pl.lit("½")).otherwise(pl.lit(""))
    return pl.when(points == 0.5).then(pl.lit("½")).otherwise(pl.format("{}{}", full, half))


RUN = Column("repetition", "run", "the repetition")
ROUNDS = (
    Column("name", "round", words=True),
    AGENT,
    Column(
        "score",
        "score",
        "points over the episodes of the pairing",
        unknown="bye",
        of=_points_of_both,
    ),
    Column("opponent", "opponent", unknown="", words=True, agents=True),
    Column("gained", "result", write={1.0: "won", 0.5: "tied", 0.0: "lost"}.__getitem__, unknown="open", words=True),
)
DEPARTURES = (
    Column("round", "left after round"),
    AGENT,
    Column("rating", "rating then", "the interim rating, in Elo points around 0", signed),
    Column("episodes", "episodes", "played until then", whole),
)


def wall_chart(rounds: int) -> list[Column]:
    """The columns of a wall chart with that many rounds."""
    return [
        RANK,
        AGENT,
        *(Column(f"round_{number}", str(number), unknown="", words=False) for number in range(1, rounds + 1)),
    ]


# --- Repetitions ----------------------------------------------------------------------------------------------------


def _repeated(name: str, head: str, write: Callable[[Any], str], *, aside: bool = False, unit: str = "") -> Column:
    """The mean over the repetitions with its deviation."""
    margin = f"{name}_deviation"
    return Column(f"{name}_mean", head, write=write, margin=margin, best="highest", aside=aside, unit=unit)


RUN = Column("repetition", "run", "the repetition")
_RANKS = (
    Column("best_rank", "best\nrank", best="lowest"),
    Column("worst_rank", "worst\nrank", best="lowest"),
    Column("moved", "moved", "repetitions in which it had another rank", best="lowest"),
    Column("shift", "by", "mean distance of its rank in these", figure),
)


def stability(seats: int) -> list[Column]:
    """The columns of ratings over repetitions, as means with their deviations."""
    if seats == 1:
        return [RANK, AGENT, _repeated("rating", "mean", figure), _repeated("median", "median", figure), *_RANKS]
    score = _repeated("wtl", "score", percent) if seats == 2 else _repeated("points", "points", decimal)
    others = [_repeated(name, head, rounded, aside=True, unit=ELO) for name, head in _OTHERS] if seats == 2 else []
    return [RANK, AGENT, _repeated("rating", "rating", signed, unit=ELO), score, *_RANKS, *others]


SHIFTS = (
    Column("repetition", "repetition", words=True),
    Column("moved", "ranks moved", "agents with a different rank than over all repetitions"),
    Column("shift", "by", "mean distance of their ranks", figure),
    Column("best_first", "best is first", write=lambda yes: "yes" if yes else "no"),
)


def rank_shifts(before: int, after: int) -> list[Column]:
    """The columns of ranks in two tournaments."""
    return [
        AGENT,
        Column("before", f"#{before}"),
        Column("after", f"#{after}"),
        Column("shift", "shift", write=lambda shift: f"↑ {shift}" if shift > 0 else f"↓ {-shift}" if shift else "·"),
    ]


# --- Times and ends -------------------------------------------------------------------------------------------------


def _time(name: str, head: str, tip: str = "") -> Column:
    return Column(name, head, tip, spoken_time, best="lowest", unit=NANOSECONDS)


def _clocked(name: str, head: str, *, aside: bool = False, drawn: bool = False) -> Column:
    return Column(name, head, write=clocked, best="lowest", aside=aside, unit=NANOSECONDS, drawn=drawn)


def clocked(nanoseconds: float) -> str:
    """A time by the clock of this machine, marked if it is shorter than the clock times reliably."""
    mark = "~" if nanoseconds < shortest_reliable() else ""
    return f"{mark}{spoken_time(nanoseconds)}"


_MOVES = (
    Column("moves", "moves", write=whole),
    _clocked("fastest", "fastest"),
    _clocked("median", "median"),
    _clocked("mean", "mean"),
    _clocked("slowest", "slowest"),
    Column("faults", "faults", "moves that were illegal, late or missing", whole, if_any=True),
)
_QUARTILES = tuple(_clocked(name, name, drawn=True) for name in ("q1", "q3", "episode_q1", "episode_q3"))
TIMING = (
    AGENT,
    *_MOVES,
    *_QUARTILES,
    _clocked("episode_fastest", "episode\nfastest", aside=True),
    _clocked("episode_median", "episode\nmedian", aside=True),
    _clocked("episode_mean", "episode\nmean", aside=True),
    _clocked("episode_slowest", "episode\nslowest", aside=True),
)
TIMING_BY_MATCH = (
    Column("match", "match"),
    Column("seat", "seat"),
    AGENT,
    *_MOVES,
    *_QUARTILES,
    _clocked("episode_fastest", "episode\nfastest", drawn=True),
    _clocked("episode_median", "episode\nmedian", aside=True),
    _clocked("episode_mean", "episode\nmean", drawn=True),
    _clocked("episode_slowest", "episode\nslowest", aside=True),
)
CLOCKED = {column.name for column in (*TIMING, *TIMING_BY_MATCH) if column.write is clocked}
"""Columns of times by the clock of this machine."""


def endings(played: int) -> list[Column]:
    """The columns of endings, with that many episodes played."""
    return [
        Column("ending", "ended", write=lambda ending: Ending(ending).words, words=True),
        Column("agent", "by", "the agent to blame", unknown="", words=True, agents=True, if_any=True),
        EPISODES,
        Column("episodes", "share", write=lambda episodes: percent(episodes / played)),
        Column("example", "for example", unknown="", words=True, if_any=True),
    ]


FAULTS = (
    Column("episode", "episode", words=True),
    Column("step", "step", unknown="start"),
    AGENT,
    Column("fault", "fault", write=lambda fault: Fault(fault).words, words=True),
    Column("evidence", "evidence", write=first_line, words=True),
)
REMARKS = (
    AGENT,
    Column("remark", "remark: it …", write=printable, words=True),
    EPISODES,
    Column("example", "for example", words=True),
)

# --- From the records -----------------------------------------------------------------------------------------------

METRICS = (
    AGENT,
    Column("metric", "metric", write=printable, words=True),
    Column("moves", "moves", write=whole),
    Column("mean", "mean", write=figure),
    Column("median", "median", write=figure),
    Column("lowest", "lowest", write=figure),
    Column("highest", "highest", write=figure),
)
USAGE = (
    AGENT,
    Column("moves", "moves", write=whole),
    _time("cpu", "CPU\nmean"),
    _time(
        "waited",
        "waited\nmean",
        "for a core, while others used them all; part of the time of a move, but not on the clock",
    ),
    _time("longest_wait", "longest\nwait"),
    Column("memory", "memory\nhighest", write=spoken_size, best="lowest", unit=BYTES),
)

_COSTS = (
    Column("moves", "moves", write=figure),
    Column("calls", "calls", "positions looked at for a move, the mean", figure),
    Column("bounds", "bounds", "lines cut off for a move, the mean", figure),
    _time("time", "time", "the mean of a move"),
    Column("calls_per_second", "calls/s", write=figure, aside=True),
    Column("bounds_per_call", "bounds/call", write=figure, aside=True),
)
SEARCH_COSTS = (Column("episode", "episode"), AGENT, *_COSTS)
MEAN_COSTS = (AGENT, EPISODES, *_COSTS)

FIELD = (
    Column("number", "#"),
    AGENT,
    Column("name", "name", words=True),
    Column("spec", "spec", words=True),
)
