"""The streams of one process of a bot: messages out, lines in, and evidence if something goes wrong.

Plain reads and writes on one poll, because an event loop would cost several times as much as everything else here.
"""

import itertools
import os
import select
import time
from collections import deque
from contextlib import suppress

from ludus.bots.dialogue import FoulError, Program
from ludus.bots.process.child import Child
from ludus.bots.process.fast_io import NOT_SENT, SPOKE_BEFORE, TICK, Exchange
from ludus.bots.process.meter import Meter
from ludus.core.errors import LudusError
from ludus.episode.limits import Limits
from ludus.episode.record import Fault

_AT_ONCE = 1 << 16
_BLOCKED = 1.0  # seconds after which a bot counts as not reading its input
_DYING = 0.2  # seconds between the end of its output and its exit, or longer:
_STILL_DYING = 2.0  # seconds while it is not asleep: on a busy machine it may wait for a core in order to exit
_DRAINING = 0.05  # seconds, if output keeps coming
_LAST_MESSAGES = 8
_MOST_UNASKED = 20
_LONGEST_MESSAGE = 200
_LONGEST_SENTENCE = 400
_LOG_HEAD, _LOG_TAIL = 4 << 10, 12 << 10
_EVIDENCE_TAIL = 1000
_MEANINGS = {
    "SIGXCPU": "its CPU time was used up",
    "SIGXFSZ": "a file exceeded the limit on written bytes",
}


class ProcessIO:
    """A process and its streams, line by line; any problem with the process is a FoulError."""

    def __init__(self, program: Program, limits: Limits) -> None:
        """Start the process; LudusError if the machine is the reason for a failure, not the command."""
        self._ponders = program.ponders
        try:
            self.child = Child(program.argv, program.folder, limits, program.variables)
        except LudusError as error:
            raise FoulError(Fault.FAILED, str(error).removesuffix(".")) from None
        except OSError as error:
            raise LudusError(f"This machine cannot start {program.argv[0]}: {error.strerror or error}.") from None
        self.meter = Meter(self.child)
        self.lines: deque[bytes] = deque()
        self.log = Log()
        self._most = limits.output
        self._half = b""  # of a line
        self._received = 0  # bytes since the last message
        self._asked = b""  # the last message
        self._messages: deque[bytes | list[bytes]] = deque(
            maxlen=_LAST_MESSAGES
        )  # sent messages, and lists of received lines
        self._closed = ""  # the stream that it closed, in words
        self.unasked: list[bytes] = []
        """The first lines that it sent without being asked; the reader empties the list."""
        self._exchange = Exchange(self.child.stdin, self.child.stdout, self.child.stderr, self.meter.clock)
        self._open = {self.child.stdout, self.child.stderr}
        self._poll = select.poll()
        for stream in self._open:
            self._poll.register(stream, select.POLLIN)

    @property
    def streams(self) -> set[int]:
        """Open output streams of the bot."""
        return self._open

    def rest(self) -> None:
        """Stop the bot in the turns of others, unless it may ponder."""
        if not self._ponders:
            self.child.freeze()

    def send(self, message: bytes) -> None:
        """Send a message."""
        self._note(message)
        sent = self._write(message)
        if sent < len(message):
            self._send_rest(message[sent:])

    def _note(self, message: bytes) -> None:
        self._asked = message
        self._messages.append(message)
        self._received = 0

    def exchange(self, message: bytes) -> tuple[int, int, int | None]:
        """Send a message and read the answer for a tick.

        Returns the moment of sending, the moment of the answer if it has come, and the CPU clock at that time.
        """
        if self.lines or self._half:
            self.forget()
        exchange = self._exchange
        received = exchange.ask(message)
        if received == SPOKE_BEFORE:
            self.forget()
            began = time.monotonic_ns()
            self.send(message)
            return began, began, None
        self._note(message)
        if received > 0:
            self.child.received += received
            self._receive(exchange.answer[:received].tobytes())
            began, ended, cpu = exchange.times.tolist()
            return began, ended, cpu
        if received == NOT_SENT:
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
        """Wait at most this long; return the streams with new data, and the kind of each event."""
        return self._poll.poll(milliseconds)

    def take(self, stream: int) -> None:
        """Read the data that has come on a stream."""
        try:
            data = os.read(stream, _AT_ONCE)
        except BlockingIOError:
            return
        self.child.received += len(data)
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
            self._receive(data)

    def _receive(self, data: bytes) -> None:
        self._received += len(data)
        if self._half:
            data = self._half + data
        lines = data.replace(b"\r", b"\n").split(b"\n")
        self._half = lines.pop()
        if lines:
            self.lines += lines
            self._messages.append(lines)
        if self._received > self._most:
            raise FoulError(Fault.FAILED, f"wrote more than {self._most:,} bytes in answer to one message")

    def forget(self) -> None:
        """Set aside lines that came unasked, so that none counts as an answer."""
        for stream, _ in self._poll.poll(0):
            self.take(stream)
        if self.lines or self._half:
            lines = (line for line in (*self.lines, self._half) if line.strip())
            self.unasked += itertools.islice(lines, _MOST_UNASKED - len(self.unasked))
            self.lines.clear()
            self._half = b""

    def look(self) -> None:
        """Check the limits, and that the main process runs: children may keep its streams open."""
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
        messages = self._last_messages()
        self.drain()
        log = self._end_of_log()
        parts = [shown(sentence.encode(), _LONGEST_SENTENCE)]
        parts += ["last messages:", *messages] if messages else []
        parts += ["standard error:", *log] if log else []
        return "\n".join(parts)

    def _how_it_ended(self) -> str:
        """The end of the process that closed a stream, in words; most have exited, but some still run."""
        began = time.monotonic()
        while (status := self.child.status()) is None:
            waited, state = time.monotonic() - began, self.child.state()
            if waited > (_DYING if state == "sleeping" else _STILL_DYING):
                return f"{self._closed}, and its process is {state}"
            time.sleep(0.001)
        return _ended(status)

    def _last_messages(self) -> list[str]:
        messages = []
        for message in self._messages:
            if isinstance(message, bytes):
                messages.append(f"> {shown(message)}")
            else:
                messages += [f"< {shown(line)}" for line in message if line.strip()]
        if self._half.strip():
            messages.append(f"< {shown(self._half)} (half a line)")
        asked = f"> {shown(self._asked)}"
        if self._asked and asked not in messages[-_LAST_MESSAGES:]:
            return [asked, "…", *messages[2 - _LAST_MESSAGES :]]
        return messages[-_LAST_MESSAGES:]

    def _end_of_log(self) -> list[str]:
        text = self.log.text()
        lines = text[-_EVIDENCE_TAIL:].strip().splitlines()
        if len(text) > _EVIDENCE_TAIL and len(lines) > 1:
            del lines[0]  # probably incomplete
        return [_printable(line) for line in lines]

    def drain(self) -> None:
        """Read all pending output, and keep only the log."""
        deadline = time.monotonic() + _DRAINING
        while streams := self.ready(0):
            for stream, _ in streams:
                with suppress(FoulError):
                    self.take(stream)
            self.lines.clear()
            self._received = 0
            if time.monotonic() > deadline:
                return

    def end(self, patience: float) -> list[str]:
        """Release the process, which has `patience` seconds to exit by itself; return notes on that."""
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
        """Add bytes; the head and the tail of the whole are kept."""
        self._size += len(data)
        room = _LOG_HEAD - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail = (self._tail + data)[-_LOG_TAIL:]

    def take(self) -> str:
        """Return all that was kept, and start a new log."""
        text = self.text()
        self.__init__()  # type: ignore[misc]
        return text

    def text(self) -> str:
        """All that was kept, with a line in place of any gap."""
        missing = self._size - len(self._head) - len(self._tail)
        gap = f"\n… {missing:,} bytes left out …\n".encode() if missing else b""
        return (self._head + gap + self._tail).decode(errors="replace").replace("\0", "�")


def _ended(status: str) -> str:
    meaning = next((f": {words}" for signal, words in _MEANINGS.items() if signal in status), "")
    return f"its process {status}{meaning}"


def shown(message: bytes, most: int = _LONGEST_MESSAGE) -> str:
    """A message on one line, shortened."""
    text = _printable(" ".join(message[:most].decode(errors="replace").split()))
    return f"{text} … ({len(message):,} bytes)" if len(message) > most else text


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "�" for letter in text)
