"""Options that several commands share."""

from typing import Annotated

import typer

StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="FILE|URL",
        envvar="LUDUS_STORE",
        help="Where results are kept: an SQLite file or a postgresql:// URL; without it, a file in your data folder.",
        show_default=False,
    ),
]
