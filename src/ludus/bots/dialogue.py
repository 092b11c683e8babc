"""The manager's side of a protocol: messages for one process of a bot, and the meaning of its lines."""

from collections.abc import Callable, Generator
from pathlib import Path
from typing import ClassVar, NamedTuple

from ludus.agents.agent import Choice
from ludus.episode.player import Briefing
from ludus.episode.record import Fault
from ludus.episode.request import Request


class Program(NamedTuple):
    """Command, folder and number of cores of a bot's process, and the function that makes the talk with one."""

    argv: list[str]
    folder: Path
    cores: int
    dialogue: Callable[[], "Dialogue"]


class FoulError(Exception):
    """A fault in what a bot said or did, with the evidence."""

    def __init__(self, fault: Fault, evidence: str) -> None:
        super().__init__(evidence)
        self.fault = fault
        self.evidence = evidence


class AgainError(Exception):
    """This process cannot serve another episode: a new one can."""


class Dialogue:
    """The manager's side of the talk with one process of a bot: makes messages and understands lines, and never waits.

    Lines come without their end. A process that `stays` serves one episode after the other.
    """

    stays: ClassVar[bool] = False

    def __init__(self) -> None:
        self.remarks: list[str] = []
        """What the bot said or did that is odd but no fault; whoever reads them empties the list."""

    def begin(self, briefing: Briefing) -> Generator[bytes, str, None]:
        """Prepare the process for an episode: yields messages, perhaps empty, and gets the next line for each."""
        raise NotImplementedError

    def ask(self, request: Request) -> bytes:
        """The message that asks for a move."""
        raise NotImplementedError

    def hear(self, line: str) -> Choice | None:
        """The move in a line, or None if the line is no answer yet; FoulError if it cannot be one."""
        raise NotImplementedError

    def end(self) -> bytes:
        """The message that ends the process."""
        return b""
