"""The wall of a tournament: slides with the standings and a game, readable from the back of a room."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from ludus.stats.results import Results
from ludus.views.columns import standings
from ludus.views.page.head import lead
from ludus.views.page.html_tables import Cell, Head, agents_of, table

_ROWS = 8
"""Rows of a slide."""
_OF_ONE = ("mean", "best")
_OF_TWO = ("rating", "wtl")
_OF_SEVERAL = ("rating", "points")


class Slide(NamedTuple):
    """Some rows of the standings, counted from 1, and the heads of their columns; `of` slides have all rows."""

    first: int
    last: int
    of: int
    heads: Sequence[Head]
    rows: Sequence[Sequence[Cell]]


def slides(results: Results) -> Iterator[Slide]:
    """The standings, a few rows on each slide."""
    orders = results.by_format.orders[:1]
    names = ("rank", "agent", *orders, *{1: _OF_ONE, 2: _OF_TWO}.get(results.seats, _OF_SEVERAL))
    known = {column.name: column for column in standings(results.seats, results.by_format.orders)}
    columns = [known[name] for name in dict.fromkeys(names)]
    whole = table(results.standings(), columns, agents_of(results.tournament.agents))
    firsts = range(0, len(whole.rows), _ROWS)
    for first in firsts:
        rows = whole.rows[first : first + _ROWS]
        yield Slide(first + 1, first + len(rows), len(firsts), whole.heads, rows)


def headline(results: Results) -> Markup:
    """The result in one sentence."""
    return lead(results)[0]
