"""An agent as an engine of the Universal Chess Interface."""

import itertools
import time

import numpy as np

from ludus.agents.agent import Agent, Choice, Clock
from ludus.bots.serve.service import ServedAgent, Service, figures, get_ready, nanoseconds
from ludus.core.errors import LudusError
from ludus.core.version import __version__
from ludus.episode.opening import start_state
from ludus.games.game import Game, game_from
from ludus.kernel.rules import State, over, play

_COMMANDS = ("uci", "isready", "ucinewgame", "position", "go", "stop", "quit")
_LIMITS = ("movetime", "wtime", "btime", "winc", "binc")
_ENDLESS = 10**9
"""Nanoseconds of thought for a search that should last until `stop`, since an agent cannot be stopped."""
_NO_MOVE = "bestmove 0000"
_SURE = 100.0
"""Value of a won game in pawns."""


class UciService(Service):
    """One game after the other. Each position comes with all moves before it, including the agent's own."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._held: list[str] = []  # lines to send at `stop`
        self._fen: str | None = None
        self._moves: list[str] = []  # since then
        self._state: State | None = None  # after them
        self._served: ServedAgent | None = None  # which has followed them

    def begin(self) -> None:
        self._game: Game = game_from("chess")
        get_ready(self._agent, self._game)
        self._state = start_state(self._game)

    def answer(self, line: str) -> list[str]:
        words = line.split()
        while words and words[0] not in _COMMANDS:
            del words[0]  # unknown words are skipped
        match words:
            case ["uci", *_]:
                return [f"id name Ludus {__version__} {self._agent.spec()}", "id author Ludus", "uciok"]
            case ["isready", *_]:
                return ["readyok"]
            case ["ucinewgame", *_]:
                self._served, self._state = None, start_state(self._game)
            case ["position", *rest]:
                return self._take_position(rest)
            case ["go", *rest]:
                return self._go(rest)
            case ["stop", *_]:
                lines, self._held = self._held, []
                return lines
            case ["quit", *_]:
                self.over = True
        return []

    def refuse(self, sentence: str) -> list[str]:
        return [f"info string {sentence}"]

    # --- Positions ------------------------------------------------------------------------------------------------

    def _take_position(self, words: list[str]) -> list[str]:
        split = words.index("moves") if "moves" in words else len(words)
        fen, moves = " ".join(words[1:split]) if words[:1] == ["fen"] else None, words[split + 1 :]
        if not self._goes_on(fen, moves):
            self._served, self._state = None, None
            try:
                self._state = self._after(fen, moves)
            except LudusError as error:
                return [f"info string {error}"]
        self._fen, self._moves = fen, moves
        return []

    def _goes_on(self, fen: str | None, moves: list[str]) -> bool:
        """Follow the game to a position; True if it belongs to the same game, with the agent to move."""
        served, known = self._served, len(self._moves)
        if served is None or fen != self._fen or moves[:known] != self._moves:
            return False
        try:
            served.follow([((served.seat + ply) % 2, move) for ply, move in enumerate(moves[known:])])
        except LudusError:
            return False
        return True

    def _after(self, fen: str | None, moves: list[str]) -> State:
        state = start_state(self._game) if fen is None else self._game.load(fen)
        for move in moves:
            play(state, np.array([self._game.parse(state, self._game.movers(state)[0], move)]))
        if over(state) and self._legal(state):
            # A draw for Ludus, but the manager continues: drop the history, and do not count quiet moves.
            fields = self._game.save(state).split()
            state = self._game.load(" ".join([*fields[:4], "0", *fields[5:]]))
        return state

    def _legal(self, state: State) -> list[int]:
        return self._game.moves(state, self._game.movers(state)[0])

    # --- Moves ----------------------------------------------------------------------------------------------------

    def _go(self, words: list[str]) -> list[str]:
        self._held = []
        if self._served is None:
            if self._state is None or not (legal := self._legal(self._state)):
                return [_NO_MOVE]
            mover = self._game.movers(self._state)[0]
            if over(self._state):  # too few pieces to mate: the move does not matter
                return [f"bestmove {self._game.format(self._state, mover, legal[0])}"]
            self._served = ServedAgent(self._agent, self._game, mover, self._state)
        asked = time.monotonic_ns()
        endless = "infinite" in words or "ponder" in words
        choice = self._served.choose(Clock(_ENDLESS) if endless else _clock(words, self._served.seat))
        move = self._served.text(choice.move)
        info, best = _info_lines(choice, move, time.monotonic_ns() - asked), [f"bestmove {move}"]
        if endless:
            self._held, best = best, []
        return info + best


def _clock(words: list[str], seat: int) -> Clock:
    limits = {
        word: nanoseconds(int(value))
        for word, value in itertools.pairwise(words)
        if word in _LIMITS and value.removeprefix("-").isdecimal()
    }
    side = "wb"[seat]
    return Clock(limits.get("movetime"), limits.get(f"{side}time"), limits.get(f"{side}inc", 0))


def _info_lines(choice: Choice, move: str, spent: int) -> list[str]:
    """The metrics in terms of the protocol, as far as it has them."""
    numbers = figures(choice.metrics)
    words = ["info"]
    if "depth" in numbers:
        words.append(f"depth {numbers.pop('depth')}")
    if "value" in numbers:
        words.append(f"score cp {_centipawns(numbers.pop('value'))}")
    if "nodes" in numbers:
        nodes = numbers.pop("nodes")
        words.append(f"nodes {nodes} nps {int(nodes * 1e9 / max(1, spent))}")
    line = str(choice.metrics.get("line", move))
    words.append(f"time {spent // 10**6} pv {line if line.split()[:1] == [move] else move}")
    others = " ".join(f"{name} {value}" for name, value in numbers.items())
    return [" ".join(words), *([f"info string {others}"] if others else [])]


def _centipawns(value: float) -> int:
    """Convert a value between −1 and 1, which is p / (4 + |p|) for p pawns, to centipawns."""
    pawns = 4.0 * value / max(1.0 - abs(value), 1e-9)
    return round(100 * max(-_SURE, min(_SURE, pawns)))
