"""Sweeps: one agent with many values of its parameters, all against the same opponents.

A sweep is a tournament, a gauntlet of the variants, so it is stored, stopped and continued like any other. Its first
agent is the given one, with which the others are compared.
"""

import dataclasses
import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludus.agents.agent import Agent, agent_from, agent_of
from ludus.core.errors import InvalidError
from ludus.core.spec import Duration, Parameter, Spec, protocols_for, split_command
from ludus.core.text import finite_float
from ludus.episode.opening import setting
from ludus.games.game import Game
from ludus.stats.participants import Value, value_of
from ludus.tournaments.field import Pick, pick_of, pick_with_spec, picks
from ludus.tournaments.file import Plan, plan
from ludus.tournaments.formats import Format, format_from
from ludus.tournaments.plan import given_game
from ludus.tournaments.run_options import STARTS
from ludus.tournaments.tournament import Entrant

OPENING_PLIES = 4
"""Default number of random plies before an episode if the game does not draw its start."""

_RANGE = re.compile(r"(?P<low>.+?)\.\.(?P<high>[^/]+)(?:/(?P<count>.*))?")
MOST_VARIANTS = 1000
_DIGITS = 12  # of an interpolated value: enough, and 0.6 stays 0.6


@dataclass(frozen=True)
class Axis:
    """A parameter and its values, from the lowest to the highest."""

    parameter: str
    values: tuple[Value, ...]
    whole: bool = False
    """True if the parameter takes whole numbers only."""

    @property
    def numeric(self) -> bool:
        """True if all values are numbers, which have places on an axis."""
        return all(value.number is not None for value in self.values)


@dataclass(frozen=True)
class Variant:
    """An agent of a sweep, with the value of each parameter: None if its spec alone does not define it.

    The given agent may be absent from the requested values.
    """

    pick: Pick
    values: dict[str, Value | None]
    asked_for: bool = True

    @property
    def entrant(self) -> Entrant:
        """The entry of the agent in the tournament."""
        return self.pick.entrant


@dataclass(frozen=True)
class SweepPlan:
    """The plan of a sweep: the first variant is the given agent."""

    game: Game
    axes: tuple[Axis, ...]
    variants: tuple[Variant, ...]
    agents: tuple[Pick, ...]  # the field of the tournament: the variants, then their opponents
    one_by_one: bool

    @property
    def opponents(self) -> tuple[Entrant, ...]:
        """The agents that are not varied."""
        return tuple(pick.entrant for pick in self.agents[len(self.variants) :])

    @property
    def format(self) -> Format:
        """The format of the tournament."""
        return format_from(f"gauntlet:runners={len(self.variants)}" if self.opponents else "solo")

    def tournament(self, episodes: int, **content: Any) -> Plan:
        """Plan the tournament of this sweep; `content` is passed on to `plan`.

        By default, episodes of a game with a fixed start begin with a few random plies.
        """
        if STARTS.isdisjoint(content) and self.game.seats > 1 and setting(self.game).start is not None:
            content["opening_plies"] = OPENING_PLIES
        return plan(game=self.game, agents=self.agents, format=self.format, episodes=episodes, **content)


def plan_sweep(
    game: str, agent: str, parameters: Sequence[str], against: Sequence[str] = (), *, one_by_one: bool = False
) -> SweepPlan:
    """Plan the sweep of an agent over parameters in the form of `read_axis`.

    The sweep is a grid of all combinations, or `one_by_one` varies each parameter alone.
    """
    played, (given, spec) = given_game(game), pick_with_spec(agent)
    axes = tuple(read_axis(spec, parameter) for parameter in parameters)
    names = [axis.parameter for axis in axes]
    if not axes:
        raise InvalidError("A sweep needs something to vary: give --param NAME=VALUES, as in --param depth=2,4,6.")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidError(f"'{twice}' is given twice: write all its values after one --param.")
    variants = _variants(given, spec, axes, one_by_one)
    opponents = _opponents(played, against, variants)
    for entrant, player in (given, *opponents):
        if player.awaited:
            raise InvalidError(
                f"{entrant.name} cannot take part in a sweep: only 'ludus play' and 'ludus run' wait for it."
            )
    return SweepPlan(played, axes, variants, (*(variant.pick for variant in variants), *opponents), one_by_one)


def _variants(given: Pick, spec: Spec, axes: Sequence[Axis], one_by_one: bool) -> tuple[Variant, ...]:
    choices = [[(axis.parameter, value.text) for value in axis.values] for axis in axes]
    count = sum(map(len, choices)) if one_by_one else math.prod(map(len, choices))
    if count > MOST_VARIANTS:
        remedy = "" if one_by_one or len(axes) == 1 else ", or --one-by-one"
        raise InvalidError(
            f"A sweep of {count:,} variants is too large (at most {MOST_VARIANTS:,}): use fewer values{remedy}."
        )
    combinations = (
        [[choice] for choices in choices for choice in choices] if one_by_one else itertools.product(*choices)
    )
    specs = [varied(spec, dict(combination)) for combination in combinations]
    found = {pick.entrant.spec: pick for pick in (pick_of(spec, spec.text) for spec in specs)}
    asked_for = found.pop(given.entrant.spec, None) is not None
    return (
        Variant(given, _values(given, axes), asked_for),
        *(Variant(pick, _values(pick, axes)) for pick in found.values()),
    )


def _values(pick: Pick, axes: Sequence[Axis]) -> dict[str, Value | None]:
    return {axis.parameter: value_of(pick.entrant.spec, pick.agent, axis.parameter) for axis in axes}


def _opponents(game: Game, against: Sequence[str], variants: Sequence[Variant]) -> tuple[Pick, ...]:
    """Opponents for the other seats, in turn and repeated if necessary, each with a name of its own."""
    if game.seats == 1:
        if against:
            raise InvalidError(f"{game.spec()} has one player and no opponents: omit --against.")
        return ()
    if not against:
        raise InvalidError("A sweep needs opponents: give --against AGENT, as in --against random.")
    found = [pick for text in against for pick in picks(text)]
    # A player must not share its agent with another one.
    repeated = (Pick(entrant, agent_from(entrant.spec)) for entrant, _ in itertools.cycle(found))
    own = {variant.entrant.name for variant in variants}
    named: dict[str, Pick] = {}
    for entrant, agent in itertools.islice(itertools.chain(found, repeated), max(len(found), game.seats - 1)):
        first = f"{entrant.name} (opponent)" if entrant.name in own else entrant.name
        candidates = itertools.chain([first], (f"{first} ({number})" for number in itertools.count(2)))
        name = next(name for name in candidates if name not in named and name not in own)
        named[name] = Pick(Entrant(name, entrant.spec), agent)
    return tuple(named.values())


# --- The values of a parameter: `depth=2,4,6`, or `c=0.5..2/4` for four values in a range -----------------------------


def read_axis(agent: Spec, text: str) -> Axis:
    """Parse a text such as `c=0.5..2/4,3`: a parameter of an agent and its values."""
    name, equals, listed = (part.strip() for part in text.partition("="))
    if not name or not equals:
        raise InvalidError(f"'--param {text}' is not of the form NAME=VALUES, as in depth=2,4,6 or c=0.5..2/4.")
    known = {parameter.name: parameter for parameter in agent_of(agent).parameters()}
    if name not in known:
        _made(agent, name, "1")  # raises if there is no such parameter, unless only a spec knows it
    values: dict[str, Value] = {}
    for part in listed.split(","):
        for word in _words(name, part.strip(), known.get(name)):
            made = _made(agent, name, word)
            value = value_of(made.spec(), made, name)
            assert value is not None
            values[value.text] = value
    whole = name in known and known[name].kind is int
    return Axis(name, tuple(sorted(values.values(), key=lambda value: value.place)), whole)


def varied(spec: Spec, changes: dict[str, str]) -> Spec:
    """The spec of an agent with other values of some parameters."""
    required = [p.name for p in agent_of(spec).parameters() if p.required] if spec.words else []
    options = {**dict(zip(required, spec.words, strict=False)), **spec.options, **changes}
    return dataclasses.replace(spec, words=spec.words[len(required) :], options=options)


def _made(agent: Spec, name: str, text: str) -> Agent:
    spec = varied(agent, {name: text})
    if split_command(spec.text, protocols_for(spec.text))[1] != agent.command:  # a slash would make it a command
        raise InvalidError(f"{name}={text} is not a value, because it contains a slash.")
    return agent_of(spec)


def _words(name: str, part: str, parameter: Parameter | None) -> list[str]:
    """The values of one part of a list: the part itself, or those of a range."""
    if not part:
        raise InvalidError(f"'{name}' has an empty value: write values as in {name}=1,2,3 or {name}=1..3/3.")
    found = _RANGE.fullmatch(part)
    if found is None:
        return [part]
    if parameter is not None and parameter.kind not in (int, float, Duration):
        raise InvalidError(f"{name}={part} is not a range: {name} takes {parameter.expects}.")
    if found["count"] is None:
        raise InvalidError(f"{name}={part} lacks the number of values: write {name}={part}/5 for five of them.")
    count = int(found["count"]) if found["count"].strip().isdecimal() else 0
    if count < 2:
        raise InvalidError(f"{name}={part} is not a range: write the number of values after the '/', at least 2.")
    if count > MOST_VARIANTS:
        raise InvalidError(f"{name}={part} has too many values (at most {MOST_VARIANTS:,}).")
    low, high = (_number(name, found[end].strip(), parameter) for end in ("low", "high"))
    if low >= high:
        raise InvalidError(f"{name}={part} is empty: write the lower end first, as in {name}=1..3/3.")
    values = [low + (high - low) * step / (count - 1) for step in range(count)]
    if parameter is None or parameter.kind is float:
        return [f"{value:.{_DIGITS}g}" for value in values]
    whole = [round(value) for value in values]
    if len(set(whole)) < count:
        raise InvalidError(f"{name}={part} has more values than whole numbers in its range: use fewer.")
    return [parameter.write(value) for value in whole]


def _number(name: str, text: str, parameter: Parameter | None) -> float:
    try:
        return finite_float(text) if parameter is None else float(parameter.read(text))
    except ValueError:
        expected = "a number" if parameter is None else parameter.expects
        raise InvalidError(f"{name}={text} is not {expected}.") from None
