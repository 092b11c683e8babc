"""Limits of the players of an episode, each declared once.

Options, keys in tournament files, messages to bots and descriptions derive from these declarations.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, NamedTuple

import msgspec

from ludus.core.errors import InvalidError
from ludus.core.kinds import COUNT, SIZE, TIME, Kind, choice, read_table
from ludus.core.text import did_you_mean, format_duration

START_UP = 10 * 10**9
"""Default time for a bot to get ready, in nanoseconds."""
THINKING = 600 * 10**9
"""Default time of a bot for a move, in nanoseconds."""
MEMORY = 2 << 30
"""Default memory of a bot's processes, in bytes."""


class Policy(StrEnum):
    """The consequence of an illegal or late move, or of a failing player."""

    LOSE = "lose"  # the player is disqualified
    RANDOM = "random"  # a random legal move is played instead
    SOFT = "soft"  # a random legal move is played instead, but beyond the hard limit the player is disqualified


POLICY = choice(Policy)


class Limit(NamedTuple):
    """The declaration of one limit; its name and default are those of its field.

    In `words`, used for results, the value replaces the braces; counts have a singular and a plural instead. `option`
    has the option names, possibly with a short one, and `info` the key in messages to bots.
    """

    kind: Kind
    help: str
    words: str | tuple[str, str]
    option: str
    info: str | None = None
    unit: int | None = None  # the unit in messages to bots, if it is not that of the kind
    bots: int | None = None  # the default for bots
    only_bots: bool = False  # a limit for bots alone, which are limited in everything
    shared: bool = False  # a rule of the episode, which no player can have of its own

    @property
    def key(self) -> str:
        """The key in tournament files: the long option, with underscores."""
        return self.option.split()[0].removeprefix("--").replace("-", "_")

    @property
    def least(self) -> int:
        """The least value, in its unit: a player may have no time, but needs some memory."""
        return 0 if self.kind is TIME and not self.only_bots else 1

    @property
    def one(self) -> int:
        """The size of one unit in messages to bots."""
        return self.unit or self.kind.unit


class Limits(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Limits of the players of an episode: times in nanoseconds, sizes in bytes; None means no limit."""

    preparation: Annotated[
        int | None, Limit(TIME, "Time to get ready.", "{} to get ready", "--prepare", "timeout_start", bots=START_UP)
    ] = None
    move: Annotated[
        int | None,
        Limit(
            TIME,
            "Time per move.",
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
        int,
        Limit(TIME, "Time added to the total after each move.", "{} added after a move", "--increment", "increment"),
    ] = 0
    grace: Annotated[int, Limit(TIME, "How late a move may be.", "{} grace", "--grace -g", "timeout_grace")] = (
        10_000_000
    )
    hard: Annotated[
        int | None,
        Limit(TIME, "With policy soft: time after which a player is disqualified.", "{} at the very most", "--hard"),
    ] = None
    plies: Annotated[
        int | None, Limit(COUNT, "Stop after this many plies.", ("ply", "plies"), "--plies", shared=True)
    ] = None
    memory: Annotated[  # of a bot: of its whole tree of processes
        int | None,
        Limit(
            SIZE,
            "Maximum memory of an agent.",
            "{} of memory",
            "--memory",
            "space_limit",
            bots=MEMORY,
        ),
    ] = None
    policy: Annotated[
        Policy,
        Limit(POLICY, "What happens after an illegal or late move.", "policy {}", "--policy", shared=True),
    ] = Policy.LOSE
    cpu: Annotated[
        int,
        Limit(TIME, "Maximum CPU time per episode.", "{} of CPU in an episode", "--cpu", "cpu_limit", only_bots=True),
    ] = 3600 * 10**9
    output: Annotated[
        int,
        Limit(
            SIZE,
            "Maximum output per message.",
            "answers of {} bytes",
            "--output-limit",
            "output_limit",
            unit=1,
            only_bots=True,
        ),
    ] = 1 << 20
    files: Annotated[
        int,
        Limit(
            COUNT, "Maximum number of open files.", ("open file", "open files"), "--files", "file_limit", only_bots=True
        ),
    ] = 256
    processes: Annotated[
        int,
        Limit(
            COUNT,
            "Maximum number of processes.",
            ("process", "processes"),
            "--processes",
            "process_limit",
            only_bots=True,
        ),
    ] = 64
    disk: Annotated[
        int,
        Limit(
            SIZE,
            "Maximum bytes written to files per episode.",
            "{} written to files",
            "--disk",
            "disk_limit",
            only_bots=True,
        ),
    ] = 256 << 20
    new_files: Annotated[
        int,
        Limit(
            COUNT,
            "Maximum number of files made per episode.",
            ("new file", "new files"),
            "--new-files",
            "new_file_limit",
            only_bots=True,
        ),
    ] = 10_000

    resign: Annotated[
        int | None,
        Limit(
            COUNT,
            "Adjudicate: a player loses if its own score is this many centipawns behind.",
            ("centipawn behind loses", "centipawns behind lose"),
            "--resign",
            shared=True,
        ),
    ] = None
    resign_moves: Annotated[
        int,
        Limit(
            COUNT,
            "Consecutive moves that --resign needs.",
            ("move to resign", "moves to resign"),
            "--resign-moves",
            shared=True,
        ),
    ] = 3
    draw: Annotated[
        int | None,
        Limit(
            COUNT,
            "Adjudicate: a draw if both players' own scores are at most this many centipawns from even.",
            ("centipawn from even draws", "centipawns from even draw"),
            "--draw",
            shared=True,
        ),
    ] = None
    draw_moves: Annotated[
        int,
        Limit(
            COUNT,
            "Consecutive moves of each player that --draw needs.",
            ("move to draw", "moves to draw"),
            "--draw-moves",
            shared=True,
        ),
    ] = 8
    draw_after: Annotated[
        int,
        Limit(
            COUNT,
            "Moves of each player before --draw can end a game.",
            ("move before a draw", "moves before a draw"),
            "--draw-after",
            shared=True,
        ),
    ] = 40

    def __post_init__(self) -> None:
        if self.policy is Policy.SOFT and (self.move is None or self.hard is None):
            raise InvalidError("The policy 'soft' needs both a move time and a hard limit.")
        if self.hard is not None and self.policy is not Policy.SOFT:
            raise InvalidError(f"A hard limit needs the policy 'soft', but the policy is '{self.policy}'.")
        if self.hard is not None and self.move is not None and self.hard < self.move:
            raise InvalidError(
                f"The hard limit {format_duration(self.hard)} is below the move time {format_duration(self.move)}."
            )
        if self.increment and self.total is None:
            raise InvalidError("An increment needs a total time.")

    def for_bots(self) -> "Limits":
        """The limits of a bot, which is limited in everything."""
        changes = {name: limit.bots for name, limit in LIMITS.items() if limit.bots and getattr(self, name) is None}
        if self.total is not None:
            changes.pop("move", None)
        return msgspec.structs.replace(self, **changes) if changes else self


UNLIMITED = Limits()

LIMITS: dict[str, Limit] = {field.name: field.type.__metadata__[0] for field in msgspec.structs.fields(Limits)}
"""All limits by name."""
_NAMES = {limit.key: name for name, limit in LIMITS.items()}


def own_limits(limits: Limits, texts: Mapping[str, str]) -> Limits | None:
    """The limits of a player for which these texts, by key, replace those of the episode; None if there are no texts.

    InvalidError if a text is not one, or the limit is a rule of the episode.
    """
    if not texts:
        return None
    known = {key: name for key, name in _NAMES.items() if not LIMITS[name].shared}
    changes = {}
    for key, text in texts.items():
        if key not in known:
            raise InvalidError(
                f"limit.{key}={text} sets no limit of a single player{did_you_mean(key, known)}; "
                f"these can be set: {', '.join(known)}."
            )
        kind = LIMITS[known[key]].kind
        try:
            changes[known[key]] = kind.read(text)
        except ValueError:
            raise InvalidError(f"limit.{key}={text} is not {kind.expects}.") from None
    return msgspec.structs.replace(limits, **changes)


def read_limits(table: Mapping[str, Any]) -> dict[str, Any]:
    """Read limits from a table of a TOML file, by name."""
    read = read_table(table, {key: LIMITS[name].kind for key, name in _NAMES.items()}, "limits.")
    return {_NAMES[key]: value for key, value in read.items()}


def joined_limits(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """The old limits by name, overridden by the new ones."""
    kept = dict(old)
    if new.get("policy", Policy.SOFT) is not Policy.SOFT:
        kept.pop("hard", None)  # it belongs to the replaced policy
    return kept | dict(new)
