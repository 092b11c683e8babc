"""Commands that need a contest: groups with one command for each game that has servers."""

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ludus.cli.options import expanded, value_option
from ludus.core.errors import InvalidError, NotFoundError
from ludus.core.kinds import TIME
from ludus.core.ranges import Range
from ludus.core.registry import classes
from ludus.core.spec import Duration, Parameter
from ludus.core.text import did_you_mean
from ludus.net.contest import Contest


class _Games(TyperGroup):
    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands and not args[0].startswith("-"):
            known = ", ".join(self.commands) or "no game"
            perhaps = did_you_mean(args[0], self.commands)
            raise NotFoundError(f"No game server exists for '{args[0]}'{perhaps}; there are servers for {known}.")
        return super().resolve_command(ctx, args)


def per_contest(
    command: Callable[..., None], *, help: str, example: Callable[[type[Contest]], str], **groups: Mapping[str, Any]
) -> typer.Typer:
    """A group with the command for each contest, its first argument.

    A parameter `settings` of the command gets those of the contest that the user gave; more groups of options, by the
    parameters that they replace, may follow.
    """
    contests = classes(Contest)
    examples = {name: f"Example: {example(contest)}" for name, contest in contests.items()}
    group = typer.Typer(cls=_Games, help=help, epilog=next(iter(examples.values()), None))
    for name, contest in contests.items():
        settings = {parameter.name: _option(parameter) for parameter in contest.parameters()}
        made = expanded(_bound(command, contest), groups | {"settings": settings})
        group.command(name, epilog=examples[name])(made)
    return group


def _bound(command: Callable[..., None], contest: type[Contest]) -> Callable[..., None]:
    """A command with its first argument."""

    @functools.wraps(command)
    def bound(**options: Any) -> None:
        command(contest, **options)

    _, *parameters = inspect.signature(command).parameters.values()
    bound.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return bound


def _option(parameter: Parameter) -> Any:
    """The option for a declared parameter."""
    name, shown = f"--{parameter.name.replace('_', '-')}", parameter.write(parameter.default)
    if parameter.kind is Duration:
        return Annotated[Any, value_option(TIME, name, parameter.help, shown=shown)]
    metavar = "N|N..N" if parameter.kind is Range else parameter.name.upper()
    made = typer.Option(name, parser=_reader(parameter), metavar=metavar, help=parameter.help, show_default=shown)
    return Annotated[Any, made]


def _reader(parameter: Parameter) -> Callable[[Any], Any]:
    def read(text: Any) -> Any:
        if not isinstance(text, str):
            return text
        if parameter.kind is Range:
            _check_range(parameter.name, text)
        try:
            return parameter.read(text)
        except ValueError:
            raise InvalidError(f"--{parameter.name} {text} is not {parameter.expects}.") from None

    return read


def _check_range(name: str, text: str) -> None:
    try:
        given = Range.parse(text)
    except ValueError:
        raise InvalidError(f"--{name} {text} is not a number, nor a range such as 2..6.") from None
    if given.low > given.high:
        raise InvalidError(f"--{name} {text} is reversed: write {Range(given.high, given.low)}.")
