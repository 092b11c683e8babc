"""Options that several commands share."""

import functools
import inspect
import re
from collections.abc import Callable, Collection
from typing import Annotated, Any

import typer

from ludus.core.text import parse_duration, parse_size
from ludus.episode.limits import COUNT, LIMITS, MOST_COUNT, POLICY, SIZE, TIME, UNLIMITED, Kind, Limit, Policy

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


def _limit_option(name: str, limit: Limit) -> Any:
    """The option of a limit; a number alone is a time in milliseconds, as bots are told them."""
    panel, default = "Limits of bots" if limit.only_bots else "Limits", getattr(UNLIMITED, name)
    shown: str | bool = limit.kind.write(default) if default else False
    if limit.bots is not None:
        shown = f"{limit.kind.write(limit.bots)} for bots"
    if limit.kind is TIME:
        return Annotated[int | None, time_option(limit.option, limit.help, shown, panel)]
    kinds: dict[Kind, tuple[Any, dict[str, Any]]] = {
        SIZE: (int, {"parser": _size, "metavar": "SIZE"}),
        COUNT: (int, {"min": 1, "max": MOST_COUNT}),
        POLICY: (Policy, {}),
    }
    type, settings = kinds[limit.kind]
    option = typer.Option(*limit.option.split(), **settings, help=limit.help, show_default=shown, rich_help_panel=panel)
    return Annotated[type | None, option]


_LIMITS = {name: _limit_option(name, limit) for name, limit in LIMITS.items()}

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
