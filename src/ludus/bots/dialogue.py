"""The manager's side of a protocol: messages for one process of a bot, and the meaning of its lines."""

from collections.abc import Callable, Generator
from pathlib import Path
from typing import ClassVar, NamedTuple

from ludus.agents.agent import Choice
from ludus.episode.player import Briefing
from ludus.episode.record import Fault
from ludus.episode.request import Request


class Program(NamedTuple):
    """How a process of a bot is started, how many cores it may use, and what makes the talk with it."""

    argv: list[str]
    folder: Path
    cores: int
    dialogue: Callable[[], "Dialogue"]


class FoulError(Exception):
    """What a bot said is a fault: which, and the evidence."""

    def __init__(self, fault: Fault, evidence: str) -> None:
        super().__init__(evidence)
        self.fault = fault
        self.evidence = evidence


class AgainError(Exception):
    """This process cannot serve another episode: a new one can."""


class Dialogue:
    """One side of the talk with one process of a bot: it makes messages and understands lines, and never waits.

    Lines come without their end. A process that `stays` serves one episode after the other.
    """

    stays: ClassVar[bool] = False

    def __init__(self) -> None:
        self.remarks: list[str] = []
        """What the bot said or did that is odd but no fault; whoever reads them empties the list."""

    def begin(self, briefing: Briefing) -> Generator[bytes, str, None]:
        """Get it ready for an episode: yields what to send, perhaps nothing, and gets the line that it says next."""
        raise NotImplementedError

    def ask(self, request: Request) -> bytes:
        """What to send for a move."""
        raise NotImplementedError

    def hear(self, line: str) -> Choice | None:
        """The move that a line holds, or None if it is not the answer yet; FoulError if it cannot be one."""
        raise NotImplementedError

    def end(self) -> bytes:
        """What to send when the process is wanted no more."""
        return b""
