"""Protocols seen from the manager: messages for one process of a bot, and the meaning of its lines."""

from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import ClassVar, NamedTuple

from ludus.agents.agent import Choice
from ludus.episode.player import Briefing
from ludus.episode.record import Fault
from ludus.episode.request import Request


class Program(NamedTuple):
    """Command, folder, variables and number of cores of a bot's process, whether it goes on in the turns of others, and
    a function that starts its dialogue.
    """

    argv: list[str]
    folder: Path
    variables: Mapping[str, str]
    cores: int
    ponders: bool
    dialogue: Callable[[], "Dialogue"]


class FoulError(Exception):
    """A fault in the output or behaviour of a bot, with the evidence."""

    def __init__(self, fault: Fault, evidence: str) -> None:
        super().__init__(evidence)
        self.fault = fault
        self.evidence = evidence


class AgainError(Exception):
    """The process cannot serve another episode, but a new one can."""


class Dialogue:
    """The manager's side of the dialogue with one process of a bot: makes messages, parses lines, never waits.

    Lines come without their end. A process that `stays` serves one episode after the other.
    """

    stays: ClassVar[bool] = False

    def __init__(self) -> None:
        self.remarks: list[str] = []
        """Notes on unusual output that is not a fault; the reader empties the list."""

    def begin(self, briefing: Briefing) -> Generator[bytes, str, None]:
        """Prepare the process for an episode: yield messages, possibly empty, and receive the next line for each."""
        raise NotImplementedError

    def ask(self, request: Request) -> bytes:
        """The message that requests a move."""
        raise NotImplementedError

    def receive(self, line: str) -> Choice | None:
        """Parse a line: a move, or None if no answer is in it; FoulError if it cannot be an answer."""
        raise NotImplementedError

    def again(self) -> bytes:
        """The message to repeat because the process waits for one, asked once all its lines are read; empty if none."""
        return b""

    def end(self) -> bytes:
        """The message that ends the process."""
        return b""
