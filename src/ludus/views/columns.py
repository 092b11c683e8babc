"""Columns of results, each declared once for the terminal, the page and JSON."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ludus.core.text import (
    balance,
    chance,
    counted_share,
    decimal,
    figure,
    ordinal,
    percent,
    rounded,
    signed,
    spoken_moment,
    whole,
)
from ludus.views.column import Column

if TYPE_CHECKING:  # slow to import, and not needed after `ludus play`
    import polars as pl


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
    "Elo points around the mean of linked agents, with the 95 % interval; ≥ or ≤ where an agent won or lost everything",
    signed,
    ends=("low", "high"),
    best="highest",
    unit=ELO,
)
RATING_AXIS = "rating (Elo points; 0: mean of linked agents)"
"""The title of an axis of ratings."""
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
        "1 for the winner, 2 for the other finalist, 3 for losing a semi-final, 5 before that …",
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
        best="highest",
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
"""Ratings carried over from tournament to tournament."""

ROSTER = (
    AGENT,
    Column("games", "games", words=True),
    Column("tournaments", "tournaments", write=whole),
    EPISODES,
    Column("last", "last played", write=spoken_moment, words=True),
)
CAREER = (
    Column("name", "tournament", words=True),
    Column("game", "game", words=True),
    Column("spec", "as", "the parameters with which it played", words=True),
    Column("rank", "rank", write=whole),
    Column("field", "of", "agents in the tournament", write=whole),
    RATING,
    MEAN,
    replace(EPISODES, counted=("tournament", "agent")),
    Column("faults", "faults", "episodes that ended by its faults", whole, best="lowest", if_any=True),
    Column("began", "began", write=spoken_moment, words=True),
)
"""An agent in each of its tournaments."""
OPPONENTS = (
    Column("game", "game", words=True),
    Column("opponent", "opponent", words=True, agents=True),
    replace(EPISODES, counted=("agent", "opponent", "game")),
    Column("wins", "won", write=whole),
    Column("ties", "tied", write=whole),
    Column("rate", "win rate", "first place alone", percent, best="highest"),
    Column("range", "95 %", "the interval of the win rate"),
)
"""The win rates of an agent against each opponent."""

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
