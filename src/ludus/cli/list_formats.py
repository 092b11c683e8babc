"""`ludus list formats`: formats of tournaments, or one of them with its parameters."""

from typing import Annotated

import typer

from ludus.cli.completion import complete_format
from ludus.cli.listing import Row, about, parameter_list, show_one, show_rows
from ludus.cli.options import JsonOption
from ludus.cli.screen import output, print_json
from ludus.core.registry import classes
from ludus.kernel.rules import MOST_PLAYERS
from ludus.tournaments.formats import Format, default_format, format_from

FORMATS_EXAMPLE = "Example: ludus list formats swiss"


def formats(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="FORMAT", help="A format to describe, such as 'swiss:rounds=5'.", autocompletion=complete_format
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the tournament formats, or describe one."""
    if name is None:
        rows = [_row(cls) for cls in classes(Format).values()]
        if as_json:
            print_json(rows)
            return
        show_rows({"name": "format", "players": "players", "summary": "pairings", "parameters": "parameters"}, rows)
        defaults = ((1, "one player"), (2, "two players"), (3, "more"))
        without = ", ".join(f"{default_format(seats)} for {words}" for seats, words in defaults)
        output().print(f"\n[dim]The default is {without}. 'ludus list formats FORMAT' describes one.[/]")
        return
    format = format_from(name)
    if as_json:
        print_json(_row(type(format)) | about(format))
    else:
        show_one(format)


def _row(cls: type[Format]) -> Row:
    suited = [seats for seats in range(1, MOST_PLAYERS + 1) if cls().unsuited(2 * MOST_PLAYERS, seats) is None]
    return {
        "name": cls.name,
        "players": [suited[0], suited[-1]],
        "default": [seats for seats in suited if default_format(seats) == cls.name],
        "summary": cls.summary(),
        "parameters": parameter_list(cls),
    }
