"""The best agents over several tournaments, of each kind or of all."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from statistics import fmean
from typing import NamedTuple

from ludus.core.errors import InvalidError
from ludus.core.spec import parse_agent
from ludus.core.text import listing
from ludus.stats.results import Results
from ludus.tournaments.tournament import Entrant


class Among(StrEnum):
    """The group within which the best are chosen."""

    TYPE = "type"
    ALL = "all"


class ScoredAgent(NamedTuple):
    """An agent with its kind, its mean score over its tournaments, and their number."""

    entrant: Entrant
    kind: str
    score: float
    tournaments: int


def scored_agents(tournaments: Sequence[Results]) -> list[ScoredAgent]:
    """All agents that played in these tournaments, the best first.

    An agent is identified by its spec. The score counts wins, ties and losses; for several players it is the points for
    places, for one player the mean.
    """
    games = {results.tournament.game: results for results in tournaments}
    if len(games) > 1:
        listed = listing(f"'{results.tournament.name}' of {game}" for game, results in games.items())
        raise InvalidError(
            f"Scores of different games cannot be averaged ({listed}): use tournaments of one game with the same "
            "parameters."
        )
    entrants: dict[str, Entrant] = {}
    scores: dict[str, list[float]] = {}
    for results in tournaments:
        column = {1: "mean", 2: "wtl"}.get(results.seats, "points")
        found = dict(results.standings().select("agent", column).iter_rows())
        for entrant in results.tournament.agents:
            if found[entrant.name] is not None:
                entrants.setdefault(entrant.spec, entrant)
                scores.setdefault(entrant.spec, []).append(found[entrant.name])
    all_of_them = [
        ScoredAgent(entrant, kind_of(entrant), fmean(scores[spec]), len(scores[spec]))
        for spec, entrant in entrants.items()
    ]
    return sorted(all_of_them, key=lambda agent: -agent.score)


def best(found: Sequence[ScoredAgent], count: int, among: Among) -> list[ScoredAgent]:
    """The first `count` of each kind, or of all, from agents in order; kinds are ordered by their best."""
    groups: dict[str, list[ScoredAgent]] = {}
    for agent in found:
        groups.setdefault(agent.kind if among is Among.TYPE else "", []).append(agent)
    return [agent for group in groups.values() for agent in group[:count]]


def field_of(chosen: Sequence[ScoredAgent]) -> tuple[Entrant, ...]:
    """A field for a new tournament; agents with the same name in different tournaments are named by their specs."""
    field = tuple(agent.entrant for agent in chosen)
    names = Counter(entrant.name for entrant in field)
    if len(names) == len(field):
        return field
    named = tuple(Entrant(e.spec if names[e.name] > 1 else e.name, e.spec) for e in field)
    if len({entrant.name for entrant in named}) == len(named):
        return named
    return tuple(Entrant(entrant.spec, entrant.spec) for entrant in field)


def kind_of(entrant: Entrant) -> str:
    """The kind of an agent: the name of its class, as in its spec."""
    spec = parse_agent(entrant.spec)
    return spec.name or str(spec.file)
