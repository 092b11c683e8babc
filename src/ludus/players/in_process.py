"""Agents in this process: the driver that lets them think, one after the other, each on its own clock."""

from collections.abc import Callable, Sequence
from time import perf_counter_ns, thread_time_ns
from typing import Any, Protocol

from ludus import catalog
from ludus.agents.base import Agent
from ludus.agents.human import Quit
from ludus.compiling import compiling_lock
from ludus.errors import LudusError
from ludus.games.base import Game
from ludus.record import FROM_THE_START, UNLIMITED, Fault, Limits, Opening, Policy, Preparation, Record, Seat
from ludus.referee import Referee, Watcher
from ludus.rng import seed_from

_MOST_EVIDENCE = 300


class Player:
    """An agent, and the name it goes by."""

    def __init__(self, agent: Agent, name: str = "") -> None:
        self.agent = agent
        self.spec = agent.spec()
        self.name = name or self.spec


class Monitor(Protocol):
    """Is told who is thinking and what came of it, so that another process knows when this one hangs or dies."""

    def thinking(self, seat: int, granted: int | None) -> None:
        """This seat is asked, to get ready or for a move, and has so many nanoseconds."""

    def answered(self, move: Any, wall: int, cpu: int, fault: Fault | None) -> None:
        """It answered with a move or a fault; with neither, it is ready."""


def check_seats(game: Game, agents: Sequence[Agent]) -> None:
    """Refuse too many or too few agents, and agents that do not suit the game."""
    given = len(agents)
    if given != game.seats:
        needs = f"{game.spec()} needs {'one agent' if game.seats == 1 else f'{game.seats} agents, one for each seat'}"
        if hasattr(game, "players") and not game.least_players <= given <= game.most_players:
            needs = f"{game.name} takes {game.least_players} to {game.most_players} agents"
        raise LudusError(f"{needs}, but {given or 'none'} {'is' if given == 1 else 'are'} given.")
    for agent in agents:
        if reason := agent.unsuited(game):
            others = [name for name in suited(game) if name != agent.name]
            raise LudusError(f"{agent.spec()} {reason}; these suit {game.spec()}: {', '.join(others)}.")


def suited(game: Game) -> list[str]:
    """The names of the agents that can play a game."""
    names = []
    for name, cls in catalog.agents().items():
        if not any(p.required for p in cls.parameters()) and cls().unsuited(game) is None:
            names.append(name)
    return names


def prepare(game: Game, agents: Sequence[Agent], begins: Callable[[int | None], None] | None = None) -> None:
    """Compile all that episodes of these agents will call, before any clock runs.

    `begins` is told what comes next: the rules (None), or the agent of that place.
    """
    with compiling_lock():
        if begins is not None:
            begins(None)
        try:
            _try_rules(game)
        except LudusError:
            raise
        except Exception as error:
            raise LudusError(
                f"The rules of {game.name} do not run: {_gist(error)}; 'ludus check game {game.spec()}' says more."
            ) from error
        for place, agent in enumerate(agents):
            if begins is not None:
                begins(place)
            try:
                agent.prepare(game)
            except LudusError:
                raise
            except Exception:
                continue  # it will fail in its episodes, and their records will tell


def _try_rules(game: Game) -> None:
    referee = Referee(game, [Seat("", "")] * game.seats, limits=Limits(plies=1, policy=Policy.RANDOM))
    referee.begin()
    for request in referee.requests():
        referee.answer(request.seat, None)


def play_episode(
    game: Game,
    players: Sequence[Player],
    *,
    limits: Limits = UNLIMITED,
    seed: int = 0,
    opening: Opening = FROM_THE_START,
    watch: Watcher | None = None,
    monitor: Monitor | None = None,
    agents_seed: int | None = None,
) -> Record:
    """Play one episode; players[i] sits at seat i.

    The agents' own randomness comes from `agents_seed`, if that is given, and all other from `seed`.
    """
    agents_seed = seed if agents_seed is None else agents_seed
    seats = [Seat(player.spec, player.name) for player in players]
    referee = Referee(game, seats, limits=limits, seed=seed, opening=opening, watch=watch)
    preparations = []
    for seat, player in enumerate(players):
        if monitor is not None:
            monitor.thinking(seat, limits.preparation)
        preparations.append(_begin(player.agent, game, seat, seed_from(agents_seed, "seat", seat)))
        if monitor is not None:
            monitor.answered(None, preparations[-1].wall, preparations[-1].cpu, preparations[-1].fault)
    referee.begin(preparations)
    while requests := referee.requests():
        for request in requests:
            seat, view, clock = request.seat, request.view, request.clock
            if monitor is not None:
                monitor.thinking(seat, clock.limit())
            cpu = thread_time_ns()
            wall = perf_counter_ns()
            try:
                choice = players[seat].agent.choose(view, clock)
                wall = perf_counter_ns() - wall
                cpu = thread_time_ns() - cpu
                move, metrics = choice.move, choice.metrics
            except (Exception, SystemExit) as error:
                wall = perf_counter_ns() - wall
                cpu = thread_time_ns() - cpu
                fault, evidence = _fault(error)
                if monitor is not None:
                    monitor.answered(None, wall, cpu, fault)
                referee.answer(seat, None, wall, cpu, None, fault, evidence)
            else:
                if monitor is not None:
                    monitor.answered(move, wall, cpu, None)
                referee.answer(seat, move, wall, cpu, metrics)
    return referee.record


def _begin(agent: Agent, game: Game, seat: int, seed: int) -> Preparation:
    cpu = thread_time_ns()
    wall = perf_counter_ns()
    fault, evidence = None, ""
    try:
        agent.begin(game, seat, seed)
    except (Exception, SystemExit) as error:
        fault, evidence = _fault(error)
    return Preparation(perf_counter_ns() - wall, thread_time_ns() - cpu, fault, evidence)


def _fault(error: BaseException) -> tuple[Fault, str]:
    return (Fault.QUIT, "") if isinstance(error, Quit) else (Fault.FAILED, _gist(error))


def _gist(error: BaseException) -> str:
    """An exception in one line."""
    lines = [line.strip() for line in str(error).splitlines()]
    said = next((line for line in lines if line and not line.startswith("Failed in nopython mode")), "")
    return f"{type(error).__name__}: {said}".removesuffix(": ").rstrip(".")[:_MOST_EVIDENCE]
