"""Seeding by the ratings of a stored tournament: the field is put into their order before it is entered."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.stats.results import Results
from ludus.store import Store
from ludus.tournaments.formats import format_from
from ludus.tournaments.plan import Parts
from ludus.tournaments.tournament import Entrant, Tournament


class Seeded(NamedTuple):
    """A tournament whose field is in the order of its seeds, and the objects that its specs name."""

    tournament: Tournament
    parts: Parts | None


def seeded_by_ratings(tournament: Tournament, parts: Parts | None, store: Store) -> Seeded:
    """Order the field by the ratings of the stored tournament that its format names; others are unchanged.

    Agents without a rating there come last. A tournament that was stored before keeps its order, whatever the other
    one has become since.
    """
    format = format_from(tournament.format) if parts is None else parts.format
    if format.seeded_by is None:
        return Seeded(tournament, parts)
    plain = format.in_field_order()
    ordered = replace(tournament, format=plain.spec())
    agents = _stored(ordered, store)
    if agents is None:
        order = _ranked(tournament.agents, _source(format.spec(), format.seeded_by, store), format.seeded_by)
        agents = tuple(tournament.agents[place] for place in order)
    ordered = replace(ordered, agents=agents)
    if parts is not None:
        parts = parts.reordered(tournament.agents, ordered.agents)._replace(format=plain)
    return Seeded(ordered, parts)


def _source(spec: str, name: str, store: Store) -> Results:
    try:
        return Results(store, store.find(name))
    except LudusError as error:
        reason = str(error).rstrip(".")
        raise InvalidError(f"{spec} names neither 'field' nor 'random' nor a stored tournament: {reason}.") from None


def _ranked(field: Sequence[Entrant], source: Results, name: str) -> list[int]:
    """The places of the field, those with the best ratings first; the same spec is the same agent."""
    standings = source.standings(by="rating" if source.seats > 1 else None)
    rated = standings.filter(standings["episodes"] > 0)["agent"].to_list()
    specs = {entrant.name: entrant.spec for entrant in source.tournament.agents}
    ranks: dict[str | Entrant, int] = {}
    for rank, agent in enumerate(rated):
        ranks[Entrant(agent, specs[agent])] = rank
        ranks.setdefault(specs[agent], rank)
    if not any(entrant.spec in ranks for entrant in field):
        raise InvalidError(
            f"None of these agents has a rating in the tournament '{name}': choose another one for seeding."
        )
    return sorted(
        range(len(field)),
        key=lambda place: ranks.get(field[place], ranks.get(field[place].spec, len(rated))),
    )


def _stored(ordered: Tournament, store: Store) -> tuple[Entrant, ...] | None:
    """The same agents in the order of the stored tournament with this name."""
    try:
        found = store.tournament(store.find(ordered.name))
    except NotFoundError:
        return None
    return found.agents if set(found.agents) == set(ordered.agents) else None
