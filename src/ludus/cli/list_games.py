"""`ludus list games`: games, or one of them with its rules in figures."""

import importlib.metadata
import re
from typing import Annotated

import typer
from rich.text import Text

from ludus.cli.completion import complete_game
from ludus.cli.listing import Row, about, show_one, show_rows
from ludus.cli.options import JsonOption
from ludus.cli.screen import output, print_board, print_json, table
from ludus.core.registry import classes
from ludus.core.text import listing, plural
from ludus.games.game import Facts, Game, game_from
from ludus.kernel.rng import new_rng

GAMES_EXAMPLE = "Example: ludus list games hex:size=5"


def games(
    name: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="A game to describe, such as 'hex:size=5'.", autocompletion=complete_game),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the games, or describe one: parameters, notation, evaluation and start."""
    if name is None:
        rows = [_row(cls) for cls in classes(Game).values()]
        if as_json:
            print_json(rows)
        else:
            _show_all(rows)
        return
    game = game_from(name)
    if as_json:
        print_json(_everything(game))
    else:
        _show_one(game)


def _row(cls: type[Game]) -> Row:
    return {
        "name": cls.name,
        "players": [cls.least_players, cls.most_players],
        "chance": cls.chance,
        "simultaneous": cls.simultaneous,
        "summary": cls.summary(),
        "missing": _missing_packages(cls.name),
    }


def _missing_packages(name: str) -> list[str]:
    """The packages that a game needs and that are not installed: those of the extra that has its name."""
    missing = []
    for line in importlib.metadata.requires("ludus") or []:
        package, _, condition = line.partition(";")
        if re.search(rf"extra == ['\"]{re.escape(name)}['\"]", condition):
            distribution = re.split(r"[^\w.-]", package.strip())[0]
            try:
                importlib.metadata.version(distribution)
            except importlib.metadata.PackageNotFoundError:
                missing.append(distribution)
    return missing


def _show_all(rows: list[Row]) -> None:
    lines = []
    for row in rows:
        kind = "\n".join(kind for kind in ("chance", "simultaneous") if row[kind])
        needs = f" Needs {listing(row['missing'])}: pip install 'ludus[{row['name']}]'." if row["missing"] else ""
        lines.append(row | {"kind": kind, "summary": row["summary"] + needs})
    show_rows({"name": "game", "players": "players", "kind": "kind", "summary": "description"}, lines)
    output().print("\n[dim]'ludus list games GAME' describes one; 'ludus play GAME AGENT AGENT' plays it.[/]")


def _everything(game: Game) -> Row:
    return {
        "name": game.name,
        "summary": game.summary(),
        "facts": game.facts(),
        **about(game),
        "weights": [{"name": name, "default": w.default, "help": w.help} for name, w in game.weights.items()],
        "start": game.draw(game.start(new_rng(0))),
    }


def _show_one(game: Game) -> None:
    show_one(game, _facts_in_words(game.facts()))
    if game.weights:
        shown = table("weight", "default", "counts", right=["default"])
        for name, weight in game.weights.items():
            shown.add_row(Text(name, "cyan"), f"{weight.default:g}", weight.help)
        output().print()
        output().print(shown)
    output().print("\n[bold]start[/]\n")
    print_board(game, game.start(new_rng(0)))


def _facts_in_words(facts: Facts) -> str:
    words = [
        plural(facts.players, "player"),
        "all move at once" if facts.simultaneous else "turn by turn" if facts.players > 1 else "",
        f"chance with up to {facts.most_outcomes:,} outcomes" if facts.chance else "no chance",
        "hidden information" if facts.hidden else "",
        f"up to {facts.most_moves:,} moves in a position",
        f"scores from {facts.lowest_score:g} to {facts.highest_score:g}",
    ]
    return " · ".join(filter(None, words))
