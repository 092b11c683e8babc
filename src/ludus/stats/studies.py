"""Studies of a field: the effect of swapped seats, random openings, fewer matches, and chance between repetitions.

Frames in, frames out. A deviation is the standard deviation over the repetitions of a tournament.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from ludus.stats.intervals import half_widths, wilson
from ludus.stats.rank_shifts import extent, rank_shifts, stability
from ludus.stats.ratings.scale import Floats

if TYPE_CHECKING:
    from ludus.stats.results import Results

TOP = 3
"""Number of agents that are followed from one setting to the next."""
_RESAMPLED = 400
"""Number of resamplings of the repetitions behind an interval."""
_MEASURES = ("w_ab", "w_ba", "by_seat", "by_agent")


class StudySetting(NamedTuple):
    """The repetitions of a tournament in one setting of a study, such as a number of random plies."""

    setting: float
    repetitions: pl.DataFrame
    """repetition, agent, rank, and ratings, as in `Results.repetitions`."""


# --- Swapped seats ----------------------------------------------------------------------------------------------------


def relations(results: "Results") -> pl.DataFrame:
    """Each ordered pair that met in both seatings, over the complete repetitions, with the names of agents.

    Columns: a, b, repetitions, then NAME_mean and NAME_deviation of w_ab (the score of a against b if a moves first),
    w_ba, by_seat = w_ab − w_ba, and by_agent = w_ab − (1 − w_ba).
    """
    places = {agent: place for place, agent in enumerate(results.agents)}
    found = spread_of_pairs([results.crosstable(number) for number in results.complete_repetitions])
    return found.sort(pl.col("a", "b").replace_strict(places, return_dtype=pl.Int64))


def spread_of_pairs(crosstables: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """The relations of each ordered pair, from the cross table of each repetition."""
    schema = {"a": pl.String, "b": pl.String, **dict.fromkeys(_MEASURES, pl.Float64)}
    return (
        pl.concat([*map(_both_ways, crosstables)] or [pl.DataFrame(schema=schema)])
        .group_by("a", "b")
        .agg(
            pl.len().cast(pl.Int64).alias("repetitions"),
            *(
                part
                for name in _MEASURES
                for part in (pl.col(name).mean().alias(f"{name}_mean"), pl.col(name).std().alias(f"{name}_deviation"))
            ),
        )
        .sort("a", "b")
    )


def _both_ways(crosstable: pl.DataFrame) -> pl.DataFrame:
    scores = crosstable.select("first", "second", "score")
    joined = scores.join(scores, left_on=["first", "second"], right_on=["second", "first"])
    w_ab, w_ba = pl.col("score"), pl.col("score_right")
    return joined.select(
        a="first",
        b="second",
        w_ab=w_ab,
        w_ba=w_ba,
        by_seat=w_ab - w_ba,
        by_agent=w_ab - (1 - w_ba),
    )


def sizes(relations: pl.DataFrame) -> pl.DataFrame:
    """The relations over all pairs: relation, pairs, mean, deviation, low, high (95 % over pairs).

    `first_mover` is the score of the agent that moves first; `by_seat` and `by_agent` are absolute values.
    """
    pairs = relations.filter(pl.col("a") < pl.col("b"))
    found = {
        "first_mover": (pairs["w_ab_mean"] + pairs["w_ba_mean"]) / 2,
        "by_seat": pairs["by_seat_mean"].abs(),
        "by_agent": pairs["by_agent_mean"].abs(),
    }
    rows = [(name, len(values), values.mean(), values.std()) for name, values in found.items()]
    schema = {"relation": pl.String, "pairs": pl.Int64, "mean": pl.Float64, "deviation": pl.Float64}
    frame = pl.DataFrame(rows, schema, orient="row")
    error = half_widths(frame["deviation"], frame["pairs"])
    return frame.with_columns(low=pl.col("mean") - error, high=pl.col("mean") + error)


# --- One setting after the other --------------------------------------------------------------------------------------


def values(series: Sequence[StudySetting], by: str) -> pl.DataFrame:
    """Every rating: setting, repetition, agent, rank, rating."""
    return pl.concat(
        one.repetitions.select(
            pl.lit(one.setting, pl.Float64).alias("setting"), "repetition", "agent", "rank", pl.col(by).alias("rating")
        )
        for one in series
    )


def means(series: Sequence[StudySetting], by: str) -> pl.DataFrame:
    """Agents in the order of the first setting: rank, agent, then rank_I, mean_I and deviation_I for each setting I.

    Settings count from 0, in the order given.
    """
    frame = pl.DataFrame({"agent": order(series[0], by)})
    for number, one in enumerate(series):
        table = stability(one.repetitions, by).select(
            "agent",
            pl.col("rank").alias(f"rank_{number}"),
            pl.col(f"{by}_mean").alias(f"mean_{number}"),
            pl.col(f"{by}_deviation").alias(f"deviation_{number}"),
        )
        frame = frame.join(table, on="agent", how="left", maintain_order="left")
    return frame.select(pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias("rank"), pl.all())


def order(one: StudySetting, by: str) -> list[str]:
    """The agents by their mean rating over the repetitions, the best first."""
    return stability(one.repetitions, by)["agent"].to_list()


def compared(series: Sequence[StudySetting], by: str) -> pl.DataFrame:
    """Each setting compared with the first one, by mean ratings.

    Columns: setting, repetitions, moved (agents with another rank), moved_low, moved_high, shift (their mean shift),
    shift_low, shift_high, best_first (share of repetitions in which the best agent of the first setting is first),
    best_low, best_high. Intervals are of 95 %: those of ranks from resampled repetitions, which for the first setting
    itself show how far chance alone moves ranks.
    """
    reference = order(series[0], by)
    drawn = np.random.default_rng(0)
    rows = []
    for one in series:
        shifts = extent(rank_shifts(reference, order(one, by))["shift"])
        first = one.repetitions.filter(rank=1)["agent"] == reference[0]
        low, high = wilson(float(first.sum()), float(len(first)))
        rows.append(
            {
                "setting": one.setting,
                "repetitions": len(first),
                "moved": shifts.moved,
                "shift": shifts.mean,
                "best_first": first.mean(),
                "best_low": float(low),
                "best_high": float(high),
                **_resampled(_matrix(series[0], reference, by), _matrix(one, reference, by), drawn),
            }
        )
    return pl.DataFrame(rows, infer_schema_length=None)


def _matrix(one: StudySetting, agents: Sequence[str], by: str) -> Floats:
    """Ratings by repetition and agent; not a number for an agent without games."""
    table = one.repetitions.pivot("agent", index="repetition", values=by)
    return table.select(agents).cast(pl.Float64).to_numpy()


def _resampled(reference: Floats, other: Floats, drawn: np.random.Generator) -> dict[str, float | None]:
    """Intervals of the number and the size of rank shifts, with the repetitions of both sides drawn anew."""
    if min(len(reference), len(other)) < 2:
        return dict.fromkeys(("moved_low", "moved_high", "shift_low", "shift_high"))
    before, after = (_ranks(side, drawn) for side in (reference, other))
    shifts = np.abs(before - after)
    moved = (shifts > 0).sum(axis=1)
    sizes = shifts.sum(axis=1) / np.maximum(moved, 1)
    ends: dict[str, float | None] = {}
    for name, found in (("moved", moved), ("shift", sizes)):
        ends[f"{name}_low"], ends[f"{name}_high"] = map(float, np.quantile(found, [0.025, 0.975]))
    return ends


def _ranks(ratings: Floats, drawn: np.random.Generator) -> np.ndarray:
    """Ranks by mean ratings of repetitions drawn with replacement: a row for each drawing."""
    chosen = drawn.integers(len(ratings), size=(_RESAMPLED, len(ratings)))
    known = ~np.isnan(ratings)
    counts = known[chosen].sum(axis=1)
    sums = np.where(known, ratings, 0.0)[chosen].sum(axis=1)
    means = np.where(counts > 0, sums / np.maximum(counts, 1), -np.inf)
    return (-means).argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
