"""Tables of games, agents and formats, and descriptions of one of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ludus.cli.screen import output, prose, table
from ludus.core.spec import Configurable
from ludus.core.text import DASH, span

_ROOMY = 90  # columns of a terminal that has room for more than names and summaries

Row = dict[str, Any]
"""A game, an agent, a protocol or a format as data."""


def about(thing: Configurable) -> Row:
    """Data on one of them beyond its row in the list."""
    return {"spec": thing.spec(), "details": thing.details(), "parameters": parameter_list(type(thing))}


def parameter_list(cls: type[Configurable]) -> list[Row]:
    """The parameters of a class as data."""
    return [
        {
            "name": p.name,
            "default": None if p.required or p.default is None else p.write(p.default),
            "required": p.required,
            "expects": p.expects,
            "help": p.help,
        }
        for p in cls.parameters()
    ]


def show_rows(heads: Mapping[str, str], rows: Sequence[Row]) -> None:
    """Print a table with a column for each key; a narrow terminal gets the first column and the summaries."""
    if output().width < _ROOMY:
        first = next(iter(heads))
        heads = {key: head for key, head in heads.items() if key in (first, "summary")}
    shown = table(*heads.values(), right=["players"])
    for row in rows:
        shown.add_row(*(_cell(key, row[key]) for key in heads))
    output().print(shown)


def _cell(key: str, value: Any) -> RenderableType:
    if key in ("name", "protocol"):
        return Text(value, "bold cyan", no_wrap=True)
    if key == "kind":
        return Text(value)
    if key == "players":
        return span(*value)
    if key == "parameters":
        return ", ".join(parameter["name"] for parameter in value)
    if isinstance(value, bool):
        return "✓" if value else DASH
    return prose(value)


def show_one(thing: Configurable, fact: str = "") -> None:
    """Print the name, the docstring, a fact, and the parameters."""
    output().print(Text.assemble((thing.name, "bold cyan"), ": ", prose(thing.summary())))
    if thing.details():
        output().print()
        output().print(prose(thing.details()))
    if fact:
        output().print()
        output().print(Text(fact))
    shown = table("parameter", "default", "takes", "description")
    for row in parameter_list(type(thing)):
        default = "[yellow]required[/]" if row["required"] else row["default"] or "none"
        shown.add_row(Text(row["name"], "cyan", no_wrap=True), default, row["expects"], Text(row["help"]))
    if shown.row_count:
        output().print()
        output().print(shown)
