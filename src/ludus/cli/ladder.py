"""`ludus ladder`: ratings carried over from tournament to tournament."""

from typing import Annotated

import typer
from rich.text import Text

from ludus.cli.options import GameOption, JsonOption, StoreOption, TournamentsArgument
from ludus.cli.screen import output, print_json
from ludus.cli.tables import frame_table
from ludus.stats.ladder import ladder as ladder_of
from ludus.store import open_store
from ludus.views.column import explained
from ludus.views.columns import LADDER

EXAMPLE = "Example: ludus ladder --game connect-four"


def ladder(
    which: TournamentsArgument = None,
    game: GameOption = None,
    tau: Annotated[float, typer.Option(metavar="TAU", help="How freely volatility changes, usually 0.3 to 1.2.")] = 0.5,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Show Glicko-2 ratings carried over from tournament to tournament.

    Each stored tournament of a game is one rating period, oldest first. Agents enter with rating 1500, deviation
    350 and volatility 0.06, and carry their ratings over.
    """
    with open_store(store) as opened:
        found = ladder_of(opened, which or (), game=game, tau=tau)
    if as_json:
        print_json({"tau": tau, "ladder": found.to_dicts()})
        return
    for (name,), agents in found.group_by("game", maintain_order=True):
        output().print(Text(str(name), "bold cyan"))
        output().print(frame_table(agents, LADDER, {agent: agent for agent in agents["agent"]}))
        output().print()
    output().print(Text(f"{explained(LADDER)}.", "dim"))
