"""How the facts of a tournament are worded, the same on the terminal and on the page."""

from collections import Counter
from typing import TYPE_CHECKING

from ludus.core.text import format_duration, plural, spoken_size
from ludus.episode.limits import UNLIMITED, Limits

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
    told = {
        "preparation": f"{format_duration(own.preparation or 0)} to get ready",
        "move": f"{format_duration(own.move or 0)} a move",
        "memory": f"{spoken_size(own.memory or 0)} of memory",
    }
    return [words for name, words in told.items() if getattr(limits, name) != getattr(own, name)]


def _of_all(limits: Limits) -> str:
    if limits == UNLIMITED:
        return "none"
    times = (
        (limits.preparation, "to get ready"),
        (limits.move, "a move"),
        (limits.total, "in total"),
        (limits.increment, "added after a move"),
        (limits.hard, "at the very most"),
    )
    parts = [f"{format_duration(value)} {words}" for value, words in times if value]
    if parts:
        parts.append(f"{format_duration(limits.grace)} grace")
    if limits.plies is not None:
        parts.append(plural(limits.plies, "ply", "plies"))
    if limits.memory is not None:
        parts.append(f"{spoken_size(limits.memory)} of memory")
    parts += _of_bots(limits)
    return ", ".join([*parts, f"policy {limits.policy}"])


def _of_bots(limits: Limits) -> list[str]:
    """What is granted to bots, where it is not what they always have."""
    told = {
        "cpu": f"{format_duration(limits.cpu)} of CPU in an episode",
        "output": f"answers of {limits.output:,} bytes",
        "files": plural(limits.files, "open file"),
        "processes": plural(limits.processes, "process", "processes"),
        "disk": f"{spoken_size(limits.disk)} written to files",
    }
    return [words for name, words in told.items() if getattr(limits, name) != getattr(UNLIMITED, name)]


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
