"""Columns of frames for charts and exports, which tables of results do not show as they are."""

from ludus.core.text import balance, decimal, figure, percent, spoken_time, whole
from ludus.views.column import Column
from ludus.views.columns import AGAINST, AGENT, ELO, EPISODES, NANOSECONDS, OUTCOMES, RANK, RATING, RUN, standings


def crosstable(repeated: bool) -> list[Column]:
    """The columns of results of ordered pairs; with repetitions also the mean with its deviation."""
    by_repetition = Column("score_mean", "by repetition", write=percent, margin="score_deviation")
    return [
        Column("first", "moves first", words=True, agents=True),
        Column("second", "moves second", words=True, agents=True),
        Column("score", "score", "of the one that moves first", percent),
        *([by_repetition] if repeated else []),
        *OUTCOMES,
        EPISODES,
    ]


_RELATIONS = (
    ("w_ab", "W_ab", "the score of a against b if a moves first"),
    ("w_ba", "W_ba", "the score of b against a if b moves first"),
    ("by_seat", "by seat", "|W_ab − W_ba|: 0 if who moves first scores the same, whichever of the two it is"),
    ("by_agent", "by agent", "|W_ab − (1 − W_ba)|: 0 if an agent scores the same from either seat"),
)


def symmetry(repeated: bool) -> list[Column]:
    """The columns of the symmetry of results; with repetitions, as means with their deviations."""
    two = [Column(name, name, words=True, agents=True) for name in ("a", "b")]
    if not repeated:
        return [*two, *(Column(name, head, tip, _share) for name, head, tip in _RELATIONS)]
    margins = ((f"{name}_mean", f"{name}_deviation", head, tip) for name, head, tip in _RELATIONS)
    return [*two, *(Column(name, head, tip, _share, margin=margin) for name, margin, head, tip in margins)]


def _share(value: float) -> str:
    return decimal(value, 2)


AHEAD = (AGENT, *AGAINST)
COURSE = (Column("matches", "matches", write=whole), AGENT, RATING)
"""Data for charts and programs."""


def match_results(seats: int) -> list[Column]:
    """The columns of matches with their results, seat by seat."""
    numbers = range(1, seats + 1)
    return [
        RUN,
        Column("match", "match"),
        Column("round", "round"),
        *(Column(f"agent_{seat}", f"player {seat}", words=True, agents=True) for seat in numbers),
        EPISODES,
        *(Column(f"wins_{seat}", f"won by {seat}", write=whole) for seat in numbers),
        *(Column(f"points_{seat}", f"points of {seat}", write=balance) for seat in numbers),
    ]


def repetitions(seats: int) -> list[Column]:
    """The columns of ranks and ratings in each repetition; the rating of a single player is its mean."""
    return [RUN, AGENT, RANK, *(column for column in standings(seats) if column.unit == ELO)]


def strength_speed(seats: int) -> list[Column]:
    """The columns of strength against thinking time; the rating of a single player is its mean score."""
    unit = ELO if seats > 1 else ""
    ratings = [Column(name, name, write=figure, unit=unit) for name in ("rating", "low", "high")]
    return [AGENT, *ratings, Column("match_time", "time", "of an episode", spoken_time, unit=NANOSECONDS)]
