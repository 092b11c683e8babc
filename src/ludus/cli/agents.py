"""`ludus agents`: agents saved under names."""

from typing import Annotated

import typer
from rich.text import Text

from ludus.cli.completion import complete_agent
from ludus.cli.screen import output
from ludus.core.errors import InvalidError
from ludus.tournaments.field import delete_agent, save_agent

EXAMPLE = "Example: ludus agents save strong mcts:simulations=20000"

app = typer.Typer(help="Save agents under names, or delete saved ones.", epilog=EXAMPLE)


@app.callback(invoke_without_command=True)
def agents(context: typer.Context) -> None:
    """Refuse the group alone, which listed agents in earlier versions."""
    if context.invoked_subcommand is None:
        raise InvalidError(
            "Agents are listed by 'ludus list agents'; 'ludus agents save' and 'ludus agents delete' change saved ones."
        )


@app.command(epilog=EXAMPLE)
def save(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name for the agent.")],
    spec: Annotated[
        str, typer.Argument(metavar="AGENT", help="An agent with its parameters.", autocompletion=complete_agent)
    ],
) -> None:
    """Save an agent under a name; @NAME then stands for it in every command and file."""
    kept = save_agent(name, spec)
    output().print(Text(f"Saved: @{name} is {kept.spec}."), soft_wrap=True)


@app.command(epilog="Example: ludus agents delete strong")
def delete(name: Annotated[str, typer.Argument(metavar="NAME", help="A saved agent.")]) -> None:
    """Delete a saved agent. Stored tournaments are not affected."""
    delete_agent(name)
    output().print(Text(f"Deleted: @{name}."), soft_wrap=True)
