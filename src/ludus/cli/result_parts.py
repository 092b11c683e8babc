"""The parts of `ludus results`: tables with the notes that explain them, and agents against agents."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import nullcontext

import polars as pl
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from ludus.cli.brackets import bracket_text, name_width
from ludus.cli.screen import errors, output
from ludus.cli.tables import Cells, Matrix, frame_table, heat, legend, letters
from ludus.core.text import listing, whole
from ludus.stats.format_results import PLACE
from ludus.stats.results import Results
from ludus.views.column import explained, shown
from ludus.views.columns import AGAINST
from ludus.views.columns import wall_chart as wall_chart_columns
from ludus.views.result_tables import TABLES, ResultTable, by_rounds
from ludus.views.rounds import WALL_CHART, bracket, final, repetitions, wall_chart
from ludus.views.short_names import short_names

_MOST_IN_MATRIX = 60
_MOST_ROWS = 100
"""Rows shown of a table that is read from the records."""
_STANDINGS = 69  # columns of the standings of two players without the names

Labels = Mapping[str, str]
"""Names on the screen by the names of the agents, the best first."""
Part = tuple[str, RenderableType]
"""A heading and its content."""


def parts(results: Results, sort: str | None, only: Collection[str] = (), agent: str | None = None) -> Iterator[Part]:
    """The tables of a tournament, in the order in which people read them.

    With `only`, just the tables of these options (`matches`, `metrics`, `faults`); with `agent`, just the rows of this
    agent, and its results against each opponent.
    """
    names = results.standings(by=sort)["agent"].to_list()
    labels = dict(zip(names, _labels(names, results), strict=True))
    shows_matrices = agent is None and 1 < len(names) <= _MOST_IN_MATRIX and not by_rounds(results)
    matrices = _matrices(results, labels) if shows_matrices else {}
    marks = []
    if not only and not all(matrix.has_names for matrix in matrices.values()):
        marks = [Cells("", [Text(letter, "bold") for letter in letters(len(names))])]
    for table in TABLES.values():
        if not table.suits(results) or (table.option not in only if only else table.option):
            continue
        if table.name == "standings":
            frame = _rows_of(agent, table.frame(results, by=sort))
            shown = Group(frame_table(frame, table.columns(results), labels, marks), *_notes(table, frame, results))
            yield table.title if sort is None else f"{table.title} by {sort}", shown
            if agent is None and any(name != label for name, label in labels.items()):
                yield "Short names", legend(labels)
        elif table.name == "rounds":
            yield from _rounds(results, labels) if agent is None else _part(table, results, labels, agent)
        elif table.name in ("crosstable", "ahead"):
            yield from matrices.items()
            if agent is not None:
                yield "Against each opponent", frame_table(results.against(agent), AGAINST, labels)
            elif len(names) > _MOST_IN_MATRIX and not by_rounds(results):
                yield "Agents against agents", f"A matrix of {len(names)} agents does not fit here; --json has it."
        elif table.shown:
            yield from _part(table, results, labels, agent)


def _rows_of(agent: str | None, frame: pl.DataFrame) -> pl.DataFrame:
    return frame if agent is None or "agent" not in frame.columns else frame.filter(agent=agent)


def _labels(names: list[str], results: Results) -> list[str]:
    room = output().width - _STANDINGS
    if PLACE in results.by_format.orders:
        room = min(room, name_width((len(names) - 1).bit_length()))
    return names if max(map(cell_len, names)) <= room else short_names(names)


def _part(table: ResultTable, results: Results, labels: Labels, agent: str | None) -> Iterator[Part]:
    with errors().status("Reading the records …") if table.from_records else nullcontext():
        frame = table.arranged(_rows_of(agent, table.frame(results)))
    if len(frame):
        rows = frame.head(_MOST_ROWS) if table.from_records else frame
        yield table.title, Group(frame_table(rows, table.columns(results), labels), *_notes(table, frame, results))
    elif table.empty:
        yield table.title, table.empty


def _rounds(results: Results, labels: Labels) -> Iterator[Part]:
    """The bracket of a knockout, or the wall chart of a Swiss tournament, for each of the first repetitions."""
    found = results.rounds()
    is_bracket = results.by_format.orders[0] == PLACE
    for repetition in repetitions(found):
        rounds = found.filter(repetition=repetition)
        where = f" of repetition {repetition}" if results.tournament.repetitions > 1 else ""
        if is_bracket:
            decided = final(rounds, repetition)
            sentence = [Text(f"\n{decided.winner} {decided.words}.", "dim")] if decided else []
            yield f"Bracket{where}", Group(bracket_text(bracket(rounds), labels), *sentence)
        else:
            columns = wall_chart_columns(max(rounds["round"], default=0))
            drawn = frame_table(wall_chart(results, repetition), columns, labels)
            yield f"Rounds{where}", Group(drawn, Text(f"\n{WALL_CHART}", "dim"))


# --- Notes ----------------------------------------------------------------------------------------------------------


def _notes(table: ResultTable, frame: pl.DataFrame, results: Results) -> Iterator[RenderableType]:
    """The notes below a table: what its heads mean, how to read it, and how to see more."""
    if meanings := explained(shown(frame, table.columns(results))):
        yield Text(f"\n{meanings}.", "dim")
    if table.from_records and len(frame) > _MOST_ROWS:
        yield Text(f"\nThe first {_MOST_ROWS} of {whole(len(frame))}; --json has them all.", "dim")
    for sentence in (table.note(results, frame), _hint(table, frame, results)):
        if sentence:
            yield Text(f"\n{sentence}", "dim")


def _hint(table: ResultTable, frame: pl.DataFrame, results: Results) -> str:
    """The options that show more of what a table is about."""
    if table.name == "timing" and results.has_bots:
        return f"'ludus results {results.id} --metrics' shows what bots reported, and their memory and waiting."
    if table.name != "endings":
        return ""
    listed = ["every fault with its evidence"] if results.timing()["faults"].sum() else []
    listed += ["remarks on bots"] if results.has_bots else []
    examples = frame["example"].drop_nulls()
    replay = f", 'ludus replay {examples[0]}' shows an episode that ended by one" if len(examples) else ""
    return f"'ludus results {results.id} --faults' lists {listing(listed)}{replay}." if listed else ""


# --- Agents against agents ------------------------------------------------------------------------------------------


def _matrices(results: Results, labels: Labels) -> dict[str, Matrix]:
    names = list(labels.values())
    if results.seats != 2:
        seeds = ", on the same seeds" if results.seats == 1 else ""
        ahead = _labelled(results.ahead(), labels)
        return {f"Ahead of (%, the row of the column{seeds})": Matrix(names, _scores(ahead))}
    crosstable = _labelled(results.crosstable().rename({"first": "agent", "second": "opponent"}), labels)
    counts = {
        (row["agent"], row["opponent"]): Text(f"{row['wins']}–{row['ties']}–{row['losses']}")
        for row in crosstable.iter_rows(named=True)
    }
    found = {"Won–tied–lost (the row moves first)": Matrix(names, counts)}
    if "score_mean" in crosstable.columns and crosstable["score_deviation"].count():
        cells = {
            (row["agent"], row["opponent"]): heat(
                f"{100 * row['score_mean']:3.0f}±{100 * row['score_deviation']:<2.0f}", row["score_mean"]
            )
            for row in crosstable.drop_nulls("score_deviation").iter_rows(named=True)
        }
        return found | {"Scores (%, the row moves first), mean ± deviation over the repetitions": Matrix(names, cells)}
    return found | {"Scores (%, the row moves first)": Matrix(names, _scores(crosstable))}


def _labelled(frame: pl.DataFrame, labels: Labels) -> pl.DataFrame:
    return frame.with_columns(pl.col("agent", "opponent").replace(labels))


def _scores(frame: pl.DataFrame) -> dict[tuple[str, str], Text]:
    return {
        (row["agent"], row["opponent"]): heat(f"{100 * row['score']:3.0f}", row["score"])
        for row in frame.iter_rows(named=True)
        if row["episodes"]
    }
