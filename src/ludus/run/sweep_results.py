"""Results of a sweep: the score of each variant, compared with the given agent.

Variants are the first agents of the field. A win scores 1, a first place shared ½; a single player scores its points.
Variants meet the same opponents from the same seats with the same openings and dice of the game, so they are compared
episode by episode.
"""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ludus.episode.record import Ending
from ludus.run.sweep import Axis, SweepPlan
from ludus.stats.evidence import Evidence
from ludus.stats.intervals import half_widths, student_chance, wilson
from ludus.stats.participants import column_of
from ludus.stats.results import Results

if TYPE_CHECKING:
    from ludus.store import Store

AS_GIVEN = 0
"""The number of the given agent, with which the others are compared."""
_PLACES = ("x", "y")
_COMPARED = ("repetition", "meeting", "number")


class Swept:
    """The results of a sweep, finished or not."""

    def __init__(self, sweep: SweepPlan, store: "Store", id: int) -> None:
        self.sweep = sweep
        self.id = id
        results = Results(store, id)
        self.faulty, self.repeating = results.faulty, results.repeating
        episodes = Evidence(store, id, finished=False).episodes_of(None)
        # The stored field keeps its order: agents that came later stand behind those that were there before.
        stored = {entrant: number for number, entrant in enumerate(results.tournament.agents)}
        places = {stored[pick.entrant]: place for place, pick in enumerate(sweep.agents)}
        seats = pl.col("seats").list.eval(pl.element().replace_strict(places, return_dtype=pl.Int64))
        self._scored = scored(episodes.with_columns(seats), len(sweep.variants))

    @property
    def seats(self) -> int:
        """Number of players of an episode."""
        return self.sweep.game.seats

    @cached_property
    def table(self) -> pl.DataFrame:
        """A row for each variant: variant (its number), agent, the parameters as texts (see `column_of`), episodes,
        wins, ties, losses, score, low, high (95 %), better (the chance to be better than the given agent).

        The given agent comes first unless it is among the requested values; the others follow by their values, or one
        parameter after the other.
        """
        rows = []
        chances = better(self._scored, AS_GIVEN)
        for number in self._order():
            variant = self.sweep.variants[number]
            values = {column_of(name): value and value.text for name, value in variant.values.items()}
            rows.append({"variant": number, "agent": variant.entrant.name, **values, "better": chances.get(number)})
        columns = [column_of(axis.parameter) for axis in self.sweep.axes]
        types = {"variant": pl.Int64, "agent": pl.String, **dict.fromkeys(columns, pl.String), "better": pl.Float64}
        found = pl.DataFrame(rows, types).join(scores(self._scored), on="variant", how="left", maintain_order="left")
        counts = ["episodes", "wins", "ties", "losses"]
        found = found.with_columns(pl.col(counts).fill_null(0))
        kept = counts if self.seats > 1 else counts[:1]
        return found.select("variant", "agent", *columns, *kept, "score", "low", "high", "better")

    def best(self) -> dict[str, Any] | None:
        """The row of the variant with the highest score; None before anything is played."""
        played = self.table.filter(pl.col("episodes") > 0)
        return played.sort("score", descending=True, maintain_order=True).row(0, named=True) if len(played) else None

    def by_opponent(self) -> pl.DataFrame:
        """For two players: variant, opponent, episodes, score, low, high."""
        found = scores(self._scored, ["variant", "opponents"])
        names = [entrant.name for entrant, _ in self.sweep.agents]
        opponent = pl.col("opponents").list.first().replace_strict(list(range(len(names))), names)
        return found.select("variant", opponent.alias("opponent"), "episodes", "score", "low", "high")

    def along(self, axis: Axis) -> pl.DataFrame:
        """Over the values of a parameter, the others as given: value (a number if all are), episodes, score, low,
        high."""
        given = self.sweep.variants[AS_GIVEN].values
        others = [other.parameter for other in self.sweep.axes if other is not axis]
        alone = [
            number
            for number, variant in enumerate(self.sweep.variants)
            if all(variant.values[name] == given[name] for name in others)
        ]
        found = self._over([axis], alone)
        value = pl.col("x").cast(pl.String)
        if axis.numeric:
            value = value.replace_strict({value.text: value.number for value in axis.values}, return_dtype=pl.Float64)
        return found.select(value.alias("value"), pl.exclude("x"))

    def as_given(self, axis: Axis) -> pl.DataFrame:
        """The same row for the given agent; the value is none if it has no place among these numbers."""
        own = self.sweep.variants[AS_GIVEN].values[axis.parameter]
        value = pl.lit(own.number if own and axis.numeric else None, pl.Float64)
        return self.table.filter(variant=AS_GIVEN).select(value.alias("value"), "episodes", "score", "low", "high")

    def pair(self, one: Axis, other: Axis) -> pl.DataFrame:
        """Over the values of two parameters, for any values of the others: x, y (texts), episodes, score, low, high."""
        asked_for = [number for number, variant in enumerate(self.sweep.variants) if variant.asked_for]
        return self._over([one, other], asked_for).with_columns(pl.col(_PLACES).cast(pl.String))

    def _over(self, axes: Sequence[Axis], variants: Sequence[int]) -> pl.DataFrame:
        """The scores of the variants with values on all these axes, x and perhaps y, in order."""
        rows = []
        for number in variants:
            values = [self.sweep.variants[number].values[axis.parameter] for axis in axes]
            if all(value in axis.values for axis, value in zip(axes, values, strict=True)):
                rows.append((number, *(value.text for value in values if value)))
        names = _PLACES[: len(axes)]
        texts = [pl.Enum([value.text for value in axis.values]) for axis in axes]
        types: dict[str, Any] = {"variant": pl.Int64, **dict(zip(names, texts, strict=True))}
        joined = self._scored.join(pl.DataFrame(rows, types, orient="row"), on="variant")
        return scores(joined, names).sort(names)

    def _order(self) -> list[int]:
        """The numbers of the variants in the order of the table."""
        numbers = list(range(len(self.sweep.variants)))
        return numbers if self.sweep.one_by_one else sorted(numbers, key=self._place)

    def _place(self, number: int) -> tuple[Any, ...]:
        variant, unknown = self.sweep.variants[number], (False, 0.0, "")
        return variant.asked_for, *(value.place if value else unknown for value in variant.values.values())


def scored(episodes: pl.DataFrame, variants: int) -> pl.DataFrame:
    """One row for each episode with a result, from the frame of the store with its seats: repetition, number, variant,
    meeting (the players of the seats, with the variant as a placeholder), opponents, score, win, tie, random, course.
    """
    is_variant = pl.element() < variants
    alone = pl.col("scores").list.len() == 1
    seat = pl.col("seats").list.eval(is_variant).list.arg_max()
    own, best = pl.col("scores").list.get(seat), pl.col("scores").list.max()
    first = own == best
    shared = pl.col("scores").list.eval(pl.element() == pl.element().max()).list.sum() > 1
    return (
        episodes.filter(pl.col("ending") != Ending.MACHINE)
        .with_columns(
            variant=pl.col("seats").list.get(seat),
            meeting=pl.col("seats").list.eval(pl.when(is_variant).then(-1).otherwise(pl.element())),
            opponents=pl.col("seats").list.eval(pl.element().filter(~is_variant)).list.sort(),
            win=first & ~shared & ~alone,
            tie=first & shared,
            own=own,
        )
        .with_columns(
            pl.col("meeting").cast(pl.List(pl.String)).list.join(" "),
            score=pl.when(alone).then("own").otherwise(pl.col("win") + pl.col("tie") / 2),
        )
        .select("repetition", "number", "variant", "meeting", "opponents", "score", "win", "tie", "random", "course")
    )


def scores(scored: pl.DataFrame, by: Sequence[str] = ("variant",)) -> pl.DataFrame:
    """By these columns: episodes, wins, ties, losses, score (the mean), low, high (95 %).

    Where nothing is random, duplicates of an earlier episode of the same variant and meeting do not make the interval
    narrower.
    """
    first = pl.struct("variant", "meeting", "course").is_first_distinct()
    marked = scored.with_columns(fresh=pl.col("random") | first)
    found = marked.group_by(by, maintain_order=True).agg(
        episodes=pl.len().cast(pl.Int64),
        wins=pl.col("win").sum().cast(pl.Int64),
        ties=pl.col("tie").sum().cast(pl.Int64),
        score=pl.col("score").mean(),
        fresh=pl.col("fresh").sum().cast(pl.Int64),
        deviation=pl.col("score").std(),
    )
    found = found.with_columns(losses=pl.col("episodes") - pl.col("wins") - pl.col("ties"))
    if is_solo(scored):  # points, which have no bounds
        error = half_widths(found["deviation"], found["fresh"])
        low, high = found["score"] - error, found["score"] + error
    else:
        low, high = map(pl.Series, wilson((found["score"] * found["fresh"]).to_numpy(), found["fresh"].to_numpy()))
    found = found.with_columns(low.alias("low"), high.alias("high"))
    return found.select(*by, "episodes", "wins", "ties", "losses", "score", "low", "high")


def better(scored: pl.DataFrame, reference: int) -> dict[int, float]:
    """For each other variant, the chance that it is better than the reference, from the episodes that both played.

    Where nothing is random, duplicates of an earlier pair do not count as evidence. The test is Student's t with one
    pair for and one against added, each with the mean lead, so that a few agreeing pairs prove little.
    """
    against = scored.filter(pl.col("variant") == reference).select(*_COMPARED, "score", "random", "course")
    pairs = scored.filter(pl.col("variant") != reference).join(against, on=_COMPARED, suffix="_reference")
    first = pl.struct("variant", "meeting", "course", "course_reference").is_first_distinct()
    leads = (
        pairs.with_columns(
            lead=pl.col("score") - pl.col("score_reference"),
            fresh=pl.col("random") | pl.col("random_reference") | first,
        )
        .group_by("variant")
        .agg("lead", pl.col("fresh").sum())
    )
    return {variant: _chance(np.array(lead), fresh) for variant, lead, fresh in leads.iter_rows()}


def is_solo(scored: pl.DataFrame) -> bool:
    """True if all players played alone."""
    return bool((scored["meeting"] == "-1").all())


def _chance(leads: np.ndarray, fresh: int) -> float:
    square = float(np.mean(leads**2))
    if not square:
        return 0.5
    mean = float(leads.mean()) * fresh / (fresh + 2)
    return student_chance(mean / math.sqrt((square - mean**2) / (fresh + 1)), fresh + 1)
