"""Every column of results, declared once for the terminal, the page and JSON."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from ludus.core.text import (
    DASH,
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
    spoken_size,
    spoken_time,
    whole,
)
from ludus.episode.record import Ending, Fault


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
    of: pl.Expr | None = None
    """The expression that computes it for a frame without it."""

    def cells(self, frame: pl.DataFrame, names: Mapping[str, str]) -> list[str]:
        """The values as texts, with aligned ± signs; `names` has the labels of agents."""
        write = names.__getitem__ if self.agents else self.write
        values = frame[self.name].to_list()
        texts = [self.unknown if value is None else write(value) for value in values]
        if not self.margin:
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


def with_derived(frame: pl.DataFrame, columns: Iterable[Column]) -> pl.DataFrame:
    """The frame with the columns that are computed from others."""
    missing = [column for column in columns if column.of is not None and column.name not in frame.columns]
    return frame.with_columns(**{column.name: column.of for column in missing})


def shown(frame: pl.DataFrame, columns: Iterable[Column]) -> list[Column]:
    """The columns that the frame has, without empty ones."""
    return [
        column
        for column in columns
        if column.name in frame.columns and not (column.if_any and not any(frame[column.name]))
    ]


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

# --- Strength -------------------------------------------------------------------------------------------------------

RATING = Column(
    "rating", "rating", "Elo points with mean 0, with the 95 % interval", signed, margin="error", best="highest"
)
BETTER = Column("better", "better", "the probability of being stronger than the next one", chance, "")
STANDINGS_OF_ONE = (
    RANK,
    AGENT,
    Column("mean", "mean", write=figure, best="highest"),
    Column("ahead", "ahead", "the share of seeds on which it beats the next one", counted_share, ""),
    Column("median", "median", write=figure, best="highest"),
    Column("best", "best", write=figure, best="highest"),
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
    *OUTCOMES,
    Column("fide", "FIDE", write=rounded, best="highest", aside=True),
    Column("uscf", "USCF", write=rounded, best="highest", aside=True),
    Column("glicko", "Glicko-2", "with its deviation", rounded, margin="glicko_deviation", best="highest", aside=True),
)
STANDINGS_OF_SEVERAL = (
    RANK,
    AGENT,
    RATING,
    BETTER,
    Column("points", "points", "the mean, 1 for the first place and 0 for the last", decimal, best="highest"),
    *OUTCOMES,
)


def standings(seats: int) -> list[Column]:
    """The columns of standings, for games of that many players."""
    if seats > 2:
        return [*STANDINGS_OF_SEVERAL, *_places(seats)]
    return [*(STANDINGS_OF_ONE if seats == 1 else STANDINGS_OF_TWO)]


def _places(seats: int) -> list[Column]:
    """Columns with the counts of each place."""
    places = range(1, seats + 1)
    return [Column(f"place_{place}", ordinal(place), write=whole, aside=True) for place in places]


AGAINST = (
    Column("opponent", "opponent", words=True, agents=True),
    Column("score", "score", "wins and half the ties", percent, best="highest"),
    *OUTCOMES,
    EPISODES,
)
"""One agent against each opponent."""

SEATS = (
    Column("seat", "seat", "1 moves first", words=True),
    Column("score", "score", "the mean score from this seat", percent, best="highest"),
    Column(
        "advantage", "advantage", "Elo points that the seat is worth, with the 95 % interval", signed, margin="error"
    ),
    *OUTCOMES,
    EPISODES,
)


def places(seats: int) -> list[Column]:
    """The columns of places by seat."""
    return [AGENT, Column("seat", "seat"), *_places(seats)]


_OTHERS = (("fide", "FIDE"), ("uscf", "USCF"), ("glicko", "Glicko-2"))
"""Ratings of two players besides the one for the ranking."""

# --- Repetitions ----------------------------------------------------------------------------------------------------


def _repeated(name: str, head: str, write: Callable[[Any], str], *, aside: bool = False) -> Column:
    return Column(f"{name}_mean", head, write=write, margin=f"{name}_deviation", best="highest", aside=aside)


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
    others = [_repeated(name, head, rounded, aside=True) for name, head in _OTHERS] if seats == 2 else []
    return [RANK, AGENT, _repeated("rating", "rating", signed), score, *_RANKS, *others]


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


def _time(name: str, head: str, tip: str = "", *, aside: bool = False) -> Column:
    return Column(name, head, tip, spoken_time, best="lowest", aside=aside)


_MOVES = (
    Column("moves", "moves", write=whole),
    _time("fastest", "fastest"),
    _time("median", "median"),
    _time("mean", "mean"),
    _time("slowest", "slowest"),
    Column("faults", "faults", "moves that were illegal, late or missing", whole, if_any=True),
)
TIMING = (
    AGENT,
    *_MOVES,
    _time("episode_fastest", "episode\nfastest", aside=True),
    _time("episode_median", "episode\nmedian", aside=True),
    _time("episode_mean", "episode\nmean", aside=True),
    _time("episode_slowest", "episode\nslowest", aside=True),
)
TIMING_BY_MATCH = (
    Column("match", "match"),
    Column("seat", "seat"),
    AGENT,
    *_MOVES,
    _time("episode_median", "episode\nmedian", aside=True),
    _time("episode_slowest", "episode\nslowest", aside=True),
)
RUN = Column("repetition", "run", "the repetition")


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
        "time waiting for a core; part of the move's time, but not charged to the clock",
    ),
    _time("longest_wait", "longest\nwait"),
    Column("memory", "memory\nhighest", write=spoken_size, best="lowest"),
)

FIELD = (
    Column("number", "#"),
    AGENT,
    Column("name", "name", words=True),
    Column("spec", "spec", words=True),
)
