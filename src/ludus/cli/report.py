"""`ludus report`: the results of a tournament as a page."""

from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.options import StoreOption
from ludus.cli.screen import output
from ludus.core.paths import write_file
from ludus.core.text import spoken_size

EXAMPLE = "Example: ludus report 3 -o report.html"


def report(
    which: Annotated[str, typer.Argument(metavar="ID", help="A tournament by number, name or identity.")],
    file: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")] = Path(
        "report.html"
    ),
    store: StoreOption = None,
) -> None:
    """Write the results of a tournament as one page with charts and tables, which works offline."""
    from ludus.stats.results import load
    from ludus.store import open_store
    from ludus.views.page.page import render

    with open_store(store) as opened:
        page = render(load(which, opened)).encode()
    write_file(file, page)
    output().print(f"{file}: {spoken_size(len(page))}", markup=False, soft_wrap=True)
