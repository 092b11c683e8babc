"""The episodes of a tournament as stored at one moment, and which of them count as evidence.

An episode is random unless all its agents are deterministic and the game has no chance. An episode is fresh, and
counts as evidence, if it is random or if no earlier one had the same seating and the same course, in any match:
deterministic agents repeat themselves wherever they meet. Everything counts from 0 here, and agents are numbers.
"""

import operator
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from ludus.episode.record import Ending
from ludus.stats.equal_games import may_repeat, repeating
from ludus.tournaments.arrangement import most_matches
from ludus.tournaments.determinism import deterministic_agents
from ludus.tournaments.formats import Match, Result, format_from, place_points
from ludus.tournaments.tournament import Tournament

if TYPE_CHECKING:
    from ludus.store import Store

MATCH = ("repetition", "match")
_RESULT = (*MATCH, "round", "seats", "random", "scores", "ending", "by")


class Evidence:
    """The stored facts about a tournament, each read once."""

    def __init__(self, store: "Store", id: int, *, finished: bool) -> None:
        """A tournament that is not `finished` may grow at any time; then everything derives from one reading."""
        self._store = store
        self._id = id
        self._finished = finished

    @cached_property
    def tallies(self) -> pl.DataFrame:
        """Numbers of episodes by match and result; `different` (courses) and `fresh` within their match."""
        if not self._finished:
            return _tallied(_fresh(self._outcomes, (*MATCH, "course")))
        counted = pl.when("random").then("episodes").otherwise("different")
        return self._marked(self._store.tallies(self._id)).with_columns(fresh=counted)

    @cached_property
    def seatings(self) -> pl.DataFrame:
        """The agents of each seat in each match, and whether anything is random: repetition, match, seats, random."""
        return self.tallies.select(*MATCH, "seats", "random").unique(MATCH, maintain_order=True)

    def episodes_of(self, repetition: int | None) -> pl.DataFrame:
        """The episodes of a repetition, or of all, in the order of keys."""
        return _fresh(_of(self._outcomes, repetition), self._same(repetition))

    def tallies_of(self, repetition: int | None) -> pl.DataFrame:
        """The tallies of a repetition, or of all."""
        if not self._seated_again(repetition):
            return _of(self.tallies, repetition)
        # In the order of matches, so that fresh episodes are in the first matches of each repetition.
        ordered = _of(self._outcomes, repetition).sort("match", "repetition", maintain_order=True)
        return _tallied(_fresh(ordered, self._same(repetition)))

    def everything(self) -> pl.DataFrame:
        """Every episode with its seats and all its stored facts, in the order of keys."""
        episodes = self._store.episodes(self._id)
        if not self._finished:
            episodes = episodes.join(self._outcomes, on=[*MATCH, "number"], how="semi", maintain_order="left")
        return _fresh(episodes.join(self.seatings, on=MATCH, maintain_order="left"), self._same(None)).drop("random")

    @cached_property
    def duplicates(self) -> int:
        """Number of episodes with a result that does not count as evidence."""
        with_result = self.tallies_of(None).filter(pl.col("ending") != Ending.MACHINE)
        return int(with_result.select((pl.col("episodes") - pl.col("fresh")).sum()).item())

    @cached_property
    def repeating(self) -> list[tuple[int, ...]]:
        """The groups of agents that count as random although all their games from one opening are equal."""
        if not may_repeat(self.tallies):
            return []
        openings = self._store.tournament(self._id).openings
        return repeating(self._outcomes, each_repetition=bool(openings.plies))

    def complete(self) -> list[int]:
        """The repetitions that are complete."""
        tournament = self._store.tournament(self._id)
        stored = self.tallies.group_by(MATCH).agg(pl.col("episodes").sum(), seats=pl.col("seats").first())
        full = stored.group_by("repetition").agg(pl.len(), full=(pl.col("episodes") >= tournament.episodes).all())
        full = full.filter("full").sort("repetition")
        if self._finished or stored.is_empty():
            return full["repetition"].to_list()
        format = format_from(tournament.format)
        if not format.depends_on_results:
            wanted = most_matches(tournament, format, len(stored["seats"][0]))
            return full.filter(pl.col("len") >= wanted)["repetition"].to_list()
        # They are played one after the other; of the last one, only the format knows whether more rounds follow.
        last = stored["repetition"].max()
        return [number for number in full["repetition"].to_list() if number < last or self._is_over(tournament, number)]

    def _is_over(self, tournament: Tournament, repetition: int) -> bool:
        """True if the format asks for no more matches after those that are stored."""
        tallies = _of(self.tallies, repetition)
        results = match_results(tallies)
        seats = len(tallies["seats"][0])
        rounds = format_from(tournament.format).schedule(
            len(tournament.agents), seats, tournament.format_seed(repetition)
        )
        matches, first = next(rounds, []), 0
        while matches:
            last = first + len(matches)
            if len(results) < last:
                return False
            try:
                matches = rounds.send(results[first:last])
            except StopIteration:
                return True
            first = last
        return True

    @cached_property
    def _outcomes(self) -> pl.DataFrame:
        """One reading of all that results need; matches are stored before their episodes, so none is missing."""
        names = [*MATCH, "number", "scores", "ending", "by", "course"]
        episodes = self._store.episodes(self._id, names)
        return episodes.join(self._marked(self._store.matches(self._id)), on=MATCH, maintain_order="left")

    def _marked(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The frame with the column `random`, from its seats."""
        sure = deterministic_agents(self._store.tournament(self._id))
        return frame.with_columns(random=~pl.col("seats").list.eval(pl.element().is_in(sure)).list.all())

    def _seated_again(self, repetition: int | None) -> bool:
        """True if a seating without anything random occurs in more than one match."""
        return bool(_of(self.seatings, repetition).filter(~pl.col("random"))["seats"].is_duplicated().any())

    def _same(self, repetition: int | None) -> tuple[str, ...]:
        """The columns that two episodes share if one repeats the other; the seats are slow to compare."""
        return ("seats", "course") if self._seated_again(repetition) else (*MATCH, "course")


def _fresh(episodes: pl.DataFrame, same: Sequence[str]) -> pl.DataFrame:
    if episodes["random"].all():
        return episodes.with_columns(fresh=pl.lit(True))
    return episodes.with_columns(fresh=pl.col("random") | pl.struct(same).is_first_distinct())


def _of(frame: pl.DataFrame, repetition: int | None) -> pl.DataFrame:
    return frame if repetition is None else frame.filter(pl.col("repetition") == repetition)


def _tallied(episodes: pl.DataFrame) -> pl.DataFrame:
    return episodes.group_by(_RESULT, maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("episodes"),
        pl.col("course").n_unique().cast(pl.Int64).alias("different"),
        pl.col("fresh").sum().cast(pl.Int64),
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
