"""Variants of one agent against the same opponents: what each scores, and whether it is better than one of them.

Variants are the first agents of the field. A win scores 1, a first place shared ½; where there is one player, its
points are the score. Variants meet the same opponents from the same seats with the same openings and the same chance,
so they are compared episode by episode.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl

from ludus.analysis.rates import wilson
from ludus.ratings.comparison import of_pairs
from ludus.ratings.scale import TWO_SIDED_95, normal_chance
from ludus.record import Ending

_COMPARED = ("repetition", "meeting", "number")
_BINS = 5  # from a win less to a win more, by half points


def scored(episodes: pl.DataFrame, variants: int) -> pl.DataFrame:
    """One row for each episode with a result, from the frame of the store with its seats: repetition, number, variant,
    meeting (who sat where, whichever variant it was), opponents, score, win, tie, course.
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
        .select("repetition", "number", "variant", "meeting", "opponents", "score", "win", "tie", "course")
    )


def scores(scored: pl.DataFrame, by: Sequence[str] = ("variant",)) -> pl.DataFrame:
    """By these columns: episodes, wins, ties, losses, score (the mean), low, high (95 %).

    Episodes that went exactly as an earlier one of that variant in the same meeting make the interval no narrower.
    """
    told = scored.with_columns(fresh=pl.struct("variant", "meeting", "course").is_first_distinct())
    found = told.group_by(by, maintain_order=True).agg(
        episodes=pl.len().cast(pl.Int64),
        wins=pl.col("win").sum().cast(pl.Int64),
        ties=pl.col("tie").sum().cast(pl.Int64),
        score=pl.col("score").mean(),
        fresh=pl.col("fresh").sum(),
        error=TWO_SIDED_95 * pl.col("score").std() / pl.col("fresh").sum().sqrt(),
    )
    found = found.with_columns(losses=pl.col("episodes") - pl.col("wins") - pl.col("ties"))
    if is_solo(scored):  # points, which have no bounds
        low, high = found["score"] - found["error"], found["score"] + found["error"]
    else:
        low, high = map(pl.Series, wilson((found["score"] * found["fresh"]).to_numpy(), found["fresh"].to_numpy()))
    found = found.with_columns(low.alias("low"), high.alias("high"))
    return found.select(*by, "episodes", "wins", "ties", "losses", "score", "low", "high")


def better(scored: pl.DataFrame, reference: int) -> dict[int, float]:
    """For each other variant, the chance that it is better than the reference, from the episodes that both played.

    Pairs of episodes that both went exactly as an earlier pair make it no surer.
    """
    against = scored.filter(pl.col("variant") == reference).select(*_COMPARED, "score", "course")
    pairs = scored.filter(pl.col("variant") != reference).join(against, on=_COMPARED, suffix="_reference")
    leads = (
        pairs.with_columns(
            lead=pl.col("score") - pl.col("score_reference"),
            fresh=pl.struct("variant", "meeting", "course", "course_reference").is_first_distinct(),
        )
        .group_by("variant")
        .agg("lead", pl.col("fresh").sum())
    )
    chance = _of_points if is_solo(scored) else _of_scores
    return {variant: chance(np.array(lead), fresh) for variant, lead, fresh in leads.iter_rows()}


def is_solo(scored: pl.DataFrame) -> bool:
    """Whether everybody played alone."""
    return bool((scored["meeting"] == "-1").all())


def _of_scores(leads: np.ndarray, fresh: int) -> float:
    """Leads between −1 and 1 by half points are what pairs of games give."""
    bins = np.bincount((2 * leads + 2).astype(np.int64), minlength=_BINS)
    return of_pairs((bins * (fresh / len(leads))).tolist()).chance


def _of_points(leads: np.ndarray, fresh: int) -> float:
    error = leads.std(ddof=1) / np.sqrt(fresh) if len(leads) > 1 else 0.0
    return normal_chance(leads.mean() / error) if error else 0.5
