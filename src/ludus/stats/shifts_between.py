"""How ranks differ between two tournaments, of the agents that played in both."""

from collections.abc import Iterator
from typing import NamedTuple

import polars as pl

from ludus.core.errors import InvalidError
from ludus.stats.rank_shifts import rank_shifts
from ludus.stats.results import Results
from ludus.tournaments.tournament import Entrant


class Shifts(NamedTuple):
    """Ranks of the agents in common, under the names they have in the first tournament, and what is to be known."""

    ranks: pl.DataFrame
    """agent, before, after, shift (up is positive); ranks count these agents alone."""
    only_before: list[str]
    only_after: list[str]
    unrated: list[str]
    """Agents that have no result in one of the two."""
    warnings: list[str]
    """Sentences."""


def shifts_between(before: Results, after: Results, by: str | None = None) -> Shifts:
    """An agent is known by its name, and where the other tournament has no such name, by its spec."""
    sides = (before, after)
    orders = [_rated(side, by) for side in sides]
    for side, order in zip(sides, orders, strict=True):
        if not order:
            raise InvalidError(f"'{side.tournament.name}' has no ranks to compare: no episode of it has a result.")
    known = _names_before(before.tournament.agents, after.tournament.agents)
    if not known:
        raise InvalidError(
            f"'{before.tournament.name}' and '{after.tournament.name}' have no agent of the same name or spec."
        )
    ranks = rank_shifts(orders[0], [known[name] for name in orders[1] if name in known])
    if ranks.is_empty():
        raise InvalidError(
            f"No agent has a result both in '{before.tournament.name}' and in '{after.tournament.name}', so there "
            "are no ranks to compare."
        )
    common = set(known.values())
    compared = set(ranks["agent"])
    return Shifts(
        ranks,
        [name for name in before.agents if name not in common],
        [name for name in after.agents if name not in known],
        [name for name in before.agents if name in common - compared],
        [*_unfinished(sides), *_two_specs(before, after)],
    )


def _rated(results: Results, by: str | None) -> list[str]:
    return results.standings(by=by).filter(pl.col("episodes") > 0)["agent"].to_list()


def _names_before(before: tuple[Entrant, ...], after: tuple[Entrant, ...]) -> dict[str, str]:
    """For agents of the second field that are in the first, their names there."""
    names = {entrant.name for entrant in before} & {entrant.name for entrant in after}
    renamed = {entrant.spec: entrant.name for entrant in reversed(before) if entrant.name not in names}
    known = {name: name for name in names}
    for entrant in after:
        if entrant.name not in names and entrant.spec in renamed:
            known[entrant.name] = renamed.pop(entrant.spec)
    return known


def _unfinished(sides: tuple[Results, Results]) -> Iterator[str]:
    for side in sides:
        if side.summary.finished is None:
            yield f"'{side.tournament.name}' is not finished: its ranks may still change."


def _two_specs(before: Results, after: Results) -> Iterator[str]:
    specs = {entrant.name: entrant.spec for entrant in after.tournament.agents}
    for name, spec in ((entrant.name, entrant.spec) for entrant in before.tournament.agents):
        if specs.get(name, spec) != spec:
            yield f"'{name}' is {spec} in #{before.id} but {specs[name]} in #{after.id}."
