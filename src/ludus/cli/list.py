"""`ludus list`: games, agents, formats and tournaments, all of them or one in detail."""

import typer

from ludus.cli.list_agents import AGENTS_EXAMPLE, agents
from ludus.cli.list_formats import FORMATS_EXAMPLE, formats
from ludus.cli.list_games import GAMES_EXAMPLE, games
from ludus.cli.list_tournaments import TOURNAMENTS_EXAMPLE, tournaments

app = typer.Typer(help="List games, agents, formats or tournaments, or describe one.", epilog=GAMES_EXAMPLE)
app.command(epilog=GAMES_EXAMPLE)(games)
app.command(epilog=AGENTS_EXAMPLE)(agents)
app.command(epilog=FORMATS_EXAMPLE)(formats)
app.command(epilog=TOURNAMENTS_EXAMPLE)(tournaments)
