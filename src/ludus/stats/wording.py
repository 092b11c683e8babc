"""How the facts of a tournament are worded, the same on the terminal and on the page."""

from collections import Counter
from typing import TYPE_CHECKING

from ludus.core.text import plural, spoken_size
from ludus.episode.limits import LIMITS, SIZE, TIME, UNLIMITED, Limits

if TYPE_CHECKING:
    from ludus.store import Sitting
    from ludus.tournaments.tournament import Openings

METRICS = "What agents reported of their moves"
USAGE = "What bots took for a move"
REMARKS = "Remarks on bots"
"""Headings."""
WAITED = "waited: for a core, where others had them all; it is part of the time of a move, but not on the clock."
"""Stands below the table of what bots took."""


def winner(winners: Counter[str], repetitions: int) -> str:
    """Who won, and of several repetitions how many."""
    if repetitions == 1:
        return next(iter(winners))
    return ", ".join(f"{name} in {plural(count, 'repetition')}" for name, count in winners.most_common())


def limits(limits: Limits, *, bots: bool = False) -> str:
    """What the players were granted, and what happened to those who took more; with what `bots` have beyond that."""
    told = _of_all(limits)
    if bots and (own := limits.for_bots()) != limits:
        told += f"; bots have {', '.join(_granted(limits, own))}"
    return told


def _granted(limits: Limits, own: Limits) -> list[str]:
    """What bots have where nothing is set."""
    return [_limit(name, own) for name in LIMITS if getattr(limits, name) != getattr(own, name)]


def _of_all(limits: Limits) -> str:
    if limits == UNLIMITED:
        return "none"
    changed = [name for name in LIMITS if getattr(limits, name) != getattr(UNLIMITED, name)]
    of_moves = [name for name, limit in LIMITS.items() if limit.kind is TIME and not limit.only_bots]
    times = [name for name in changed if name in of_moves and name != "grace"]
    others = [name for name in changed if name not in (*of_moves, "policy")]
    return ", ".join(_limit(name, limits) for name in [*times, *(["grace"] if times else []), *others, "policy"])


def _limit(name: str, limits: Limits) -> str:
    """One limit with its words."""
    limit, value = LIMITS[name], getattr(limits, name)
    if not isinstance(limit.words, str):
        return plural(value, *limit.words)
    if limit.kind is SIZE:
        return limit.words.format(f"{value:,}" if limit.one == 1 else spoken_size(value))
    return limit.words.format(limit.kind.write(value))


def openings(openings: "Openings") -> str:
    """What the episodes began with."""
    if openings.listed:
        return f"{plural(len(openings.listed), 'opening')} from a file"
    return plural(openings.plies, "random ply", "random plies") if openings.plies else "none"


def workers(sitting: "Sitting") -> str:
    """How many workers played at a sitting, and how they shared the cores."""
    if not sitting.workers:
        return "none: all in one process"
    on_cores = f"{sitting.workers:,} on {plural(sitting.cores, 'core')}"
    if sitting.timed:
        return f"{on_cores}, each on one of its own"
    return f"{on_cores}, {sitting.workers / sitting.cores:.2g} a core"
