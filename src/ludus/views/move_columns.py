"""Columns of moves, declared once as those of results are: their times, faults and costs, and what agents reported."""

from dataclasses import replace

from ludus.core.text import figure, first_line, percent, printable, spoken_size, spoken_time, whole
from ludus.episode.record import Ending, Fault
from ludus.stats.clock import shortest_reliable
from ludus.views.column import Column
from ludus.views.columns import AGENT, BYTES, EPISODES, NANOSECONDS

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
        replace(EPISODES, counted=("agent", "ending")),
        Column("episodes", "share", write=lambda episodes: percent(episodes / played)),
        Column("example", "for example", unknown="", words=True, episodes=True, if_any=True),
    ]


FAULTS = (
    Column("episode", "episode", words=True, episodes=True),
    Column("step", "step", unknown="start"),
    AGENT,
    Column("fault", "fault", write=lambda fault: Fault(fault).words, words=True),
    Column("evidence", "evidence", write=first_line, words=True),
)
REMARKS = (
    AGENT,
    Column("remark", "remark: it …", write=printable, words=True),
    EPISODES,
    Column("example", "for example", words=True, episodes=True),
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
