"""Hearing of a connected client: what counts of its messages, without input or output.

One answer a round. A second one while the round runs is a fault, as are a message that is not an answer, leaving, and
silence until the end. What comes between two rounds counts for the next one.
"""

from typing import NamedTuple

from ludus.episode.record import Fault
from ludus.episode.verdict import SILENT
from ludus.net.contest import Contest, NoAnswer

_MOST_UNHEARD = 2
"""Messages that are kept between rounds: the first is an answer, and the second one too many."""
_MOST_SHOWN = 200


class Reply(NamedTuple):
    """What came of a round: a move or a fault (with the move that shows nevertheless), after so many nanoseconds."""

    move: int | None
    wall: int
    fault: Fault | None = None
    evidence: str = ""


class Hearing:
    """The messages of one client in a game; moments are nanoseconds of a clock that only goes forward."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._last_words = ""
        self.gone = False
        self._unheard: list[bytes] = []
        self._running = False
        self._began = 0
        self._reply: Reply | None = None

    def begin(self, now: int) -> None:
        """A round begins, in which this client is to answer."""
        self._running, self._began, self._reply = True, now, None
        if self.gone or self.deaf:
            silenced = f"is heard no more since it sent {self._last_words}"
            self._fail(now, Fault.FAILED, "has left" if self.gone else silenced)
        unheard, self._unheard = self._unheard, []
        for data in unheard:
            self.receive(data, now)

    @property
    def deaf(self) -> bool:
        """Whether nothing more is read of it, since its last message could not be read at all."""
        return bool(self._last_words)

    @property
    def settled(self) -> bool:
        """Whether this round need not wait for it."""
        return self._reply is not None

    def receive(self, data: bytes, now: int) -> None:
        """It says something."""
        if not self._running:
            if len(self._unheard) < _MOST_UNHEARD:
                self._unheard.append(data)
            return
        if self.deaf or (self._reply is not None and self._reply.fault is not None):
            return
        problem = ""
        try:
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
        """Its connection is closed."""
        self.gone = True
        if self._running:
            self._fail(now, Fault.FAILED, "left" if self._reply is None else "left after its answer")

    def end(self, now: int) -> Reply:
        """The round is over; what this client did in it."""
        self._running = False
        return self._reply or Reply(None, now - self._began, *SILENT)

    def _fail(self, now: int, fault: Fault, evidence: str) -> None:
        """Make it a fault, even if it answered before."""
        if self._reply is None:
            self._reply = Reply(None, now - self._began, fault, evidence)
        elif self._reply.fault is None and self._reply.move is not None:
            self._reply = Reply(self._contest.void(self._reply.move), now - self._began, fault, evidence)


def _shown(data: bytes) -> str:
    text = " ".join(data[:_MOST_SHOWN].decode(errors="replace").split())
    return repr(text) if len(data) <= _MOST_SHOWN else f"{text!r} … ({len(data):,} bytes)"
