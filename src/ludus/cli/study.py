"""`ludus study`: the effect of seats, openings, fewer matches and chance on results; the limits of the clock."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer
from rich.console import Group, RenderableType
from rich.text import Text

from ludus.cli.chart import check_file, numbered, write_chart
from ludus.cli.options import JsonOption, StoreOption, number_option, value_option, with_options
from ludus.cli.progress import progress
from ludus.cli.run import play
from ludus.cli.screen import errors, output, print_json
from ludus.cli.tables import Cells, Matrix, agents_table, frame_table, heat, legend, letters
from ludus.core.paths import write_file
from ludus.core.text import decimal, spoken_size
from ludus.run.study_plans import PLIES, PLIES_KIND, SHARES, SHARES_KIND, as_stored, plan_study
from ludus.stats.results import Results, load
from ludus.store import open_store
from ludus.tournaments.file import Plan, read_tournament
from ludus.tournaments.tournament import Entrant
from ludus.views.clock_study import clock_study
from ludus.views.column import explained, shown, with_derived
from ludus.views.columns import AGENT, RANK
from ludus.views.short_names import shown_names
from ludus.views.study_views import Study, StudyMatrix, StudyTable, measure, study_of

EXAMPLE = "Example: ludus study openings study-hex --html openings.html"

app = typer.Typer(
    help="Study the effect of seats, openings, fewer matches and repetition; measure the clock.", epilog=EXAMPLE
)

FileArgument = Annotated[
    str, typer.Argument(metavar="FILE", help="A tournament file (TOML). Stored episodes are not played again.")
]
_ASKED = {
    "by": Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="RATING",
            help="Rank by rating or points; in games for two players also by glicko, fide, uscf or wtl.",
            show_default=False,
        ),
    ],
    "repetitions": Annotated[
        int | None,
        number_option(
            "--repetitions", "Play each tournament at least N times. Default: as in the file, or 10 if that is 1."
        ),
    ],
    "store": StoreOption,
}
_SHOWN = {
    "html": Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write tables and figures as one page that works offline."),
    ],
    "chart": Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Also draw the figures as PNG, SVG, PDF or HTML: FILE, FILE-2 …"
        ),
    ],
    "as_json": JsonOption,
}
_study_options = partial(with_options, asked=_ASKED, shown=_SHOWN)


@app.command(epilog="Example: ludus study commutativity study-hex -o seats.png")
@_study_options(without=["by"])
def commutativity(file: FileArgument, *, asked: dict[str, Any], shown: dict[str, Any]) -> None:
    """Show for each pair whether the seat or the agent decides, with deviations over the repetitions."""
    _study("commutativity", file, shown, **asked)


@app.command(epilog="Example: ludus study openings study-hex --by glicko")
@_study_options()
def openings(
    file: FileArgument,
    plies: Annotated[
        Any,
        value_option(
            PLIES_KIND,
            "--plies",
            "Numbers of random plies; the first is the reference.",
            shown=PLIES_KIND.write(PLIES),
        ),
    ] = None,
    *,
    asked: dict[str, Any],
    shown: dict[str, Any],
) -> None:
    """Compare ranks with and without random plies before the first move."""
    _study("openings", file, shown, **asked, random_plies=plies)


@app.command(epilog="Example: ludus study fraction study-hex --shares 100,50,25")
@_study_options()
def fraction(
    file: FileArgument,
    shares: Annotated[
        Any,
        value_option(
            SHARES_KIND,
            "--shares",
            "Shares of the matches in per cent, compared with all of them.",
            shown=SHARES_KIND.write(SHARES),
        ),
    ] = None,
    subset: Annotated[
        str | None,
        typer.Option(
            metavar="random|balanced",
            help="How to choose the matches, as in the format 'variable'.",
            show_default="random",
        ),
    ] = None,
    *,
    asked: dict[str, Any],
    shown: dict[str, Any],
) -> None:
    """Compare ranks from a part of the matches with those from a double round robin."""
    _study("fraction", file, shown, **asked, shares=shares, subset=subset)


@app.command(epilog="Example: ludus study repetition study-hex")
@_study_options()
def repetition(file: FileArgument, *, asked: dict[str, Any], shown: dict[str, Any]) -> None:
    """Show the spread of ratings over repetitions of the same tournament."""
    _study("repetition", file, shown, **asked)


@app.command(epilog="Example: ludus study clock -o clock.png")
@_study_options()
def clock(*, shown: dict[str, Any]) -> None:
    """Measure the shortest time that this machine can time reliably; results then mark shorter times."""
    _check(shown)
    from ludus.run.sorting import LENGTHS, measured_clock  # imports the compiler, which is slow
    from ludus.stats.clock import keep_clock

    with progress(len(LENGTHS), "lengths") as advance:
        measured = measured_clock(watch=advance)
    kept = keep_clock(measured)
    _report(clock_study(measured), None, [], **shown)
    errors().print(f"Kept in {kept}.", markup=False, soft_wrap=True)


def _study(
    kind: str,
    file: str,
    shown: dict[str, Any],
    *,
    by: str | None = None,
    repetitions: int | None = None,
    store: str | None = None,
    **settings: Any,
) -> None:
    """Play what a study needs and is not stored yet, and show its results."""
    _check(shown)
    planned = plan_study(kind, read_tournament(file), repetitions=repetitions, **settings)
    by = measure(planned.base.parts.game.seats, by)
    with open_store(store) as opened:
        played = [load(play(as_stored(part.plan, opened), opened, "study"), opened) for part in planned.parts]
        _report(study_of(planned, played, by), planned.base, played, **shown)


def _check(shown: dict[str, Any]) -> None:
    """Refuse files that cannot be written before anything is played."""
    if "html" in shown:
        check_file(shown["html"], [".html"])
    if "chart" in shown:
        check_file(shown["chart"])


# --- Showing ----------------------------------------------------------------------------------------------------------


def _report(
    study: Study,
    base: Plan | None,
    played: Sequence[Results],
    html: Path | None = None,
    chart: Path | None = None,
    as_json: bool = False,
) -> None:
    """Show a study, and write its page and its figures if they are wanted."""
    field: Sequence[Entrant] = () if base is None else base.tournament.agents
    subject = "" if base is None else base.tournament.name
    if as_json:
        tables = {part.name: part.frame.to_dicts() for part in study.tables}
        content: dict[str, Any] = {"study": study.title, "tournaments": [one.id for one in played]}
        print_json({**content, "found": study.found, **tables})
    else:
        _show(study, subject, field)
    if html is not None:
        from ludus.views.page.study_page import render_study

        page = render_study(study, subject, field).encode()
        write_file(html, page)
        errors().print(f"{html}: {spoken_size(len(page))}", markup=False, soft_wrap=True)
    if chart is not None:
        for number, figure in enumerate(study.figures, 1):
            target = numbered(chart, number)
            write_chart(figure.titled([entrant.name for entrant in field]), target)
            errors().print(str(target), markup=False, soft_wrap=True)


def _show(study: Study, subject: str, field: Sequence[Entrant]) -> None:
    labels = shown_names([entrant.name for entrant in field])
    output().print(Text.assemble((study.title, "bold cyan"), (f"  {subject}", "dim")))
    output().print()
    for sentence in study.found:
        output().print(sentence, markup=False)
    for part in study.tables:
        if part.columns:
            frame = with_derived(part.frame, part.columns)
            notes = [f"{text}." for text in [explained(shown(frame, part.columns))] if text]
            notes += [part.note] if part.note else []
            drawn = _by_setting(frame, part, labels) if part.grouped else frame_table(frame, part.columns, labels)
            _print_part(part.title, drawn, notes)
    matrices = [_matrix(matrix, [labels[name] for name in study.order], labels) for matrix in study.matrices]
    for matrix, drawn in zip(study.matrices, matrices, strict=True):
        _print_part(matrix.title, drawn, [matrix.note])
    if not all(drawn.has_names for drawn in matrices):
        _print_part("Agents", legend(dict(zip(study.order, letters(len(study.order)), strict=True))), [])
    elif any(name != label for name, label in labels.items()):
        _print_part("Short names", legend(labels), [])


def _by_setting(frame: pl.DataFrame, part: StudyTable, labels: dict[str, str]) -> RenderableType:
    """Agents with the columns of each setting, which stay together where not all settings fit side by side."""
    made = {column.name: Cells(column.head, column.cells(frame, labels)) for column in part.columns}
    settings: dict[str, list[Cells]] = {}
    for name, cells in made.items():
        if name not in (RANK.name, AGENT.name):
            settings.setdefault(name.rpartition("_")[2], []).append(cells)
    names = [str(name) for name in made[AGENT.name].cells]
    return agents_table([made[RANK.name]], names, *settings.values())


def _print_part(title: str, part: Any, notes: Sequence[str]) -> None:
    output().print()
    output().print(Text(title, "bold"))
    output().print()
    output().print(Group(part, *(Text(f"\n{note}", "dim") for note in notes)))


def _matrix(matrix: StudyMatrix, names: Sequence[str], labels: dict[str, str]) -> Matrix:
    """Means in colour, with their deviations."""
    cells = {}
    for (a, b), (mean, deviation) in matrix.cells.items():
        spread = "" if deviation is None else f"±{decimal(deviation, 2).removeprefix('0')}"
        cells[labels[a], labels[b]] = heat(f"{decimal(mean, 2)}{spread}", (mean + 1) / 2)
    return Matrix(names, cells)
