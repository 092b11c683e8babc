"""`ludus agents`: who can play."""

from typing import Annotated, Any

import typer
from rich.text import Text

from ludus.agents.base import Agent, Evaluator
from ludus.catalog import agent_from, game_from
from ludus.catalog import agents as all_agents
from ludus.cli.games import parameter_list, show_heading, show_parameters
from ludus.cli.screen import output, print_json, prose, table
from ludus.errors import LudusError
from ludus.players.in_process import suited

EXAMPLE = "Example: ludus agents --game hex"


def agents(
    name: Annotated[str | None, typer.Argument(metavar="[AGENT]", help="An agent, with parameters or not.")] = None,
    game: Annotated[str | None, typer.Option("--game", metavar="GAME", help="Only agents that suit this game.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """List the agents, all or those that suit a game, or tell all about one."""
    if name is not None:
        if game is not None:
            raise LudusError("Name an agent or a game, not both: 'ludus play' says whether they suit each other.")
        agent = agent_from(name)
        if as_json:
            print_json(_row(type(agent)) | {"details": agent.details(), "parameters": parameter_list(type(agent))})
        else:
            _show_one(agent)
        return
    names = list(all_agents()) if game is None else suited(game_from(game))
    rows = [_row(all_agents()[name]) for name in names]
    if as_json:
        print_json(rows)
    else:
        _show_all(rows, game)


def _row(cls: type[Agent]) -> dict[str, Any]:
    return {
        "name": cls.name,
        "players": [cls.least_players, cls.most_players],
        "chance": cls.takes_chance,
        "simultaneous": cls.takes_simultaneous,
        "summary": cls.summary(),
    }


def _show_all(rows: list[dict[str, Any]], game: str | None) -> None:
    shown = table("agent", "players", "chance", "simultaneous", "how it chooses", right=["players"])
    for row in rows:
        low, high = row["players"]
        shown.add_row(
            Text(row["name"], "bold cyan", no_wrap=True),
            str(low) if low == high else f"{low}–{high}",
            "✓" if row["chance"] else "–",
            "✓" if row["simultaneous"] else "–",
            prose(row["summary"]),
        )
    output().print(shown)
    output().print(
        f"\n[dim]'ludus agents AGENT' tells all about one{'' if game else '; --game GAME picks who suits'}.[/]"
    )


def _show_one(agent: Agent) -> None:
    show_heading(agent)
    show_parameters(type(agent))
    if isinstance(agent, Evaluator):
        output().print(
            "\nIt uses the game's evaluation; weight.NAME=VALUE changes a weight that 'ludus games GAME' lists."
        )
