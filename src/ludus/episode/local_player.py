"""Agents in this process, and the players of all agents."""

from functools import singledispatch
from time import perf_counter_ns, thread_time_ns
from typing import Any

from ludus.agents.agent import Agent
from ludus.core.failures import gist, show_traceback
from ludus.core.text import plural
from ludus.episode.cost import Cost
from ludus.episode.person import Human, Quit
from ludus.episode.player import Briefing, Player
from ludus.episode.record import Fault, Preparation, Record
from ludus.episode.request import Answer, Request
from ludus.episode.waiting import SHORT, OwnWait
from ludus.kernel.rules import State


@singledispatch
def player_for(agent: Agent, name: str = "") -> Player:
    """The player of an agent, named as given or by its spec; kinds of agents register players of their own."""
    return LocalPlayer(agent, name)


class LocalPlayer(Player):
    """An agent in this process, which thinks while no other player does."""

    def begin(self, briefing: Briefing) -> Preparation:
        cpu = thread_time_ns()
        wall = perf_counter_ns()
        fault, evidence = None, ""
        try:
            self.agent.begin(briefing.game, briefing.seat, briefing.seed)
        except (Exception, SystemExit) as error:
            fault, evidence = _fault(error)
        return Preparation(fault, evidence, wall=perf_counter_ns() - wall, cpu=thread_time_ns() - cpu)

    def think(self, request: Request) -> Answer:
        wait = OwnWait() if request.clock.limit() is not None else None
        choice, failure = None, None
        cpu = thread_time_ns()
        wall = perf_counter_ns()
        try:
            choice = self.agent.choose(request.view, request.clock)
        except (Exception, SystemExit) as error:
            failure = error
        wall = perf_counter_ns() - wall
        cpu = thread_time_ns() - cpu
        waited = wait.over(wall, cpu) if wait is not None and wall >= SHORT else 0
        cost = Cost(wall=wall, cpu=cpu, waited=waited)
        try:
            move, metrics = _content(choice, failure)
        except (Exception, SystemExit) as error:
            return Answer(None, None, *_fault(error), cost)
        return Answer(move, metrics, cost=cost)


class PersonPlayer(LocalPlayer):
    """A person, whose hints are noted in the record."""

    agent: Human

    def finish(self, record: Record, seat: int, state: State) -> None:
        if self.agent.hints:
            record.seats[seat].remarks.append(f"asked for {plural(self.agent.hints, 'hint')}")
        self.agent.hints = 0


player_for.register(Human, PersonPlayer)


def _content(choice: Any, failure: BaseException | None) -> tuple[Any, dict[str, Any] | None]:
    """The move and the metrics of an agent's answer, which may be anything."""
    if failure is not None:
        raise failure
    move, metrics = choice.move, choice.metrics
    if metrics is not None and not isinstance(metrics, dict):
        raise TypeError(f"metrics must be a dict, not {type(metrics).__name__}")
    return move, metrics


def _fault(error: BaseException) -> tuple[Fault, str]:
    if isinstance(error, Quit):
        return Fault.QUIT, ""
    show_traceback(error)
    return Fault.FAILED, gist(error)
