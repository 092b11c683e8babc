"""How the columns of each frame are shown."""

from ludus.episode.record import Ending
from ludus.stats import wording
from ludus.views.page import page_words
from ludus.views.page.html_tables import Column, Write

AGENT = Column("agent", "agent", "", str, figures=False, agents=True)
RANK = Column("rank", "", "Rank", str)
EPISODES = Column("episodes", "episodes", "Episodes with a result", page_words.count)
OUTCOMES = (
    Column("wins", "won", "Episodes won", page_words.count, "highest"),
    Column("ties", "tied", "Episodes tied", page_words.count),
    Column("losses", "lost", "Episodes lost", page_words.count, "lowest"),
)

_STANDINGS = (
    RANK,
    AGENT,
    Column("rating", "rating", "Elo points around a mean of 0: what ranks are made from", page_words.signed, "highest"),
    Column("error", "95\u00a0%", "Half the width of the 95 % interval of the rating", page_words.margin),
    Column("better", "better than next", "The chance to be better than the agent of the next row", page_words.percent),
    Column("wtl", "score", "Wins and half the ties, as a share of all episodes", page_words.share, "highest"),
    Column("points", "points", "Mean points for places: 1 for the first, 0 for the last", page_words.share, "highest"),
    Column("mean", "mean", "Mean score", page_words.points, "highest"),
    Column("deviation", "±", "Standard deviation of the scores", page_words.points),
    Column(
        "ahead", "ahead of next", "The share of seeds in which it beats the agent of the next row", page_words.counted
    ),
    Column("best", "best", "Highest score", page_words.points, "highest"),
    Column("q3", "upper quartile", "A quarter of the scores is higher", page_words.points, "highest"),
    Column("median", "median", "Half of the scores are higher", page_words.points, "highest"),
    Column("q1", "lower quartile", "A quarter of the scores is lower", page_words.points, "highest"),
    Column("worst", "worst", "Lowest score", page_words.points, "highest"),
    *OUTCOMES,
)
_OTHER_RATINGS = (
    Column("glicko", "Glicko-2", "Glicko-2, the tournament as one rating period", page_words.rating, "highest"),
    Column("glicko_deviation", "RD", "Rating deviation of Glicko-2", page_words.margin),
    Column("fide", "FIDE", "Elo, game after game, with the factors of FIDE", page_words.rating, "highest"),
    Column("uscf", "USCF", "Elo, game after game, with the factors of USCF", page_words.rating, "highest"),
    EPISODES,
)


def standings(seats: int) -> list[Column]:
    """The columns of standings, for games of so many players."""
    return [*_STANDINGS, *(places(seats) if seats > 2 else ()), *_OTHER_RATINGS]


def places(seats: int) -> list[Column]:
    """How often on each place."""
    return [
        Column(f"place_{k}", f"{k}.", f"How often on place {k}", page_words.count, "highest" if k == 1 else "none")
        for k in range(1, seats + 1)
    ]


SEAT = Column("seat", "seat", "1 moves first", str)
SEATS = (
    Column("seat", "seat", "1 moves first", lambda seat: f"seat {seat}", figures=False),
    Column("score", "score", "Mean score of whoever sits there", page_words.share, "highest"),
    Column("advantage", "advantage", "What the seat is worth, in Elo points", page_words.signed),
    Column("error", "95\u00a0%", "Half the width of its 95 % interval", page_words.margin),
    *OUTCOMES,
    EPISODES,
)

_TIMES = (
    Column("moves", "moves", "Moves made", page_words.count),
    Column("fastest", "fastest", "Fastest move", page_words.time, "lowest"),
    Column("median", "median", "Median time of a move", page_words.time, "lowest"),
    Column("mean", "mean", "Mean time of a move", page_words.time, "lowest"),
    Column("slowest", "slowest", "Slowest move", page_words.time, "lowest"),
    Column(
        "episode_fastest",
        "fastest episode",
        "Shortest of its episodes, all players together",
        page_words.time,
        "lowest",
    ),
    Column(
        "episode_median", "median episode", "Median of its episodes, all players together", page_words.time, "lowest"
    ),
    Column("episode_mean", "mean episode", "Mean of its episodes, all players together", page_words.time, "lowest"),
    Column(
        "episode_slowest", "slowest episode", "Longest of its episodes, all players together", page_words.time, "lowest"
    ),
    Column("faults", "faults", "Moves that were illegal, late or missing", page_words.count),
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
    rated = [_repeated("rating", "rating", page_words.signed)]
    if seats == 1:
        rated = [_repeated("rating", "mean", page_words.points), _repeated("median", "median", page_words.points)]
    elif seats == 2:
        rated += [
            _repeated("wtl", "score", page_words.share, page_words.share),
            _repeated("glicko", "Glicko-2", page_words.rating),
            _repeated("fide", "FIDE", page_words.rating),
            _repeated("uscf", "USCF", page_words.rating),
        ]
    else:
        rated.append(_repeated("points", "points", page_words.share, page_words.share))
    return [
        RANK,
        AGENT,
        *(column for pair in rated for column in pair),
        Column("best_rank", "best rank", "", str, "lowest"),
        Column("worst_rank", "worst rank", "", str, "lowest"),
        Column("moved", "moved", "Repetitions in which it had another rank", str, "lowest"),
        Column("shift", "by", "How many ranks it was away then, on average", page_words.decimal),
    ]


def _repeated(name: str, head: str, write: Write, spread: Write = page_words.decimal) -> tuple[Column, Column]:
    return (
        Column(f"{name}_mean", head, "Mean over the repetitions", write, "highest"),
        Column(f"{name}_deviation", "±", "Standard deviation over the repetitions", spread),
    )


SHIFTS = (
    Column("repetition", "repetition", "", lambda number: f"repetition {number}", figures=False),
    Column("moved", "ranks moved", "Agents whose rank is another than over all repetitions", str),
    Column("shift", "by", "How many ranks these are away, on average", page_words.decimal),
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
    Column("moves", "moves", "Moves for which it was reported", page_words.count),
    Column("mean", "mean", "", page_words.figure),
    Column("median", "median", "", page_words.figure),
    Column("lowest", "lowest", "", page_words.figure),
    Column("highest", "highest", "", page_words.figure),
)
USAGE = (
    AGENT,
    Column("moves", "moves", "Moves that were measured", page_words.count),
    Column("cpu", "CPU", "Mean time that its processes computed for a move", page_words.time, "lowest"),
    Column(
        "waited",
        "waited",
        "Mean time that it waited for a core, within the time of the move",
        page_words.time,
        "lowest",
    ),
    Column("longest_wait", "longest wait", "Longest time that it waited for a core", page_words.time, "lowest"),
    Column("memory", "memory", "The most that its processes held", wording.memory, "lowest"),
)

ENDINGS = (
    Column("ending", "ended", "", lambda ending: wording.ENDINGS[Ending(ending)], figures=False),
    Column("agent", "by", "The agent to blame", str, figures=False, agents=True),
    Column("episodes", "episodes", "", page_words.count),
    Column("example", "for example", "The first one, as ‘ludus replay’ takes it", str, figures=False),
)
FAULTS = (
    Column("episode", "episode", "As ‘ludus replay’ takes it", str, figures=False),
    Column("step", "step", "None: while it got ready", str),
    AGENT,
    Column("fault", "fault", "", str, figures=False),
    Column("evidence", "evidence", "", page_words.in_short, figures=False, shortened=True),
)
REMARKS = (
    AGENT,
    Column("remark", "remark: it …", "What was odd, but no fault", str, figures=False),
    Column("episodes", "episodes", "Episodes in which it was so", page_words.count),
    Column("example", "for example", "The first one, as ‘ludus replay’ takes it", str, figures=False),
)
FIELD = (
    Column("number", "", "Number in the order of the field", str),
    AGENT,
    Column("name", "name", "", str, figures=False),
    Column("spec", "spec", "", str, figures=False),
)
