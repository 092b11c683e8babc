"""The record of one episode, and its portable form as JSON: `docs/record.md` describes every field."""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from ludus.core.errors import InvalidError
from ludus.core.spec import format_duration, spoken_time

FORMAT = 1
"""Raised when old records could not be read as they are."""
PREPARING = -1
"""The step of a player that fell out before the first one."""
START_UP = 10 * 10**9
"""Nanoseconds that a bot has to get ready, where nothing else is said."""
THINKING = 600 * 10**9
"""Nanoseconds that a bot has for a move, where nothing else is said."""
MEMORY = 2 << 30
"""Bytes that a bot's processes may hold, where nothing else is said."""


class Fault(StrEnum):
    """What was wrong with an answer."""

    ILLEGAL = "illegal"  # not a legal move
    LATE = "late"  # past its limit and the grace
    FAILED = "failed"  # the player's program broke
    QUIT = "quit"  # a person left


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


class Policy(StrEnum):
    """What happens to an illegal or late move, or a failing player."""

    LOSE = "lose"  # the player is out
    RANDOM = "random"  # a random legal move is played instead
    SOFT = "soft"  # a random legal move is played instead, but past the hard limit the player is out


class Limits(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the players of an episode are granted: times in nanoseconds, sizes in bytes; None is without limit.

    The last ones are for bots alone, for which nothing is without a limit.
    """

    preparation: int | None = None
    move: int | None = None
    total: int | None = None
    increment: int = 0
    grace: int = 10_000_000
    hard: int | None = None
    plies: int | None = None
    memory: int | None = None  # of a bot, its whole tree of processes
    policy: Policy = Policy.LOSE
    cpu: int = 3600 * 10**9  # in an episode
    output: int = 1 << 20  # in answer to one message
    files: int = 256  # open at a time
    processes: int = 64  # at a time
    disk: int = 256 << 20  # written in an episode

    def __post_init__(self) -> None:
        if self.policy is Policy.SOFT and (self.move is None or self.hard is None):
            raise InvalidError("The policy 'soft' needs two limits for a move: a soft one (move time) and a hard one.")
        if self.hard is not None and self.policy is not Policy.SOFT:
            raise InvalidError(f"A hard limit belongs to the policy 'soft', but the policy is '{self.policy}'.")
        if self.hard is not None and self.move is not None and self.hard < self.move:
            raise InvalidError(
                f"The hard limit {format_duration(self.hard)} is below the move time {format_duration(self.move)}."
            )
        if self.increment and self.total is None:
            raise InvalidError("An increment is added to a total time: give the total as well.")

    def lateness(self, granted: int, wall: int, cpu: int, waited: int) -> str:
        """How late an answer was, and whether that time was spent on thinking or on waiting for a core."""
        return (
            f"after {spoken_time(wall)} where {format_duration(granted)} and {format_duration(self.grace)} of grace "
            f"are granted: {spoken_time(cpu)} of CPU, {spoken_time(waited)} of waiting for a core"
        )

    def for_bots(self) -> "Limits":
        """The limits of a bot: nothing is without one."""
        filled = {"preparation": START_UP, "memory": MEMORY}
        if self.move is None and self.total is None:
            filled["move"] = THINKING
        changes = {name: value for name, value in filled.items() if getattr(self, name) is None}
        return msgspec.structs.replace(self, **changes) if changes else self


UNLIMITED = Limits()


SLOWEST_CLOCK = 10
"""The referee's clock counts at least one of so many nanoseconds."""


def on_the_clock(wall: int, cpu: int, waited: int) -> int:
    """What a move took by the referee's clock, in nanoseconds: its wall time without what it waited for a core.

    But no less than its CPU time, so that threads which wait for each other gain nothing, and no more than its wall
    time; and the clock never stands for long.
    """
    return min(wall, max(wall - waited, cpu, wall // SLOWEST_CLOCK))


class Preparation(msgspec.Struct, omit_defaults=True):
    """How a player got ready: nanoseconds, and what went wrong."""

    wall: int = 0
    cpu: int = 0
    fault: Fault | None = None
    evidence: str = ""


class Seat(msgspec.Struct, omit_defaults=True):
    """Who sat there: the agent's spec, and the name it went by; of a bot, what it wrote to standard error and what
    was odd about it without being a fault.
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


class Move(msgspec.Struct, omit_defaults=True, gc=False):
    """One mover's part in a step; `wall` and `cpu` in nanoseconds.

    Where it is timed there are also the nanoseconds that it `waited` for a core, which `wall` includes, and of a bot
    the most `memory` in bytes that it was seen to hold. With a fault the move is not the player's own: a random one was
    played, or, where the text is empty, none.
    """

    seat: int
    move: str = ""
    wall: int = 0
    cpu: int = 0
    metrics: dict[str, Any] = {}
    fault: Fault | None = None
    evidence: str = ""  # of the fault: its first line says it in short
    waited: int = 0
    memory: int = 0


class Out(msgspec.Struct, frozen=True):
    """A player that fell out: its seat, the number of the step, and its fault."""

    seat: int
    step: int
    fault: Fault


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
