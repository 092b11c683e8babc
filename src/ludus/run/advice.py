"""Warnings before a tournament starts."""

from ludus.agents.agent import Agent
from ludus.core.text import plural
from ludus.run.setup import Stage
from ludus.run.worker_cores import Cores

_COUNTS = ("simulations", "iterations", "depth", "nodes")
"""Parameters that limit thinking by something other than time."""


def advice(stage: Stage, cores: Cores, timed: bool) -> list[str]:
    """Sentences about doubtful times and openings that repeat."""
    return [*_doubtful_times(stage, cores, timed), *_too_few_openings(stage)]


def _doubtful_times(stage: Stage, cores: Cores, timed: bool) -> list[str]:
    limits = stage.tournament.limits
    by_clock = limits.move is not None or limits.total is not None
    agents = [stage.player(number).agent for number in range(len(stage.tournament.agents))]
    all_busy = len(cores.workers) >= cores.available and (by_clock or any(map(_thinks_by_time, agents)))
    if cores.available == 1 and (timed or all_busy):
        return ["There is one core only, which episodes share with Ludus itself: times are doubtful."]
    if timed or not all_busy:
        return []
    return [
        f"{len(cores.workers)} workers and Ludus itself share {cores.available} cores, so times are doubtful, and "
        f"agents that think by time may be disturbed: --timed gives each episode a core of its own."
    ]


def _thinks_by_time(agent: Agent) -> bool:
    if not hasattr(agent, "time"):
        return False
    return agent.time is not None or all(getattr(agent, count, None) is None for count in _COUNTS)


def _too_few_openings(stage: Stage) -> list[str]:
    tournament = stage.tournament
    plies, listed = tournament.openings.plies, tournament.openings.listed
    if not plies and not listed:
        return []
    different = stage.different_openings()
    if different >= tournament.episodes:
        return []
    kind = "in the file" if listed else f"of {plural(plies, 'random ply', 'random plies')}"
    return [
        f"There are only {different} different openings {kind} for the {tournament.episodes} episodes of a match: "
        "some repeat."
    ]
