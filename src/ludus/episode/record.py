"""The record of one episode, and its portable form as JSON: `docs/record.md` describes every field."""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from ludus.core.errors import InvalidError
from ludus.episode.cost import Cost
from ludus.episode.limits import UNLIMITED, Limits

FORMAT = 1
"""Version of the format, raised when old records cannot be read without conversion."""
PREPARING = -1
"""Number of the step of a player that was disqualified before the first step."""


class Key(NamedTuple):
    """The place of an episode in its tournament; all numbers count from 0."""

    repetition: int
    match: int
    number: int

    def __str__(self) -> str:
        return f"episode {self.number + 1} of match {self.match + 1}"


class Fault(StrEnum):
    """The kind of fault of an answer."""

    ILLEGAL = "illegal"  # not a legal move
    LATE = "late"  # past its limit and the grace
    FAILED = "failed"  # the player's program failed
    QUIT = "quit"  # a person left

    @property
    def words(self) -> str:
        """The fault in a word or two."""
        return {Fault.LATE: "too late", Fault.QUIT: "left"}.get(self, self.value)

    @property
    def did(self) -> str:
        """The fault as a verb phrase, after the player's name."""
        return {Fault.ILLEGAL: "made an illegal move", Fault.LATE: "was too late"}.get(self, self.words)


class Ending(StrEnum):
    """The way an episode ended: by the rules, at the limit of plies, or by the fault that left at most one player.

    With a fault of the machine, the episode has no result: its scores are 0, and no table counts it.
    """

    RULES = "rules"
    PLIES = "plies"
    ILLEGAL = "illegal"
    LATE = "late"
    FAILED = "failed"
    QUIT = "quit"
    MACHINE = "machine"

    @property
    def words(self) -> str:
        """The ending as words after 'ended'."""
        return _ENDED[self]


_ENDED = {
    Ending.RULES: "by the rules",
    Ending.PLIES: "at the limit of plies",
    Ending.ILLEGAL: "by an illegal move",
    Ending.LATE: "out of time",
    Ending.FAILED: "because a program failed",
    Ending.QUIT: "because a player left",
    Ending.MACHINE: "by a fault of the machine, without a result",
}


class Preparation(Cost, omit_defaults=True):
    """A player's preparation: its cost, and its fault if any."""

    fault: Fault | None = None
    evidence: str = ""


class Seat(msgspec.Struct, omit_defaults=True):
    """A player's seat: the agent's spec and its name; for a bot also its output to standard error.

    Remarks are notes on unusual behaviour of a bot that was not a fault, and on moves that a person took back.
    """

    agent: str
    name: str
    preparation: Preparation | None = None
    log: str = ""
    remarks: list[str] = []


class Opening(msgspec.Struct, frozen=True, omit_defaults=True):
    """The opening: a position (or the start, by its seed) and the moves made from there.

    `moves` has one list for each step, chance included, in the order of that step's movers.
    """

    position: str | None = None
    seed: int = 0
    moves: list[list[str]] = []


FROM_THE_START = Opening()


class Move(Cost, omit_defaults=True, gc=False):
    """One mover's part in a step; `wall` and `cpu` in nanoseconds.

    With a time limit the record also has the nanoseconds that the player `waited` for a core, included in `wall`, and
    for a bot the most `memory` in bytes. With a fault the move is not the player's own: a random move was played or, if
    the text is empty, none.
    """

    seat: int
    move: str = ""
    metrics: dict[str, Any] = msgspec.field(default_factory=dict)
    fault: Fault | None = None
    evidence: str = ""  # of the fault; the first line is a summary

    def numbers(self) -> Iterator[tuple[str, float]]:
        """Metrics that are numbers, by name."""
        for name, value in self.metrics.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                yield name, float(value)


class Out(msgspec.Struct, frozen=True):
    """A disqualified player: its seat, the number of the step, and its fault."""

    seat: int
    step: int
    fault: Fault


class Faulted(NamedTuple):
    """A fault in a record: the step (PREPARING: before the first), and True if the player was disqualified for it."""

    step: int
    seat: int
    fault: Fault
    out: bool
    evidence: str


class Record(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Everything about one episode. Steps are lists of moves: one mover, several at once, or chance alone."""

    format: int
    ludus: str
    played: datetime
    game: str
    seats: list[Seat]
    seed: int
    limits: Limits = UNLIMITED
    opening: Opening = FROM_THE_START
    scores: list[float]
    ending: Ending
    by: list[int] = []
    out: list[Out] = []
    steps: list[list[Move]]

    def answers(self) -> Iterator[Move]:
        """Moves for which a player was asked and did answer, right or wrong, and those of chance."""
        gone = {out.seat: out.step for out in self.out}
        for number, step in enumerate(self.steps):
            for move in step:
                if number <= gone.get(move.seat, number) and (move.move or move.fault is not None):
                    yield move

    def faults(self) -> Iterator[Faulted]:
        """All faults: first those of getting ready, seat by seat, and then those of moves in order."""
        out = {(gone.seat, gone.step) for gone in self.out}
        made = [(PREPARING, number, seat.preparation) for number, seat in enumerate(self.seats)]
        moves = [(step, move.seat, move) for step, moves in enumerate(self.steps) for move in moves]
        for step, seat, done in [*made, *moves]:
            if done is not None and done.fault is not None:
                yield Faulted(step, seat, done.fault, (seat, step) in out, done.evidence)

    def to_json(self) -> str:
        """The record as one line of JSON."""
        try:
            return _encoder.encode(self).decode()
        except TypeError:
            replace = msgspec.structs.replace
            steps = [[replace(move, metrics=text_keyed(move.metrics)) for move in step] for step in self.steps]
            return _encoder.encode(replace(self, steps=steps)).decode()

    @classmethod
    def from_json(cls, text: str | bytes, where: str = "This text") -> "Record":
        """Read a record written by `to_json`; `where` begins the error message."""
        try:
            head = _head_decoder.decode(text)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise InvalidError(f"{where} is not a record of an episode: {error}.") from None
        if head.format > FORMAT:
            raise InvalidError(
                f"{where} is a record of format {head.format}, and this Ludus reads up to {FORMAT}: update Ludus."
            )
        try:
            return _decoder.decode(text)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise InvalidError(f"{where} is not a record of an episode: {error}.") from None


def text_keyed(value: Any) -> Any:
    """A value reported by an agent, with all keys as texts, as JSON requires."""
    if isinstance(value, dict):
        return {str(key): text_keyed(held) for key, held in value.items()}
    return [text_keyed(held) for held in value] if isinstance(value, list | tuple) else value


class _Head(msgspec.Struct):
    format: int


def plain_value(value: Any) -> Any:
    """A value reported by an agent, which may count with NumPy, as one that can be encoded."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


_encoder = msgspec.json.Encoder(enc_hook=plain_value)
_head_decoder = msgspec.json.Decoder(_Head)
_decoder = msgspec.json.Decoder(Record)
