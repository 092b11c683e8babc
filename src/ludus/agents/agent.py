"""Agents: parameters, the games they suit, and a move for a view."""

import dataclasses
import os
import shlex
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self

import msgspec
import numpy as np

from ludus.core.errors import InvalidError, NotFoundError
from ludus.core.registry import find
from ludus.core.spec import (
    DEFAULT_PROTOCOL,
    RUN_BY_OTHERS,
    Configurable,
    Spec,
    limit_options,
    limit_texts,
    parse_agent,
)
from ludus.core.text import finite_float
from ludus.core.user_file import class_in_file, is_script
from ludus.games.game import Game
from ludus.kernel.deadline import FOREVER
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import CHANCE, MOST_PLAYERS, State, duplicate, play, sample

_WEIGHT = "weight."

MARGIN = 1_000_000
"""Nanoseconds that an agent leaves unused before the referee's limit, at most a fifth of it."""


WITHOUT_LIMIT = 1_000_000_000
"""Nanoseconds for a move without any limit."""


class View(msgspec.Struct, frozen=True, gc=False):
    """The view of a player that is to move: the state (not to be changed), the seat, and the steps since its last turn.

    `since` holds one list of moves for each step, in the order of that step's movers, chance included. It begins with
    the step of the player's own last move, because others may have moved in the same step.
    """

    state: State
    seat: int
    since: list[list[int]] = []


class Clock(msgspec.Struct, frozen=True, gc=False):
    """The time granted for one move, in nanoseconds; None means no limit."""

    move: int | None = None
    total: int | None = None
    increment: int = 0

    def limit(self) -> int | None:
        """The maximum time for this move."""
        if self.move is None or self.total is None:
            return self.total if self.move is None else self.move
        return min(self.move, self.total)

    def share(self) -> int | None:
        """The time that a player with a budget should spend on a move: a thirtieth of the rest, plus the increment."""
        budget = None if self.total is None else min(self.total, self.total // 30 + self.increment)
        limits = [limit for limit in (self.move, budget) if limit is not None]
        return min(limits) if limits else None


class Choice(msgspec.Struct, frozen=True, gc=False):
    """A move, with metrics if the agent reports any."""

    move: int
    metrics: dict[str, Any] = {}


class Agent(Configurable):
    """A way of choosing moves. `begin` resets all its knowledge; nothing is shared between episodes."""

    noun: ClassVar[str] = "agent"
    least_players: ClassVar[int] = 1
    most_players: ClassVar[int] = MOST_PLAYERS
    takes_chance: ClassVar[bool] = True
    takes_simultaneous: ClassVar[bool] = True
    takes_hidden: ClassVar[bool] = False
    exclusive: ClassVar[bool] = False
    """True if it must never play two episodes at the same time, nor any other agent of the same `place`."""
    person: ClassVar[bool] = False
    """True if a person at this terminal chooses the moves."""
    has_processes: ClassVar[bool] = False
    """True if it thinks in separate processes on this machine, which are measured and limited."""
    awaited: ClassVar[str] = ""
    """Name of the client to wait for at an open port; empty for all agents that Ludus starts itself."""

    limits: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Limits of this agent alone, by key as text, which replace those of the episode: `limit.KEY=` in a spec."""

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        limits = limit_texts(spec.options)
        if not limits:
            return super().from_spec(spec)
        options = {key: text for key, text in spec.options.items() if key not in limit_options(limits)}
        return super().from_spec(dataclasses.replace(spec, options=options)).limited(limits)

    def limited(self, limits: Mapping[str, str]) -> Self:
        """The same agent with limits of its own."""
        self.limits = limits  # type: ignore[misc]
        return self

    def _spec_parts(self) -> list[str]:
        return super()._spec_parts() + [f"{key}={text}" for key, text in limit_options(self.limits).items()]

    @property
    def cores(self) -> int:
        """Number of cores that the agent may use."""
        return 1

    @property
    def outside(self) -> bool:
        """True if the agent thinks outside the playing process."""
        return self.has_processes or bool(self.awaited)

    def unsuited(self, game: Game) -> str | None:
        """The reason why this agent cannot play a game, as the end of a sentence after its name; None if it can."""
        facts = game.facts()
        if facts.players < self.least_players:
            return f"needs at least {self.least_players} players"
        if facts.players > self.most_players:
            return f"supports at most {self.most_players} players"
        if facts.chance and not self.takes_chance:
            return "does not support chance"
        if facts.simultaneous and not self.takes_simultaneous:
            return "does not support simultaneous moves"
        if facts.hidden and not self.takes_hidden:
            return "does not support hidden information"
        return None

    def is_deterministic(self, game: Game) -> bool:
        """True if nothing is random in how it plays this game: neither drawn from its seed nor due to the clock.

        Equal episodes count as evidence once if all their agents are deterministic and the game has no chance.
        """
        return False

    def reads_openings(self) -> bool | None:
        """True if the agent knows about start positions other than the game's own; None if that is doubtful."""
        return True

    @property
    def place(self) -> str:
        """The place that an exclusive agent occupies while it plays; agents of the same place never play at once."""
        return self.spec()

    def own_file(self, name: str) -> Path | None:
        """The file of that name in the agent's own folder, if it has one."""
        return None

    def at(self, base: Path) -> Self:
        """The same agent with absolute paths in its parameters, which are relative to `base` now."""
        return self

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """Get ready for an episode."""
        raise NotImplementedError(f"class {type(self).__name__} has no method begin")

    def choose(self, view: View, clock: Clock) -> Choice:
        """Choose a move for the view, within the clock."""
        raise NotImplementedError(f"class {type(self).__name__} has no method choose")

    def prepare(self, game: Game) -> None:
        """Compile the code that an episode needs, by one choice on an expired clock."""
        rng = new_rng(0)
        state, movers = game.start(rng), [CHANCE]
        while (movers := game.movers(state)) == [CHANCE]:
            play(state, np.array([sample(state, CHANCE, rng)]))
        self.begin(game, movers[0], 0)
        self.choose(View(state, movers[0]), Clock(move=0))


class Evaluator(Agent):
    """An agent that uses the game's evaluation, with its own weights from `weight.NAME=value`."""

    weights: dict[str, float] = dataclasses.field(default_factory=dict)

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        texts = {key: text for key, text in spec.options.items() if key.startswith(_WEIGHT)}
        rest = {key: text for key, text in spec.options.items() if key not in texts}
        agent = super().from_spec(dataclasses.replace(spec, options=rest))
        for key, text in texts.items():
            try:
                agent.weights[key.removeprefix(_WEIGHT)] = finite_float(text)
            except ValueError:
                raise InvalidError(f"{cls.name}: {key}={text} is not a number.") from None
        return agent

    def _spec_parts(self) -> list[str]:
        return super()._spec_parts() + [f"{_WEIGHT}{name}={value}" for name, value in self.weights.items()]

    def unsuited(self, game: Game) -> str | None:
        for name in self.weights:
            if not game.weights:
                return f"sets weight.{name}, but {game.name} has no weights"
            if name not in game.weights:
                return f"sets weight.{name}, but {game.name} has only {', '.join(game.weights)}"
        return super().unsuited(game)

    def own(self, game: Game, state: State) -> State:
        """A copy of the state with this agent's weights."""
        mine = duplicate(state)
        return game.weigh(mine, self.weights) if self.weights else mine


def deadline(target: int | None, clock: Clock, *, limited: bool = False) -> int:
    """The moment to stop thinking: the agent's target or its share of the clock, never past the referee's limit.

    Without any limit an agent thinks for a second, unless it is `limited` by depth, nodes or simulations.
    """
    budget = target if target is not None else clock.share()
    if budget is None and not limited:
        budget = WITHOUT_LIMIT
    law = clock.limit()
    if law is not None:
        budget = max(0, min(law - min(MARGIN, law // 5), law if budget is None else budget))
    return FOREVER if budget is None else time.monotonic_ns() + budget


def agent_from(text: str) -> Agent:
    """Create the agent or bot that a spec names."""
    spec = parse_agent(text)
    refuse_bare_command(text, spec)
    return agent_of(spec)


def agent_of(spec: Spec) -> Agent:
    """Create the agent or bot of a parsed spec."""
    if spec.command is not None:
        return find(Agent, spec.name, "protocol").from_spec(spec)
    if spec.file is None:
        return find(Agent, spec.name).from_spec(spec)
    if not spec.name and not spec.options and is_script(spec.file):
        command = f"python3 {shlex.quote(spec.file)}"
        return find(Agent, DEFAULT_PROTOCOL, "protocol").from_spec(Spec(DEFAULT_PROTOCOL, command=command))
    hint = f"; to use a bot, write {DEFAULT_PROTOCOL}:python3 {shlex.quote(spec.file)}"
    return class_in_file(Agent, spec.file, spec.name, hint).from_spec(spec)


def refuse_bare_command(text: str, spec: Spec, base: Path = Path()) -> None:
    """Refuse a command without a protocol, such as `java -jar Bot.jar`, instead of treating it as a name or a file."""
    words = text.split()
    if spec.command is not None or len(words) < 2 or (spec.file is not None and os.path.isfile(base / spec.file)):
        return
    is_program = shutil.which(str(base / words[0]) if "/" in words[0] else words[0]) is not None
    if is_program or (spec.file is None and any(Path(word).suffix in RUN_BY_OTHERS for word in words)):
        raise NotFoundError(
            f"There is no agent '{text}'; write a protocol before a bot's command: '{DEFAULT_PROTOCOL}:{text}'."
        )
