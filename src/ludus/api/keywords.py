"""Keyword arguments that functions of the API share: run options and limits, named as in tournament files.

All come from these declarations; the classes below repeat them for type checkers alone.
"""

import inspect
from collections.abc import Callable, Mapping
from os import PathLike, fspath
from typing import Any, Literal, NamedTuple, TypedDict, TypeVar

from ludus.core.errors import InvalidError
from ludus.core.kinds import Kind
from ludus.core.text import did_you_mean
from ludus.episode.limits import LIMITS
from ludus.tournaments.run_options import NOT_FOR_SERIES, RUN_OPTIONS

Function = TypeVar("Function", bound=Callable[..., Any])

Time = str
"""A text such as `"250ms"` or `"1.5s"`."""
Size = str
"""A text such as `"512MB"` or `"2GiB"`."""
File = str | PathLike[str]


class PlayOptions(TypedDict, total=False):
    """Keyword arguments of `ludus.play`: how episodes start, and the limits of the players."""

    seed: int
    opening_plies: int
    openings: File
    position: File

    prepare: Time
    move_time: Time
    total: Time
    increment: Time
    grace: Time
    hard: Time
    plies: int
    memory: Size
    policy: Literal["lose", "random", "soft"]
    cpu: Time
    output_limit: Size
    files: int
    processes: int
    disk: Size
    new_files: int
    resign: int
    resign_moves: int
    draw: int
    draw_moves: int
    draw_after: int


class TournamentOptions(PlayOptions, total=False):
    """Keyword arguments of `ludus.tournament`, `ludus.compare` and `ludus.sweep`: also how they are run and stored."""

    name: str
    workers: int
    timed: bool
    patience: Time


class Given(NamedTuple):
    """Keyword arguments as the rest of Ludus takes them: run options by name, and limits by the names of fields."""

    options: dict[str, Any]
    limits: dict[str, Any]


_LIMITS = {limit.key: name for name, limit in LIMITS.items()}
_KINDS: dict[str, Kind] = {
    **{name: option.kind for name, option in RUN_OPTIONS.items()},
    **{limit.key: limit.kind for limit in LIMITS.values()},
}
_ACCEPTED: dict[type, list[str]] = {
    PlayOptions: [name for name in _KINDS if name not in NOT_FOR_SERIES],
    TournamentOptions: list(_KINDS),
}
_HELP = {
    **{name: option.help for name, option in RUN_OPTIONS.items()},
    **{limit.key: f"{limit.help} For bots only." if limit.only_bots else limit.help for limit in LIMITS.values()},
}


def given(keywords: Mapping[str, Any], accepted: type) -> Given:
    """Check keyword arguments and sort them; those that are None count as not given."""
    options: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    for key, value in keywords.items():
        if key not in (names := sorted(_ACCEPTED[accepted])):
            near = did_you_mean(key, names)
            raise InvalidError(f"Unknown option '{key}'{near}; choose from {', '.join(names)}.")
        if value is not None:
            target, name = (limits, _LIMITS[key]) if key in _LIMITS else (options, key)
            target[name] = _checked(key, value)
    return Given(options, limits)


def _checked(key: str, value: Any) -> Any:
    """The value as it is kept: times and sizes are texts with units, as in tournament files."""
    kind = _KINDS[key]
    text = fspath(value) if isinstance(value, PathLike) else value
    if kind.written is str and not isinstance(text, str):
        raise InvalidError(f"{key} = {value!r} is not {kind.expects}.")
    return kind.checked(key, text)


def documented(accepted: type) -> Callable[[Function], Function]:
    """Let a function show these keyword arguments one by one, in its signature and at the end of its docstring."""

    def document(function: Function) -> Function:
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
        shared = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_KINDS[name].written | None
            )
            for name in _ACCEPTED[accepted]
        ]
        function.__signature__ = signature.replace(parameters=[*own, *shared])  # type: ignore[attr-defined]
        lines = [f"    {name}: {_HELP[name]}" for name in _ACCEPTED[accepted]]
        function.__doc__ = "\n".join([inspect.cleandoc(function.__doc__ or ""), "", "Options:", *lines, ""])
        return function

    return document
