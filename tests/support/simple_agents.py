"""Small agents that behave in one stated way."""

import hashlib
import os
import sys
import threading
import time
from typing import ClassVar

from ludus import Agent, Choice, Clock, Game, View, param


class AlwaysFirst(Agent):
    """The first legal move."""

    name: ClassVar[str] = "always-first"

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._game = game
        self._turns = 0

    def choose(self, view: View, clock: Clock) -> Choice:
        self._turns += 1
        return Choice(self._game.moves(view.state, view.seat)[0], {"turn": self._turns})


class IllegalAt(AlwaysFirst):
    """An illegal move at one turn, the first legal ones before and after."""

    name: ClassVar[str] = "illegal-at"

    turn: int = param(1, "turn of the illegal move")

    def choose(self, view: View, clock: Clock) -> Choice:
        choice = super().choose(view, clock)
        return Choice(10**6) if self._turns == self.turn else choice


class Sleeper(AlwaysFirst):
    """Sleeps before each move."""

    name: ClassVar[str] = "sleeper"

    ms: int = param(50, "milliseconds to sleep")

    def choose(self, view: View, clock: Clock) -> Choice:
        time.sleep(self.ms / 1000)
        return super().choose(view, clock)


class Spinner(AlwaysFirst):
    """Computes before each move."""

    name: ClassVar[str] = "spinner"

    ms: int = param(50, "milliseconds of CPU")

    def choose(self, view: View, clock: Clock) -> Choice:
        begun = time.thread_time()
        while time.thread_time() < begun + self.ms / 1000:
            pass
        return super().choose(view, clock)


class Threaded(AlwaysFirst):
    """Computes in eight threads before each move, on one core."""

    name: ClassVar[str] = "threaded"

    ms: int = param(30, "milliseconds of CPU in each of them")

    def choose(self, view: View, clock: Clock) -> Choice:
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, [min(cores)])
        threads = [threading.Thread(target=self._compute) for _ in range(7)]
        for thread in threads:
            thread.start()
        self._compute()
        for thread in threads:
            thread.join()
        os.sched_setaffinity(0, cores)
        return super().choose(view, clock)

    def _compute(self) -> None:
        begun = time.thread_time()
        while time.thread_time() < begun + self.ms / 1000:
            hashlib.pbkdf2_hmac("sha256", b"word", b"salt", 50_000)  # meanwhile other threads may run


class Failing(AlwaysFirst):
    """Raises where it is told to."""

    name: ClassVar[str] = "failing"

    where: str = param("choose", "where it fails", choices=["begin", "choose", "exit", "interrupt", "answer"])

    def begin(self, game: Game, seat: int, seed: int) -> None:
        super().begin(game, seat, seed)
        if self.where == "begin":
            raise OSError("no model file\nat all")

    def choose(self, view: View, clock: Clock) -> Choice:
        if self.where == "choose":
            raise ZeroDivisionError("division by zero")
        if self.where == "exit":
            sys.exit("enough")
        if self.where == "interrupt":
            raise KeyboardInterrupt
        return super().choose(view, clock) if self.where == "begin" else "e2e4"  # type: ignore[return-value]
