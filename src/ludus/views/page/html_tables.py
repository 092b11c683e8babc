"""Frames as tables for the page: figures as texts, the best of each column highlighted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import polars as pl

from ludus.core.text import cleaned, percent, plural
from ludus.tournaments.tournament import Entrant
from ludus.views.column import Column, shown
from ludus.views.short_names import shown_names

_LONG = 40
"""Number of letters from which a text may be cut off on the page."""


class Cell(NamedTuple):
    """A cell: its text, its tool tip, and its highlighting: `best`, `win-7` …"""

    text: str
    tip: str = ""
    look: str = ""


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
    frame: pl.DataFrame, columns: Iterable[Column], agents: Mapping[str, Shown], *, note: str = "", look: str = ""
) -> Table:
    """The columns that the frame has, as a table; `agents` has the label for each name."""
    found = shown(frame, columns)
    labels = {name: agent.text for name, agent in agents.items()}
    cells = [
        [
            _cell(column, value, text, best, agents)
            for value, text in zip(frame[column.name], column.cells(frame, labels), strict=True)
        ]
        for column in found
        for best in [_best(frame[column.name], column.best)]
    ]
    named = next((column for column in found if column.agents), None)
    heads = [Head(column.title, column.tip, not column.words, column is named) for column in found]
    return Table(heads, [*zip(*cells, strict=True)], note, look)


def _over_repetitions(pair: Mapping[str, Any]) -> str:
    """The mean score over the repetitions with its deviation, if there are several."""
    if (deviation := pair.get("score_deviation")) is None:
        return ""
    return f"; by repetition {percent(pair['score_mean'])} ± {percent(deviation)}"


def _cell(column: Column, value: Any, text: str, best: Any, agents: Mapping[str, Shown]) -> Cell:
    if value is None:
        return Cell(text)
    text = cleaned(text)
    if column.agents:
        return Cell(text, agents[value].tip)
    is_cut = isinstance(value, str) and ("\n" in value or len(value) > _LONG)
    return Cell(text, cleaned(value) if is_cut else "", "best" if value == best else "")


def _best(values: pl.Series, which: str) -> Any:
    """The value to highlight; none if all are equal."""
    if which == "none" or values.n_unique() < 2:
        return None
    return values.max() if which == "highest" else values.min()


def matrix(
    pairs: pl.DataFrame, order: Sequence[str], agents: Mapping[str, Shown], rows: str, columns: str, met: str
) -> Table:
    """Wins – ties – losses of each row against each column, in the given order; columns of wide tables have numbers.

    `met` describes the relation, as in 'moves first against'.
    """
    texts = [agents[name].text for name in order]
    short = len(order) > 6 or sum(map(len, texts)) > 60
    cells = {(row[rows], row[columns]): row for row in pairs.iter_rows(named=True)}
    made = []
    for number, first in enumerate(order, 1):
        text, tip = agents[first]
        line = [Cell(f"{number} {text}" if short else text, tip)]
        for second in order:
            pair = cells.get((first, second))
            if pair is None:
                line.append(Cell("", "", "self" if first == second else ""))
            else:
                counts = f"{pair['wins']}–{pair['ties']}–{pair['losses']}"
                score = f"{percent(pair['score'])} of {plural(pair['episodes'], 'episode')}{_over_repetitions(pair)}"
                tip = f"{text} {met} {agents[second].text}: score {score}"
                line.append(Cell(counts, tip, f"win-{round(pair['score'] * 8)}"))
        made.append(line)
    heads = [Head("", "", False, True), *(Head(str(k) if short else text, text) for k, text in enumerate(texts, 1))]
    return Table(heads, made, look="matrix")
