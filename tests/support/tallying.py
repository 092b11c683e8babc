"""Tallies as the store gives them, written by hand."""

from collections.abc import Sequence
from typing import Any

import polars as pl

SCHEMA: dict[str, Any] = {
    "repetition": pl.Int64,
    "match": pl.Int64,
    "round": pl.Int64,
    "seats": pl.List(pl.Int64),
    "scores": pl.List(pl.Float64),
    "ending": pl.String,
    "by": pl.List(pl.Int64),
    "episodes": pl.Int64,
    "fresh": pl.Int64,
}


def tally(
    seats: Sequence[int],
    scores: Sequence[float],
    episodes: int = 1,
    *,
    fresh: int | None = None,
    ending: str = "rules",
    by: Sequence[int] = (),
    match: int = 0,
) -> pl.DataFrame:
    """A number of episodes of a seating with one result."""
    row = (
        0,
        match,
        0,
        list(seats),
        [float(score) for score in scores],
        ending,
        list(by),
        episodes,
        episodes if fresh is None else fresh,
    )
    return pl.DataFrame([row], SCHEMA, orient="row")


def tallies(*parts: pl.DataFrame) -> pl.DataFrame:
    """All together."""
    return pl.concat(parts) if parts else pl.DataFrame(schema=SCHEMA)


def match_of_two(first: int, second: int, wins: int, ties: int, losses: int, match: int = 0) -> pl.DataFrame:
    """A match with these wins, ties and losses of the first, all fresh."""
    results = [((1, -1), wins), ((0, 0), ties), ((-1, 1), losses)]
    return tallies(*(tally((first, second), scores, n, match=match) for scores, n in results if n))
