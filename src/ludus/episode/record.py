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
"""Raised when old records could not be read as they are."""
PREPARING = -1
"""The step of a player that fell out before the first one."""


class Key(NamedTuple):
    """The place of an episode in its tournament: all count from 0."""

    repetition: int
    match: int
    number: int

    def __str__(self) -> str:
        return f"episode {self.number + 1} of match {self.match + 1}"


class Fault(StrEnum):
    """What was wrong with an answer."""

    ILLEGAL = "illegal"  # not a legal move
    LATE = "late"  # past its limit and the grace
    FAILED = "failed"  # the player's program broke
    QUIT = "quit"  # a person left

    @property
    def words(self) -> str:
        """The fault in a word or two."""
        return {Fault.LATE: "too late", Fault.QUIT: "left"}.get(self, self.value)

    @property
    def did(self) -> str:
        """What the player did, to be read after its name."""
        return {Fault.ILLEGAL: "made an illegal move", Fault.LATE: "was too late"}.get(self, self.words)


class Ending(StrEnum):
    """How an episode ended: by the rules, at the limit of plies, or by the fault that left at most one player.

    Where the machine is to blame, the episode has no result: its scores are 0, and no table counts it.
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
        """How it ended, to be read after the word 'ended'."""
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
    """How a player got ready: what that cost, and what went wrong."""

    fault: Fault | None = None
    evidence: str = ""


class Seat(msgspec.Struct, omit_defaults=True):
    """Who sat there: the agent's spec, and the name it went by; of a bot, what it wrote to standard error and what
    was odd about it without being a fault; of a person, how many moves it took back and hints it asked for.
    """

    agent: str
    name: str
    preparation: Preparation | None = None
    log: str = ""
    remarks: list[str] = []


class Opening(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the players found the board: a position (or the start, by its seed) and the moves made from there.

    `moves` has one list for each step, chance included, in the order of that step's movers.
    """

    position: str | None = None
    seed: int = 0
    moves: list[list[str]] = []


FROM_THE_START = Opening()


class Move(Cost, omit_defaults=True, gc=False):
    """One mover's part in a step; `wall` and `cpu` in nanoseconds.

    Where it is timed there are also the nanoseconds that it `waited` for a core, which `wall` includes, and of a bot
    the most `memory` in bytes that it was seen to hold. With a fault the move is not the player's own: a random one was
    played, or, where the text is empty, none.
    """

    seat: int
    move: str = ""
    metrics: dict[str, Any] = msgspec.field(default_factory=dict)
    fault: Fault | None = None
    evidence: str = ""  # of the fault: its first line says it in short

    def numbers(self) -> Iterator[tuple[str, float]]:
        """The metrics that are numbers, by name."""
        for name, value in self.metrics.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                yield name, float(value)


class Out(msgspec.Struct, frozen=True):
    """A player that fell out: its seat, the number of the step, and its fault."""

    seat: int
    step: int
    fault: Fault


class Faulted(NamedTuple):
    """A fault as it stands in a record: the step (PREPARING: before the first) and whether the player is out by it."""

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
        """The moves for which a player was asked and did answer, right or wrong, and those of chance."""
        gone = {out.seat: out.step for out in self.out}
        for number, step in enumerate(self.steps):
            for move in step:
                if number <= gone.get(move.seat, number) and (move.move or move.fault is not None):
                    yield move

    def faults(self) -> Iterator[Faulted]:
        """Every fault: those in getting ready, seat by seat, and then those of moves in their order."""
        out = {(gone.seat, gone.step) for gone in self.out}
        made = [(PREPARING, number, seat.preparation) for number, seat in enumerate(self.seats)]
        moves = [(step, move.seat, move) for step, moves in enumerate(self.steps) for move in moves]
        for step, seat, done in [*made, *moves]:
            if done is not None and done.fault is not None:
                yield Faulted(step, seat, done.fault, (seat, step) in out, done.evidence)

    def to_json(self) -> str:
        """One line of JSON."""
        try:
            return _encoder.encode(self).decode()
        except TypeError:
            replace = msgspec.structs.replace
            steps = [[replace(move, metrics=text_keyed(move.metrics)) for move in step] for step in self.steps]
            return _encoder.encode(replace(self, steps=steps)).decode()

    @classmethod
    def from_json(cls, text: str | bytes, where: str = "This text") -> "Record":
        """Read what `to_json` wrote; `where` starts the sentence that a bad text gets."""
        try:
            head = _head_decoder.decode(text)
        except msgspec.MsgspecError as error:
            raise InvalidError(f"{where} is not a record of an episode: {error}.") from None
        if head.format > FORMAT:
            raise InvalidError(
                f"{where} is a record of format {head.format}, and this Ludus reads up to {FORMAT}: update Ludus."
            )
        try:
            return _decoder.decode(text)
        except msgspec.MsgspecError as error:
            raise InvalidError(f"{where} is not a record of an episode: {error}.") from None


def text_keyed(value: Any) -> Any:
    """What an agent reported, with texts for whatever it took for keys, as JSON wants them."""
    if isinstance(value, dict):
        return {str(key): text_keyed(held) for key, held in value.items()}
    return [text_keyed(held) for held in value] if isinstance(value, list | tuple) else value


class _Head(msgspec.Struct):
    format: int


def _plain(value: Any) -> Any:
    # Metrics come from agents, who count with NumPy.
    return value.tolist() if hasattr(value, "tolist") else str(value)


_encoder = msgspec.json.Encoder(enc_hook=_plain)
_head_decoder = msgspec.json.Decoder(_Head)
_decoder = msgspec.json.Decoder(Record)
