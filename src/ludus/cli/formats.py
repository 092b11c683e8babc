"""`ludus formats`: who meets whom in a tournament."""

from typing import Annotated

import typer

from ludus.cli.listing import Row, about, parameter_list, show_one, show_rows
from ludus.cli.screen import output, print_json
from ludus.core.registry import classes
from ludus.kernel.rules import MOST_PLAYERS
from ludus.tournaments.formats import Format, default_format, format_from

EXAMPLE = "Example: ludus formats swiss"


def formats(
    name: Annotated[str | None, typer.Argument(metavar="[FORMAT]", help="A format, with parameters or not.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """List the formats of tournaments, or tell all about one."""
    if name is None:
        rows = [_row(cls) for cls in classes(Format).values()]
        if as_json:
            print_json(rows)
            return
        show_rows(
            {"name": "format", "players": "players", "summary": "who meets whom", "parameters": "parameters"}, rows
        )
        defaults = ((1, "one player"), (2, "two"), (3, "more"))
        without = ", ".join(f"{default_format(seats)} for {words}" for seats, words in defaults)
        output().print(f"\n[dim]Without --format it is {without}. 'ludus formats FORMAT' tells all about one.[/]")
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
