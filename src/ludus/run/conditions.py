"""The conditions of a run: the workers' cores, and notes for the user before it starts."""

from typing import NamedTuple

from ludus.agents.agent import Agent
from ludus.core.errors import InvalidError
from ludus.core.text import listing, plural
from ludus.episode.cores import can_pin, usable_cores
from ludus.episode.opening import begins_as_usual
from ludus.episode.record import FROM_THE_START
from ludus.run.setup import Stage
from ludus.tournaments.run_options import RunOptions

_COUNTS = ("simulations", "iterations", "depth", "nodes")
"""Parameters that limit thinking by something other than time."""


class Cores(NamedTuple):
    """The number of cores, the core of each worker (None: any), and the core of this process."""

    available: int
    workers: list[int | None]
    own: int | None

    @classmethod
    def plan(cls, options: RunOptions, together: bool = False) -> "Cores":
        """Choose the cores for these options: for timed episodes each worker has its own, apart from this process.

        `together` keeps a worker and the bots that it starts on one core, which others may use too.
        """
        usable, workers = usable_cores(), options.workers
        if not options.timed:
            count = len(usable) if workers is None else workers
            kept = together and can_pin()
            own = usable[0] if kept and not count else None
            return cls(len(usable), [usable[i % len(usable)] if kept else None for i in range(count)], own)
        if workers == 0:
            raise InvalidError("Timed episodes need worker processes of their own: give at least one worker.")
        if not can_pin():
            raise InvalidError("This system cannot give a process a core of its own: omit --timed.")
        apart: list[int | None] = [*(usable[1:] or usable)]
        if workers is not None and workers > len(apart):
            raise InvalidError(
                f"{workers} workers cannot each have their own core: this machine has {len(usable)}, and Ludus needs "
                f"one; use {plural(len(apart), 'worker')}."
            )
        return cls(len(usable), apart[:workers], usable[0])


def refuse_unsuited(stage: Stage, cores: Cores, options: RunOptions) -> None:
    """Refuse limits that cannot be enforced, agents that need more cores than they get, and openings nobody learns."""
    if blind := _overlooking(stage, knows=False):
        raise InvalidError(
            f"Games begin with openings, which bots learn from INFO initial_board, but no file of {listing(blind)} "
            "mentions it: leave out the openings with --opening-plies 0, or write stdio,boards=yes:… for a bot that "
            "reads start boards."
        )
    limited = [agent for number, agent in enumerate(stage.agents) if stage.limits(number).memory is not None]
    if not cores.workers and not all(agent.outside for agent in limited):
        raise InvalidError(
            "The memory of Ludus's own agents is limited in worker processes only: give at least one worker or, with "
            "remote players, no limit of memory."
        )
    for entrant, agent in zip(stage.tournament.agents, stage.agents, strict=True):
        if options.timed and agent.cores > 1:
            raise InvalidError(
                f"A timed episode has one core, but {entrant.name} uses {agent.cores}: omit --timed, or set its "
                "parameter cores=1."
            )


def advice(stage: Stage, cores: Cores, options: RunOptions) -> list[str]:
    """Notes on unreliable timings, on openings that bots overlook, and on repeated openings."""
    return [*unreliable_timings(stage, cores, options), *overlooked_openings(stage), *_too_few_openings(stage)]


def unreliable_timings(stage: Stage, cores: Cores, options: RunOptions) -> list[str]:
    """A note if episodes disturb each other."""
    all_limits = [stage.limits(agent) for agent in range(len(stage.agents))]
    by_clock = any(limits.move is not None or limits.total is not None for limits in all_limits)
    all_busy = len(cores.workers) >= cores.available and (by_clock or any(map(_thinks_by_time, stage.agents)))
    if cores.available == 1 and (options.timed or all_busy):
        return ["There is only one core, which episodes share with Ludus itself: timings are unreliable."]
    if options.timed or not all_busy:
        return []
    return [
        f"{len(cores.workers)} workers and Ludus itself share {cores.available} cores, so timings are unreliable, and "
        f"agents with a time limit may be disturbed: --timed gives each episode a core of its own."
    ]


def overlooked_openings(stage: Stage) -> list[str]:
    """A note on bots that may ignore openings, if there are any."""
    blind = _overlooking(stage, knows=None)
    if not blind:
        return []
    return [
        f"Games begin with openings, which bots learn from INFO initial_board, but {listing(blind)} never "
        f"{'mentions' if len(blind) == 1 else 'mention'} it: expect illegal moves, or leave out the openings with "
        "--opening-plies 0. 'ludus check bot' tests a bot."
    ]


def _overlooking(stage: Stage, knows: bool | None) -> list[str]:
    """Names of the agents that know nothing (False) or perhaps nothing (None) of the openings of a tournament."""
    openings = stage.tournament.openings
    if not openings.plies and all(
        begins_as_usual(stage.game, opening) for opening in openings.listed or [FROM_THE_START]
    ):
        return []
    pairs = zip(stage.tournament.agents, stage.agents, strict=True)
    return [entrant.name for entrant, agent in pairs if agent.reads_openings() is knows]


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
        f"Only {different} different openings exist {kind} for the {tournament.episodes} episodes of a match: "
        "some repeat."
    ]
