"""Participants of several tournaments: the same spec is the same agent, whatever its name."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ludus.agents.agent import Agent, agent_from, agent_of
from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.core.spec import Configurable, Spec, parse_agent
from ludus.core.text import did_you_mean, finite_float, listing
from ludus.games.game import game_from
from ludus.tournaments.field import absolute
from ludus.tournaments.tournament import Entrant

_PARAMETER = "param:"
"""Prefix of a parameter's name as a column of a frame, because it might equal another column's."""


def column_of(parameter: str) -> str:
    """The column of a frame that holds a parameter."""
    return _PARAMETER + parameter


def shown(column: str) -> str:
    """The title of a column for people."""
    return column.removeprefix(_PARAMETER)


def plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a frame with the parameters in a nested table."""
    parameters = {shown(column): value for column, value in row.items() if column.startswith(_PARAMETER)}
    others = {column: value for column, value in row.items() if not column.startswith(_PARAMETER)}
    return others | ({"parameters": parameters} if parameters else {})


class Values(NamedTuple):
    """Values of a parameter for each agent that has it: numbers, or else texts, with their order in `order`.

    Agents in `unknown` leave it to a default, and cannot be loaded to find that out.
    """

    values: dict[int, float | str]
    order: list[str]
    numeric: bool
    unknown: list[int]


class Field:
    """Agents, numbered in the order of their appearance."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._names: list[dict[str, None]] = []

    def add(self, entrants: Iterable[Entrant]) -> list[int]:
        """Add agents, and return their numbers."""
        numbers = []
        for entrant in entrants:
            number = self._numbers.setdefault(entrant.spec, len(self._numbers))
            if number == len(self._names):
                self._names.append({})
            self._names[number][entrant.name] = None
            numbers.append(number)
        return numbers

    def specs(self) -> list[str]:
        """The spec of each agent."""
        return list(self._numbers)

    def labels(self) -> list[str]:
        """The label of each agent: its name if it has one that no other has; otherwise its spec."""
        used = Counter(name for names in self._names for name in names)
        labels = []
        for spec, names in zip(self._numbers, self._names, strict=True):
            name = next(iter(names))
            is_plain = len(names) == 1 and used[name] == 1 and (name == spec or name not in self._numbers)
            labels.append(name if is_plain else spec)
        return labels

    def chosen(self, texts: Collection[str]) -> list[int]:
        """The agents that these texts name, or all without texts: names, specs, or shorter specs."""
        if not texts:
            return list(range(len(self._names)))
        return sorted({number for text in texts for number in self._meant(text)})

    def _meant(self, text: str) -> list[int]:
        from ludus.net.remote import remote_spec  # loads the network, and few commands name agents

        # Everybody with this name, clients as well, and all of this kind: 'mcts' may mean several agents.
        client = remote_spec(text)
        named = [n for spec, n in self._numbers.items() if spec == client or (text in self._names[n] and text != spec)]
        try:
            kind = [number for spec, number in self._numbers.items() if is_agent(spec, text)]
        except LudusError:  # some names are no specs
            if not named:
                raise
            kind = []
        found = [*named, *kind]
        if not found:
            raise NotFoundError(f"No agent '{text}' took part{did_you_mean(text, self._known())}.")
        return found

    def _known(self) -> list[str]:
        kinds = dict.fromkeys(kind_of(spec) for spec in self._numbers)
        return [*kinds, *(name for names in self._names for name in names)]

    def values(self, parameter: str, agents: Collection[int], others: Collection[str]) -> Values:
        """The values of a parameter; `others` are alternatives for the error message."""
        specs = {number: spec for spec, number in self._numbers.items() if number in agents}
        loaded = {number: _loaded(spec) for number, spec in specs.items()}
        values = {number: value_of(spec, loaded[number], parameter) for number, spec in specs.items()}
        found = {number: value for number, value in values.items() if value is not None}
        kinds = dict.fromkeys(kind_of(specs[number]) for number in found)
        if not found:
            known = {p.name for agent in loaded.values() if agent is not None for p in agent.parameters()}
            near = did_you_mean(parameter, [*others, *known])
            raise InvalidError(
                f"No agent here has a parameter '{parameter}'{near}; you can also use {', '.join(others)}."
            )
        if len(kinds) > 1:
            raise InvalidError(
                f"'{parameter}' is a parameter of {listing(kinds)}, which are not comparable: choose one of "
                f"them with --agent {next(iter(kinds))}."
            )
        ordered = sorted(set(found.values()), key=lambda value: value.place)
        numeric = all(value.number is not None for value in ordered)
        shown = {n: value.text if value.number is None or not numeric else value.number for n, value in found.items()}
        lost = [number for number, agent in loaded.items() if agent is None or not agent.parameters()]
        unknown = [number for number in lost if number not in found and kind_of(specs[number]) in kinds]
        return Values(shown, list(dict.fromkeys(value.text for value in ordered)), numeric, unknown)


class Value(NamedTuple):
    """A value of a parameter as text; its number if it has a place on an axis; its place among others."""

    text: str
    number: float | None
    place: tuple[bool, float, str]


def value_of(spec: str, agent: Agent | None, parameter: str) -> Value | None:
    """The value of a parameter in an agent's spec, or its default; None if the agent has no such parameter.

    Parameters known only from a spec, such as a weight of an evaluation or an option of an engine, have no default
    here; nor has any if the agent is missing.
    """
    known = {} if agent is None else {p.name: p for p in agent.parameters()}
    if parameter not in known:
        text = parse_agent(spec).options.get(parameter)
        return None if text is None else _undeclared(text)
    value = getattr(agent, parameter)
    text, number = known[parameter].write(value), value if isinstance(value, int | float) else None
    return Value(
        text, number if known[parameter].kind in (int, float) else None, (value is not None, number or 0, text)
    )


def _undeclared(text: str) -> Value:
    try:
        number = finite_float(text)
    except ValueError:
        return Value(text, None, (False, 0, text))
    return Value(text, number, (True, number, text))


def _loaded(spec: str) -> Agent | None:
    """The agent of a stored spec; None if it is missing."""
    try:
        return agent_from(spec)
    except LudusError:
        return None


def kind_of(spec: str) -> str:
    """The kind of an agent: its name, its file and class, or the command of a bot."""
    parsed = parse_agent(spec)
    return parsed.command or ":".join(filter(None, (parsed.file, parsed.name)))


def is_agent(spec: str, wanted: str) -> bool:
    """True if an agent has the kind that a spec names, and every parameter value in it.

    The first spec was stored, and has absolute paths; the other one may not.
    """
    wanted = absolute(wanted, Path())
    one, other = parse_agent(spec), parse_agent(wanted)
    return _fits(one, other, lambda: agent_of(one), lambda: agent_of(other))


def is_game(spec: str, wanted: str) -> bool:
    """True if a game has the kind and the parameter values of a spec."""
    wanted = absolute(wanted, Path())
    return _fits(Spec.parse(spec), Spec.parse(wanted), lambda: game_from(spec), lambda: game_from(wanted))


def _fits(one: Spec, other: Spec, stored: Callable[[], Configurable], asked: Callable[[], Configurable]) -> bool:
    is_class = one.name == other.name or (other.file is not None and not other.name)
    if not is_class or (one.file, one.command) != (other.file, other.command):
        return False
    if other.words and one.words != other.words:
        return False
    if not other.options:
        return True
    model = asked()
    try:
        thing = stored()
    except LudusError:  # it can no longer be loaded, so only its spec is known
        return all(one.options.get(key) == text for key, text in other.options.items())
    own = {parameter.name for parameter in thing.parameters()}
    return all(
        getattr(thing, key) == getattr(model, key) if key in own else one.options.get(key) == text
        for key, text in other.options.items()
    )
