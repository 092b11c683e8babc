"""The streams of one process of a bot: messages out, lines in, and evidence if something goes wrong.

Plain reads and writes on one poll: an event loop would cost several times as much as everything else here.
"""

import itertools
import os
import select
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ludus.bots.dialogue import FoulError
from ludus.bots.process.child import Child
from ludus.bots.process.fast_io import NOT_SENT, SPOKE_BEFORE, TICK, Exchange
from ludus.bots.process.meter import Meter
from ludus.core.errors import LudusError
from ludus.episode.limits import Limits
from ludus.episode.record import Fault

_AT_ONCE = 1 << 16
_BLOCKED = 1.0  # seconds after which a bot does not read what it is sent
_DYING = 0.2  # seconds between the end of what a bot says and its own, or longer:
_STILL_DYING = 2.0  # seconds, while it does not sleep: on a busy machine it may wait for a core to exit
_DRAINING = 0.05  # seconds, where something comes all the time
_LAST_MESSAGES = 8
_MOST_UNASKED = 20
_LONGEST_MESSAGE = 200
_LONGEST_SENTENCE = 400
_LOG_HEAD, _LOG_TAIL = 4 << 10, 12 << 10
_EVIDENCE_TAIL = 1000
_MEANINGS = {
    "SIGXCPU": "its CPU time is used up",
    "SIGXFSZ": "a file became larger than all that it may write",
}


class ProcessIO:
    """A process and its streams, line by line; whatever is wrong with the process is a FoulError."""

    def __init__(self, argv: Sequence[str], folder: Path, limits: Limits) -> None:
        """Start the process; LudusError if this fails because of the machine and not of the command."""
        try:
            self.child = Child(argv, folder, limits)
        except LudusError as error:
            raise FoulError(Fault.FAILED, str(error).removesuffix(".")) from None
        except OSError as error:
            raise LudusError(f"This machine cannot start {argv[0]}: {error.strerror or error}.") from None
        self.meter = Meter(self.child)
        self.lines: deque[bytes] = deque()
        self.log = Log()
        self._most = limits.output
        self._half = b""  # of a line
        self._heard = 0  # bytes since the last message
        self._asked = b""  # the last message
        self._messages: deque[bytes | list[bytes]] = deque(maxlen=_LAST_MESSAGES)  # sent, or lines that were heard
        self._closed = ""  # which of its streams it closed, in words
        self.unasked: list[bytes] = []
        """What it said without being asked, the first lines of it; whoever reads them empties the list."""
        self._exchange = Exchange(self.child.stdin, self.child.stdout, self.child.stderr, self.meter.clock)
        self._open = {self.child.stdout, self.child.stderr}
        self._poll = select.poll()
        for stream in self._open:
            self._poll.register(stream, select.POLLIN)

    @property
    def streams(self) -> set[int]:
        """The open streams that the bot writes to."""
        return self._open

    def send(self, message: bytes) -> None:
        """Send a message."""
        self._note(message)
        sent = self._write(message)
        if sent < len(message):
            self._send_rest(message[sent:])

    def _note(self, message: bytes) -> None:
        self._asked = message
        self._messages.append(message)
        self._heard = 0

    def exchange(self, message: bytes) -> tuple[int, int, int | None]:
        """Send a message and hear what is said within a tick.

        The moment when it was sent, that when the answer was there, if one is, and what the CPU clock showed then.
        """
        if self.lines or self._half:
            self.forget()
        exchange = self._exchange
        heard = exchange.ask(message)
        if heard == SPOKE_BEFORE:
            self.forget()
            began = time.monotonic_ns()
            self.send(message)
            return began, began, None
        self._note(message)
        if heard > 0:
            self.child.heard += heard
            self._hear(exchange.answer[:heard].tobytes())
            began, ended, cpu = exchange.times.tolist()
            return began, ended, cpu
        if heard == NOT_SENT:
            began = time.monotonic_ns()
            self._send_rest(message[exchange.sent :])
        else:
            began = exchange.times[0]
        return began, time.monotonic_ns(), None

    def _write(self, message: bytes) -> int:
        try:
            return os.write(self.child.stdin, message)
        except BlockingIOError:
            return 0
        except OSError:
            self._closed = "closed its standard input"
            raise FoulError(Fault.FAILED, self._closed) from None

    def _send_rest(self, message: bytes) -> None:
        deadline = time.monotonic() + _BLOCKED
        poll = select.poll()
        poll.register(self.child.stdin, select.POLLOUT)
        while message and time.monotonic() < deadline:
            poll.poll(TICK)
            message = message[self._write(message) :]
        if message:
            raise FoulError(Fault.FAILED, "does not read its standard input")

    def ready(self, milliseconds: float = TICK) -> list[tuple[int, int]]:
        """Wait so long at most; the streams on which something has come, with what that is."""
        return self._poll.poll(milliseconds)

    def take(self, stream: int) -> None:
        """Take what has come on a stream."""
        try:
            data = os.read(stream, _AT_ONCE)
        except BlockingIOError:
            return
        self.child.heard += len(data)
        if not data:
            self._open.discard(stream)
            self._poll.unregister(stream)
            self._exchange.forget(stream)
            if stream == self.child.stdout:
                self._closed = "closed its standard output"
                raise FoulError(Fault.FAILED, self._closed)
        elif stream == self.child.stderr:
            self.log.add(data)
        else:
            self._hear(data)

    def _hear(self, data: bytes) -> None:
        self._heard += len(data)
        if self._half:
            data = self._half + data
        lines = data.replace(b"\r", b"\n").split(b"\n")
        self._half = lines.pop()
        if lines:
            self.lines += lines
            self._messages.append(lines)
        if self._heard > self._most:
            raise FoulError(Fault.FAILED, f"wrote more than {self._most:,} bytes in answer to one message")

    def forget(self) -> None:
        """Set aside lines that came unasked, so that none is taken for an answer."""
        for stream, _ in self._poll.poll(0):
            self.take(stream)
        if self.lines or self._half:
            lines = (line for line in (*self.lines, self._half) if line.strip())
            self.unasked += itertools.islice(lines, _MOST_UNASKED - len(self.unasked))
            self.lines.clear()
            self._half = b""

    def look(self) -> None:
        """Check the limits, and that the main process runs: children may hold its streams open."""
        if broken := self.meter.tick():
            raise FoulError(Fault.FAILED, broken)
        if (status := self.child.status()) is not None:
            for stream, _ in self.ready(0):
                self.take(stream)
            if not self.lines:
                raise FoulError(Fault.FAILED, _ended(status))

    def evidence(self, sentence: str) -> str:
        """Evidence of a fault: a sentence, the last messages, and the end of standard error."""
        if self._closed:
            sentence = self._how_it_ended()
        said = self._last_messages()
        self.drain()
        log = self._end_of_log()
        parts = [shown(sentence.encode(), _LONGEST_SENTENCE)]
        parts += ["last messages:", *said] if said else []
        parts += ["standard error:", *log] if log else []
        return "\n".join(parts)

    def _how_it_ended(self) -> str:
        """The end of a process that closed a stream, in words: most have exited, and the others are told apart."""
        began = time.monotonic()
        while (status := self.child.status()) is None:
            waited, state = time.monotonic() - began, self.child.state()
            if waited > (_DYING if state == "sleeping" else _STILL_DYING):
                return f"{self._closed}, and its process is {state}"
            time.sleep(0.001)
        return _ended(status)

    def _last_messages(self) -> list[str]:
        said = []
        for message in self._messages:
            if isinstance(message, bytes):
                said.append(f"> {shown(message)}")
            else:
                said += [f"< {shown(line)}" for line in message if line.strip()]
        if self._half.strip():
            said.append(f"< {shown(self._half)} (half a line)")
        asked = f"> {shown(self._asked)}"
        if self._asked and asked not in said[-_LAST_MESSAGES:]:
            return [asked, "…", *said[2 - _LAST_MESSAGES :]]
        return said[-_LAST_MESSAGES:]

    def _end_of_log(self) -> list[str]:
        text = self.log.text()
        lines = text[-_EVIDENCE_TAIL:].strip().splitlines()
        if len(text) > _EVIDENCE_TAIL and len(lines) > 1:
            del lines[0]  # most likely not all of it
        return [_printable(line) for line in lines]

    def drain(self) -> None:
        """Take what has come by now, and forget all that is no log."""
        deadline = time.monotonic() + _DRAINING
        while streams := self.ready(0):
            for stream, _ in streams:
                with suppress(FoulError):
                    self.take(stream)
            self.lines.clear()
            self._heard = 0
            if time.monotonic() > deadline:
                return

    def end(self, patience: float) -> list[str]:
        """Let the process go, which has so many seconds to exit by itself; what is to be remarked of that."""
        remarks = self.child.end(patience)
        self.log.add(self.child.last_words)
        self._open.clear()
        self._poll = select.poll()
        return remarks


class Log:
    """The standard error of a bot: its beginning and its end."""

    def __init__(self) -> None:
        self._head = b""
        self._tail = b""
        self._size = 0

    def add(self, data: bytes) -> None:
        """Add bytes, and keep the head and the tail of all."""
        self._size += len(data)
        room = _LOG_HEAD - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail = (self._tail + data)[-_LOG_TAIL:]

    def take(self) -> str:
        """All that was kept; a new log begins."""
        text = self.text()
        self.__init__()  # type: ignore[misc]
        return text

    def text(self) -> str:
        """All that was kept, with a line where something is left out."""
        missing = self._size - len(self._head) - len(self._tail)
        gap = f"\n… {missing:,} bytes left out …\n".encode() if missing else b""
        return (self._head + gap + self._tail).decode(errors="replace").replace("\0", "�")


def _ended(status: str) -> str:
    meaning = next((f": {words}" for signal, words in _MEANINGS.items() if signal in status), "")
    return f"its process {status}{meaning}"


def shown(message: bytes, most: int = _LONGEST_MESSAGE) -> str:
    """A message in one line, cut short."""
    text = _printable(" ".join(message[:most].decode(errors="replace").split()))
    return f"{text} … ({len(message):,} bytes)" if len(message) > most else text


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "�" for letter in text)
