"""Options that several commands share."""

from typing import Annotated, Any

import typer

from ludus.record import Policy
from ludus.spec import parse_duration, parse_size

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


def _duration(text: str | int) -> int:
    try:
        return text if isinstance(text, int) else parse_duration(text)
    except ValueError:
        raise typer.BadParameter(f"{text} is not a time such as 250ms or 1.5s") from None


def _size(text: str | int) -> int:
    try:
        return text if isinstance(text, int) else parse_size(text)
    except ValueError:
        raise typer.BadParameter(f"{text} is not a size such as 512MB or 2GiB") from None


def time_option(
    name: str, help: str, default: str | bool = False, panel: str | None = "Limits"
) -> typer.models.OptionInfo:
    """An option that takes a time such as 250ms."""
    return typer.Option(name, parser=_duration, metavar="TIME", help=help, show_default=default, rich_help_panel=panel)


PreparationOption = Annotated[int | None, time_option("--prepare", "Time to get ready.")]
MoveOption = Annotated[int | None, time_option("--move-time", "Time for a move.")]
GraceOption = Annotated[int | None, time_option("--grace", "How much later still counts as in time.", "10ms")]
TotalOption = Annotated[int | None, time_option("--total", "Time for all moves of a player.")]
IncrementOption = Annotated[int | None, time_option("--increment", "Added to the total after each move.")]
HardOption = Annotated[int | None, time_option("--hard", "With --policy soft: who moves later than this is out.")]
PliesOption = Annotated[int | None, typer.Option(min=1, help="Stop after so many plies.", rich_help_panel="Limits")]
PolicyOption = Annotated[
    Policy | None,
    typer.Option(
        help="What happens to a player whose move is illegal or late.", show_default="lose", rich_help_panel="Limits"
    ),
]
MemoryOption = Annotated[
    int | None,
    typer.Option(
        "--memory",
        parser=_size,
        metavar="SIZE",
        help="Memory that an agent may take in an episode.",
        show_default=False,
        rich_help_panel="Limits",
    ),
]
PatienceOption = Annotated[
    int, time_option("--patience", "Where no time is set: who thinks longer than this hangs.", "10m")
]


def given(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None}
