"""A person at the terminal."""

import dataclasses
import sys
import textwrap
from collections.abc import Callable
from typing import ClassVar

import numpy as np

from ludus.agents.agent import Agent, Choice, Clock, View
from ludus.core.errors import LudusError
from ludus.core.text import format_duration
from ludus.games.game import Game
from ludus.kernel.rules import CHANCE, State, duplicate, play


class Quit(Exception):  # noqa: N818 - not an error
    """A person left the game."""


Drawer = Callable[[Game, State, State | None], None]
"""Shows a person the board; the second position is the one before the last move."""


def _draw_plainly(game: Game, state: State, before: State | None) -> None:
    print(textwrap.indent(game.draw(state), "    "), file=sys.stderr, flush=True)


class Human(Agent):
    """A person at this terminal, who is shown the board and asked for moves.

    The conversation is on standard input and standard error, so that standard output stays free for results.
    """

    name: ClassVar[str] = "human"
    person: ClassVar[bool] = True

    draw: Drawer = dataclasses.field(default=_draw_plainly)

    def prepare(self, game: Game) -> None:
        """Nothing: a person is not asked before the game begins."""

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._game = game
        self._seat = seat
        self._before: State | None = None  # after this player's last move
        self._last: State | None = None  # before the last move

    def choose(self, view: View, clock: Clock) -> Choice:
        self._tell(*self._happened(view), "")
        self.draw(self._game, view.state, self._last)
        self._tell("")
        self._before = duplicate(view.state)
        limit = clock.limit()
        within = f" within {format_duration(limit // 1_000_000 * 1_000_000)}" if limit is not None else ""
        while True:
            text = self._ask(f"Player {self._seat + 1}, your move{within} (? for help): ")
            if text.lower() in ("quit", "exit"):
                raise Quit
            if text.lower() in ("?", "help"):
                self._tell(*self._help(view))
                continue
            if not text:
                continue
            try:
                return Choice(self._game.parse(view.state, view.seat, text))
            except LudusError as error:
                self._tell(f"{error} '?' lists them all.")
            except Exception as error:  # by a game of a user's, which does not expect just anything
                self._tell(f"'{text}' cannot be read as a move: {type(error).__name__}. '?' lists them all.")

    def _happened(self, view: View) -> list[str]:
        """Sentences on the moves of others since this player's last turn."""
        if self._before is None:
            return []
        state, told = self._before, []
        for step in view.since:
            self._last = duplicate(state)
            for player, move in zip(self._game.movers(state), step, strict=True):
                if player == CHANCE:
                    told.append(f"Chance brings {self._game.format(state, player, move)}.")
                elif player != self._seat:
                    told.append(f"Player {player + 1} plays {self._game.format(state, player, move)}.")
            play(state, np.array(step))
        return told

    def _help(self, view: View) -> list[str]:
        moves = [self._game.format(view.state, view.seat, move) for move in self._game.moves(view.state, view.seat)]
        width = max(map(len, moves)) + 2
        columns = max(1, 76 // width)
        rows = [moves[i : i + columns] for i in range(0, len(moves), columns)]
        return [
            *textwrap.wrap(self._game.details(), 78),
            "Legal moves:",
            *("  " + "".join(f"{move:{width}}" for move in row).rstrip() for row in rows),
            "'quit' leaves the game.",
        ]

    def _ask(self, prompt: str) -> str:
        print(prompt, end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            self._tell("")
            raise Quit
        return line.strip()

    def _tell(self, *lines: str) -> None:
        print("\n".join(lines), file=sys.stderr, flush=True)
