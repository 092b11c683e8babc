"""Limits of the players of an episode, each declared once.

From its declaration follow its option, its key in tournament files and in the messages to bots, and its words.
"""

from enum import StrEnum
from typing import Annotated, NamedTuple

import msgspec

from ludus.core.errors import InvalidError
from ludus.core.kinds import COUNT, SIZE, TIME, Kind, choice
from ludus.core.text import format_duration

START_UP = 10 * 10**9
"""Nanoseconds that a bot has to get ready, where nothing else is said."""
THINKING = 600 * 10**9
"""Nanoseconds that a bot has for a move, where nothing else is said."""
MEMORY = 2 << 30
"""Bytes that a bot's processes may hold, where nothing else is said."""


class Policy(StrEnum):
    """What happens to an illegal or late move, or a failing player."""

    LOSE = "lose"  # the player is out
    RANDOM = "random"  # a random legal move is played instead
    SOFT = "soft"  # a random legal move is played instead, but past the hard limit the player is out


POLICY = choice(Policy)


class Limit(NamedTuple):
    """The declaration of one limit, whose name and default are those of its field.

    In `words`, as results have it, the value takes the place of the braces; of counts they are a singular and a plural.
    Options are named in `option`, perhaps with a short one, and messages to bots in `info`.
    """

    kind: Kind
    help: str
    words: str | tuple[str, str]
    option: str
    info: str | None = None
    unit: int | None = None  # in which bots are told, where it is not that of the kind
    bots: int | None = None  # what bots are granted where nothing is set
    only_bots: bool = False  # it is for bots alone, for which nothing is without a limit

    @property
    def key(self) -> str:
        """The key in tournament files: the long option, with underscores."""
        return self.option.split()[0].removeprefix("--").replace("-", "_")

    @property
    def least(self) -> int:
        """The least that it can be, in its unit: a player may have no time, but not no memory."""
        return 0 if self.kind is TIME and not self.only_bots else 1

    @property
    def one(self) -> int:
        """How much bots call one."""
        return self.unit or self.kind.unit


class Limits(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the players of an episode are granted: times in nanoseconds, sizes in bytes; None is without limit."""

    preparation: Annotated[
        int | None, Limit(TIME, "Time to get ready.", "{} to get ready", "--prepare", "timeout_start", bots=START_UP)
    ] = None
    move: Annotated[
        int | None,
        Limit(
            TIME,
            "Time for a move.",
            "{} a move",
            "--move-time -t",
            "timeout_turn",
            bots=THINKING,
        ),
    ] = None
    total: Annotated[
        int | None, Limit(TIME, "Time for all moves of a player.", "{} in total", "--total", "timeout_game")
    ] = None
    increment: Annotated[
        int, Limit(TIME, "Added to the total after each move.", "{} added after a move", "--increment", "increment")
    ] = 0
    grace: Annotated[
        int, Limit(TIME, "How much later still counts as in time.", "{} grace", "--grace -g", "timeout_grace")
    ] = 10_000_000
    hard: Annotated[
        int | None,
        Limit(TIME, "With the policy soft: a slower player is disqualified.", "{} at the very most", "--hard"),
    ] = None
    plies: Annotated[int | None, Limit(COUNT, "Stop after so many plies.", ("ply", "plies"), "--plies")] = None
    memory: Annotated[  # of a bot: of its whole tree of processes
        int | None,
        Limit(
            SIZE,
            "Memory that an agent may take in an episode.",
            "{} of memory",
            "--memory",
            "space_limit",
            bots=MEMORY,
        ),
    ] = None
    policy: Annotated[
        Policy,
        Limit(POLICY, "What happens to a player whose move is illegal or late.", "policy {}", "--policy"),
    ] = Policy.LOSE
    cpu: Annotated[
        int,
        Limit(TIME, "Computing time in an episode.", "{} of CPU in an episode", "--cpu", "cpu_limit", only_bots=True),
    ] = 3600 * 10**9
    output: Annotated[
        int,
        Limit(
            SIZE,
            "What it may write in answer to a message.",
            "answers of {} bytes",
            "--output-limit",
            "output_limit",
            unit=1,
            only_bots=True,
        ),
    ] = 1 << 20
    files: Annotated[
        int,
        Limit(COUNT, "Files open at a time.", ("open file", "open files"), "--files", "file_limit", only_bots=True),
    ] = 256
    processes: Annotated[
        int,
        Limit(COUNT, "Processes at a time.", ("process", "processes"), "--processes", "process_limit", only_bots=True),
    ] = 64
    disk: Annotated[
        int,
        Limit(
            SIZE,
            "What it may write to files in an episode.",
            "{} written to files",
            "--disk",
            "disk_limit",
            only_bots=True,
        ),
    ] = 256 << 20

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

    def for_bots(self) -> "Limits":
        """The limits of a bot: nothing is without one."""
        changes = {name: limit.bots for name, limit in LIMITS.items() if limit.bots and getattr(self, name) is None}
        if self.total is not None:
            changes.pop("move", None)
        return msgspec.structs.replace(self, **changes) if changes else self


UNLIMITED = Limits()

LIMITS: dict[str, Limit] = {field.name: field.type.__metadata__[0] for field in msgspec.structs.fields(Limits)}
"""All limits as they are declared, by name."""
