"""Layers that a player saw in a round: from the record, or from its agent, asked again."""

from typing import Any

from ludus.agents.agent import Agent, Clock, View, agent_from
from ludus.agents.layers import LAYERS, unpack
from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.core.failures import gist
from ludus.core.seeds import seed_from
from ludus.core.text import listing
from ludus.views.boards.painter import Layer
from ludus.views.boards.timeline import Timeline


def see(episode: Timeline, place: int, name: str, seat: int | None) -> Layer:
    """The layer with a name at a moment, as seen from a seat; by default from the first seat that has one."""
    moment = episode.moments[place]
    movers = [player for player in episode.game.movers(moment.state) if player >= 0]
    if place == len(episode.moments) - 1 and not episode.answers(place):
        raise InvalidError("Nobody moves after the end: choose an earlier round for a layer.")
    if seat is not None and seat not in movers:
        raise InvalidError(f"{episode.names[seat]} (player {seat + 1}) had no move there, so it has no layer.")
    in_record = recorded(episode, place, name, seat)
    if in_record is not None:
        return in_record
    agents = _agents(episode, movers if seat is None else [seat])
    able = [player for player, agent in agents.items() if has_layers(agent)]
    if not able:
        raise InvalidError(f"{_without(episode, agents)} and the record has none.")
    found: set[str] = set()
    for player in able:
        seen = _ask(episode, place, player, agents[player])
        if name in seen:
            return Layer(name, unpack(seen[name]), player, asked_anew=True)
        found |= set(seen)
    who = episode.names[able[0]] if len(able) == 1 else "No player in that round"
    others = f"there is {listing(sorted(found))}" if found else "there is none"
    raise NotFoundError(f"{who} has {'no' if len(able) == 1 else 'a'} layer '{name}': {others}.")


def recorded(episode: Timeline, place: int, name: str, seat: int | None) -> Layer | None:
    """The layer in the record of a moment, if any."""
    for move in episode.answers(place):
        kept = _layers(move.metrics)
        if name in kept and seat in (None, move.seat):
            return Layer(name, unpack(kept[name]), move.seat)
    return None


def _agents(episode: Timeline, seats: list[int]) -> dict[int, Agent]:
    """The agents at these seats; of several, only known ones."""
    found = {}
    for seat in seats:
        try:
            found[seat] = agent_from(episode.record.seats[seat].agent)
        except LudusError:
            if len(seats) == 1:
                raise
    return found


def _layers(metrics: dict[str, Any]) -> dict[str, str]:
    kept = metrics.get(LAYERS)
    return kept if isinstance(kept, dict) else {}


def has_layers(agent: Agent) -> bool:
    """True if an agent can tell what it sees of the board."""
    return any(parameter.name == LAYERS and parameter.kind is bool for parameter in agent.parameters())


def _without(episode: Timeline, agents: dict[int, Agent]) -> str:
    if len(agents) != 1:
        return "No player in that round has layers,"
    [(seat, agent)] = agents.items()
    reason = "is a bot, which cannot be asked again" if agent.has_processes else "has no layers"
    return f"{episode.names[seat]} {reason},"


def _ask(episode: Timeline, place: int, seat: int, agent: Agent) -> dict[str, str]:
    setattr(agent, LAYERS, True)
    state = episode.moments[place].state
    try:
        agent.prepare(episode.game)
        agent.begin(episode.game, seat, seed_from(episode.record.seed, "seat", seat))
        clock = Clock(move=episode.record.limits.move)
        # Its first move may be slow because it allocates memory, which happened long before this moment in the game.
        agent.choose(View(state, seat, episode.history(place)), clock)
        return _layers(agent.choose(View(state, seat), clock).metrics)
    except Exception as error:
        raise LudusError(f"{episode.names[seat]} failed when it was asked again: {gist(error)}.") from error
