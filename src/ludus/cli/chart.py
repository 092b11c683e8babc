"""Charts as files, and files that a command is asked to write."""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from rich.text import Text

from ludus.cli.screen import output, table
from ludus.core.paths import check_target, replaced, write_file
from ludus.views.charts.vega import roomy, vega

if TYPE_CHECKING:
    from ludus.stats.results import Results
    from ludus.views.charts.chart_list import Drawn

ENDINGS = (".png", ".svg", ".pdf", ".html")
LIST = "list"
"""The chart name that stands for a list of all charts."""
_SHARP = 2  # pixels per point, for screens of today


def check_file(file: Path, endings: Collection[str] = ENDINGS) -> None:
    """Refuse a file that cannot be written, or whose ending names no format, before any work is done."""
    check_target(file, endings)


def numbered(file: Path, number: int) -> Path:
    """The file of one of several charts: the given one for the first, then FILE-2 …"""
    return file if number == 1 else file.with_stem(f"{file.stem}-{number}")


def draw_results(results: "Results", name: str, file: Path | None, sort: str | None, log: bool) -> Path:
    """Write a chart of a tournament as a file, by default NAME.png."""
    from ludus.views.charts.chart_list import Charts

    file = file or Path(f"{name}.png")
    check_file(file)
    options = {"log": log, "sorted": sort}
    drawn = Charts(results).draw(name, **{option: value for option, value in options.items() if value})
    write_chart(drawn, file)
    return file


def list_charts(results: "Results") -> None:
    """Print the charts that suit a tournament."""
    from ludus.views.charts.chart_list import Charts, names

    shown = table("chart", "description")
    for suitable in Charts(results).suitable():
        shown.add_row(Text(suitable, "cyan", no_wrap=True), names()[suitable])
    output().print(shown)


def write_chart(drawn: "Drawn", file: Path) -> None:
    """Write a chart in the format of the file's ending."""
    vega()  # one sentence if it is missing
    if file.suffix.lower() == ".html":
        from ludus.views.page.page import render_chart

        write_file(file, render_chart(drawn))
        return
    format = cast(Literal["png", "svg", "pdf"], file.suffix.lower().removeprefix("."))
    with replaced(file) as part:
        drawn.save(str(part), format, scale_factor=_SHARP if format == "png" else 1)
        if format == "svg":
            part.write_text(roomy(part.read_text(encoding="utf-8")), encoding="utf-8")
