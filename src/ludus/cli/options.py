"""Options that several commands share."""

import functools
import inspect
import re
from collections.abc import Callable, Collection
from typing import Annotated, Any

import typer

from ludus.core.text import parse_duration, parse_size
from ludus.episode.limits import Policy

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


def _duration(unit: str) -> Callable[[str | int], int]:
    """Reads a time; a number alone is in that unit."""

    def read(text: str | int) -> int:
        try:
            if isinstance(text, str) and re.fullmatch(r"\d+(\.\d+)?", text):
                text += unit
            return text if isinstance(text, int) else parse_duration(text)
        except ValueError:
            raise typer.BadParameter(f"{text} is not a time such as 250ms or 1.5s") from None

    return read


def _size(text: str | int) -> int:
    try:
        return text if isinstance(text, int) else parse_size(text)
    except ValueError:
        raise typer.BadParameter(f"{text} is not a size such as 512MB or 2GiB") from None


def time_option(
    name: str, help: str, default: str | bool = False, panel: str | None = "Limits", unit: str = "ms"
) -> typer.models.OptionInfo:
    """An option, perhaps with a short name after a blank, that takes a time such as 250ms.

    A number alone is in milliseconds, as bots are told them, or in another unit.
    """
    return typer.Option(
        *name.split(), parser=_duration(unit), metavar="TIME", help=help, show_default=default, rich_help_panel=panel
    )


def _size_option(name: str, help: str, default: str | bool, panel: str) -> typer.models.OptionInfo:
    return typer.Option(name, parser=_size, metavar="SIZE", help=help, show_default=default, rich_help_panel=panel)


_MOST_COUNT = 10**15  # as in tournament files, whose module takes its time to import


def _number_option(name: str, help: str, default: str | bool, panel: str) -> typer.models.OptionInfo:
    return typer.Option(name, min=1, max=_MOST_COUNT, help=help, show_default=default, rich_help_panel=panel)


_BOTS = "Limits of bots"
_LIMITS: dict[str, Any] = {
    "preparation": Annotated[int | None, time_option("--prepare", "Time to get ready.", "10s for bots")],
    "move": Annotated[
        int | None, time_option("--move-time -t", "Time for a move; a number alone is milliseconds.", "10m for bots")
    ],
    "grace": Annotated[int | None, time_option("--grace -g", "How much later still counts as in time.", "10ms")],
    "total": Annotated[int | None, time_option("--total", "Time for all moves of a player.")],
    "increment": Annotated[int | None, time_option("--increment", "Added to the total after each move.")],
    "hard": Annotated[int | None, time_option("--hard", "With --policy soft: who moves later than this is out.")],
    "plies": Annotated[int | None, _number_option("--plies", "Stop after so many plies.", False, "Limits")],
    "memory": Annotated[
        int | None, _size_option("--memory", "Memory that an agent may take in an episode.", "2GiB for bots", "Limits")
    ],
    "policy": Annotated[
        Policy | None,
        typer.Option(
            "--policy",
            help="What happens to a player whose move is illegal or late.",
            show_default="lose",
            rich_help_panel="Limits",
        ),
    ],
    "cpu": Annotated[int | None, time_option("--cpu", "Computing time in an episode.", "1h", _BOTS)],
    "output": Annotated[
        int | None, _size_option("--output-limit", "What it may write in answer to a message.", "1MiB", _BOTS)
    ],
    "disk": Annotated[int | None, _size_option("--disk", "What it may write to files in an episode.", "256MiB", _BOTS)],
    "files": Annotated[int | None, _number_option("--files", "Files open at a time.", "256", _BOTS)],
    "processes": Annotated[int | None, _number_option("--processes", "Processes at a time.", "64", _BOTS)],
}
"""By the names that `Limits` has for them."""

PatienceOption = Annotated[
    int,
    time_option(
        "--patience",
        "Where no time is set: an agent of Ludus that thinks longer than this hangs; bots have 10 minutes.",
        "10m",
    ),
]


def given(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def with_limits(command: Callable[..., None], without: Collection[str] = ()) -> Callable[..., None]:
    """A command with all options of limits in place of its parameter `limits`, which gets those that were given.

    Limits in `without` are no options of it.
    """
    offered = {name: option for name, option in _LIMITS.items() if name not in without}

    @functools.wraps(command)
    def called(**options: Any) -> None:
        limits = given(**{name: options.pop(name) for name in offered})
        command(**options, limits=limits)

    parameters = []
    for parameter in inspect.signature(command).parameters.values():
        if parameter.name == "limits":
            parameters += [
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
                for name, option in offered.items()
            ]
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return called
