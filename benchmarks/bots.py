"""The cost of a round trip to a bot: instant bots in C beside a bare exchange of lines with such a program, and
Stockfish at one node a move beside the same questions without a referee. All processes share one core.

Ludus requests, times, measures (CPU, waiting, memory), parses, judges, plays and records each move.
"""

import os
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from ludus.agents.agent import agent_from
from ludus.core.startup import collect_rarely
from ludus.episode.driver import play_episode
from ludus.episode.local_player import player_for
from ludus.episode.player import Player
from ludus.episode.record import Ending, Record
from ludus.episode.seating import prepare, seated
from ludus.games.game import Game, game_from
from side_by_side import Row, compare, main, pin

LINES = 20_000
EPISODES = 20
BOARD = "gomoku:size=15"
FLOOR = "os.write and os.read"
WALL_GOAL, CPU_GOAL = 6.7, 4
"""In bare exchanges: 25,000 moves a second and 25 µs of CPU where a bare exchange takes 6 µs."""
ENGINE_MOVES = 2700
"""A second that are wanted with Stockfish at one node a move, one game at a time."""


class Stopwatch:
    """Watches an episode: seconds and CPU seconds of this process in this many moves after the first.

    It looks at its clocks in every eighth step, since that takes a microsecond.
    """

    def __init__(self) -> None:
        self.moves = 0
        self.wall = self.cpu = 0.0
        self._steps = 0
        self._began = 0.0, 0.0

    def __call__(self, _state: Any, _step: Any) -> None:
        if self._steps & 7 == 0:
            now = time.perf_counter(), time.process_time()
            if self._steps == 0:
                self._began = now
            self.moves = self._steps
            self.wall, self.cpu = now[0] - self._began[0], now[1] - self._began[1]
        self._steps += 1


def measure() -> Iterator[Row]:
    pin()
    collect_rarely()  # as the command line and workers do
    with tempfile.TemporaryDirectory() as folder:
        bot = str(Path(folder, "bot"))
        subprocess.run(["cc", "-O2", "-o", bot, Path(__file__).with_name("instant_bot.c")], check=True)
        game, players = game_from(BOARD), [player_for(agent_from(bot), name) for name in ("first", "second")]
        prepare(game, [])
        exchange = Exchange([bot, "echo"])
        with seated(players, game):
            parts: list[tuple[str, Callable[[Stopwatch], float], float]] = [
                ("wall time of a move", lambda watch: watch.wall, WALL_GOAL),
                ("referee's CPU time of a move", lambda watch: watch.cpu, CPU_GOAL),
            ]
            for name, part, goal in parts:
                measured = partial(spent, game, players, part)
                yield compare(name, measured, exchange.microseconds, "µs", FLOOR, goal=goal, less_is_better=True)
            exchange.close()
            yield compare(
                "start and end of two bots",
                lambda: start_up(game, players),
                lambda: 2 * bare_start_up(bot),
                "ms",
                "subprocess, nothing said",
                less_is_better=True,
            )
    if engine := shutil.which("stockfish", path=f"{os.environ.get('PATH', '')}:/usr/games"):
        yield from stockfish(engine)


def spent(game: Game, players: list[Player], part: Callable[[Stopwatch], float]) -> float:
    """Microseconds a move in whole episodes, without the start of the processes."""
    total, moves = 0.0, 0
    for seed in range(EPISODES):
        watch = Stopwatch()
        record = play_episode(game, players, seed=seed, watch=watch)
        if record.ending is not Ending.RULES:
            raise SystemExit(f"an episode ended by a fault: {record.to_json()}")
        total, moves = total + part(watch), moves + watch.moves
    return 1e6 * total / moves


class Exchange:
    """Lines to a program and back, and nothing else."""

    def __init__(self, command: list[str]) -> None:
        self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self.there, self.back = self._child.stdin.fileno(), self._child.stdout.fileno()

    def microseconds(self) -> float:
        """Of one exchange."""
        begin = time.perf_counter()
        for _ in range(LINES):
            os.write(self.there, b"TURN 7-7\n")
            os.read(self.back, 4096)
        return 1e6 * (time.perf_counter() - begin) / LINES

    def wait_for(self, word: bytes) -> None:
        """Read until a line begins with a word."""
        text = b""
        while not any(line.startswith(word) for line in text.split(b"\n")[:-1]):
            text += os.read(self.back, 1 << 16)

    def close(self) -> None:
        """End the program."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.close()
        self._child.wait()
        self._child.stdout.close()


def start_up(game: Game, players: list[Player]) -> float:
    """Milliseconds that an episode takes outside its moves."""
    begin = time.perf_counter()
    playing = 0.0
    for seed in range(EPISODES):
        watch = Stopwatch()
        play_episode(game, players, seed=seed, watch=watch)
        playing += watch.wall
    return 1e3 * (time.perf_counter() - begin - playing) / EPISODES


def bare_start_up(bot: str) -> float:
    """Milliseconds to start a program and to wait for its end."""
    begin = time.perf_counter()
    for _ in range(EPISODES):
        exchange = Exchange([bot, "echo"])
        exchange.close()
    return 1e3 * (time.perf_counter() - begin) / EPISODES


def stockfish(engine: str) -> Iterator[Row]:
    """Moves a second with one node a move, one episode at a time: beside the engine alone, and as such."""
    game = game_from("chess")
    players = [player_for(agent_from(f"uci,nodes=1:{shlex.quote(engine)}"), name) for name in ("white", "black")]
    prepare(game, [])
    with seated(players, game):
        record = play_episode(game, players, seed=0)
        row = compare(
            "Stockfish, nodes=1",
            lambda: 1e6 / spent(game, players, lambda watch: watch.wall),
            lambda: bare_stockfish(engine, record),
            "moves/s",
            "the same questions alone",
        )
    yield row
    yield Row("Stockfish, nodes=1, as such", row.ludus, None, row.unit, None, goal=ENGINE_MOVES)


def bare_stockfish(engine: str, record: Record) -> float:
    """Moves a second of the engine that is asked for every move of an episode, and not refereed."""
    exchange = Exchange([engine])
    os.write(exchange.there, b"uci\nisready\n")
    exchange.wait_for(b"readyok")
    moves = [move.move for step in record.steps for move in step]
    begin = time.perf_counter()
    for count in range(len(moves)):
        os.write(exchange.there, f"position startpos moves {' '.join(moves[:count])}\ngo nodes 1\n".encode())
        exchange.wait_for(b"bestmove")
    spent = time.perf_counter() - begin
    os.write(exchange.there, b"quit\n")
    exchange.close()
    return len(moves) / spent


if __name__ == "__main__":
    main("Bots behind a pipe", measure)
