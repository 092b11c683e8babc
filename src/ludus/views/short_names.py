"""Short names for agents with long ones: `mcts 40/300`, as in studies."""

from collections import Counter
from collections.abc import Sequence

from ludus.core.errors import LudusError
from ludus.core.spec import Configurable, Parameter, Spec

_LONG = 22
"""Number of letters from which names in charts are shortened, all of them together."""


def shown_names(names: Sequence[str]) -> dict[str, str]:
    """The label for each name in charts and on pages."""
    long = max(map(len, names), default=0) > _LONG
    return dict(zip(names, short_names(names) if long else names, strict=True))


def explained(names: Sequence[str]) -> str:
    """The meaning of short names, such as 'mcts c/rollout_depth'; empty if none is short."""
    if all(name == short for name, short in shown_names(names).items()):
        return ""
    return ", ".join(f"{kind} {'/'.join(parameters)}" for kind, parameters in _differing(names).items() if parameters)


def short_names(names: Sequence[str]) -> list[str]:
    """Short names: for specs of one agent with different parameters, its name and differing values; else unchanged."""
    shown = _differing(names)
    short = []
    for name in names:
        spec = _spec(name)
        if spec and spec.name in shown:
            values = _values(spec)
            name = f"{spec.name} {'/'.join(values[key] for key in shown[spec.name])}"
        short.append(name)
    return short if len(set(short)) == len(set(names)) else list(names)


def _differing(names: Sequence[str]) -> dict[str, list[str]]:
    """The parameters in which agents of one kind differ, by kind, if there are several of it."""
    specs = [spec for spec in map(_spec, names) if spec]
    shown: dict[str, list[str]] = {}
    for kind, count in Counter(spec.name for spec in specs).items():
        group = [_values(spec) for spec in specs if spec.name == kind]
        if count > 1:
            shown[kind] = [key for key in group[0] if len({values[key] for values in group}) > 1]
    return shown


def _spec(name: str) -> Spec | None:
    """The spec in a name, if it is the spec of a known agent and not an arbitrary name."""
    try:
        spec = Spec.parse(name)
        declared = {parameter.name: parameter for parameter in _declared(spec.name)}
        for key, text in spec.options.items():
            if not (declared[key].optional and text == "none"):
                declared[key].read(text)
    except (LudusError, KeyError, ValueError):
        return None
    return spec if declared and spec.file is None and not spec.words else None


def _values(spec: Spec) -> dict[str, str]:
    """All parameters of an agent as texts, in the order of their declaration."""
    return {p.name: spec.options.get(p.name, p.write(p.default)) for p in _declared(spec.name)}


def _declared(kind: str) -> list[Parameter]:
    """The parameters of a known agent; none for any other name."""
    from ludus.core.registry import find, names

    return find(Configurable, kind, "agent").parameters() if kind in names("agent") else []
