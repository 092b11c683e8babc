"""`ludus host`: a server of spe_ed, to which clients of the contest connect."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group
from rich.live import Live
from rich.text import Text

from ludus.cli.options import StoreOption, time_option
from ludus.cli.progress import told_if_slow
from ludus.cli.screen import errors, table
from ludus.contests.speed.game import Speed
from ludus.core.errors import InvalidError
from ludus.core.text import did_you_mean, spoken_time
from ludus.episode.record import Record
from ludus.net.listener import read_keys, tls
from ludus.net.lobby import SECOND, Plan, Span
from ludus.net.server import Host, check_fill
from ludus.store import open_store

EXAMPLE = (
    "Example: ludus host speed --players 4 --width 60 --height 50 --deadline 5 --keys keys.txt --fill speed.combi "
    "--port 8080"
)

_USUAL = Plan()
_REFRESH = 0.25  # seconds between two drawings of the table


def _span_option(name: str, help: str) -> typer.models.OptionInfo:
    return typer.Option(name, metavar="N|N..N", help=help)


def host(
    game: Annotated[str, typer.Argument(metavar="GAME", help="speed, the only game that is hosted.")],
    players: Annotated[str, _span_option("--players", "Players of a game; of a range, each game draws its own.")] = str(
        _USUAL.players
    ),
    width: Annotated[str, _span_option("--width", "Columns of the board.")] = str(_USUAL.width),
    height: Annotated[str, _span_option("--height", "Rows of the board.")] = str(_USUAL.height),
    deadline: Annotated[
        str, _span_option("--deadline", "Seconds of a round; of a range, each round draws its own.")
    ] = str(_USUAL.deadline),
    grace: Annotated[
        int, time_option("--grace", "How much later an answer still counts.", "2s", None, "s")
    ] = _USUAL.grace,
    keys: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The keys that are let in: one a line, perhaps with a name after a blank; without it, every key, "
            "which then is the name.",
            show_default=False,
        ),
    ] = None,
    fill: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help="An agent that takes an empty place after the time of the lobby; several take turns.",
            show_default=False,
        ),
    ] = None,
    lobby: Annotated[
        int, time_option("--lobby", "How long the first who waits for a game waits for others.", "5m", None, "s")
    ] = _USUAL.lobby,
    address: Annotated[
        str, typer.Option("--host", help="The address to listen at; 0.0.0.0 lets other machines connect.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen at; 0: any that is free.")] = 8080,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A certificate (PEM), for wss://.", show_default=False)
    ] = None,
    private_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Its private key, if not in the same file.", show_default=False)
    ] = None,
    games: Annotated[int | None, typer.Option(min=1, help="Exit after so many games.", show_default=False)] = None,
    store: StoreOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Write the record of each game, one line of JSON each.")
    ] = False,
) -> None:
    """Host games of spe_ed for clients that connect over WebSocket, and store each of them.

    Ctrl-C lets nobody in any more and the games end; a second time, it stops at once.
    """
    if game != Speed.name:
        raise InvalidError(f"'{game}' cannot be hosted{did_you_mean(game, [Speed.name])}: only {Speed.name} can.")
    plan = Plan(
        _span("players", players),
        _span("width", width),
        _span("height", height),
        _span("deadline", deadline),
        grace,
        lobby,
    )
    plan.check()
    plan = plan._replace(fill=check_fill(fill or [], plan.players))
    known = read_keys(keys)
    security = tls(certificate, private_key)
    with open_store(store) as opened:
        served = Host(plan, known, opened, games=games, tell=_tell, ended=_write if as_json else _keep_quiet)
        if keys is None:
            _tell("Every key is let in, and is the name of its client; with --keys, those of a file alone.")
        if not asyncio.run(_serve(served, lambda ready: served.run(address, port, security, ready))):
            raise KeyboardInterrupt


def _span(option: str, text: str) -> Span:
    try:
        return Span.parse(text)
    except ValueError:
        raise InvalidError(f"--{option} {text} is not a number, nor a range such as 2..6.") from None


async def _serve(served: Host, run: Callable[[Callable[[], None]], Coroutine[None, None, bool]]) -> bool:
    """Run it, with what goes on as a table on a terminal; Ctrl-C stops it, once clients can come in."""
    loop = asyncio.get_running_loop()
    live = Live(console=errors(), auto_refresh=False, transient=True, redirect_stdout=False)
    preparing = ExitStack()

    def ready() -> None:
        preparing.close()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, served.stop)
        if errors().is_terminal:
            live.start()

    drawing = asyncio.create_task(_draw(served, live))
    try:
        preparing.enter_context(
            told_if_slow("Compiling speed and the agents that fill places; next time this is quick …")
        )
        return await run(ready)
    finally:
        preparing.close()
        drawing.cancel()
        live.stop()


async def _draw(served: Host, live: Live) -> None:
    while True:
        if live.is_started:
            live.update(_picture(served), refresh=True)
        await asyncio.sleep(_REFRESH)


def _picture(served: Host) -> Group:
    """The lobby and the games, as they are now."""
    lobby = served.lobby
    names = ", ".join(client.name for client in lobby.clients) or "nobody"
    line = f"In the lobby: {names}, of {lobby.places}"
    if lobby.until is not None:
        line += f"; {spoken_time(max(0.0, lobby.until - asyncio.get_running_loop().time()) * SECOND)} left"
    if served.stopping:
        line = "Nobody is let in any more. Ctrl-C ends the games at once."
    shown = table("game", "board", "round", "alive", "players", right=("game", "round"))
    for game in served.tables.values():
        height, width = game.state.cells.shape
        alive = f"{sum(game.active)} of {len(game.players)}"
        players = Text(", ").join(
            Text(player.name, "" if active else "dim strike")
            for player, active in zip(game.players, game.active, strict=True)
        )
        shown.add_row(str(game.number), f"{width}×{height}", str(game.round), alive, players)
    return Group(shown, Text(line, "dim")) if served.tables else Group(Text(line, "dim"))


def _tell(sentence: str) -> None:
    errors().print(Text(sentence), soft_wrap=True)


def _write(record: Record) -> None:
    """A line on standard output, past Python's own stream: whoever reads it may take its time, and nobody waits."""
    line = f"{record.to_json()}\n".encode()
    while line:
        line = line[os.write(sys.stdout.fileno(), line) :]


def _keep_quiet(record: Record) -> None:
    """The screen tells enough."""
