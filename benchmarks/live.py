"""The site while others play: what watching costs a tournament, and how old a move is when a viewer hears of it.

First a tournament at full speed, its workers and their parent on one core: with a viewer who
watches its worker, and the site on the other core, against alone. Then games of spe_ed on a server, two clients each,
with a round a second: milliseconds from the referee's answer, which begins the next round, to the message in a viewer.
"""

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from ludus.run.live_reader import LiveReader
from ludus.store import open_store
from side_by_side import Row, compare, main
from speed_server import HEIGHT, WIDTH, action, connected, decoded, ludus_host

EPISODES = 10_000
GAMES, VIEWERS, SECONDS = 100, 48, 20.0
ROUND = 1.0
"""Seconds after which the clients of a game answer."""

_LUDUS = str(Path(sys.executable).with_name("ludus"))


def on_core(core: int) -> list[str]:
    """The beginning of a command that stays on this core, if there are several."""
    cores = sorted(os.sched_getaffinity(0))
    return ["taskset", "-c", str(cores[core % len(cores)])]


@contextmanager
def site(store: Path) -> Iterator[str]:
    """`ludus serve` on the other core; the address of its WebSocket."""
    command = [*on_core(1), _LUDUS, "serve", "--port", "0", "--store", str(store)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if match := re.search(r"http://(\S+:\d+)/", line):
                yield f"ws://{match[1]}/socket"
                break
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


# --- A tournament at full speed ---------------------------------------------------------------------------------------


def tournament(store: Path, name: str) -> "subprocess.Popen[bytes]":
    """Start a tournament on the first core."""
    field = ["--agent", "random", "--agent", "mcts:simulations=1", "--workers", "1", "--episodes", str(EPISODES // 2)]
    command = [*on_core(0), _LUDUS, "run", "--game", "connect-four", *field, "--name", name, "--store", str(store)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def rate(store: Path, name: str, address: str | None) -> float:
    """Episodes a second of a tournament, with a viewer if there is an address."""
    with open_store(str(store)) as opened:
        process = tournament(store, name)
        if address is not None:
            asyncio.run(watch(LiveReader(opened), address, process))
        process.wait()
        played = opened.episodes(opened.find(name), ["played"])["played"].sort()
        return len(played) / (played[-1] - played[0]).total_seconds()


async def watch(reader: LiveReader, address: str, process: "subprocess.Popen[bytes]") -> None:
    """Watch the worker of a run, and everything else, until it ends."""
    while not (runs := [run for run in reader.runs() if run.feeds]):
        await asyncio.sleep(0.01)
    async with connect(address, compression=None, max_size=None) as viewer:
        for topic in (f"game/{runs[0].id}/{runs[0].feeds[0].name}", "runs", f"tournament/{runs[0].card.tournament}"):
            await viewer.send(json.dumps({"watch": topic}))
        while process.poll() is None:
            with suppress(TimeoutError):
                await asyncio.wait_for(viewer.recv(), 0.1)


def slowdown(folder: Path) -> Row:
    """Episodes a second with a viewer, beside those without."""
    store = folder / "full-speed.db"
    names = map(str, range(1000))
    with site(store) as address:
        return compare(
            "tournament at full speed, watched",
            lambda: rate(store, f"watched {next(names)}", address),
            lambda: rate(store, f"alone {next(names)}", None),
            "episodes/s",
            "not watched",
            0.95,
            turns=5,
        )


# --- Games over a network ---------------------------------------------------------------------------------------------


async def play_slowly(connection: ClientConnection) -> None:
    """Answer about a second after each state."""
    pause = ROUND * random.uniform(0.9, 1.1)
    with suppress(ConnectionClosed):
        while (state := decoded(await connection.recv(decode=False))).running:
            if state.players[str(state.you)].active:
                await asyncio.sleep(pause)
                await connection.send(action(state))


async def ages(address: str, topic: str, found: list[float], until: float) -> None:
    """Milliseconds from the beginning of each round to the message that shows it."""
    async with connect(address, compression=None, max_size=None) as viewer:
        await viewer.send(json.dumps({"watch": topic}))
        full = False
        while (left := until - time.monotonic()) > 0:
            try:
                message = json.loads(await asyncio.wait_for(viewer.recv(), left))
            except TimeoutError:
                return
            now = 1000 * time.time()
            if full and message.get("frames") and message.get("clock"):
                found.append(now - message["clock"]["since"])
            full = full or bool(message.get("frames"))


def latencies(folder: Path) -> list[float]:
    """Of all rounds that the viewers see, each of another game."""
    store = folder / "hosted.db"
    size = ("--width", str(WIDTH), "--height", str(HEIGHT))
    host = ludus_host(store, "--players", "2", "--deadline", "15", "--lobby", "1m", *size)
    found: list[float] = []

    async def measure(address: str) -> None:
        async with connected(host.port, 2 * GAMES) as clients:
            playing = [asyncio.create_task(play_slowly(client)) for client in clients]
            with open_store(str(store)) as opened:
                reader = LiveReader(opened)
                while not (runs := [run for run in reader.runs() if len(run.feeds) >= GAMES]):
                    await asyncio.sleep(0.1)
            topics = [f"game/{runs[0].id}/{feed.name}" for feed in runs[0].feeds[:VIEWERS]]
            until = time.monotonic() + SECONDS
            await asyncio.gather(*(ages(address, topic, found, until) for topic in topics))
            for task in playing:
                task.cancel()

    try:
        with site(store) as address:
            asyncio.run(measure(address))
    finally:
        host.end()
    return found


def measure() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        yield slowdown(Path(folder))
        found = latencies(Path(folder))
        name = f"{GAMES} games, {VIEWERS} viewers, {len(found):,} rounds"
        yield Row(f"{name}: median age", float(np.median(found)), None, "ms", None)
        late = float(np.quantile(found, 0.95))
        yield Row(f"{name}: 95th percentile", late, None, "ms", None, 250.0, less_is_better=True)


if __name__ == "__main__":
    main("Watching", measure)
