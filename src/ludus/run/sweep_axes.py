"""The values that a parameter of an agent is to take: `depth=2,4,6`, or `c=0.5..2/4` for four values in a range."""

import re
from dataclasses import dataclass

from ludus.agents.agent import Agent
from ludus.core.errors import InvalidError
from ludus.core.registry import agent_from, parse_agent
from ludus.core.spec import Duration, Parameter, finite_float
from ludus.stats.participants import Value, value_of

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
