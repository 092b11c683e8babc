"""How the columns of each frame are shown."""

from ludus.core.text import (
    chance,
    counted_share,
    decimal,
    figure,
    first_line,
    margin,
    rounded,
    signed,
    spoken_size,
    spoken_time,
    whole,
)
from ludus.episode.record import Ending, Fault
from ludus.views.page.html_tables import Column, Write


def _tenths(value: float) -> str:
    return decimal(value, 1)


AGENT = Column("agent", "agent", "", str, figures=False, agents=True)
RANK = Column("rank", "", "Rank", str)
EPISODES = Column("episodes", "episodes", "Episodes with a result", whole)
OUTCOMES = (
    Column("wins", "won", "Episodes won", whole, "highest"),
    Column("ties", "tied", "Episodes tied", whole),
    Column("losses", "lost", "Episodes lost", whole, "lowest"),
)

_STANDINGS = (
    RANK,
    AGENT,
    Column("rating", "rating", "Elo points around a mean of 0: what ranks are made from", signed, "highest"),
    Column("error", "95\u00a0%", "Half the width of the 95 % interval of the rating", margin),
    Column("better", "better than next", "The chance to be better than the agent of the next row", chance),
    Column("wtl", "score", "Wins and half the ties, as a share of all episodes", decimal, "highest"),
    Column("points", "points", "Mean points for places: 1 for the first, 0 for the last", decimal, "highest"),
    Column("mean", "mean", "Mean score", figure, "highest"),
    Column("deviation", "±", "Standard deviation of the scores", figure),
    Column("ahead", "ahead of next", "The share of seeds in which it beats the agent of the next row", counted_share),
    Column("best", "best", "Highest score", figure, "highest"),
    Column("q3", "upper quartile", "A quarter of the scores is higher", figure, "highest"),
    Column("median", "median", "Half of the scores are higher", figure, "highest"),
    Column("q1", "lower quartile", "A quarter of the scores is lower", figure, "highest"),
    Column("worst", "worst", "Lowest score", figure, "highest"),
    *OUTCOMES,
)
_OTHER_RATINGS = (
    Column("glicko", "Glicko-2", "Glicko-2, the tournament as one rating period", rounded, "highest"),
    Column("glicko_deviation", "RD", "Rating deviation of Glicko-2", margin),
    Column("fide", "FIDE", "Elo, game after game, with the factors of FIDE", rounded, "highest"),
    Column("uscf", "USCF", "Elo, game after game, with the factors of USCF", rounded, "highest"),
    EPISODES,
)


def standings(seats: int) -> list[Column]:
    """The columns of standings, for games of so many players."""
    return [*_STANDINGS, *(places(seats) if seats > 2 else ()), *_OTHER_RATINGS]


def places(seats: int) -> list[Column]:
    """How often on each place."""
    return [
        Column(f"place_{k}", f"{k}.", f"How often on place {k}", whole, "highest" if k == 1 else "none")
        for k in range(1, seats + 1)
    ]


SEAT = Column("seat", "seat", "1 moves first", str)
SEATS = (
    Column("seat", "seat", "1 moves first", lambda seat: f"seat {seat}", figures=False),
    Column("score", "score", "Mean score of whoever sits there", decimal, "highest"),
    Column("advantage", "advantage", "What the seat is worth, in Elo points", signed),
    Column("error", "95\u00a0%", "Half the width of its 95 % interval", margin),
    *OUTCOMES,
    EPISODES,
)

_TIMES = (
    Column("moves", "moves", "Moves made", whole),
    Column("fastest", "fastest", "Fastest move", spoken_time, "lowest"),
    Column("median", "median", "Median time of a move", spoken_time, "lowest"),
    Column("mean", "mean", "Mean time of a move", spoken_time, "lowest"),
    Column("slowest", "slowest", "Slowest move", spoken_time, "lowest"),
    Column(
        "episode_fastest",
        "fastest episode",
        "Shortest of its episodes, all players together",
        spoken_time,
        "lowest",
    ),
    Column("episode_median", "median episode", "Median of its episodes, all players together", spoken_time, "lowest"),
    Column("episode_mean", "mean episode", "Mean of its episodes, all players together", spoken_time, "lowest"),
    Column(
        "episode_slowest", "slowest episode", "Longest of its episodes, all players together", spoken_time, "lowest"
    ),
    Column("faults", "faults", "Moves that were illegal, late or missing", whole),
)
_ONLY_BY_AGENT = ("episode_fastest", "episode_mean", "episode_slowest")
TIMES_BY_AGENT = (AGENT, *_TIMES)


def times_by_match(seats: int, repetitions: int) -> list[Column]:
    """The columns of times match by match."""
    repeated = [Column("repetition", "run", "Repetition", str)] if repetitions > 1 else []
    against = [Column("opponents", "against", "", str, figures=False, agents=True)]
    return [
        *repeated,
        Column("match", "match", "", str),
        *([SEAT, AGENT, *against] if seats > 1 else [AGENT]),
        *(Column(c.name, c.head, c.tip, c.write) for c in _TIMES if c.name not in _ONLY_BY_AGENT),
    ]


def stability(seats: int) -> list[Column]:
    """The columns of ratings over repetitions, for games of so many players."""
    rated = [_repeated("rating", "rating", signed)]
    if seats == 1:
        rated = [_repeated("rating", "mean", figure), _repeated("median", "median", figure)]
    elif seats == 2:
        rated += [
            _repeated("wtl", "score", decimal, decimal),
            _repeated("glicko", "Glicko-2", rounded),
            _repeated("fide", "FIDE", rounded),
            _repeated("uscf", "USCF", rounded),
        ]
    else:
        rated.append(_repeated("points", "points", decimal, decimal))
    return [
        RANK,
        AGENT,
        *(column for pair in rated for column in pair),
        Column("best_rank", "best rank", "", str, "lowest"),
        Column("worst_rank", "worst rank", "", str, "lowest"),
        Column("moved", "moved", "Repetitions in which it had another rank", str, "lowest"),
        Column("shift", "by", "How many ranks it was away then, on average", _tenths),
    ]


def _repeated(name: str, head: str, write: Write, spread: Write = _tenths) -> tuple[Column, Column]:
    return (
        Column(f"{name}_mean", head, "Mean over the repetitions", write, "highest"),
        Column(f"{name}_deviation", "±", "Standard deviation over the repetitions", spread),
    )


SHIFTS = (
    Column("repetition", "repetition", "", lambda number: f"repetition {number}", figures=False),
    Column("moved", "ranks moved", "Agents whose rank is another than over all repetitions", str),
    Column("shift", "by", "How many ranks these are away, on average", _tenths),
    Column(
        "best_first",
        "best is first",
        "Whether the best agent over all repetitions is first here",
        lambda yes: "yes" if yes else "no",
    ),
)

METRICS = (
    AGENT,
    Column("metric", "metric", "", str, figures=False),
    Column("moves", "moves", "Moves for which it was reported", whole),
    Column("mean", "mean", "", figure),
    Column("median", "median", "", figure),
    Column("lowest", "lowest", "", figure),
    Column("highest", "highest", "", figure),
)
USAGE = (
    AGENT,
    Column("moves", "moves", "Moves that were measured", whole),
    Column("cpu", "CPU", "Mean time that its processes computed for a move", spoken_time, "lowest"),
    Column(
        "waited",
        "waited",
        "Mean time that it waited for a core, within the time of the move",
        spoken_time,
        "lowest",
    ),
    Column("longest_wait", "longest wait", "Longest time that it waited for a core", spoken_time, "lowest"),
    Column("memory", "memory", "The most that its processes held", spoken_size, "lowest"),
)

ENDINGS = (
    Column("ending", "ended", "", lambda ending: Ending(ending).words, figures=False),
    Column("agent", "by", "The agent to blame", str, figures=False, agents=True),
    Column("episodes", "episodes", "", whole),
    Column("example", "for example", "The first one, as ‘ludus replay’ takes it", str, figures=False),
)
FAULTS = (
    Column("episode", "episode", "As ‘ludus replay’ takes it", str, figures=False),
    Column("step", "step", "None: while it got ready", str),
    AGENT,
    Column("fault", "fault", "", lambda fault: Fault(fault).words, figures=False),
    Column("evidence", "evidence", "", first_line, figures=False, shortened=True),
)
REMARKS = (
    AGENT,
    Column("remark", "remark: it …", "What was odd, but no fault", str, figures=False),
    Column("episodes", "episodes", "Episodes in which it was so", whole),
    Column("example", "for example", "The first one, as ‘ludus replay’ takes it", str, figures=False),
)
FIELD = (
    Column("number", "", "Number in the order of the field", str),
    AGENT,
    Column("name", "name", "", str, figures=False),
    Column("spec", "spec", "", str, figures=False),
)
