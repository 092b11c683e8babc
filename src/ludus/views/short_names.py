"""Short names for agents with long ones: `mcts 40/300`, as in studies."""

from collections import Counter
from collections.abc import Sequence

from ludus.core.errors import LudusError
from ludus.core.source_notes import noted
from ludus.core.spec import Configurable, Spec

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
        if spec and spec.name in shown and (values := _values(spec)):
            name = f"{spec.name} {'/'.join(values[key] for key in shown[spec.name])}"
        short.append(name)
    return short if len(set(short)) == len(set(names)) else list(names)


def _differing(names: Sequence[str]) -> dict[str, list[str]]:
    """The parameters in which agents of one kind differ, by kind, if there are several of it."""
    specs = [spec for spec in map(_spec, names) if spec]
    several = [kind for kind, count in Counter(spec.name for spec in specs).items() if count > 1]
    shown: dict[str, list[str]] = {}
    for kind in several:
        group = [_values(spec) for spec in specs if spec.name == kind]
        known = [values for values in group if values]
        if len(known) > 1:
            shown[kind] = [key for key in known[0] if len({values[key] for values in known}) > 1]
    return shown


def _spec(name: str) -> Spec | None:
    """The spec in a name, if it can be one; no value of a parameter has a space."""
    try:
        spec = Spec.parse(name)
    except LudusError:
        return None
    return spec if spec.file is None and not spec.words and " " not in name else None


def _values(spec: Spec) -> dict[str, str]:
    """All parameters of an agent as texts, in the order of their declaration; none for names that are no specs."""
    from ludus.core.registry import names

    if spec.name not in names("agent"):
        return {}
    # A note saves the import of the agent, and with it of the compiler.
    defaults: dict[str, str] = noted(f"defaults of agent {spec.name}", lambda: _defaults(spec.name))
    return {} if spec.options.keys() - defaults.keys() else {**defaults, **spec.options}


def _defaults(agent: str) -> dict[str, str]:
    from ludus.core.registry import find

    return {p.name: p.write(p.default) for p in find(Configurable, agent, "agent").parameters()}
