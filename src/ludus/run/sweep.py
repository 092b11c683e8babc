"""Sweeps: one agent with many values of its parameters, all against the same opponents.

A sweep is a tournament, a gauntlet of the variants, so it is stored, stopped and gone on with like any other. The first
of its agents is the one that was given, with which the others are compared.
"""

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludus.agents.agent import Agent, agent_from
from ludus.core.errors import InvalidError
from ludus.core.spec import Duration, Parameter, parse_agent
from ludus.core.text import finite_float
from ludus.episode.opening import setting
from ludus.games.game import Game, game_from
from ludus.stats.participants import Value, value_of
from ludus.tournaments.field import entrant_from, entrants
from ludus.tournaments.file import Plan, plan
from ludus.tournaments.formats import format_from
from ludus.tournaments.run_options import STARTS
from ludus.tournaments.tournament import Entrant

OPENING_PLIES = 4
"""Random plies before an episode, where nothing else is said and the game does not draw its start."""

_RANGE = re.compile(r"(?P<low>.+?)\.\.(?P<high>[^/]+)(?:/(?P<count>.*))?")
MOST_VARIANTS = 1000
_DIGITS = 12  # of a value between two others: enough, and 0.6 stays 0.6


@dataclass(frozen=True)
class Axis:
    """A parameter and the values that it is to take, from the lowest to the highest."""

    parameter: str
    values: tuple[Value, ...]

    @property
    def numeric(self) -> bool:
        """Whether all values are numbers, which have places on an axis."""
        return all(value.number is not None for value in self.values)


@dataclass(frozen=True)
class Variant:
    """An agent of a sweep, with what each parameter is: None where its spec alone does not tell.

    The agent as it was given need not be among those that were asked for.
    """

    entrant: Entrant
    values: dict[str, Value | None]
    asked_for: bool = True


@dataclass(frozen=True)
class Sweep:
    """What is to be played: the first variant is the agent as it was given."""

    game: Game
    axes: tuple[Axis, ...]
    variants: tuple[Variant, ...]
    opponents: tuple[Entrant, ...]
    one_by_one: bool

    @property
    def agents(self) -> list[Entrant]:
        """The field of the tournament."""
        return [*(variant.entrant for variant in self.variants), *self.opponents]

    @property
    def format(self) -> str:
        """The format of the tournament."""
        return format_from(f"gauntlet:runners={len(self.variants)}" if self.opponents else "solo").spec()

    def tournament(self, episodes: int, **content: Any) -> Plan:
        """Plan the tournament of this sweep; `content` is more that `plan` takes.

        If nothing says how the episodes start, and the game always starts alike, they start with a few random plies.
        """
        if STARTS.isdisjoint(content) and self.game.seats > 1 and setting(self.game).start is not None:
            content["opening_plies"] = OPENING_PLIES
        return plan(game=self.game.spec(), agents=self.agents, format=self.format, episodes=episodes, **content)


def plan_sweep(
    game: str, agent: str, parameters: Sequence[str], against: Sequence[str] = (), *, one_by_one: bool = False
) -> Sweep:
    """The sweep of an agent over parameters as `read_axis` takes them.

    It is a grid of all combinations, or each parameter alone while the others stay as they are.
    """
    played, given = game_from(game), entrant_from(agent)
    # The name of a saved agent is not that of a variant.
    text = given.spec if agent.startswith("@") or agent.endswith(".toml") else agent
    axes = tuple(read_axis(text, parameter) for parameter in parameters)
    names = [axis.parameter for axis in axes]
    if not axes:
        raise InvalidError("A sweep needs something to vary: give --param NAME=VALUES, as in --param depth=2,4,6.")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidError(f"'{twice}' is given twice: write all its values behind one --param.")
    variants = _variants(given, text, axes, one_by_one)
    opponents = _opponents(played, against, variants)
    for entrant in (given, *opponents):
        if agent_from(entrant.spec).awaited:
            raise InvalidError(
                f"{entrant.name} takes no part in a sweep: only 'ludus play' and 'ludus run' wait for it."
            )
    return Sweep(played, axes, variants, opponents, one_by_one)


def _variants(given: Entrant, text: str, axes: Sequence[Axis], one_by_one: bool) -> tuple[Variant, ...]:
    choices = [[(axis.parameter, value.text) for value in axis.values] for axis in axes]
    count = sum(map(len, choices)) if one_by_one else math.prod(map(len, choices))
    if count > MOST_VARIANTS:
        remedy = "" if one_by_one or len(axes) == 1 else ", or --one-by-one"
        raise InvalidError(
            f"These are {count:,} variants, and {MOST_VARIANTS:,} are the most: take fewer values{remedy}."
        )
    combinations = (
        [[choice] for choices in choices for choice in choices] if one_by_one else itertools.product(*choices)
    )
    found = [entrant_from(varied(text, dict(combination))) for combination in combinations]
    others = {entrant.spec: entrant for entrant in found if entrant.spec != given.spec}
    return (
        Variant(given, _values(given, axes), asked_for=any(entrant.spec == given.spec for entrant in found)),
        *(Variant(entrant, _values(entrant, axes)) for entrant in others.values()),
    )


def _values(entrant: Entrant, axes: Sequence[Axis]) -> dict[str, Value | None]:
    return {axis.parameter: value_of(entrant.spec, axis.parameter) for axis in axes}


def _opponents(game: Game, against: Sequence[str], variants: Sequence[Variant]) -> tuple[Entrant, ...]:
    """Those who fill the other seats, in turn and several times if they must, each with a name of its own."""
    if game.seats == 1:
        if against:
            raise InvalidError(f"{game.spec()} has one player, so nobody plays against another: leave out --against.")
        return ()
    if not against:
        raise InvalidError("A sweep needs opponents: give --against AGENT, as in --against random.")
    found = [entrant for text in against for entrant in entrants(text)]
    own = {variant.entrant.name for variant in variants}
    named: dict[str, Entrant] = {}
    for entrant in itertools.islice(itertools.cycle(found), max(len(found), game.seats - 1)):
        first = f"{entrant.name} (opponent)" if entrant.name in own else entrant.name
        candidates = itertools.chain([first], (f"{first} ({number})" for number in itertools.count(2)))
        name = next(name for name in candidates if name not in named and name not in own)
        named[name] = Entrant(name, entrant.spec)
    return tuple(named.values())


# --- The values of a parameter: `depth=2,4,6`, or `c=0.5..2/4` for four values in a range -----------------------------


def read_axis(agent: str, text: str) -> Axis:
    """The values that a text such as `c=0.5..2/4,3` gives to a parameter of an agent."""
    name, equals, listed = (part.strip() for part in text.partition("="))
    if not name or not equals:
        raise InvalidError(f"'--param {text}' is not of the form NAME=VALUES, as in depth=2,4,6 or c=0.5..2/4.")
    known = {parameter.name: parameter for parameter in agent_from(agent).parameters()}
    if name not in known:
        _made(agent, name, "1")  # tells that there is no such parameter, unless it is one that only a spec knows
    values: dict[str, Value] = {}
    for part in listed.split(","):
        for word in _words(name, part.strip(), known.get(name)):
            value = value_of(_made(agent, name, word).spec(), name)
            assert value is not None
            values[value.text] = value
    return Axis(name, tuple(sorted(values.values(), key=lambda value: value.place)))


def varied(agent: str, changes: dict[str, str]) -> str:
    """The spec of an agent with other values of some parameters."""
    spec = parse_agent(agent)
    required = [p.name for p in agent_from(agent).parameters() if p.required] if spec.words else []
    options = {**dict(zip(required, spec.words, strict=False)), **spec.options, **changes}
    parts = [*spec.words[len(required) :], *(f"{name}={text}" for name, text in options.items())]
    if spec.command is not None:
        return f"{','.join([spec.name, *parts])}:{spec.command}"
    place = ":".join(filter(None, (spec.file, spec.name)))
    return f"{place}:{','.join(parts)}"


def _made(agent: str, name: str, text: str) -> Agent:
    spec = varied(agent, {name: text})
    if parse_agent(spec).command != parse_agent(agent).command:  # with a slash it would be taken for a command
        raise InvalidError(f"{name}={text} is no value, since there is a slash in it.")
    return agent_from(spec)


def _words(name: str, part: str, parameter: Parameter | None) -> list[str]:
    """The values that a part of a list stands for: itself, or those of a range."""
    if not part:
        raise InvalidError(f"'{name}' has an empty value: write values as in {name}=1,2,3 or {name}=1..3/3.")
    found = _RANGE.fullmatch(part)
    if found is None:
        return [part]
    if parameter is not None and parameter.kind not in (int, float, Duration):
        raise InvalidError(f"{name}={part} is no range: {name} takes {parameter.expects}.")
    if found["count"] is None:
        raise InvalidError(f"{name}={part} does not say how many values: write {name}={part}/5 for five of them.")
    count = int(found["count"]) if found["count"].strip().isdecimal() else 0
    if count < 2:
        raise InvalidError(f"{name}={part} is no range: after the '/' stands how many values it has, at least 2.")
    if count > MOST_VARIANTS:
        raise InvalidError(f"{name}={part} has too many values: {MOST_VARIANTS:,} are the most.")
    low, high = (_number(name, found[end].strip(), parameter) for end in ("low", "high"))
    if low >= high:
        raise InvalidError(f"{name}={part} is empty: write the lower end first, as in {name}=1..3/3.")
    values = [low + (high - low) * step / (count - 1) for step in range(count)]
    if parameter is None or parameter.kind is float:
        return [f"{value:.{_DIGITS}g}" for value in values]
    whole = [round(value) for value in values]
    if len(set(whole)) < count:
        raise InvalidError(f"{name}={part} has more values than there are whole numbers between its ends: take fewer.")
    return [parameter.write(value) for value in whole]


def _number(name: str, text: str, parameter: Parameter | None) -> float:
    try:
        return finite_float(text) if parameter is None else float(parameter.read(text))
    except ValueError:
        expected = "a number" if parameter is None else parameter.expects
        raise InvalidError(f"{name}={text} is not {expected}.") from None
