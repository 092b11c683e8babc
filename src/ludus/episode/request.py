"""Requests of the referee, and the answers of players."""

from typing import Any

import msgspec

from ludus.agents.agent import Clock, View
from ludus.episode.cost import Cost
from ludus.episode.record import Fault, Move


class Request(msgspec.Struct, frozen=True, gc=False):
    """A request for a move: the seat, its view and clock, and the time left to each seat, if limited.

    `steps` are those of `view.since` with texts and times, without the opening.
    """

    seat: int
    view: View
    clock: Clock
    steps: list[list[Move]] = []
    left: list[int] = []


class Answer(msgspec.Struct, frozen=True, gc=False):
    """A player's move, or its fault with the evidence, and its cost."""

    move: Any = None
    metrics: dict[str, Any] | None = None
    fault: Fault | None = None
    evidence: str = ""
    cost: Cost = msgspec.field(default_factory=Cost)
