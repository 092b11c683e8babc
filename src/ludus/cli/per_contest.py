"""Commands that need a contest: a group with one command for each game that has servers."""

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ludus.cli.options import time_option
from ludus.core.errors import InvalidError, NotFoundError
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
            raise NotFoundError(f"There are no servers of '{args[0]}'{perhaps}: there are those of {known}.")
        return super().resolve_command(ctx, args)


def per_contest(command: Callable[..., None], *, help: str, example: Callable[[type[Contest]], str]) -> typer.Typer:
    """A group with the command for each contest, its first argument.

    If the command has a parameter `settings`, it gets those of the contest, and the options for them stand there.
    """
    group = typer.Typer(cls=_Games, help=help)
    for name, contest in classes(Contest).items():
        group.command(name, epilog=f"Example: {example(contest)}")(_bound(command, contest))
    return group


def _bound(command: Callable[..., None], contest: type[Contest]) -> Callable[..., None]:
    settings = {parameter.name: parameter for parameter in contest.parameters()}

    @functools.wraps(command)
    def called(**options: Any) -> None:
        if "settings" in takes:
            options["settings"] = {name: options.pop(name) for name in settings}
        command(contest, **options)

    _, *takes = inspect.signature(command).parameters
    parameters = []
    for name in takes:
        if name == "settings":
            parameters += [_option(parameter) for parameter in settings.values()]
        else:
            given = inspect.signature(command).parameters[name]
            parameters.append(given.replace(kind=inspect.Parameter.KEYWORD_ONLY))
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return called


def _option(parameter: Parameter) -> inspect.Parameter:
    """The option for a declared parameter."""
    name, shown = f"--{parameter.name.replace('_', '-')}", parameter.write(parameter.default)
    if parameter.kind is Duration:
        option, kind = time_option(name, parameter.help, shown, None, "s"), int
    else:
        metavar = "N|N..N" if parameter.kind is Range else parameter.name.upper()
        option = typer.Option(name, parser=_reader(parameter), metavar=metavar, help=parameter.help, show_default=shown)
        kind = parameter.kind
    return inspect.Parameter(
        parameter.name, inspect.Parameter.KEYWORD_ONLY, default=parameter.default, annotation=Annotated[kind, option]
    )


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
        raise InvalidError(f"--{name} {text} goes from more to less: write {Range(given.high, given.low)}.")
