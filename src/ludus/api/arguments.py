"""Games and agents as users of the API give them: specs, tables and instances."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ludus.agents.agent import Agent, agent_from
from ludus.core.errors import InvalidError, LudusError
from ludus.core.spec import Configurable
from ludus.core.user_file import trust_files
from ludus.games.game import Game, game_from
from ludus.tournaments.field import Pick
from ludus.tournaments.plan import field_of
from ludus.tournaments.tournament import Entrant

GameLike = str | Game
"""A game as it is given: a spec such as `"hex:size=5"`, or an instance."""
AgentLike = str | Agent | Mapping[str, Any]
"""An agent as it is given: a spec such as `"mcts:time=1s"`, an instance, or a table with the key `agent`."""


def game_of(game: GameLike, players: int | None = None) -> Game:
    """The game; where its spec leaves the number of players open, the number given."""
    if isinstance(game, Game):
        return game
    _refuse_classes(game)
    trust_files([_text(game)])
    return game_from(_text(game), players, base=Path())


def field_here(agents: Iterable[AgentLike]) -> list[Pick]:
    """The agents that play in this process: instances may be of any class."""
    found = field_of(_each(agents, _pick))
    if len({id(pick.agent) for pick in found}) < len(found):
        raise InvalidError("One agent object is given twice: make one for each seat.")
    return found


def refuse_awaited(field: Iterable[Pick]) -> None:
    """Refuse clients that connect by themselves: only commands open a port for them."""
    for pick in field:
        if pick.agent.awaited:
            name = pick.entrant.name
            raise InvalidError(f"{name} connects to an open port: only 'ludus play' and 'ludus run' have one.")


def stored_game(game: GameLike) -> str:
    """The spec of a game that worker processes can find too."""
    _refuse_classes(game)
    return _stored(game, game_from) if isinstance(game, Game) else _text(game)


def stored_agent(agent: str | Agent) -> str:
    """The spec of an agent that worker processes can find too."""
    found: str = stored_field([agent])[0]
    return found


def stored_field(agents: Iterable[AgentLike]) -> Any:
    """The agents as `tournaments.plan` takes them, instances as specs that worker processes can find too."""
    return _each(agents, lambda agent: _stored(agent, agent_from))


def _each(agents: Any, convert: Any) -> Any:
    """A list of agents with its instances converted; anything else is left to be refused."""
    if isinstance(agents, str | Mapping) or not isinstance(agents, Iterable):
        return agents
    listed = list(agents)
    for agent in listed:
        _refuse_classes(agent)
    return [convert(agent) if isinstance(agent, Agent) else agent for agent in listed]


def _pick(agent: Agent) -> Pick:
    return Pick(Entrant(agent.spec() or type(agent).__name__, agent.spec()), agent)


def _text(game: Any) -> str:
    if not isinstance(game, str):
        raise InvalidError(f"game = {game!r} is not a game: write a text such as 'hex:size=5', or give an instance.")
    return game


def _refuse_classes(thing: Any) -> None:
    if isinstance(thing, type) and issubclass(thing, Configurable):
        raise InvalidError(f"{thing.__name__} is a class: write {thing.__name__}() for one with default parameters.")


def _stored(thing: Configurable, find: Any) -> str:
    """The spec of an instance, which must lead to its class in another process."""
    spec, kind = thing.spec(), type(thing)
    try:
        if spec and type(find(spec)) is kind:
            return spec
    except LudusError:
        pass
    _, colon, parameters = spec.partition(":")
    file = None if kind.__module__ == "__main__" else getattr(sys.modules.get(kind.__module__), "__file__", None)
    remedy = f"put its class into a file, and write 'FILE.py:{kind.__name__}{colon}{parameters}'"
    if file is not None:
        remedy = f"write '{file}:{kind.__name__}{colon}{parameters}'"
    raise InvalidError(
        f"Only this process knows {kind.__name__}, but other processes must find what is stored: {remedy}; "
        f"ludus.play takes it as it is."
    )
