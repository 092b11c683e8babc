"""The tables of results as files: CSV, Parquet, JSON and LaTeX, all from the frames and columns of `result_tables`."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec
import polars as pl

from ludus.core.paths import file_errors, write_file
from ludus.stats.results import Results
from ludus.store.export import for_spreadsheets
from ludus.views.column import Column, exported, shown
from ludus.views.columns import ELO
from ludus.views.result_tables import TABLES, ResultTable

Form = Literal["csv", "parquet", "json", "latex"]
"""A form of files."""

_JOIN = "; "
"""Text between the names of several agents in a cell of CSV."""


def write_tables(results: Results, folder: Path, form: Form) -> None:
    """Write the results into a folder: JSON as one file, the others as one for each table.

    Tables that take long are left out; exports have the records themselves.
    """
    tables = {
        table.name: (table, table.frame(results))
        for table in TABLES.values()
        if table.suits(results) and not table.on_request
    }
    if form == "latex":
        for name, (table, frame) in tables.items():
            head = f"% {table.title} of {results.tournament.name}; needs \\usepackage{{booktabs}}"
            write_file(folder / f"{name}.tex", f"{' '.join(head.split())}\n{latex(table, frame, results)}")
        return
    frames = {name: exported(frame, table.columns(results)) for name, (table, frame) in tables.items()}
    if form == "json":
        rows = {name: frame.to_dicts() for name, frame in frames.items()}
        write_file(folder / "results.json", msgspec.json.format(msgspec.json.encode(rows)) + b"\n")
        return
    for name, frame in frames.items():
        file = folder / f"{name}.{form}"
        with file_errors(file, "written"):
            if form == "csv":
                lists = [column for column, kind in frame.schema.items() if kind == pl.List]
                for_spreadsheets(frame.lazy().with_columns(pl.col(lists).list.join(_JOIN))).collect().write_csv(file)
            else:
                frame.write_parquet(file)


# --- LaTeX ----------------------------------------------------------------------------------------------------------


def latex(table: ResultTable, frame: pl.DataFrame, results: Results) -> str:
    """A table as a tabular of the package booktabs; agents against agents as a matrix of scores."""
    columns = table.columns(results)
    pair = [column.name for column in columns if column.agents]
    if {"score", "episodes"} <= {*frame.columns} and len(pair) == 2:
        return _matrix(frame, columns, pair, results.order())
    found = shown(table.arranged(frame), columns)
    names = {name: name for name in results.agents}
    cells = [column.cells(table.arranged(frame), names) for column in found]
    heads = [f"{column.title} (Elo)" if column.unit == ELO else column.title for column in found]
    return _tabular(heads, [*zip(*cells, strict=True)], [column.words for column in found])


def _matrix(frame: pl.DataFrame, columns: Sequence[Column], pair: Sequence[str], order: Sequence[str]) -> str:
    """Agents against agents; columns have the numbers of their agents."""
    repeated = "score_deviation" in frame.columns and frame["score_deviation"].count() > 0
    column = next(column for column in columns if column.name == ("score_mean" if repeated else "score"))
    texts = dict(zip(frame.select(pair).iter_rows(), column.cells(frame, {}), strict=True))
    rows = [
        [f"{number} {agent}", *(texts.get((agent, other), "") for other in order)]
        for number, agent in enumerate(order, 1)
    ]
    numbers = [str(number) for number in range(1, len(order) + 1)]
    return _tabular([pair[0].replace("_", " "), *numbers], rows, [True, *(False for _ in order)])


def _tabular(heads: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[bool]) -> str:
    """The heads and the rows; columns of words are aligned left, figures right."""
    lines = [" & ".join(map(escaped, row)) + r" \\" for row in (heads, *rows)]
    form = "".join("l" if left else "r" for left in words)
    body = [lines[0], r"\midrule", *lines[1:]]
    return "\n".join([rf"\begin{{tabular}}{{{form}}}", r"\toprule", *body, r"\bottomrule", r"\end{tabular}", ""])


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "±": r"$\pm$",
    "−": "$-$",
    "–": r"\textendash{}",
    "µ": r"\textmu{}",
    "·": r"$\cdot$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "…": r"\dots{}",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "α": r"$\alpha$",
    "½": r"\textonehalf{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "[": "{[}",  # at the beginning of a row, it would be an option of the line before
    "*": "{*}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
}
_SPECIAL = re.compile("|".join(map(re.escape, _LATEX)))
_HYPHENS = re.compile("-(?=-)")  # two would become a dash


def escaped(text: str) -> str:
    """A text in which LaTeX sees letters alone."""
    return _HYPHENS.sub("-{}", _SPECIAL.sub(lambda found: _LATEX[found[0]], " ".join(text.split())))
