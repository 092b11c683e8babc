"""Preparation of an episode: check that the agents suit the game, compile, and choose the core that players share."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

from ludus.agents.agent import Agent
from ludus.core.errors import InvalidError, LudusError
from ludus.core.failures import gist
from ludus.core.registry import classes
from ludus.episode.cores import on_one_core, usable_cores
from ludus.episode.limits import Limits, Policy
from ludus.episode.player import Player
from ludus.episode.record import Seat
from ludus.episode.referee import Referee
from ludus.episode.request import Answer
from ludus.games.game import Game
from ludus.kernel.jit import compiling_lock


@contextmanager
def seated(players: Sequence[Player], game: Game) -> Iterator[None]:
    """Keep bots that take turns, and this process, on one core, and release all bots at the end."""
    take_turns = not game.simultaneous and any(player.agent.has_processes for player in players)
    with on_one_core(usable_cores()[0] if take_turns else None):
        try:
            yield
        finally:
            for player in players:
                player.close()


def check_seats(game: Game, agents: Sequence[Agent]) -> None:
    """Refuse too many or too few agents, and agents that do not suit the game."""
    given = len(agents)
    if given != game.seats:
        needs = f"{game.spec()} needs {'one agent' if game.seats == 1 else f'{game.seats} agents, one for each seat'}"
        if hasattr(game, "players") and not game.least_players <= given <= game.most_players:
            needs = f"{game.name} takes {game.least_players} to {game.most_players} agents"
        raise InvalidError(f"{needs}, but {given or 'none'} {'is' if given == 1 else 'are'} given.")
    for agent in agents:
        if reason := agent.unsuited(game):
            if agent.has_processes or agent.name in suited(game):  # its present spec does not
                raise InvalidError(f"{agent.spec()} {reason}.")
            others = [name for name in suited(game) if name != agent.name]
            raise InvalidError(f"{agent.spec()} {reason}; these suit {game.spec()}: {', '.join(others)}.")


def suited(game: Game) -> list[str]:
    """Names of the agents that can play a game."""
    names = []
    for name, cls in classes(Agent).items():
        if not any(p.required for p in cls.parameters()) and cls().unsuited(game) is None:
            names.append(name)
    return names


def prepare(
    game: Game,
    agents: Sequence[Agent],
    during: Callable[[int | None], AbstractContextManager[None]] = lambda place: nullcontext(),
) -> None:
    """Compile everything that episodes of these agents will call, before any clock runs.

    Concurrent programs share the work: agents that another program compiles come last. `during` is entered with the
    part being compiled: the rules (None), or the agent with that index.
    """
    with compiling_lock(game.name), during(None):
        try:
            _try_rules(game)
        except LudusError:
            raise
        except Exception as error:
            raise LudusError(
                f"The rules of {game.name} do not run: {gist(error)}; 'ludus check game {game.spec()}' says more."
            ) from error
    for place in _in_turn([f"{game.name} {agent.name}" for agent in agents]):
        with during(place):
            try:
                agents[place].prepare(game)
            except LudusError:
                raise
            except Exception:
                continue  # it will fail in its episodes, as their records will show


def _in_turn(names: Sequence[str]) -> Iterator[int]:
    """The indices of all names, each while its lock is held; those that others hold come last."""
    left = list(range(len(names)))
    for wait in (False, True):
        for place in left.copy():
            with compiling_lock(names[place], wait=wait) as is_ours:
                if is_ours:
                    left.remove(place)
                    yield place


def _try_rules(game: Game) -> None:
    referee = Referee(game, [Seat("", "")] * game.seats, limits=Limits(plies=1, policy=Policy.RANDOM))
    referee.begin()
    for request in referee.requests():
        referee.answer(request.seat, Answer())
