"""The parts of `ludus results ID`, and those about strength: standings, matrices, places."""

from collections.abc import Collection, Iterator, Sequence

import polars as pl
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from ludus.cli import measured, times
from ludus.cli.cells import cells, with_error
from ludus.cli.screen import output
from ludus.cli.tables import Column, Labels, Matrix, agents_table, heat, legend, letters
from ludus.core.text import (
    chance,
    counted_share,
    decimal,
    figure,
    margin,
    ordinal,
    percent,
    rounded,
    signed,
    span,
    whole,
)
from ludus.stats import wording
from ludus.stats.rank_shifts import Extent
from ludus.stats.results import Results
from ludus.views.short_names import short_names

_MOST_IN_MATRIX = 60
_STANDINGS = 61  # columns that the standings of two players take besides the names
_REPEATED = (
    ("rating", "rating", 1, 0),
    ("glicko", "Glicko-2", 1, 0),
    ("fide", "FIDE", 1, 0),
    ("uscf", "USCF", 1, 0),
    ("wtl", "score %", 100, 1),
    ("points", "points", 1, 3),
    ("median", "median", 1, 0),
)
"""Over repetitions: column, its head, what it is multiplied with, and its decimals."""

Part = tuple[str, RenderableType]
"""A heading, and what stands below it."""


def parts(results: Results, by: str | None, more: Collection[str] = ()) -> Iterator[Part]:
    """All that is known of a tournament, in the order in which it is read.

    There may be more: `matches` (times match by match), `metrics`, `faults`.
    """
    ranking = results.standings(by=by)
    names = ranking["agent"].to_list()
    labels = dict(zip(names, _labels(names), strict=True))
    ranking = ranking.with_columns(agent=pl.Series(labels.values()))
    matrices = _matrices(results, labels) if 1 < len(names) <= _MOST_IN_MATRIX else {}
    if not all(matrix.has_names for matrix in matrices.values()):
        ranking = ranking.with_columns(letter=pl.Series(letters(len(names))))
    show = {1: _standings_of_one, 2: _standings_of_two}.get(results.seats, _standings_of_several)
    yield "Standings" if by is None else f"Standings by {by}", show(ranking)
    if any(name != label for name, label in labels.items()):
        yield "Short names", legend(labels)
    if results.tournament.repetitions > 1:
        yield "Over the repetitions", _stability(results, labels)
    yield from matrices.items()
    if len(names) > _MOST_IN_MATRIX:
        yield "Agents against agents", f"A matrix of {len(names)} agents finds no room here; --json has it."
    if results.seats == 2:
        yield "Moving first", _moving_first(results)
    if results.seats > 2:
        yield "Places by seat", _places(results, labels)
    yield "Times", times.of_moves(results, labels, more)
    if "matches" in more:
        yield "Times by match", times.by_match(results, labels)
    yield "Ends of episodes", times.endings(results, labels)
    if "faults" in more:
        yield "Faults", measured.faults(results, labels)
        if results.has_bots:
            yield wording.REMARKS, measured.remarks(results, labels)
    if "metrics" in more:
        yield wording.METRICS, measured.metrics(results, labels)
        yield wording.USAGE, measured.usage(results, labels)


def _labels(names: list[str]) -> list[str]:
    return names if max(map(cell_len, names)) <= output().width - _STANDINGS else short_names(names)


# --- Standings ----------------------------------------------------------------------------------------------------


def _standings_of_two(ranking: pl.DataFrame) -> RenderableType:
    strength = [
        Column("rating", with_error(ranking["rating"], ranking["error"], sign=True)),
        Column("better", cells(chance, ranking["better"], "")),
        Column("score", cells(percent, ranking["wtl"])),
        *_results(ranking),
    ]
    others = [
        Column("FIDE", cells(rounded, ranking["fide"])),
        Column("USCF", cells(rounded, ranking["uscf"])),
        Column("Glicko-2", with_error(ranking["glicko"], ranking["glicko_deviation"])),
    ]
    note = (
        "rating: Bradley–Terry in Elo points with its 95 % interval; better: the chance to be stronger than the next "
        "one; Glicko-2 with its deviation."
    )
    return Group(_ranked(ranking, strength, others), "", Text(note, "dim"))


def _standings_of_several(ranking: pl.DataFrame) -> RenderableType:
    strength = [
        Column("rating", with_error(ranking["rating"], ranking["error"], sign=True)),
        Column("better", cells(chance, ranking["better"], "")),
        Column("points", cells(decimal, ranking["points"])),
        *_results(ranking),
    ]
    places = [
        Column(ordinal(int(name.removeprefix("place_"))), cells(whole, ranking[name]))
        for name in ranking.columns
        if name.startswith("place_")
    ]
    note = (
        "rating: Plackett–Luce in Elo points with its 95 % interval; better: the chance to be stronger than the next "
        "one; points: the mean, 1 for the first place and 0 for the last."
    )
    return Group(_ranked(ranking, strength, places), "", Text(note, "dim"))


def _standings_of_one(ranking: pl.DataFrame) -> RenderableType:
    heads = {"mean": "mean", "median": "median", "best": "best", "q1": "25 %", "q3": "75 %", "worst": "worst"}
    figures = {name: Column(head, cells(figure, ranking[name])) for name, head in heads.items()}
    ahead = Column("ahead", cells(counted_share, ranking["ahead"], ""))
    main = [
        figures["mean"],
        ahead,
        figures["median"],
        figures["best"],
        Column("episodes", cells(whole, ranking["episodes"])),
    ]
    spread = [figures["worst"], figures["q1"], figures["q3"], Column("deviation", cells(whole, ranking["deviation"]))]
    note = (
        "ahead: the share of seeds in which it gets more points than the next one, equal points as half; 25 % and 75 % "
        "of the episodes stay below those columns."
    )
    return Group(_ranked(ranking, main, spread), "", Text(note, "dim"))


def _ranked(ranking: pl.DataFrame, *groups: Sequence[Column]) -> RenderableType:
    first = [Column("#", cells(whole, ranking["rank"]))]
    if "letter" in ranking.columns:
        first.append(Column("", [Text(letter, "bold") for letter in ranking["letter"]]))
    return agents_table(first, ranking["agent"].to_list(), *groups)


def _results(ranking: pl.DataFrame) -> list[Column]:
    return [
        Column(head, cells(whole, ranking[name]))
        for head, name in (("won", "wins"), ("tied", "ties"), ("lost", "losses"))
    ]


def _stability(results: Results, labels: Labels) -> RenderableType:
    complete, planned = len(results.complete_repetitions), results.tournament.repetitions
    if not complete:
        return "No repetition has been played to its end yet."
    frame = results.stability().with_columns(pl.col("agent").replace(labels))
    ratings = [
        Column(
            "mean" if results.seats == 1 and name == "rating" else head,
            with_error(
                scale * frame[f"{name}_mean"],
                scale * frame[f"{name}_deviation"],
                sign=name == "rating" and results.seats > 1,
                digits=digits,
            ),
        )
        for name, head, scale, digits in _REPEATED
        if f"{name}_mean" in frame.columns
    ]
    ranks = Column("ranks", [span(low, high) for low, high in frame.select("best_rank", "worst_rank").iter_rows()])
    runs = results.shifts()
    lines = [
        f"Repetition {row['repetition']}: {moved(Extent(row['moved'], row['shift']), len(frame))}."
        for row in runs.iter_rows(named=True)
    ]
    best = f"The best agent came first in {runs['best_first'].sum()} of {len(runs)} repetitions."
    over = "the repetitions" if complete == planned else f"the {complete} complete repetitions of {planned}"
    note = f"mean ± deviation over {over}; ranks are compared with this order, which is that of the mean ratings."
    return Group(_ranked(frame, [*ratings[:1], ranks, *ratings[1:]]), "", Text(note, "dim"), "", *lines, best)


# --- Agents against agents ----------------------------------------------------------------------------------------


def _matrices(results: Results, labels: Labels) -> dict[str, Matrix]:
    names = list(labels.values())
    if results.seats != 2:
        seeds = ", on the same seeds" if results.seats == 1 else ""
        return {
            f"Ahead of (%, the row of the column{seeds})": Matrix(names, _scores(_labelled(results.ahead(), labels)))
        }
    crosstable = _labelled(results.crosstable().rename({"first": "agent", "second": "opponent"}), labels)
    counts = {
        (row["agent"], row["opponent"]): Text(f"{row['wins']}–{row['ties']}–{row['losses']}")
        for row in crosstable.iter_rows(named=True)
    }
    return {
        "Won–tied–lost (the row moves first)": Matrix(names, counts),
        "Scores (%, the row moves first)": Matrix(names, _scores(crosstable)),
    }


def _labelled(frame: pl.DataFrame, labels: Labels) -> pl.DataFrame:
    return frame.with_columns(pl.col("agent", "opponent").replace(labels))


def _scores(frame: pl.DataFrame) -> dict[tuple[str, str], Text]:
    return {
        (row["agent"], row["opponent"]): heat(f"{100 * row['score']:3.0f}", row["score"])
        for row in frame.iter_rows(named=True)
        if row["episodes"]
    }


def _moving_first(results: Results) -> RenderableType:
    first = results.by_seat().row(0, named=True)
    if not first["episodes"]:
        return "No episode has a result."
    lines = [
        f"Who moves first scores {percent(first['score'])} ({first['wins']:,}–{first['ties']:,}–{first['losses']:,}), "
        f"an advantage of {signed(first['advantage'])} {margin(first['error'])} Elo points."
    ]
    symmetry = results.symmetry()
    if len(symmetry):
        by_seat, by_agent = symmetry.select(pl.col("by_seat", "by_agent").mean()).row(0)
        lines.append(
            f"The scores of a pair are {by_seat:.2f} away from “whoever moves first wins” and {by_agent:.2f} from “the "
            "same agent wins either way”, on average."
        )
    return Group(*lines)


def _places(results: Results, labels: Labels) -> RenderableType:
    frame = results.places()
    counts: dict[tuple[str, int], list[int]] = {}
    for agent, seat, _, episodes in frame.iter_rows():
        counts.setdefault((agent, seat), []).append(episodes)
    seats = results.by_seat()
    columns = [
        Column(f"seat {seat}", ["–".join(map(str, counts.get((name, seat), []))) for name in labels])
        for seat in range(1, results.seats + 1)
    ]
    means = ", ".join(f"{score:.2f} from seat {seat}" for seat, score in seats.select("seat", "score").iter_rows())
    return Group(
        agents_table([], list(labels.values()), *([column] for column in columns)),
        "",
        Text("How often first, second and so on.", "dim"),
        *([f"Mean points: {means}."] if means else []),
    )


def moved(shifts: Extent, agents: int) -> str:
    """The extent of rank shifts, as the start of a sentence."""
    if not shifts.moved:
        return "no rank shifted"
    return f"{shifts.moved} of {agents} ranks shifted, by {shifts.mean:.2f} on average"
