"""Options that several commands share, made from their declarations."""

import functools
import inspect
import re
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from ludus.cli.completion import complete_game, complete_tournament
from ludus.cli.screen import warn
from ludus.core.kinds import TIME, TRUTH, Kind, whole
from ludus.episode.limits import LIMITS, UNLIMITED, Limit
from ludus.tournaments.run_options import RUN_OPTIONS, RunOption, RunOptions


def _warn_of_password(context: typer.Context, value: str | None) -> str | None:
    """Warn of a password that stands in the command itself."""
    source = context.get_parameter_source("store")
    if value and source is not None and source.name == "COMMANDLINE" and _has_password(value):
        warn(
            "Other users of this machine can read the password in --store while the command runs: set LUDUS_STORE or "
            "PGPASSWORD instead, or write the store in ludus.toml or the password in ~/.pgpass."
        )
    return value


def _has_password(store: str) -> bool:
    try:
        parts = urlsplit(store)
        return "://" in store and (parts.password is not None or "password=" in parts.query)
    except ValueError:  # not a URL
        return False


StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="FILE|URL",
        envvar="LUDUS_STORE",
        help="SQLite file or postgresql:// URL. Default: the store in ludus.toml, or a file in your data folder.",
        show_default=False,
        callback=_warn_of_password,
    ),
]
GameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        help="Only this game, such as 'hex' or 'hex:size=5'.",
        autocompletion=complete_game,
        show_default=False,
    ),
]
TournamentsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ID",
        help="Tournaments by number, name or identity. Default: all.",
        autocompletion=complete_tournament,
        show_default=False,
    ),
]
TrustOption = Annotated[
    bool,
    typer.Option(
        "--trust", help="Load and run the Python files that the input names. Use this only if you trust their author."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON.")]


def value_option(
    kind: Kind,
    names: str,
    help: str,
    *,
    shown: str | bool = False,
    panel: str | None = None,
    metavar: str | None = None,
) -> typer.models.OptionInfo:
    """An option of this kind under names separated by spaces; a time without a unit is in milliseconds."""

    def read(text: Any) -> Any:
        if not isinstance(text, str):
            return text
        if kind is TIME and re.fullmatch(r"\d+(\.\d+)?", text):
            text += "ms"
        try:
            return kind.read(text)
        except ValueError:
            raise typer.BadParameter(f"'{text}' is not {kind.expects}") from None

    if kind is TIME and panel is None:  # the heading of the limits says so for all of them
        help += " Without a unit: milliseconds."
    return typer.Option(
        *names.split(),
        parser=read,
        metavar=metavar or kind.metavar,
        help=help,
        show_default=shown,
        rich_help_panel=panel,
    )


def number_option(
    names: str,
    help: str,
    *,
    least: int = 1,
    most: int | None = None,
    shown: str | bool = False,
    panel: str | None = None,
) -> Any:
    """An option that takes a whole number."""
    return value_option(whole(least, most), names, help, shown=shown, panel=panel)


EpisodesOption = Annotated[int, number_option("--episodes -n", "Number of episodes; seats rotate.")]


def given(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def _limit_option(name: str, limit: Limit) -> Any:
    """The option of a limit; a time without a unit is in milliseconds, as in messages to bots."""
    panel = "Limits of bots" if limit.only_bots else "Limits (a time without a unit is in milliseconds)"
    default = getattr(UNLIMITED, name)
    shown: str | bool = limit.kind.write(default) if default else False
    if limit.bots is not None:
        shown = f"{limit.kind.write(limit.bots)} for bots"
    return Annotated[Any, value_option(limit.kind, limit.option, limit.help, shown=shown, panel=panel)]


def _run_option(name: str, declared: RunOption) -> Any:
    """The option of a run."""
    long = f"--{name.replace('_', '-')}"
    if declared.kind is TRUTH:
        return Annotated[bool | None, typer.Option(f"{long}/--no-{long[2:]}", help=declared.help, show_default=False)]
    default = getattr(RunOptions(), name)
    shown = False if default is None else declared.kind.write(default)
    return Annotated[Any, value_option(declared.kind, f"{long} {declared.short}", declared.help, shown=shown)]


_LIMITS = {name: _limit_option(name, limit) for name, limit in LIMITS.items()}
_RUN_OPTIONS = {name: _run_option(name, declared) for name, declared in RUN_OPTIONS.items()}


def with_options(
    without: Collection[str] = (), **more: Mapping[str, Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command all run options in place of its parameter `options`, and all limits in place of `limits`.

    More groups of options, by the parameters that they replace, may follow. Each of these parameters gets a dictionary
    of what the user gave. Options in `without` are not offered.
    """
    groups = {"options": _RUN_OPTIONS, "limits": _LIMITS, **more}
    offered = {
        group: {name: found for name, found in options.items() if name not in without}
        for group, options in groups.items()
    }
    return functools.partial(expanded, offered=offered)


def expanded(command: Callable[..., None], offered: Mapping[str, Mapping[str, Any]]) -> Callable[..., None]:
    """A command with options in place of each parameter that stands for a group of them, and gets a dictionary."""
    declared = inspect.signature(command).parameters
    groups = {group: options for group, options in offered.items() if group in declared}

    @functools.wraps(command)
    def called(**values: Any) -> None:
        found = {group: given(**{name: values.pop(name) for name in options}) for group, options in groups.items()}
        command(**values, **found)

    parameters = []
    for parameter in declared.values():
        if parameter.name in groups:
            parameters += [
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
                for name, option in groups[parameter.name].items()
            ]
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return called
