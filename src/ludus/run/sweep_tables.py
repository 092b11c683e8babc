"""Variants of one agent against the same opponents: what each scores, and whether it is better than one of them.

Variants are the first agents of the field. A win scores 1, a first place shared ½; where there is one player, its
points are the score. Variants meet the same opponents from the same seats with the same openings and dice of the game,
so they are compared episode by episode.
"""

import math
from collections.abc import Sequence

import numpy as np
import polars as pl

from ludus.episode.record import Ending
from ludus.stats.intervals import half_widths, student_chance, wilson

_COMPARED = ("repetition", "meeting", "number")


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

    Pairs of episodes that both went exactly as an earlier pair make it no surer. It is by Student's t, with one more
    pair for it and one against it, each of the usual lead: so a few pairs that agree prove little.
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
    return {variant: _chance(np.array(lead), fresh) for variant, lead, fresh in leads.iter_rows()}


def is_solo(scored: pl.DataFrame) -> bool:
    """Whether everybody played alone."""
    return bool((scored["meeting"] == "-1").all())


def _chance(leads: np.ndarray, fresh: int) -> float:
    square = float(np.mean(leads**2))
    if not square:
        return 0.5
    mean = float(leads.mean()) * fresh / (fresh + 2)
    return student_chance(mean / math.sqrt((square - mean**2) / (fresh + 1)), fresh + 1)
