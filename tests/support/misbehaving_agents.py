"""Agents and a game that do what no worker should die of."""

import ctypes
import os
import resource
import signal
import sys
import time
from pathlib import Path
from typing import ClassVar

import numpy as np
from numba import njit

from ludus import Agent, Choice, Clock, Game, View, param
from ludus.games.tic_tac_toe import TicTacToe
from ludus.kernel.rules import State


@njit(cache=False)
def spin_forever(cell: np.ndarray) -> int:
    while cell[0] == 0:
        cell[1] += 1
    return int(cell[1])


class First(Agent):
    """The first legal move."""

    name: ClassVar[str] = "first"

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._game = game
        self._turn = 0

    def choose(self, view: View, clock: Clock) -> Choice:
        self._turn += 1
        return Choice(self._game.moves(view.state, view.seat)[0])

    def prepare(self, game: Game) -> None:
        pass


class Rogue(First):
    """Plays two moves, then does something terrible."""

    name: ClassVar[str] = "rogue"

    does: str = param(
        "raise",
        "what",
        choices=["raise", "hang", "spin", "starve", "crash", "exit", "hoard", "kill", "fork", "nameless"],
    )

    def choose(self, view: View, clock: Clock) -> Choice:
        choice = super().choose(view, clock)
        if self._turn == 2:
            getattr(self, f"_{self.does}")()
        return choice

    def _raise(self) -> None:
        raise ValueError("I have no idea")

    def _hang(self) -> None:
        while True:
            time.sleep(1)

    def _spin(self) -> None:
        spin_forever(np.zeros(2, np.int64))

    def _starve(self) -> None:
        sys.path.append(str(Path(__file__).parents[1]))
        from support.crowding import crowded_core

        begun = time.thread_time()
        with crowded_core(rivals=12):
            while time.thread_time() < begun + 0.3:
                pass

    def _crash(self) -> None:
        ctypes.string_at(0)

    def _exit(self) -> None:
        print("I am leaving", flush=True)
        os._exit(3)

    def _kill(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def _nameless(self) -> None:
        os.kill(os.getpid(), 40)  # a real-time signal, which has no name

    def _fork(self) -> None:
        if os.fork() == 0:
            time.sleep(60)  # holds on to all that its parent had open
            os._exit(0)
        ctypes.string_at(0)

    def _hoard(self) -> None:
        hoard: list[np.ndarray] = []
        while True:
            if len(hoard) < 50:  # more need not be, until somebody looks
                hoard.append(np.ones(1 << 20))
            time.sleep(0.01)


class Odd(First):
    """Answers with something that is not a number."""

    name: ClassVar[str] = "odd"

    what: str = param("float", "what", choices=["float", "array", "nothing", "trap", "report"])

    def choose(self, view: View, clock: Clock) -> Choice:
        if self.what == "report":
            return Choice(super().choose(view, clock).move, np.zeros(2))  # type: ignore[arg-type]
        answers = {"float": 3.0, "array": np.zeros(2), "nothing": None, "trap": Trap()}
        return Choice(answers[self.what])  # type: ignore[arg-type]


class Trap:
    """Raises whatever is asked of it."""

    def __index__(self) -> int:
        raise OSError

    def __repr__(self) -> str:
        raise OSError


class Heavy(First):
    """Takes 60 MiB and keeps them for the episode."""

    name: ClassVar[str] = "heavy"

    def choose(self, view: View, clock: Clock) -> Choice:
        if self._turn == 0:
            self._held = np.ones(60 << 17)
        time.sleep(0.05)
        return super().choose(view, clock)


class Dawdler(First):
    """Is slow at every move, until there is a file called `go` in its folder."""

    name: ClassVar[str] = "dawdler"

    folder: str = param("", "where it looks for the file")

    def choose(self, view: View, clock: Clock) -> Choice:
        if not Path(self.folder, "go").exists():
            time.sleep(0.1)
        return super().choose(view, clock)


class Tardy(First):
    """Takes twice the time that it is granted for its second move."""

    name: ClassVar[str] = "tardy"

    def choose(self, view: View, clock: Clock) -> Choice:
        if self._turn == 1:
            time.sleep(2 * (clock.move or 0) / 1e9)
        return super().choose(view, clock)


class Saver(First):
    """Moves at once, and is slow at its third move: more than it had at the beginning."""

    name: ClassVar[str] = "saver"

    def choose(self, view: View, clock: Clock) -> Choice:
        if self._turn == 2:
            time.sleep(4)
        return super().choose(view, clock)


class Filler(First):
    """Fills the disk: after its first move this process can no longer write files."""

    name: ClassVar[str] = "filler"

    def choose(self, view: View, clock: Clock) -> Choice:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        return super().choose(view, clock)


class Unready(First):
    """Hangs while it is made ready for all episodes, and plays well afterwards."""

    name: ClassVar[str] = "unready"

    def prepare(self, game: Game) -> None:
        while True:
            time.sleep(1)


class Alone(First):
    """Must be alone: it fails if another of its kind plays at the same time."""

    name: ClassVar[str] = "alone"
    exclusive: ClassVar[bool] = True

    folder: str = param("", "where it leaves its mark")

    def choose(self, view: View, clock: Clock) -> Choice:
        mark = Path(self.folder, "mark")
        with mark.open("x"):
            time.sleep(0.005)
        mark.unlink()
        return super().choose(view, clock)


class Endless(TicTacToe):
    """Tic-tac-toe that never comes to the end of writing a move down."""

    name: ClassVar[str] = "endless"

    def format(self, state: State, player: int, move: int) -> str:
        while "ludus.run.worker" in sys.orig_argv and len(self.moves(state, player)) < 9:
            time.sleep(1)
        return super().format(state, player, move)


class Faulty(TicTacToe):
    """Tic-tac-toe that fails when a move is written down, after some stones."""

    name: ClassVar[str] = "faulty"

    def format(self, state: State, player: int, move: int) -> str:
        if len(self.moves(state, player)) < 3:
            raise ZeroDivisionError("no stones left")
        return super().format(state, player, move)


class Deadly(TicTacToe):
    """Tic-tac-toe that kills the worker in which a move is written down, after some stones."""

    name: ClassVar[str] = "deadly"

    after: int = param(2, "stones")
    signal: str = param("SIGABRT", "how")

    def format(self, state: State, player: int, move: int) -> str:
        stones = 9 - len(self.moves(state, player))
        if "ludus.run.worker" in sys.orig_argv and stones >= self.after:
            os.kill(os.getpid(), signal.Signals[self.signal])
        return super().format(state, player, move)
