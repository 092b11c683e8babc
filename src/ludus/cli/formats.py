"""`ludus formats`: who meets whom in a tournament."""

from typing import Annotated, Any

import typer
from rich.text import Text

from ludus.cli.games import parameter_list, show_heading, show_parameters
from ludus.cli.screen import output, print_json, prose, table
from ludus.core.registry import classes
from ludus.kernel.rules import MOST_PLAYERS
from ludus.tournaments.formats import default_format, format_from
from ludus.tournaments.formats.format import Format

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
        else:
            _show_all(rows)
        return
    format = format_from(name)
    if as_json:
        print_json(_row(type(format)) | {"spec": format.spec(), "details": format.details()})
    else:
        show_heading(format)
        show_parameters(type(format))


def _row(cls: type[Format]) -> dict[str, Any]:
    suited = [seats for seats in range(1, MOST_PLAYERS + 1) if cls().unsuited(2 * MOST_PLAYERS, seats) is None]
    return {
        "name": cls.name,
        "players": [suited[0], suited[-1]],
        "default": [seats for seats in suited if default_format(seats) == cls.name],
        "summary": cls.summary(),
        "parameters": parameter_list(cls),
    }


def _show_all(rows: list[dict[str, Any]]) -> None:
    shown = table("format", "players", "who meets whom", "parameters")
    for row in rows:
        low, high = row["players"]
        shown.add_row(
            Text(row["name"], "bold cyan", no_wrap=True),
            str(low) if low == high else f"{low}–{high}",
            prose(row["summary"]),
            ", ".join(parameter["name"] for parameter in row["parameters"]),
        )
    output().print(shown)
    defaults = [f"{default_format(seats)} for {words}" for seats, words in ((1, "one player"), (2, "two"), (3, "more"))]
    output().print(
        f"\n[dim]Without --format it is {', '.join(defaults)}. 'ludus formats FORMAT' tells all about one.[/]"
    )
