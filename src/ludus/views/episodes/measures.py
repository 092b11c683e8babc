"""Metrics of a move as a page shows them."""

from typing import Any

from ludus.agents.layers import LAYERS, MEANINGS
from ludus.core.text import first_line, printable, spoken
from ludus.episode.record import Move

_MEASURES = {
    "evaluation": ("evaluation", "eval", "score", "value"),
    "depth": ("depth",),
    "nodes": ("nodes", "simulations", "playouts"),
    "line": ("line", "pv"),
}
"""Names of metrics beside the board: of each kind, the first one that an agent reported is shown."""
_LONGEST = 240  # letters of a metric


def layers_in(move: Move) -> list[str]:
    """The names of the layers that the record has of a move."""
    kept = move.metrics.get(LAYERS)
    return [name for name in kept if name in MEANINGS] if isinstance(kept, dict) else []


def measures_of(metrics: dict[str, Any]) -> dict[str, Any]:
    """The metrics of a move that are shown beside the board."""
    found = {}
    for kind, names in _MEASURES.items():
        name = next((name for name in names if name in metrics), None)
        if name is not None:
            found[kind] = short(metrics[name])
    return found


def short(value: Any) -> Any:
    """A metric as the page shows it: numbers as they are, all else as a text that is not too long."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        text = printable(spoken(value) if isinstance(value, dict) else str(value))
        return text if len(text) <= _LONGEST else first_line(text)[:_LONGEST] + "…"
    return value if abs(value) < 2**53 else str(value)  # NaN too is text: JSON has no such number
