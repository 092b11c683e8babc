"""Tournaments of two players: pairings, the cross table, its symmetry, and the standings.

Agents are numbers. A tally is a row of the store's frame of tallies: a number of episodes of a match with one result.
"""

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ludus.core.paths import cache_folder
from ludus.core.version import __version__
from ludus.episode.record import Ending
from ludus.stats import places
from ludus.stats.places import COUNTS
from ludus.stats.ratings import elo, glicko2
from ludus.stats.ratings.alpha_rank import alpha_rank
from ludus.stats.ratings.bradley_terry import BradleyTerry, bradley_terry
from ludus.stats.ratings.nash import max_entropy_nash, nash_scores
from ludus.stats.ratings.scale import TWO_SIDED_95, Floats
from ludus.stats.standings import RatedRun, chances, interval_columns, ranked

_DIGITS = 5
_FEW = 20_000  # number of games up to which rating is faster than reading a file


def meetings(tallies: pl.DataFrame) -> pl.DataFrame:
    """One row for each ordered pair that met: first, second, and wins, ties and losses of the first.

    The columns `fresh_wins` and so on leave out duplicates: they are the evidence for ratings.
    """
    ahead = pl.col("scores").list.get(0) - pl.col("scores").list.get(1)
    outcomes = {"wins": ahead > 0, "ties": ahead == 0, "losses": ahead < 0}
    return (
        tallies.filter(pl.col("ending") != Ending.MACHINE)
        .group_by(first=pl.col("seats").list.get(0), second=pl.col("seats").list.get(1))
        .agg(
            *(pl.col("episodes").filter(happened).sum().alias(name) for name, happened in outcomes.items()),
            *(pl.col("fresh").filter(happened).sum().alias(f"fresh_{name}") for name, happened in outcomes.items()),
        )
        .sort("first", "second")
    )


def games(episodes: pl.DataFrame) -> pl.DataFrame:
    """The fresh episodes in the order of their keys: first, second, score of the first (1, ½, 0)."""
    ahead = pl.col("scores").list.get(0) - pl.col("scores").list.get(1)
    return episodes.filter(pl.col("fresh") & (pl.col("ending") != Ending.MACHINE)).select(
        first=pl.col("seats").list.get(0),
        second=pl.col("seats").list.get(1),
        score=(ahead.sign() + 1) / 2,
    )


def crosstable(meetings: pl.DataFrame) -> pl.DataFrame:
    """One row for each ordered pair that met: first, second, episodes, wins, ties, losses and score of the first."""
    return meetings.select(
        "first", "second", pl.sum_horizontal(COUNTS).alias("episodes"), *COUNTS, score=places.score()
    )


def symmetry(meetings: pl.DataFrame, order: list[int]) -> pl.DataFrame:
    """Each pair that met in both seatings, a before b in the given order: a, b, w_ab, w_ba, by_seat, by_agent.

    w_ab is the score of a against b if a moves first. by_seat = |w_ab − w_ba| is 0 if the first mover scores the same,
    whichever of the two it is; by_agent = |w_ab − (1 − w_ba)| is 0 if an agent scores the same from either seat.
    """
    table = crosstable(meetings).select("first", "second", "score")
    place = pl.DataFrame({"agent": order, "place": range(len(order))}, schema={"agent": pl.Int64, "place": pl.Int64})
    return (
        table.join(table, left_on=["first", "second"], right_on=["second", "first"])
        .rename({"first": "a", "second": "b", "score": "w_ab", "score_right": "w_ba"})
        .join(place.rename({"agent": "a", "place": "place_a"}), on="a")
        .join(place.rename({"agent": "b", "place": "place_b"}), on="b")
        .filter(pl.col("place_a") < pl.col("place_b"))
        .sort("place_a", "place_b")
        .select(
            "a",
            "b",
            "w_ab",
            "w_ba",
            by_seat=(pl.col("w_ab") - pl.col("w_ba")).abs(),
            by_agent=(pl.col("w_ab") - (1 - pl.col("w_ba"))).abs(),
        )
    )


def with_deviations(frame: pl.DataFrame, runs: Sequence[pl.DataFrame], key: Sequence[str]) -> pl.DataFrame:
    """The frame with mean and deviation over the frames of single runs of each column of numbers, but counts.

    They are called NAME_mean and NAME_deviation.
    """
    values = [name for name, kind in frame.schema.items() if kind.is_float()]
    joined = (
        pl.concat([frame.clear(), *runs])
        .group_by(key)
        .agg(
            part
            for name in values
            for part in (pl.col(name).mean().alias(f"{name}_mean"), pl.col(name).std().alias(f"{name}_deviation"))
        )
    )
    return frame.join(joined, on=key, how="left", maintain_order="left")


def points(agents: int, tallies: pl.DataFrame) -> pl.Series:
    """The sum of the scores of each agent, as the game gives them; none for an agent without episodes."""
    each = tallies.filter(pl.col("ending") != Ending.MACHINE).explode("seats", "scores")
    sums = each.group_by(agent="seats").agg(points=(pl.col("scores") * pl.col("episodes")).sum())
    field = pl.DataFrame({"agent": range(agents)}, schema={"agent": pl.Int64})
    return field.join(sums, on="agent", how="left", maintain_order="left")["points"]


def payoffs(agents: int, meetings: pl.DataFrame) -> Floats:
    """Scores above ½ of each agent against each other, as means over both seats; unknown for pairs that never met."""
    scores = np.full((2, agents, agents), np.nan)
    first, second, *counts = evidence(meetings)
    games = sum(counts)
    with np.errstate(invalid="ignore"):
        scored = (counts[0] + counts[1] / 2) / games - 0.5
    scores[0, first, second], scores[1, second, first] = scored, -scored
    known = ~np.isnan(scores)
    found = np.where(known, scores, 0).sum(axis=0) / np.where(known.any(axis=0), known.sum(axis=0), np.nan)
    np.fill_diagonal(found, 0)
    return found


def nash(agents: int, meetings: pl.DataFrame) -> pl.DataFrame:
    """The agents in the order of their scores against the Nash mixture: agent, nash, against, alpha_rank.

    `nash` is the share in the mixture, `against` the score against it, `alpha_rank` the mass by α-rank. There is no row
    if some pair has not met.
    """
    schema = {"agent": pl.Int64, "nash": pl.Float64, "against": pl.Float64, "alpha_rank": pl.Float64}
    gains = payoffs(agents, meetings)
    if np.isnan(gains).any():
        return pl.DataFrame(schema=schema)
    shares = max_entropy_nash(gains)
    columns = (range(agents), shares, nash_scores(gains, shares) + 0.5, alpha_rank(gains))
    frame = pl.DataFrame(dict(zip(schema, columns, strict=True)), schema)
    # Agents of the mixture score ½ against it, but for rounding.
    return frame.sort(pl.col("against").round(_DIGITS), "nash", "alpha_rank", descending=True, maintain_order=True)


def fit(agents: int, meetings: pl.DataFrame) -> BradleyTerry:
    """The ratings by Bradley and Terry, with the advantage of moving first."""
    return bradley_terry(agents, *evidence(meetings))


def by_seat(results: pl.DataFrame, fit: BradleyTerry) -> pl.DataFrame:
    """Results of moving first and second: seat, episodes, wins, ties, losses, score, advantage (Elo points), error."""
    known = pl.col("episodes") > 0
    return (
        pl.DataFrame({"seat": [0, 1]})
        .join(places.by_seat(results), on="seat", how="left", maintain_order="left")
        .with_columns(pl.col("episodes", *COUNTS).fill_null(0))
        .with_columns(
            advantage=pl.when(known).then((1 - 2 * pl.col("seat")) * fit.advantage),
            error=pl.when(known).then(TWO_SIDED_95 * fit.advantage_deviation),
        )
    )


def elos(agents: int, games: pl.DataFrame) -> pl.DataFrame:
    """Both Elo ratings of every agent after these games, as columns `fide` and `uscf`."""
    sequence: tuple[Any, ...] = (agents, *(games[name].to_numpy() for name in ("first", "second", "score")))
    return pl.DataFrame({"fide": elo.fide(*sequence), "uscf": elo.uscf(*sequence)})


def kept_elos(agents: int, games: pl.DataFrame) -> pl.DataFrame:
    """The Elo ratings of every agent after these games; those of many games are slow, and kept in the cache folder."""
    if len(games) <= _FEW:
        return elos(agents, games)
    file = _cache_file(f"elos {agents} {__version__}", games)
    with suppress(OSError, pl.exceptions.PolarsError):
        return pl.read_ipc(file)
    answer = elos(agents, games)
    with suppress(OSError):  # without a file it is slow again next time
        file.parent.mkdir(parents=True, exist_ok=True)
        whole = file.with_suffix(f".{os.getpid()}")
        answer.write_ipc(whole)
        whole.replace(file)
    return answer


def _cache_file(what: str, games: pl.DataFrame) -> Path:
    digest = hashlib.blake2b(what.encode(), digest_size=16)
    for column in games:
        digest.update(column.to_numpy().tobytes())
    return cache_folder() / "ratings" / digest.hexdigest()


def standings(
    results: pl.DataFrame,
    meetings: pl.DataFrame,
    elos: pl.DataFrame,
    fit: BradleyTerry,
    points: pl.Series,
    by: str = "rating",
) -> pl.DataFrame:
    """The agents from the best to the last, with every rating; agents without episodes come last, without ratings."""
    agents = len(elos)
    glickos = glicko2.after_period([glicko2.START] * agents, *evidence(meetings))
    ratings = {
        "fide": elos["fide"],
        "uscf": elos["uscf"],
        "glicko": pl.Series([player.rating for player in glickos], dtype=pl.Float64),
        "glicko_deviation": pl.Series([player.deviation for player in glickos], dtype=pl.Float64),
        **interval_columns(fit),
    }
    known = pl.col("episodes") > 0
    frame = places.totals(agents, results).select(
        "agent",
        "episodes",
        *COUNTS,
        pl.col("points").alias("wtl"),
        points,
        *(pl.when(known).then(values).alias(name) for name, values in ratings.items()),
    )
    frame = ranked(frame, by, "wtl")
    return frame.with_columns(better=chances(frame, fit))


class TwoPlayers(RatedRun):
    """Runs of two players."""

    orders: tuple[str, ...] = ("rating", "wtl", "points", "glicko", "fide", "uscf")

    @cached_property
    def meetings(self) -> pl.DataFrame:
        """Results of each ordered pair."""
        return meetings(self._tallies)

    @cached_property
    def fit(self) -> BradleyTerry:
        """The ratings."""
        return fit(self._agents, self.meetings)

    def ratings(self, tallies: pl.DataFrame) -> pl.Series:
        ratings = fit(self._agents, meetings(tallies)).ratings
        return pl.Series(ratings - self.fit.shares @ ratings)

    def by_seat(self) -> pl.DataFrame:
        return by_seat(self.results, self.fit)

    @cached_property
    def _elos(self) -> pl.DataFrame:
        return kept_elos(self._agents, games(self._episodes()))

    @cached_property
    def _points(self) -> pl.Series:
        return points(self._agents, self._tallies)

    def _standings(self, by: str) -> pl.DataFrame:
        return standings(self.results, self.meetings, self._elos, self.fit, self._points, by)


def evidence(meetings: pl.DataFrame) -> tuple[Any, ...]:
    """The meetings as ratings take them: first, second, and fresh wins, ties and losses as arrays."""
    return tuple(meetings[name].to_numpy() for name in ("first", "second", *(f"fresh_{name}" for name in COUNTS)))
