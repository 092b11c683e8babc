"""Agents' names as they stand beside charts: short where the full ones are long."""

import json
from collections.abc import Sequence

from ludus.stats.short_names import differing, short_names

_LONG = 22
"""Letters from which on names are shortened, all of them together."""


def shown_names(names: Sequence[str]) -> dict[str, str]:
    """What stands for each name."""
    long = max(map(len, names), default=0) > _LONG
    return dict(zip(names, short_names(names) if long else names, strict=True))


def explained(names: Sequence[str]) -> str:
    """How short names are to be read, such as 'mcts c/rollout_depth'; empty where none is short."""
    if all(name == short for name, short in shown_names(names).items()):
        return ""
    return ", ".join(f"{kind} {'/'.join(parameters)}" for kind, parameters in differing(names).items() if parameters)


def label_expression(names: Sequence[str]) -> str:
    """What an axis of agents writes, as an expression of Vega."""
    shown = shown_names(names)
    return "datum.label" if list(shown) == list(shown.values()) else f"{json.dumps(shown)}[datum.value]"
