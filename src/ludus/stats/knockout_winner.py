"""Who won a knockout."""

from typing import cast

import polars as pl

from ludus.episode.record import Ending
from ludus.kernel.rng import new_rng, seed_from
from ludus.tournaments.formats import format_from
from ludus.tournaments.formats.format import place_points
from ludus.tournaments.formats.knockout import Knockout
from ludus.tournaments.formats.pairing import seeded
from ludus.tournaments.tournament import Tournament


def winner(tournament: Tournament, repetition: int, tallies: pl.DataFrame) -> int:
    """The agent that got more points in the final of a repetition; of equals, the better seed."""
    format = cast(Knockout, format_from(tournament.format))
    final = tallies.filter(pl.col("repetition") == repetition)
    final = final.filter(pl.col("round") == pl.col("round").max())
    seed = seed_from(tournament.seed, "repetition", repetition, "format")
    seeds = seeded(len(tournament.agents), format.seeding, new_rng(seed, format.name))
    points = dict.fromkeys(sorted(final["seats"][0], key=seeds.index), 0.0)
    for row in final.filter(pl.col("ending") != Ending.MACHINE).iter_rows(named=True):
        for agent, gained in zip(row["seats"], place_points(row["scores"]), strict=True):
            points[agent] += gained * row["episodes"]
    return max(points, key=points.__getitem__)
