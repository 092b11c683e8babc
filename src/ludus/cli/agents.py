"""`ludus agents`: who can play, and agents that are kept under names."""

from typing import Annotated, Any

import typer
from rich.text import Text
from typer.core import TyperGroup

from ludus.agents.agent import Agent, Evaluator, agent_from
from ludus.bots.bot import Bot
from ludus.cli.games import parameter_list, show_heading, show_parameters
from ludus.cli.screen import output, print_json, prose, table
from ludus.core.errors import InvalidError
from ludus.core.registry import classes, find
from ludus.core.registry import names as known_names
from ludus.core.spec import DEFAULT_PROTOCOL
from ludus.episode.seating import suited
from ludus.games.game import game_from
from ludus.tournaments.field import entrant_from, forget_agent, save_agent, saved_agents

EXAMPLE = "Example: ludus agents --game hex"


class _ListUnlessTold(TyperGroup):
    """A group of commands in which `list` need not be written."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        written = args and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if written or ctx.resilient_parsing else ["list", *args])


app = typer.Typer(
    cls=_ListUnlessTold,
    help="List the agents, or tell all about one; keep agents under names.",
    epilog=EXAMPLE,
    subcommand_metavar="[list] [AGENT] | COMMAND [ARGS]...",
)


@app.command("list", epilog=EXAMPLE)
def agents(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[AGENT]", help="An agent, with parameters or not, @NAME, './mybot', or a protocol of bots."
        ),
    ] = None,
    game: Annotated[str | None, typer.Option("--game", metavar="GAME", help="Only agents that suit this game.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """List the agents, all or those that suit a game, or tell all about one."""
    if name is not None:
        if game is not None:
            raise InvalidError("Name an agent or a game, not both: 'ludus play' says whether they suit each other.")
        if name in known_names("protocol"):
            protocol = find(Bot, name)
            if as_json:
                print_json(_row_of_protocol(protocol) | {"details": protocol.details()})
            else:
                _show_protocol(protocol)
            return
        agent = agent_from(entrant_from(name).spec)
        if as_json:
            told = {"spec": agent.spec(), "details": agent.details(), "parameters": parameter_list(type(agent))}
            print_json(_row(type(agent)) | told)
        else:
            _show_one(agent)
        return
    names = known_names("agent") if game is None else suited(game_from(game))
    rows = [_row(find(Agent, name)) for name in names]
    spoken = [_row_of_protocol(cls) for cls in classes(Bot).values()] if game is None else []
    if as_json:
        print_json(rows + spoken)
    else:
        _show_all(rows, spoken)


@app.command(epilog="Example: ludus agents save strong mcts:simulations=20000")
def save(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call it.")],
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="An agent, with parameters or not.")],
) -> None:
    """Keep an agent: wherever one is named, @NAME then stands for it."""
    kept = save_agent(name, spec)
    output().print(Text(f"{name} is {kept.spec}; wherever an agent is named, @{name} stands for it."), soft_wrap=True)


@app.command()
def saved(as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False) -> None:
    """List the agents that are kept."""
    kept = saved_agents()
    if as_json:
        print_json(kept)
    elif not kept:
        output().print("No agent is saved yet: 'ludus agents save NAME SPEC' keeps one.")
    else:
        shown = table("name", "agent")
        for entrant in kept:
            shown.add_row(Text(entrant.name, "bold cyan", no_wrap=True), Text(entrant.spec))
        output().print(shown)


@app.command()
def forget(name: Annotated[str, typer.Argument(metavar="NAME", help="A saved agent.")]) -> None:
    """Delete a saved agent; tournaments that were played with it stay as they are."""
    forget_agent(name)


def _row(cls: type[Agent]) -> dict[str, Any]:
    return {
        "name": cls.name,
        "players": [cls.least_players, cls.most_players],
        "chance": cls.takes_chance,
        "simultaneous": cls.takes_simultaneous,
        "summary": cls.summary(),
    }


def _row_of_protocol(cls: type[Bot]) -> dict[str, Any]:
    return {
        "protocol": cls.name,
        "example": "./mybot" if cls.name == DEFAULT_PROTOCOL else f"{cls.name}:./mybot",
        "summary": cls.summary(),
        "parameters": parameter_list(cls),
    }


def _show_all(rows: list[dict[str, Any]], spoken: list[dict[str, Any]]) -> None:
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
    if spoken:
        output().print("\nBots, programs of their own in any language, by the protocol that they speak:\n")
        bots = table("protocol", "for example", "parameters", "what it is")
        for row in spoken:
            parameters = ", ".join(parameter["name"] for parameter in row["parameters"])
            name = Text(row["protocol"], "bold cyan", no_wrap=True)
            bots.add_row(name, Text(row["example"], no_wrap=True), parameters, prose(row["summary"]))
        output().print(bots)
    more = " of them; --game GAME picks who suits" if spoken else ""
    output().print(f"\n[dim]'ludus agents NAME' tells all about one{more}.[/]")


def _show_protocol(cls: type[Bot]) -> None:
    show_heading(cls())
    example = _row_of_protocol(cls)["example"]
    output().print(Text(f"\nA bot that speaks it is named {example}, or with parameters {cls.name},cores=2:./mybot."))
    show_parameters(cls)


def _show_one(agent: Agent) -> None:
    show_heading(agent)
    if agent.spec() != agent.name:
        output().print(Text(f"\nHere it is {agent.spec()}."), soft_wrap=True)
    show_parameters(type(agent))
    if isinstance(agent, Evaluator):
        output().print(
            "\nIt uses the game's evaluation; weight.NAME=VALUE changes a weight that 'ludus games GAME' lists."
        )
