"""First movers: the seats that choose the first move after the opening, in games of two players.

An opening of an odd number of plies leaves the first choice to the second seat. Openings may differ from episode to
episode, but are the same in every match of a repetition, so the records of the first match tell who moves first.
"""

from itertools import islice, takewhile

import polars as pl

from ludus.episode.record import Key, Record
from ludus.kernel.numbers import CHANCE
from ludus.stats.evidence import Evidence
from ludus.store import Store
from ludus.tournaments.tournament import Tournament

_ENOUGH = 1000
"""Number of episodes of a match after which all others are taken to begin alike, if these do."""
_RESULT = ("repetition", "match", "round", "seats", "scores", "ending", "by")


def first_seat(record: Record) -> int | None:
    """The seat that chose the first move; None if nobody did."""
    moves = (move.seat for step in record.steps for move in step if move.seat != CHANCE)
    return next(moves, None)


class FirstMoves:
    """The first movers of a tournament of two players."""

    def __init__(self, store: Store, id: int, tournament: Tournament, evidence: Evidence) -> None:
        self._store = store
        self._id = id
        self._listed = len(tournament.openings.listed)
        self._evidence = evidence
        self._known: dict[int, dict[int, int]] = {}

    def tallies(self, repetition: int | None) -> pl.DataFrame:
        """The tallies of a repetition, or of all, whose seats are in the order of the first moves."""
        tallies = self._evidence.tallies_of(repetition)
        begun = tallies["repetition"].unique().to_list()
        seats = {seat for number in begun for seat in self._first_of(number).values()}
        if seats == {1}:
            return tallies.with_columns(pl.col("seats", "scores").list.reverse())
        if len(seats) < 2:
            return tallies
        rows = [(number, *item) for number in begun for item in self._first_of(number).items()]
        first = pl.DataFrame(rows, dict.fromkeys(("repetition", "number", "first"), pl.Int64), orient="row")
        number = pl.col("number") % self._listed if self._listed else pl.col("number")
        episodes = self._evidence.episodes_of(repetition).with_columns(number=number)
        swapped = pl.col("first") == 1
        return (
            episodes.join(first, on=["repetition", "number"], how="left", maintain_order="left")
            .with_columns(
                pl.when(swapped).then(pl.col(name).list.reverse()).otherwise(name).alias(name)
                for name in ("seats", "scores")
            )
            .group_by(_RESULT, maintain_order=True)
            .agg(pl.len().cast(pl.Int64).alias("episodes"), pl.col("fresh").sum().cast(pl.Int64))
        )

    def _first_of(self, repetition: int) -> dict[int, int]:
        """The first mover by the number of the episode; of listed openings, by the number of the opening."""
        if repetition not in self._known:
            records = takewhile(
                lambda item: item[0][:2] == (repetition, 0), self._store.records_from(self._id, Key(repetition, 0, 0))
            )
            found: dict[int, int] = {}
            for batch in iter(lambda: list(islice(records, _ENOUGH)), []):
                seats = {key.number: first_seat(record) for key, record in batch}
                found |= {number: seat for number, seat in seats.items() if seat is not None}
                if len(set(found.values())) < 2 or len(found) >= self._listed > 0:
                    break
            if self._listed:
                found = {number % self._listed: seat for number, seat in found.items()}
            self._known[repetition] = found
        return self._known[repetition]
