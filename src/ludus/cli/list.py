"""`ludus list`: games, agents, formats and tournaments, all of them or one in detail."""

import importlib
from typing import Any

import typer
from typer.core import TyperGroup

_LISTS = ("games", "agents", "formats", "tournaments")


class _Lists(TyperGroup):
    """A group that imports only the command that is asked for: a list of tournaments needs no compiler."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(_LISTS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        for name in (cmd_name,) if cmd_name in _LISTS else _LISTS:  # all of them to suggest the nearest
            if name not in self.commands:
                self.commands[name] = _command(name)
        return self.commands.get(cmd_name)


def _command(name: str) -> Any:
    module = importlib.import_module(f"ludus.cli.list_{name}")
    alone = typer.Typer(add_completion=False, rich_markup_mode="rich")
    alone.command(name, epilog=getattr(module, f"{name.upper()}_EXAMPLE"))(getattr(module, name))
    return typer.main.get_command(alone)


app = typer.Typer(
    cls=_Lists,
    help="List games, agents, formats or tournaments, or describe one.",
    epilog="Example: ludus list games hex:size=5",
)
