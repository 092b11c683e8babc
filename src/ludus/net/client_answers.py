"""Answers of a connected client in a round, judged without input or output.

One answer per round. A second one in the same round is a fault, as are a message that is not an answer, leaving, and
silence until the end. Messages between two rounds count for the next one.
"""

from typing import NamedTuple

from ludus.episode.record import Fault
from ludus.episode.verdict import SILENT
from ludus.net.contest import Contest, NoAnswer

LARGEST = 1 << 16
"""Bytes of a message from which it is too large to be read."""
_MOST_UNREAD = 2
"""Messages kept between rounds: the first is an answer, and a second one is a fault."""
_MOST_SHOWN = 200


class Reply(NamedTuple):
    """The result of a round: a move or a fault (with the move shown nevertheless), after this many nanoseconds."""

    move: int | None
    wall: int
    fault: Fault | None = None
    evidence: str = ""


class ClientAnswers:
    """The messages of one client in a game; moments are nanoseconds of a monotonic clock."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._last_words = ""
        self.gone = False
        self._unread: list[bytes | None] = []
        self._running = False
        self._began = 0
        self._reply: Reply | None = None

    def begin(self, now: int) -> None:
        """Begin a round, in which this client must answer."""
        self._running, self._began, self._reply = True, now, None
        if self.gone or self.ignored:
            silenced = f"has been ignored since it sent {self._last_words}"
            self._fail(now, Fault.FAILED, "has left" if self.gone else silenced)
        unread, self._unread = self._unread, []
        for data in unread:
            self.receive(data, now)

    @property
    def ignored(self) -> bool:
        """True if its messages are no longer read, because the last one could not be read at all."""
        return bool(self._last_words)

    @property
    def settled(self) -> bool:
        """True if this round need not wait for it."""
        return self._reply is not None

    def receive(self, data: bytes | None, now: int) -> None:
        """Judge a message; None is one that is too large to be read."""
        if not self._running:
            if len(self._unread) < _MOST_UNREAD:
                self._unread.append(data)
            return
        if self.ignored or (self._reply is not None and self._reply.fault is not None):
            return
        problem = ""
        try:
            if data is None:
                raise NoAnswer("too large", is_last=True)
            move = self._contest.read_answer(data)
        except NoAnswer as error:
            problem = error.what
            self._last_words = problem if error.is_last else ""
        if self._reply is not None:
            self._fail(now, Fault.ILLEGAL, f"answered twice, the second time {_shown(data)}")
        elif problem:
            self._fail(now, Fault.ILLEGAL, f"sent {_shown(data)}, which is {problem}")
        else:
            self._reply = Reply(move, now - self._began)

    def leave(self, now: int) -> None:
        """Note that its connection is closed."""
        self.gone = True
        if self._running:
            self._fail(now, Fault.FAILED, "left" if self._reply is None else "left after its answer")

    def end(self, now: int) -> Reply:
        """End the round, and return the result for this client."""
        self._running = False
        return self._reply or Reply(None, now - self._began, *SILENT)

    def _fail(self, now: int, fault: Fault, evidence: str) -> None:
        """Note a fault, even after an answer."""
        if self._reply is None:
            self._reply = Reply(None, now - self._began, fault, evidence)
        elif self._reply.fault is None and self._reply.move is not None:
            self._reply = Reply(self._contest.void(self._reply.move), now - self._began, fault, evidence)


def _shown(data: bytes | None) -> str:
    if data is None:
        return f"more than {LARGEST:,} bytes"
    text = " ".join(data[:_MOST_SHOWN].decode(errors="replace").split())
    return repr(text) if len(data) <= _MOST_SHOWN else f"{text!r} … ({len(data):,} bytes)"
