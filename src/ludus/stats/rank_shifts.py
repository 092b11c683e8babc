"""Rank shifts: between two orders, over repetitions, and between two tournaments."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from ludus.core.errors import InvalidError
from ludus.stats.standings import DIGITS
from ludus.tournaments.tournament import Entrant

if TYPE_CHECKING:
    from ludus.stats.results import Results


class Extent(NamedTuple):
    """How far two orders differ: how many agents have another rank, and by how many ranks these moved on average."""

    moved: int
    mean: float


def rank_shifts(before: Sequence[str], after: Sequence[str]) -> pl.DataFrame:
    """Rank by rank: agent, before, after, shift (up is positive), for the agents that are in both orders.

    Ranks count these agents alone.
    """
    common = set(before) & set(after)
    ranks = [
        {agent: rank for rank, agent in enumerate((a for a in order if a in common), 1)} for order in (before, after)
    ]
    rows = [(agent, rank, ranks[1][agent], rank - ranks[1][agent]) for agent, rank in ranks[0].items()]
    schema = {"agent": pl.String, "before": pl.Int64, "after": pl.Int64, "shift": pl.Int64}
    return pl.DataFrame(rows, schema, orient="row")


def extent(shifts: pl.Series) -> Extent:
    """The number and the mean of the shifts above 0, whichever way."""
    above = shifts.abs().filter(shifts != 0)
    return Extent(len(above), float(above.mean() or 0.0))  # type: ignore[arg-type]


def stability(repetitions: pl.DataFrame, by: str = "rating") -> pl.DataFrame:
    """Agent by agent over the repetitions, in the order of the mean of `by`.

    Columns: rank, agent, repetitions, then NAME_mean and NAME_deviation for each rating, best_rank, worst_rank, and how
    often its rank was another than here (`moved`) and by how much then on average (`shift`).
    """
    ratings = [name for name in repetitions.columns if name not in ("repetition", "agent", "rank")]
    frame = (
        repetitions.group_by("agent", maintain_order=True)
        .agg(
            pl.len().cast(pl.Int64).alias("repetitions"),
            *(
                part
                for name in ratings
                for part in (pl.col(name).mean().alias(f"{name}_mean"), pl.col(name).std().alias(f"{name}_deviation"))
            ),
            pl.col("rank").min().alias("best_rank"),
            pl.col("rank").max().alias("worst_rank"),
            pl.col("rank").alias("ranks"),
        )
        .sort(pl.col(f"{by}_mean").round(DIGITS), descending=True, nulls_last=True, maintain_order=True)
    )
    extents = [
        extent(pl.Series([rank - place for rank in ranks])) for place, ranks in enumerate(frame["ranks"].to_list(), 1)
    ]
    return frame.select(
        pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias("rank"),
        pl.all().exclude("ranks"),
        pl.Series("moved", [e.moved for e in extents], pl.Int64),
        pl.Series("shift", [e.mean for e in extents], pl.Float64),
    )


def shifts_of_runs(repetitions: pl.DataFrame, stability: pl.DataFrame) -> pl.DataFrame:
    """Run by run against the order over all of them: repetition, moved, shift (mean), best_first."""
    overall = stability["agent"].to_list()
    rows = []
    for (repetition,), run in repetitions.sort("repetition", "rank").group_by("repetition", maintain_order=True):
        order = run["agent"].to_list()
        moved = extent(rank_shifts(overall, order)["shift"])
        rows.append((repetition, moved.moved, moved.mean, order[0] == overall[0]))
    schema = {"repetition": pl.Int64, "moved": pl.Int64, "shift": pl.Float64, "best_first": pl.Boolean}
    return pl.DataFrame(rows, schema, orient="row")


# --- Two tournaments --------------------------------------------------------------------------------------------------


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


def shifts_between(before: "Results", after: "Results", by: str | None = None) -> Shifts:
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


def _rated(results: "Results", by: str | None) -> list[str]:
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


def _unfinished(sides: "tuple[Results, Results]") -> Iterator[str]:
    for side in sides:
        if side.summary.finished is None:
            yield f"'{side.tournament.name}' is not finished: its ranks may still change."


def _two_specs(before: "Results", after: "Results") -> Iterator[str]:
    specs = {entrant.name: entrant.spec for entrant in after.tournament.agents}
    for name, spec in ((entrant.name, entrant.spec) for entrant in before.tournament.agents):
        if specs.get(name, spec) != spec:
            yield f"'{name}' is {spec} in #{before.id} but {specs[name]} in #{after.id}."
