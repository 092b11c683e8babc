"""Frames as tables for the page: figures as texts, the best of each column highlighted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

import polars as pl

from ludus.core.text import percent, plural
from ludus.tournaments.tournament import Entrant
from ludus.views.column import Column, shown
from ludus.views.short_names import shown_names

_LONG = 40
"""Number of letters from which a text may be cut off on the page."""


_BEYOND = 0.1
"""Room for intervals beyond the highest and the lowest value, as a share of their distance."""


class Bar(NamedTuple):
    """A value and the ends of its interval, as places on a line from 0 to 100 that all rows share."""

    low: float
    value: float
    high: float


class Cell(NamedTuple):
    """A cell: its text, its tool tip, its highlighting, such as `best` or `win-7`, and where a click on it leads.

    A `moment` is a time in ISO 8601, which a browser can show in the zone of its user.
    """

    text: str
    tip: str = ""
    look: str = ""
    address: str = ""
    bar: "Bar | None" = None
    moment: str = ""


class Links:
    """The addresses of what a page names; a page that stands alone has none."""

    def agent(self, name: str) -> str:
        """The address of an agent."""
        return ""

    def episode(self, name: str) -> str:
        """The address of an episode."""
        return ""

    def episodes(self, **facts: str) -> str:
        """The address of all episodes with these facts: `agent`, `opponent`, `first`, `ending`."""
        return ""


NO_LINKS = Links()


class Shown(NamedTuple):
    """The label of an agent, and its tool tip."""

    text: str
    tip: str


def agents_of(field: Iterable[Entrant]) -> dict[str, Shown]:
    """The short name of each agent of a field, with its spec for the pointer."""
    specs = {entrant.name: entrant.spec for entrant in field}
    return {name: Shown(text, specs[name]) for name, text in shown_names(list(specs)).items()}


class Head(NamedTuple):
    """The head of a column; `figures` are aligned right; if it `names_rows`, its cells are heads too."""

    text: str
    tip: str = ""
    figures: bool = True
    names_rows: bool = False


@dataclass(frozen=True)
class Table:
    """Heads and rows; `note` stands below, `look` is the style: `matrix`, `narrow`."""

    heads: Sequence[Head]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    look: str = ""
    kind: Literal["table"] = "table"


def table(
    frame: pl.DataFrame,
    columns: Iterable[Column],
    agents: Mapping[str, Shown],
    *,
    note: str = "",
    look: str = "",
    links: Links = NO_LINKS,
) -> Table:
    """The columns that the frame has, as a table; `agents` has the label for each name."""
    found = shown(frame, columns)
    labels = {name: agent.text for name, agent in agents.items()}
    named = next((column for column in found if column.agents), None)
    heads: list[Head] = []
    cells: list[list[Cell]] = []
    for column in found:
        best = _best(frame[column.name], column.best)
        texts, addresses = column.cells(frame, labels), _addresses(frame, column, links)
        heads.append(Head(column.title, column.tip, not column.words, column is named))
        cells.append(
            [
                _cell(column, value, text, best, agents)._replace(address=address)
                for value, text, address in zip(frame[column.name], texts, addresses, strict=True)
            ]
        )
        if bars := _bars(frame, column):
            heads.append(Head("", figures=False))
            cells.append([Cell("", look="interval", bar=bar) for bar in bars])
    return Table(heads, [*zip(*cells, strict=True)], note, look)


def _addresses(frame: pl.DataFrame, column: Column, links: Links) -> Iterable[str]:
    """Targets of clicks on the cells of a column."""
    values = frame[column.name]
    if column.agents or column.episodes:
        address = links.agent if column.agents else links.episode
        return [address(value) if value else "" for value in values]
    if column.counted:
        rows = frame.select(name for name in column.counted if name in frame.columns).iter_rows(named=True)
        return [links.episodes(**{name: value for name, value in row.items() if value}) for row in rows]
    return [""] * len(values)


def _bars(frame: pl.DataFrame, column: Column) -> Sequence[Bar | None]:
    """The intervals of a column, if it has some; wide and open ones end at the edge, so that others stay legible."""
    values: list[float | None] = frame[column.name].to_list()
    known = [value for value in values if value is not None]
    if not column.ends[0] or column.ends[0] not in frame.columns or len(known) < 2:
        return ()
    least, most = min(known), max(known)
    edge = max((most - least) * _BEYOND, 1.0)
    first, last = least - edge, most + edge

    def place(value: float | None, open: float) -> float:
        return round(100 * (min(max(open if value is None else value, first), last) - first) / (last - first), 1)

    return [
        None if value is None else Bar(place(low, first), place(value, value), place(high, last))
        for value, low, high in frame.select(column.name, *column.ends).iter_rows()
    ]


def _over_repetitions(pair: Mapping[str, Any]) -> str:
    """The mean score over the repetitions with its deviation, if there are several."""
    if (deviation := pair.get("score_deviation")) is None:
        return ""
    return f"; by repetition {percent(pair['score_mean'])} ± {percent(deviation)}"


def _cell(column: Column, value: Any, text: str, best: Any, agents: Mapping[str, Shown]) -> Cell:
    if value is None:
        return Cell(text)
    if column.agents:
        return Cell(text, agents[value].tip)
    if isinstance(value, datetime):
        return Cell(text, moment=value.isoformat())
    is_cut = isinstance(value, str) and ("\n" in value or len(value) > _LONG)
    return Cell(text, value if is_cut else "", "best" if value == best else "")


def _best(values: pl.Series, which: str) -> Any:
    """The value to highlight; none if all are equal."""
    if which == "none" or values.n_unique() < 2:
        return None
    return values.max() if which == "highest" else values.min()


def matrix(
    pairs: pl.DataFrame,
    order: Sequence[str],
    agents: Mapping[str, Shown],
    rows: str,
    columns: str,
    met: str,
    links: Links = NO_LINKS,
) -> Table:
    """Wins – ties – losses of each row against each column, in the given order; columns of wide tables have numbers.

    `met` describes the relation, as in 'moves first against'. Rows that are called `first` moved first.
    """
    texts = [agents[name].text for name in order]
    short = len(order) > 6 or sum(map(len, texts)) > 60
    cells = {(row[rows], row[columns]): row for row in pairs.iter_rows(named=True)}
    made = []
    for number, first in enumerate(order, 1):
        text, tip = agents[first]
        line = [Cell(f"{number} {text}" if short else text, tip, "", links.agent(first))]
        for second in order:
            pair = cells.get((first, second))
            if pair is None:
                line.append(Cell("", "", "self" if first == second else ""))
            else:
                counts = f"{pair['wins']}–{pair['ties']}–{pair['losses']}"
                score = f"{percent(pair['score'])} of {plural(pair['episodes'], 'episode')}{_over_repetitions(pair)}"
                tip = f"{text} {met} {agents[second].text}: score {score}"
                opened = {"first": first} if rows == "first" else {}
                address = links.episodes(agent=first, opponent=second, **opened)
                line.append(Cell(counts, tip, f"win-{round(pair['score'] * 8)}", address))
        made.append(line)
    heads = [Head("", "", False, True), *(Head(str(k) if short else text, text) for k, text in enumerate(texts, 1))]
    return Table(heads, made, look="matrix")
