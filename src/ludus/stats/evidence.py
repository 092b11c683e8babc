"""The episodes of a tournament as they were stored at one moment, and which of them are evidence.

An episode is fresh if its seating has not gone the same course before: in any match, since agents that leave nothing to
chance repeat themselves wherever they meet. Everything counts from 0 here, and agents are numbers.
"""

import operator
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from ludus.episode.record import Ending
from ludus.tournaments.formats import Match, Result, place_points

if TYPE_CHECKING:
    from ludus.store import Store

MATCH = ("repetition", "match")
_RESULT = (*MATCH, "round", "seats", "scores", "ending", "by")


class Evidence:
    """What the store has of a tournament, read once each."""

    def __init__(self, store: "Store", id: int, *, finished: bool) -> None:
        """Of a tournament that is not finished more may be stored at any time: then all follows from one reading."""
        self._store = store
        self._id = id
        self._finished = finished

    @cached_property
    def tallies(self) -> pl.DataFrame:
        """So many episodes of a match with one result; `fresh` within their match."""
        return self._store.tallies(self._id) if self._finished else _tallied(self._outcomes)

    @cached_property
    def seatings(self) -> pl.DataFrame:
        """Who sat where in each match: repetition, match, seats."""
        return self.tallies.select(*MATCH, "seats").unique(MATCH, maintain_order=True)

    def episodes_of(self, repetition: int | None) -> pl.DataFrame:
        """The episodes of a repetition, or of all, in the order of keys."""
        return self._fresh(_of(self._outcomes, repetition), repetition)

    def tallies_of(self, repetition: int | None) -> pl.DataFrame:
        """The tallies of a repetition, or of all."""
        if not self._seated_again(repetition):
            return _of(self.tallies, repetition)
        # In the order of matches, so that of each repetition the first matches hold what is fresh.
        ordered = _of(self._outcomes, repetition).sort("match", "repetition", maintain_order=True)
        return _tallied(self._fresh(ordered, repetition))

    def everything(self) -> pl.DataFrame:
        """Every episode with its seats and all that the store knows of it, in the order of keys."""
        episodes = self._store.episodes(self._id)
        if not self._finished:
            episodes = episodes.join(self._outcomes, on=[*MATCH, "number"], how="semi", maintain_order="left")
        return self._fresh(episodes.join(self.seatings, on=MATCH, maintain_order="left"), None)

    @cached_property
    def duplicates(self) -> int:
        """How many episodes have a result that is no evidence."""
        with_result = self.tallies_of(None).filter(pl.col("ending") != Ending.MACHINE)
        return int(with_result.select((pl.col("episodes") - pl.col("fresh")).sum()).item())

    def complete(self, episodes: int) -> list[int]:
        """The repetitions that were played to their end, with so many episodes a match."""
        stored = self.tallies.group_by(MATCH).agg(pl.col("episodes").sum())
        full = stored.group_by("repetition").agg(full=(pl.col("episodes") >= episodes).all())
        begun = full.filter("full")["repetition"].sort().to_list()
        # They are played one after the other; how many matches one has, its results may decide.
        return begun if self._finished else [number for number in begun if number < stored["repetition"].max()]

    @cached_property
    def _outcomes(self) -> pl.DataFrame:
        """One reading of all that results need. Matches are stored before their episodes, so these find theirs."""
        names = [*MATCH, "number", "scores", "ending", "by", "course", "fresh"]
        episodes = self._store.episodes(self._id, names)
        return episodes.join(self._store.matches(self._id), on=MATCH, maintain_order="left")

    def _seated_again(self, repetition: int | None) -> bool:
        """Whether a seating comes in more than one match."""
        return bool(_of(self.seatings, repetition)["seats"].is_duplicated().any())

    def _fresh(self, episodes: pl.DataFrame, repetition: int | None) -> pl.DataFrame:
        if not self._seated_again(repetition):
            return episodes
        return episodes.with_columns(fresh=pl.struct("seats", "course").is_first_distinct())


def _of(frame: pl.DataFrame, repetition: int | None) -> pl.DataFrame:
    return frame if repetition is None else frame.filter(pl.col("repetition") == repetition)


def _tallied(episodes: pl.DataFrame) -> pl.DataFrame:
    return episodes.group_by(_RESULT, maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("episodes"), pl.col("fresh").sum().cast(pl.Int64)
    )


def match_results(tallies: pl.DataFrame) -> list[Result]:
    """What a format is told of matches, in their order, from their tallies; a fault of the machine gives no points."""
    found: dict[tuple[int, int], Result] = {}
    for row in tallies.sort(MATCH, maintain_order=True).iter_rows(named=True):
        seats = tuple(row["seats"])
        before = found.get((row["repetition"], row["match"]), Result(Match(row["round"], seats), (0.0,) * len(seats)))
        if row["ending"] != Ending.MACHINE:
            gained = [points * row["episodes"] for points in place_points(row["scores"])]
            before = before._replace(points=tuple(map(operator.add, before.points, gained)))
        found[row["repetition"], row["match"]] = before
    return list(found.values())
