"""What a connected client of spe_ed says and what counts of it, by the rules of the contest, without input or output.

One answer a round. A second one while the round runs puts a player out, as do an unknown action, a text that is no
JSON, leaving, and saying nothing until the end. What comes between two rounds counts for the next one.
"""

from typing import NamedTuple

import msgspec

from ludus.contests.speed.api import read_action
from ludus.contests.speed.game import ACTIONS, ANSWERED_TWICE
from ludus.episode.record import Fault
from ludus.episode.verdict import SILENT

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
    """What one client says in a game; moments are nanoseconds of a clock that only goes forward."""

    def __init__(self) -> None:
        self.deaf = False
        """Whether nothing more is read of it, since it said what is no JSON."""
        self.gone = False
        self._unheard: list[bytes] = []
        self._running = False
        self._began = 0
        self._reply: Reply | None = None

    def begin(self, now: int) -> None:
        """A round begins, in which this client is to answer."""
        self._running, self._began, self._reply = True, now, None
        if self.gone or self.deaf:
            self._fail(now, Fault.FAILED, "has left" if self.gone else "is heard no more since it sent no JSON")
        unheard, self._unheard = self._unheard, []
        for data in unheard:
            self.hear(data, now)

    @property
    def settled(self) -> bool:
        """Whether this round need not wait for it."""
        return self._reply is not None

    def hear(self, data: bytes, now: int) -> None:
        """It says something."""
        if not self._running:
            if len(self._unheard) < _MOST_UNHEARD:
                self._unheard.append(data)
            return
        if self.deaf or (self._reply is not None and self._reply.fault is not None):
            return
        action = read_action(data)
        self.deaf = action is None and not _is_json(data)
        if self._reply is not None:
            self._fail(now, Fault.ILLEGAL, f"answered twice, the second time {_shown(data)}")
        elif action is not None:
            self._reply = Reply(action, now - self._began)
        else:
            what = "no JSON" if self.deaf else f"none of the actions {', '.join(ACTIONS)}"
            self._fail(now, Fault.ILLEGAL, f"sent {_shown(data)}, which is {what}")

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
        """It is out; the turn or the speed of an answer that it gave before still shows."""
        if self._reply is None:
            self._reply = Reply(None, now - self._began, fault, evidence)
        elif self._reply.fault is None and self._reply.move is not None:
            self._reply = Reply(ANSWERED_TWICE + self._reply.move, now - self._began, fault, evidence)


def _is_json(data: bytes) -> bool:
    try:
        msgspec.json.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False
    return True


def _shown(data: bytes) -> str:
    text = " ".join(data[:_MOST_SHOWN].decode(errors="replace").split())
    return repr(text) if len(data) <= _MOST_SHOWN else f"{text!r} … ({len(data):,} bytes)"
