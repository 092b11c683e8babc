"""`ludus list agents`: agents, protocols of bots and saved agents, or one of them with its parameters."""

from typing import Annotated

import typer
from rich.text import Text

from ludus.agents.agent import Agent, Evaluator
from ludus.bots.bot import Bot
from ludus.cli.completion import complete_agent, complete_game
from ludus.cli.listing import Row, about, parameter_list, show_one, show_rows
from ludus.cli.options import JsonOption
from ludus.cli.screen import output, print_json, table
from ludus.core.errors import InvalidError
from ludus.core.registry import classes, find
from ludus.core.registry import names as known_names
from ludus.core.spec import DEFAULT_PROTOCOL
from ludus.episode.seating import suited
from ludus.games.game import game_from
from ludus.tournaments.field import pick_from, saved_agents
from ludus.tournaments.tournament import Entrant

AGENTS_EXAMPLE = "Example: ludus list agents --game hex"


def agents(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="AGENT",
            help="An agent to describe: a spec, @NAME, './mybot', or a protocol of bots.",
            autocompletion=complete_agent,
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="List only agents that can play this game.", autocompletion=complete_game),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List all agents or those that can play a game, or describe one."""
    if name is not None:
        if game is not None:
            raise InvalidError(
                "Name an agent or a game, not both: 'ludus play' refuses an agent that cannot play a game."
            )
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
    protocols = [_row_of_protocol(cls) for cls in classes(Bot).values()] if game is None else []
    saved = saved_agents() if game is None else []
    if as_json:
        kept = [{"saved": entrant.name, "spec": entrant.spec} for entrant in saved]
        print_json(rows + protocols + kept)
    else:
        _show_all(rows, protocols, saved)


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


def _show_all(rows: list[Row], protocols: list[Row], saved: list[Entrant]) -> None:
    heads = {"name": "agent", "players": "players", "chance": "chance", "simultaneous": "simultaneous"}
    show_rows(heads | {"summary": "method"}, rows)
    if protocols:
        output().print("\nBots are programs of their own in any language; they speak one of these protocols:\n")
        heads = {"protocol": "protocol", "example": "for example", "parameters": "parameters"}
        show_rows(heads | {"summary": "description"}, protocols)
    if saved:
        output().print("\nSaved agents:\n")
        shown = table("name", "agent")
        for entrant in saved:
            shown.add_row(Text(f"@{entrant.name}", "bold cyan", no_wrap=True), Text(entrant.spec))
        output().print(shown)
    more = "; --game GAME lists those that can play a game" if protocols else ""
    output().print(f"\n[dim]'ludus list agents NAME' describes one{more}.[/]")


def _show_protocol(cls: type[Bot]) -> None:
    example = _row_of_protocol(cls)["example"]
    show_one(cls(), f"Write such a bot as {example}, or with parameters as {cls.name},cores=2:./mybot.")


def _show_one(agent: Agent) -> None:
    show_one(agent, f"In full: {agent.spec()}" if agent.spec() != agent.name else "")
    if isinstance(agent, Evaluator):
        output().print(
            "\nIt uses the game's evaluation; 'ludus list games GAME' lists its weights, weight.NAME=VALUE sets one."
        )
