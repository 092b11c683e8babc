"""A person at the terminal."""

import dataclasses
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np

from ludus.agents.agent import Agent, Choice, Clock, View, agent_from
from ludus.core.errors import LudusError
from ludus.core.text import format_duration
from ludus.games.game import Game
from ludus.kernel.rules import CHANCE, State, duplicate, play

Drawer = Callable[[Game, State, State | None], None]
"""Shows a person the board; the second position is the one before the last move."""

_HINT_TIME = 1_000_000_000  # nanoseconds of thinking for a hint; of a limited move, a tenth at most
_COMMANDS = {
    "moves": "list the legal moves",
    "hint": "let an agent suggest a move",
    "undo": "take back your last move and the answers to it",
    "help": "show this; also '?'",
    "quit": "leave the game, which ends it; also 'resign'",
}


class Quit(Exception):  # noqa: N818 - not an error
    """A person left the game."""


class TakeBack(BaseException):
    """A person took back these moves."""

    def __init__(self, moves: Sequence[str]) -> None:
        self.moves = moves


def _draw_plainly(game: Game, state: State, before: State | None) -> None:
    print(textwrap.indent(game.draw(state), "    "), file=sys.stderr, flush=True)


def _never(seat: int) -> str:
    return "Moves can be taken back in 'ludus play' only."


class Human(Agent):
    """A person at this terminal, who is shown the board and asked for moves.

    The conversation is on standard input and standard error, so that standard output stays free for results.
    """

    name: ClassVar[str] = "human"
    person: ClassVar[bool] = True

    draw: Drawer = dataclasses.field(default=_draw_plainly)
    take_back: Callable[[int], str] = dataclasses.field(default=_never)
    """Takes back the last move of a seat: raises `TakeBack`, or returns a sentence why that is not possible."""
    hints: int = dataclasses.field(default=0)
    """The number of hints that the person asked for in this episode."""
    _told: bool = dataclasses.field(default=False)

    def prepare(self, game: Game) -> None:
        """Nothing: a person is not asked before the game begins."""

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._game = game
        self._seat = seat
        self._seed = seed
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
            commands = "" if self._told else f" (or {', '.join(_COMMANDS)})"
            self._told = True
            text = self._ask(f"Player {self._seat + 1}, your move{within}{commands}: ")
            word = text.lower()
            if word in ("quit", "exit", "resign"):
                raise Quit
            if word in ("?", "help"):
                self._tell(*self._help(), *self._moves(view))
            elif word == "moves":
                self._tell(*self._moves(view))
            elif word == "hint":
                self._tell(self._hint(view, limit))
            elif word == "undo":
                self._undo()
            elif text:
                move = self._parsed(view, text)
                if move is not None:
                    return Choice(move)

    def _parsed(self, view: View, text: str) -> int | None:
        """The move that was typed; where it is none, the person is told so."""
        try:
            return self._game.parse(view.state, view.seat, text)
        except LudusError as error:
            self._tell(f"{error} 'moves' lists them all.")
        except Exception as error:  # by a game of a user's, which does not expect just anything
            self._tell(f"'{text}' cannot be read as a move: {type(error).__name__}. 'moves' lists them all.")
        return None

    def _undo(self) -> None:
        try:
            self._tell(self.take_back(self._seat))
        except TakeBack as taken:
            self._tell(f"Taken back: {', '.join(taken.moves)}.")
            raise

    def _hint(self, view: View, limit: int | None) -> str:
        """A sentence with the move that an agent would choose."""
        adviser = _adviser(self._game)
        self.hints += 1
        self._tell("Looking for a move …")
        try:
            adviser.prepare(self._game)
            adviser.begin(self._game, self._seat, self._seed)
            time = _HINT_TIME if limit is None else min(_HINT_TIME, limit // 10)
            move = adviser.choose(View(view.state, view.seat), Clock(move=time)).move
            return f"{adviser.spec()} suggests {self._game.format(view.state, view.seat, move)}."
        except Exception as error:  # an agent that fails must not cost the person the game
            return f"{adviser.spec()} found no move: {type(error).__name__}."

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

    def _help(self) -> list[str]:
        wide = max(map(len, _COMMANDS))
        commands = [f"  {command:{wide}}  {about}" for command, about in _COMMANDS.items()]
        return [*textwrap.wrap(self._game.details(), 78), "Instead of a move you can type:", *commands]

    def _moves(self, view: View) -> list[str]:
        """The legal moves in columns."""
        moves = [self._game.format(view.state, view.seat, move) for move in self._game.moves(view.state, view.seat)]
        width = max(map(len, moves)) + 2
        columns = max(1, (shutil.get_terminal_size().columns - 4) // width)
        rows = [moves[i : i + columns] for i in range(0, len(moves), columns)]
        return ["Legal moves:", *("  " + "".join(f"{move:{width}}" for move in row).rstrip() for row in rows)]

    def _ask(self, prompt: str) -> str:
        print(prompt, end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            self._tell("")
            raise Quit
        return line.strip()

    def _tell(self, *lines: str) -> None:
        print("\n".join(lines), file=sys.stderr, flush=True)


def _adviser(game: Game) -> Agent:
    """The agent that suggests moves: a search where the game has an evaluation, else one that plays to the end."""
    search = agent_from("alphabeta")
    return search if game.weights and search.unsuited(game) is None else agent_from("mcts")
