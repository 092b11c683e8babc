"""Requests of the referee, and the answers of players."""

from typing import Any

import msgspec

from ludus.agents.agent import Clock, View
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
    """A player's move, or its fault with the evidence, and what was measured, as the record has it."""

    move: Any = None
    wall: int = 0
    cpu: int = 0
    metrics: dict[str, Any] | None = None
    fault: Fault | None = None
    evidence: str = ""
    waited: int = 0
    memory: int = 0
