"""What the wall of a tournament shows: slides with the standings and a game, readable from the back of a room."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from ludus.stats.results import Results
from ludus.views.columns import standings
from ludus.views.page.head import lead
from ludus.views.page.html_tables import Cell, Head, agents_of, table

_ROWS = 8
"""Rows of a slide."""
_COLUMNS = ("rank", "agent", "place", "points", "mean", "rating", "wtl", "episodes")
_MOST_COLUMNS = 5


class Slide(NamedTuple):
    """Some rows of the standings, and which of how many slides they are."""

    number: int
    of: int
    heads: Sequence[Head]
    rows: Sequence[Sequence[Cell]]


def slides(results: Results) -> Iterator[Slide]:
    """The standings, a few rows on each slide."""
    declared = standings(results.seats, results.by_format.orders)
    known = {column.name: column for column in declared}
    columns = [known[name] for name in _COLUMNS if name in known][:_MOST_COLUMNS]
    whole = table(results.standings(), columns, agents_of(results.tournament.agents))
    parts = [whole.rows[first : first + _ROWS] for first in range(0, len(whole.rows), _ROWS)]
    for number, rows in enumerate(parts, 1):
        yield Slide(number, len(parts), whole.heads, rows)


def headline(results: Results) -> Markup:
    """The result in one sentence."""
    return lead(results)[0]
