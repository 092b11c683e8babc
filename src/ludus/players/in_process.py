"""Agents in this process."""

from time import perf_counter_ns, thread_time_ns

from ludus.agents.base import Answer, Request
from ludus.agents.bot import Briefing
from ludus.agents.human import Quit
from ludus.players.base import Player
from ludus.processes.waiting import SHORT, waited_by_me
from ludus.record import Fault, Preparation

_MOST_EVIDENCE = 300


class InProcess(Player):
    """An agent that thinks while nobody else does."""

    def begin(self, briefing: Briefing) -> Preparation:
        cpu = thread_time_ns()
        wall = perf_counter_ns()
        fault, evidence = None, ""
        try:
            self.agent.begin(briefing.game, briefing.seat, briefing.seed)
        except (Exception, SystemExit) as error:
            fault, evidence = _fault(error)
        return Preparation(perf_counter_ns() - wall, thread_time_ns() - cpu, fault, evidence)

    def think(self, request: Request) -> Answer:
        timed = request.clock.limit() is not None
        waited = waited_by_me() if timed else 0
        cpu = thread_time_ns()
        wall = perf_counter_ns()
        try:
            choice = self.agent.choose(request.view, request.clock)
            wall = perf_counter_ns() - wall
            cpu = thread_time_ns() - cpu
            move, metrics = choice.move, choice.metrics
        except (Exception, SystemExit) as error:
            wall = perf_counter_ns() - wall
            cpu = thread_time_ns() - cpu
            return Answer(None, wall, cpu, None, *_fault(error))
        waited = waited_by_me() - waited if timed and wall >= SHORT else 0
        if metrics is not None and not isinstance(metrics, dict):
            evidence = f"TypeError: what it reports must be a dict, and is {type(metrics).__name__}"
            return Answer(None, wall, cpu, None, Fault.FAILED, evidence)
        return Answer(move, wall, cpu, metrics, waited=waited)


def _fault(error: BaseException) -> tuple[Fault, str]:
    return (Fault.QUIT, "") if isinstance(error, Quit) else (Fault.FAILED, gist(error))


def gist(error: BaseException) -> str:
    """An exception in one line."""
    lines = [line.strip() for line in str(error).splitlines()]
    said = next((line for line in lines if line and not line.startswith("Failed in nopython mode")), "")
    return f"{type(error).__name__}: {said}".removesuffix(": ").rstrip(".")[:_MOST_EVIDENCE]
