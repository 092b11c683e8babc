"""`ludus study`: the effect of seats, openings, fewer matches and chance on results; the limits of the clock."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer
from rich.console import Group, RenderableType
from rich.text import Text

from ludus.cli.chart import check_file, numbered, write_chart
from ludus.cli.options import JsonOption, StoreOption, number_option
from ludus.cli.progress import progress
from ludus.cli.run import play
from ludus.cli.screen import errors, output, print_json
from ludus.cli.tables import Cells, Matrix, agents_table, frame_table, heat, legend, letters
from ludus.core.errors import InvalidError
from ludus.core.paths import write_file
from ludus.core.text import decimal, did_you_mean, listing, spoken_size
from ludus.run.study_plans import PLIES, SHARES, Part, in_both_seatings, repeated, with_plies, with_shares
from ludus.stats.results import Results, load
from ludus.stats.studies import StudySetting
from ludus.store import Store, open_store
from ludus.tournaments.file import Plan, read_tournament
from ludus.tournaments.tournament import Entrant
from ludus.views import study_views
from ludus.views.column import explained, shown, with_derived
from ludus.views.columns import AGENT, RANK
from ludus.views.short_names import shown_names
from ludus.views.study_views import MEASURES, Study, StudyMatrix, StudyTable

EXAMPLE = "Example: ludus study openings study-hex --html openings.html"

app = typer.Typer(help="Study a field: seats, openings, fewer matches, repetition; and the clock.", epilog=EXAMPLE)

FileArgument = Annotated[
    str, typer.Argument(metavar="FILE", help="A tournament file (TOML); what is stored already is not played again.")
]
RepetitionsOption = Annotated[
    int | None,
    number_option("--repetitions", "Play each tournament N times. Default: as in the file, or 10 if it has one."),
]
ByOption = Annotated[
    str | None,
    typer.Option(
        "--by", metavar="RATING", help="Rank by rating, glicko, fide, uscf, wtl or points.", show_default=False
    ),
]
HtmlOption = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write tables and figures: one page that works offline.")
]
ChartOption = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Also draw the figures as PNG, SVG, PDF or HTML: FILE, FILE-2 …"
    ),
]


@app.command(epilog="Example: ludus study commutativity study-hex -o seats.png")
def commutativity(
    file: FileArgument,
    repetitions: RepetitionsOption = None,
    html: HtmlOption = None,
    chart: ChartOption = None,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Show for each pair if the seat decides or the agent, with deviations over the repetitions."""
    _check(html, chart)
    base = in_both_seatings(repeated(read_tournament(file), repetitions))
    with open_store(store) as opened:
        found = _played(base, opened)
        _report(study_views.commutativity(found), base, [found], html, chart, as_json)


@app.command(epilog="Example: ludus study openings study-hex --by glicko")
def openings(
    file: FileArgument,
    plies: Annotated[
        str, typer.Option(metavar="N,N", help="Numbers of random plies; the first is the reference.")
    ] = ",".join(map(str, PLIES)),
    by: ByOption = None,
    repetitions: RepetitionsOption = None,
    html: HtmlOption = None,
    chart: ChartOption = None,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Compare ranks with and without random plies before the first move."""
    _check(html, chart)
    base = repeated(read_tournament(file), repetitions)
    parts = with_plies(base, _numbers("--plies", plies, 0, 1000))
    with open_store(store) as opened:
        played = [_played(part.plan, opened) for part in parts]
        by = _rating(played[0], by)
        _report(study_views.openings(_series(parts, played, by), by), base, played, html, chart, as_json)


@app.command(epilog="Example: ludus study fraction study-hex --shares 100,50,25")
def fraction(
    file: FileArgument,
    shares: Annotated[
        str, typer.Option(metavar="N,N", help="Shares of the matches in per cent, compared with all of them.")
    ] = ",".join(map(str, SHARES)),
    subset: Annotated[
        str, typer.Option(metavar="random|balanced", help="Which matches: as the format 'variable' chooses them.")
    ] = "random",
    by: ByOption = None,
    repetitions: RepetitionsOption = None,
    html: HtmlOption = None,
    chart: ChartOption = None,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Compare ranks from a part of the matches with those from a double round robin."""
    _check(html, chart)
    base = repeated(read_tournament(file), repetitions)
    parts, left_out = with_shares(base, _numbers("--shares", shares, 1, 100), subset)
    with open_store(store) as opened:
        played = [_played(part.plan, opened) for part in parts]
        by = _rating(played[0], by)
        study = study_views.fraction(_series(parts, played, by), by, left_out)
        _report(study, base, played, html, chart, as_json)


@app.command(epilog="Example: ludus study repetition study-hex")
def repetition(
    file: FileArgument,
    by: ByOption = None,
    repetitions: RepetitionsOption = None,
    html: HtmlOption = None,
    chart: ChartOption = None,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Show the spread of ratings over repetitions of the same tournament."""
    _check(html, chart)
    base = repeated(read_tournament(file), repetitions)
    with open_store(store) as opened:
        found = _played(base, opened)
        by = _rating(found, by)
        _report(study_views.repetition(found, by), base, [found], html, chart, as_json)


@app.command(epilog="Example: ludus study clock -o clock.png")
def clock(html: HtmlOption = None, chart: ChartOption = None, as_json: JsonOption = False) -> None:
    """Measure the shortest time that this machine times reliably; results then mark shorter ones."""
    _check(html, chart)
    from ludus.run.sorting import LENGTHS, measured_clock  # imports the compiler, which is slow
    from ludus.stats.clock import keep_clock

    with progress(len(LENGTHS), "lengths") as advance:
        measured = measured_clock(watch=advance)
    kept = keep_clock(measured)
    _report(study_views.clock(measured), None, [], html, chart, as_json)
    errors().print(f"Kept in {kept}.", markup=False, soft_wrap=True)


# --- Playing ----------------------------------------------------------------------------------------------------------


def _check(html: Path | None, chart: Path | None) -> None:
    """Refuse files that cannot be written before anything is played."""
    if html is not None:
        check_file(html, [".html"])
    if chart is not None:
        check_file(chart)


def _numbers(option: str, text: str, least: int, most: int) -> list[int]:
    numbers = [int(word) if word.strip().isdecimal() else -1 for word in text.split(",")]
    if any(not least <= number <= most for number in numbers):
        raise InvalidError(f"{option} {text} is not a list of whole numbers from {least} to {most}, such as 1,2,3.")
    return numbers


def _played(planned: Plan, store: Store) -> Results:
    """The results of a tournament, of which the rest is played if something is missing."""
    return load(play(planned, store, "study"), store)


def _rating(results: Results, by: str | None) -> str:
    """The rating to rank by; by default that of the standings."""
    columns = [name for name in MEASURES if name in results.repetitions().columns]
    if by is None:
        return columns[0]
    if by not in columns:
        raise InvalidError(
            f"A study of this tournament cannot rank by '{by}'{did_you_mean(by, columns)}: choose from "
            f"{listing(columns)}."
        )
    return by


def _series(parts: Sequence[Part], played: Sequence[Results], by: str) -> list[StudySetting]:
    return [
        StudySetting(part.setting, results.repetitions(None if results.seats == 1 else by))
        for part, results in zip(parts, played, strict=True)
    ]


# --- Showing ----------------------------------------------------------------------------------------------------------


def _report(
    study: Study,
    base: Plan | None,
    played: Sequence[Results],
    html: Path | None,
    chart: Path | None,
    as_json: bool,
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
