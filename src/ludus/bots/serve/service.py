"""Foundations of all protocols of served agents: lines in, lines out, and an agent that follows one episode."""

import math
import numbers
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ludus.agents.agent import Agent, Choice, Clock, View
from ludus.core.errors import InvalidError, LudusError
from ludus.core.failures import gist
from ludus.core.text import listing
from ludus.episode.opening import start_state
from ludus.episode.seating import check_seats, prepare
from ludus.games.game import Game
from ludus.kernel.jit import compiling_lock
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import CHANCE, State, duplicate, over, play, sample

MARGIN = 10_000_000
"""Nanoseconds of a limit reserved for the way to the manager, at most a fifth of it."""
_REHEARSED = 4
"""Steps of an episode after which every rule that a bot calls has been called."""


class AgentError(LudusError):
    """The agent itself failed, so that the service cannot continue."""


class Service:
    """The bot's side of a protocol: takes a line and returns the lines of the answer, without input or output."""

    over: bool = False
    """True if the manager has finished."""

    def begin(self) -> None:
        """Prepare before the first line, as far as the game is known; LudusError if the agent cannot serve."""

    def answer(self, line: str) -> Iterable[str]:
        """Answer a line; LudusError if the service cannot continue."""
        raise NotImplementedError

    def refuse(self, sentence: str) -> list[str]:
        """The lines that report that the service cannot continue."""
        return [f"ERROR {sentence}"]


class ServedAgent:
    """An agent at one seat of one episode, with the state and the steps since its last turn.

    Without a seed a random one is used, so that no two episodes are the same.
    """

    def __init__(self, agent: Agent, game: Game, seat: int, state: State, seed: int | None = None) -> None:
        self._agent = agent
        self._game = game
        self.seat = seat
        self.state = state
        self._since: list[list[int]] = []
        self._before: State | None = None  # before its own last move, which the manager may still replace
        try:
            agent.begin(game, seat, secrets.randbits(63) if seed is None else seed)
        except (Exception, SystemExit) as error:
            raise _failed(agent, error) from error

    def follow(self, moves: Sequence[tuple[int, str]]) -> None:
        """Apply moves, each with its seat, up to this agent's turn; all of them or none.

        If the first is by this seat, it replaces the agent's own last move.
        """
        is_other = self._before is not None and bool(moves) and moves[0][0] == self.seat
        state = duplicate(self._before if is_other else self.state)
        steps, rest = self._since[:-1] if is_other else list(self._since), list(moves)
        while rest:
            if over(state):
                raise InvalidError(f"The game ended before {rest[0][1]}.")
            movers = self._game.movers(state)
            made, rest = dict(rest[: len(movers)]), rest[len(movers) :]
            if set(made) != set(movers):
                raise InvalidError(f"It was the turn of {_listed(movers)}, but {_listed(made)} moved.")
            step = [self._game.parse(state, player, made[player]) for player in movers]
            play(state, np.array(step))
            steps.append(step)
        if over(state):
            raise InvalidError("The game is over: there are no more moves.")
        if self.seat not in (movers := self._game.movers(state)):
            raise InvalidError(f"It is the turn of {_listed(movers)}, not of {_listed([self.seat])}.")
        self.state = state
        self._since = steps
        self._before = None

    def choose(self, clock: Clock) -> Choice:
        """Choose a move, which is legal, with its metrics."""
        view = View(duplicate(self.state), self.seat, self._since)
        try:
            choice = self._agent.choose(view, _with_margin(clock))
            move, metrics = choice.move, choice.metrics
        except (Exception, SystemExit) as error:
            raise _failed(self._agent, error) from error
        if move not in self._game.moves(self.state, self.seat):
            raise AgentError(f"{self._agent.spec()} chose the move {move!r}, which is not legal.")
        self._since = []
        return Choice(int(move), metrics)

    def text(self, move: int) -> str:
        """The text of an own move."""
        return self._game.format(self.state, self.seat, move)

    def make(self, move: int) -> None:
        """Make an own move that the manager will not repeat, unless it was replaced."""
        self._before = duplicate(self.state)
        play(self.state, np.array([move]))
        self._since.append([move])


def get_ready(agent: Agent, game: Game) -> None:
    """Refuse an agent that does not suit the game, and compile everything that an episode calls."""
    check_seats(game, [agent] * game.seats)
    prepare(game, [agent])
    with compiling_lock(game.name):
        state, rng = start_state(game), new_rng(0)
        for _ in range(_REHEARSED):
            if over(state):
                break
            step = []
            for player in game.movers(state):
                text = game.format(state, player, int(sample(state, player, rng)))
                step.append(game.parse(duplicate(state), player, text))
                if player != CHANCE:
                    game.moves(state, player)
            play(state, np.array(step))


def figures(metrics: Mapping[str, Any]) -> dict[str, int | float]:
    """Numbers among the metrics of a choice."""
    found: dict[str, int | float] = {}
    for name, value in metrics.items():
        if isinstance(value, numbers.Integral) and not isinstance(value, bool):
            found[name] = int(value)
        elif isinstance(value, numbers.Real) and not isinstance(value, bool) and math.isfinite(value):
            found[name] = float(value)
    return found


def nanoseconds(milliseconds: int) -> int:
    """Convert milliseconds, the unit of all protocols, to nanoseconds; negative values become 0."""
    return max(0, milliseconds) * 10**6


def _with_margin(clock: Clock) -> Clock:
    return Clock(_less(clock.move), _less(clock.total), clock.increment)


def _less(limit: int | None) -> int | None:
    return None if limit is None else limit - min(MARGIN, limit // 5)


def _failed(agent: Agent, error: BaseException) -> AgentError:
    return AgentError(str(error) if isinstance(error, LudusError) else f"{agent.spec()} failed: {gist(error)}.")


def _listed(players: Sequence[int] | Mapping[int, str]) -> str:
    return listing("chance" if player == CHANCE else f"seat {player}" for player in players)
