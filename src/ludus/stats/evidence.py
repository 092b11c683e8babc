"""The episodes of a tournament as stored at one moment, and which of them count as evidence.

An episode is fresh if no earlier one had the same seating and the same course, in any match: deterministic agents
repeat themselves wherever they meet. Everything counts from 0 here, and agents are numbers.
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
    """The stored facts about a tournament, each read once."""

    def __init__(self, store: "Store", id: int, *, finished: bool) -> None:
        """A tournament that is not `finished` may grow at any time; then everything derives from one reading."""
        self._store = store
        self._id = id
        self._finished = finished

    @cached_property
    def tallies(self) -> pl.DataFrame:
        """Numbers of episodes by match and result; `fresh` within their match."""
        return self._store.tallies(self._id) if self._finished else _tallied(self._outcomes)

    @cached_property
    def seatings(self) -> pl.DataFrame:
        """The agents of each seat in each match: repetition, match, seats."""
        return self.tallies.select(*MATCH, "seats").unique(MATCH, maintain_order=True)

    def episodes_of(self, repetition: int | None) -> pl.DataFrame:
        """The episodes of a repetition, or of all, in the order of keys."""
        return self._fresh(_of(self._outcomes, repetition), repetition)

    def tallies_of(self, repetition: int | None) -> pl.DataFrame:
        """The tallies of a repetition, or of all."""
        if not self._seated_again(repetition):
            return _of(self.tallies, repetition)
        # In the order of matches, so that fresh episodes are in the first matches of each repetition.
        ordered = _of(self._outcomes, repetition).sort("match", "repetition", maintain_order=True)
        return _tallied(self._fresh(ordered, repetition))

    def everything(self) -> pl.DataFrame:
        """Every episode with its seats and all its stored facts, in the order of keys."""
        episodes = self._store.episodes(self._id)
        if not self._finished:
            episodes = episodes.join(self._outcomes, on=[*MATCH, "number"], how="semi", maintain_order="left")
        return self._fresh(episodes.join(self.seatings, on=MATCH, maintain_order="left"), None)

    @cached_property
    def duplicates(self) -> int:
        """Number of episodes with a result that does not count as evidence."""
        with_result = self.tallies_of(None).filter(pl.col("ending") != Ending.MACHINE)
        return int(with_result.select((pl.col("episodes") - pl.col("fresh")).sum()).item())

    def complete(self, episodes: int) -> list[int]:
        """The repetitions that are complete, with this many episodes per match."""
        stored = self.tallies.group_by(MATCH).agg(pl.col("episodes").sum())
        full = stored.group_by("repetition").agg(full=(pl.col("episodes") >= episodes).all())
        begun = full.filter("full")["repetition"].sort().to_list()
        # They are played one after the other; the number of matches may depend on results.
        return begun if self._finished else [number for number in begun if number < stored["repetition"].max()]

    @cached_property
    def _outcomes(self) -> pl.DataFrame:
        """One reading of all that results need; matches are stored before their episodes, so none is missing."""
        names = [*MATCH, "number", "scores", "ending", "by", "course", "fresh"]
        episodes = self._store.episodes(self._id, names)
        return episodes.join(self._store.matches(self._id), on=MATCH, maintain_order="left")

    def _seated_again(self, repetition: int | None) -> bool:
        """True if a seating occurs in more than one match."""
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
    """Results of matches for a format, in order, from their tallies; a fault of the machine gives no points."""
    found: dict[tuple[int, int], Result] = {}
    for row in tallies.sort(MATCH, maintain_order=True).iter_rows(named=True):
        seats = tuple(row["seats"])
        before = found.get((row["repetition"], row["match"]), Result(Match(row["round"], seats), (0.0,) * len(seats)))
        if row["ending"] != Ending.MACHINE:
            gained = [points * row["episodes"] for points in place_points(row["scores"])]
            before = before._replace(points=tuple(map(operator.add, before.points, gained)))
        found[row["repetition"], row["match"]] = before
    return list(found.values())
