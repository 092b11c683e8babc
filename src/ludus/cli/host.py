"""`ludus host`: a game server for clients of a contest."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from typing import Annotated, Any

import typer
from rich.console import Group
from rich.live import Live
from rich.text import Text

from ludus.cli.completion import complete_agent
from ludus.cli.gate import LOCAL, gate_options
from ludus.cli.options import StoreOption, number_option, value_option
from ludus.cli.per_contest import per_contest
from ludus.cli.progress import shown_if_slow
from ludus.cli.screen import errors, table
from ludus.core.errors import InvalidError
from ludus.core.kinds import TIME
from ludus.core.text import plural, spoken_time
from ludus.episode.record import Record
from ludus.net.contest import Contest
from ludus.net.crowd import Caps
from ludus.net.listener import read_keys, tls
from ludus.net.server import AT_ONCE, LOBBY, Host, check_fill
from ludus.run.live_run import live_run
from ludus.store import open_store

_PORT = 8080
_CAPS = Caps()
_REFRESH = 0.25  # seconds between two drawings of the table


def host(
    contest: type[Contest],
    settings: dict[str, Any],
    gate: dict[str, Any],
    fill: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help="Agent for empty seats after --lobby; repeat the option for more, which take turns.",
            autocompletion=complete_agent,
            show_default=False,
        ),
    ] = None,
    lobby: Annotated[
        int,
        value_option(TIME, "--lobby", "How long the first client in a lobby waits for others.", shown="5m"),
    ] = LOBBY,
    games: Annotated[int | None, number_option("-n --episodes", "Stop after N games.")] = None,
    at_once: Annotated[
        int, number_option("--max-games", "Maximum number of games at the same time.", shown=str(AT_ONCE))
    ] = AT_ONCE,
    connections: Annotated[
        int, number_option("--max-connections", "Maximum number of open connections.", shown=f"{_CAPS.connections:,}")
    ] = _CAPS.connections,
    per_address: Annotated[
        int,
        number_option(
            "--max-per-address", "Maximum number of open connections from one address.", shown=str(_CAPS.per_address)
        ),
    ] = _CAPS.per_address,
    store: StoreOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Write the record of each game, one line of JSON each.")
    ] = False,
) -> None:
    """Run a game server for clients over WebSocket.

    Every game is stored.

    Ctrl-C stops admitting clients and lets running games finish; a second Ctrl-C stops at once.
    """
    played = contest(**settings)
    agents = check_fill(played, fill or [])
    keys = gate.get("keys")
    known = read_keys(keys)
    if not agents and known.count is not None and known.count < played.least_places:
        raise InvalidError(
            f"{keys} has {plural(known.count, 'key')}, and a game needs {played.least_places} players: add keys, or "
            "agents that take empty places with --fill."
        )
    security = tls(gate.get("certificate"), gate.get("private_key"))
    address, port = gate.get("host", LOCAL), gate.get("port", _PORT)
    with open_store(store) as opened, live_run(opened.live, "host", f"hosted {played.name}", played.name) as live:
        served = Host(
            played,
            known,
            lambda record, wall: opened.keep_game("hosted", record, wall).name,
            fill=agents,
            patience=lobby,
            games=games,
            at_once=at_once,
            caps=Caps(connections, per_address),
            ledger=live,
            tell=_print,
            ended=_write if as_json else _keep_quiet,
        )
        if keys is None:
            _print("Every key is accepted and is the name of its client; --keys FILE restricts the keys.")
        if not asyncio.run(_serve(served, lambda ready: served.run(address, port, security, ready))):
            raise KeyboardInterrupt


app = per_contest(
    host,
    help="Run a game server for clients over WebSocket.",
    gate=gate_options("Port to listen on; 0 picks a free port.", str(_PORT)),
    example=lambda contest: f"ludus host {contest.name} {contest.example}",
)


async def _serve(served: Host, run: Callable[[Callable[[], None]], Coroutine[None, None, bool]]) -> bool:
    """Run the server, with a table of its games on a terminal; Ctrl-C stops it."""
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
            shown_if_slow(f"Compiling {served.contest.name} and the agents that fill places; next time this is quick …")
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
    """The present state of the lobby and the games."""
    lobby = served.lobby
    names = ", ".join(client.name for client in lobby.clients) or "nobody"
    line = f"In the lobby: {names}, of {lobby.places}"
    if (left := lobby.time_left) is not None:
        line += f"; {spoken_time(left)} left" if left else "; its time is up, and clients are missing"
    if served.stopping:
        line = "No more clients are admitted. Ctrl-C ends the games at once."
    shown = table("game", "board", "round", "alive", "players", right=("game", "round"))
    for game in served.tables.values():
        alive = f"{sum(game.active)} of {len(game.players)}"
        players = Text(", ").join(
            Text(player.name, "" if active else "dim strike")
            for player, active in zip(game.players, game.active, strict=True)
        )
        shown.add_row(str(game.number), served.contest.in_words(game.state), str(game.round), alive, players)
    return Group(shown, Text(line, "dim")) if served.tables else Group(Text(line, "dim"))


def _print(sentence: str) -> None:
    errors().print(Text(sentence), soft_wrap=True)


def _write(record: Record) -> None:
    """Write a line to standard output, past Python's own stream, so that a slow reader delays nobody."""
    line = f"{record.to_json()}\n".encode()
    while line:
        line = line[os.write(sys.stdout.fileno(), line) :]


def _keep_quiet(record: Record) -> None:
    """Print nothing: the screen shows the games."""
