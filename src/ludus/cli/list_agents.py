"""`ludus agents`: who can play, and agents that are kept under names."""

from typing import Annotated, Any

import typer
from rich.text import Text
from typer.core import TyperGroup

from ludus.agents.agent import Agent, Evaluator
from ludus.bots.bot import Bot
from ludus.cli.listing import Row, about, parameter_list, show_one, show_rows
from ludus.cli.screen import output, print_json, table
from ludus.core.errors import InvalidError
from ludus.core.registry import classes, find
from ludus.core.registry import names as known_names
from ludus.core.spec import DEFAULT_PROTOCOL
from ludus.episode.seating import suited
from ludus.games.game import game_from
from ludus.tournaments.field import forget_agent, pick_from, save_agent, saved_agents

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
        agent = pick_from(name).agent
        if as_json:
            print_json(_row(type(agent)) | about(agent))
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


def _row(cls: type[Agent]) -> Row:
    return {
        "name": cls.name,
        "players": [cls.least_players, cls.most_players],
        "chance": cls.takes_chance,
        "simultaneous": cls.takes_simultaneous,
        "summary": cls.summary(),
    }


def _row_of_protocol(cls: type[Bot]) -> Row:
    return {
        "protocol": cls.name,
        "example": "./mybot" if cls.name == DEFAULT_PROTOCOL else f"{cls.name}:./mybot",
        "summary": cls.summary(),
        "parameters": parameter_list(cls),
    }


def _show_all(rows: list[Row], spoken: list[Row]) -> None:
    heads = {"name": "agent", "players": "players", "chance": "chance", "simultaneous": "simultaneous"}
    show_rows(heads | {"summary": "how it chooses"}, rows)
    if spoken:
        output().print("\nBots, programs of their own in any language, by the protocol that they speak:\n")
        heads = {"protocol": "protocol", "example": "for example", "parameters": "parameters"}
        show_rows(heads | {"summary": "what it is"}, spoken)
    more = " of them; --game GAME picks who suits" if spoken else ""
    output().print(f"\n[dim]'ludus agents NAME' tells all about one{more}.[/]")


def _show_protocol(cls: type[Bot]) -> None:
    example = _row_of_protocol(cls)["example"]
    show_one(cls(), f"A bot that speaks it is named {example}, or with parameters {cls.name},cores=2:./mybot.")


def _show_one(agent: Agent) -> None:
    show_one(agent, f"Here it is {agent.spec()}." if agent.spec() != agent.name else "")
    if isinstance(agent, Evaluator):
        output().print(
            "\nIt uses the game's evaluation; weight.NAME=VALUE changes a weight that 'ludus games GAME' lists."
        )
