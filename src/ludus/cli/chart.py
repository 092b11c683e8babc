"""`ludus chart`: one chart of a tournament as a file."""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer
from rich.text import Text

from ludus.cli.options import StoreOption
from ludus.cli.screen import output, table
from ludus.core.errors import FileError, InvalidError
from ludus.core.paths import file_errors, write_file
from ludus.views.charts.vega import vega

if TYPE_CHECKING:
    from ludus.views.charts.chart_list import Drawn

EXAMPLE = "Example: ludus chart 3 scores --sorted -o scores.png"
ENDINGS = (".png", ".svg", ".pdf", ".html")
_SHARP = 2  # on the screens of today


def chart(
    which: Annotated[str, typer.Argument(metavar="ID", help="A tournament by number, name or identity.")],
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="The chart; without it, those that suit are listed.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="PNG, SVG, PDF or HTML by the ending; without it, NAME.png."
        ),
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="A logarithmic axis of time.")] = False,
    by_strength: Annotated[bool, typer.Option("--sorted", help="Agents sorted by strength.")] = False,
    store: StoreOption = None,
) -> None:
    """Write a chart of a tournament as a file, or list the charts that suit it."""
    from ludus.stats.results import load
    from ludus.store import open_store
    from ludus.views.charts.chart_list import Charts, names

    with open_store(store) as opened:
        charts = Charts(load(which, opened))
        if name is None:
            shown = table("chart", "what it shows")
            for suitable in charts.suitable():
                shown.add_row(Text(suitable, "cyan", no_wrap=True), names()[suitable])
            output().print(shown)
            return
        file = file or Path(f"{name}.png")
        check_file(file)
        vega()
        options = {option: True for option, wanted in (("log", log), ("sorted", by_strength)) if wanted}
        drawn = charts.draw(name, **options)
    write_chart(drawn, file)
    output().print(str(file), markup=False, soft_wrap=True)


def check_file(file: Path, endings: Collection[str] = ENDINGS) -> None:
    """Refuse a file whose name does not say what to write, or that cannot be, before any work is done."""
    if endings and file.suffix.lower() not in endings:
        raise InvalidError(f"{file} does not say what to write: let it end in {', '.join(endings)}.")
    if not file.parent.is_dir():
        raise FileError(f"{file} cannot be written: there is no folder {file.parent}.", file)
    if file.exists() and not file.is_file():  # it could be replaced, but nobody wants that of /dev/null
        raise FileError(f"{file} cannot be written: it is {'a folder' if file.is_dir() else 'no ordinary file'}.", file)


def write_chart(drawn: "Drawn", file: Path) -> None:
    """Write a chart as its file's ending says."""
    if file.suffix.lower() == ".html":
        from ludus.views.page.page import render_chart

        write_file(file, render_chart(drawn))
        return
    vega()
    format = cast(Literal["png", "svg", "pdf"], file.suffix.lower().removeprefix("."))
    with file_errors(file, "written"):
        drawn.save(str(file), format, scale_factor=_SHARP if format == "png" else 1)
