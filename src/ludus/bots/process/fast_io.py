"""The exchange of one message for an immediate answer, as compiled code.

The five system calls take 4 µs; from Python, with everything between them, they would take 11.
"""

from functools import partial
from select import POLLIN

import numpy as np
from numba import types

from ludus.kernel.deadline import now, read_clock
from ludus.kernel.jit import compiled, entry
from ludus.kernel.rules import Array, room

TICK = 20
"""Milliseconds between two checks of a busy bot."""
SPOKE_BEFORE, NOT_SENT = -1, -2
"""Results of `exchange` besides the number of bytes received: nothing, or only a part, was sent."""

_BEGAN, _ENDED, _CPU, _SENT, _STDIN, _CPU_CLOCK, _MESSAGE, _ANSWER = range(8)  # of `facts`; the last two are addresses
_AT_ONCE = 1 << 16
_poll = types.ExternalFunction("poll", types.int32(types.intp, types.uint64, types.int32))
_read = types.ExternalFunction("read", types.intp(types.int32, types.intp, types.uint64))
_write = types.ExternalFunction("write", types.intp(types.int32, types.intp, types.uint64))


@compiled
def exchange(streams: Array, facts: Array, size: int) -> int:
    """Send `size` bytes and read standard output for a tick; the number of bytes received, 0 if none.

    `streams` are the descriptors of standard output and standard error in the form that poll wants. If there is other
    input, or anything goes wrong, nothing is read and everything stays for the next reader.
    """
    timespec = room(2)
    if _poll(streams.ctypes.data, 2, 0) != 0:
        return SPOKE_BEFORE
    facts[_BEGAN] = now(timespec)
    facts[_SENT] = _write(facts[_STDIN], facts[_MESSAGE], size)
    if facts[_SENT] != size:
        return NOT_SENT
    received = 0
    if _poll(streams.ctypes.data, 2, TICK) == 1 and streams[3] == POLLIN:
        received = max(0, _read(streams[0], facts[_ANSWER], _AT_ONCE))
    facts[_ENDED] = now(timespec)
    facts[_CPU] = read_clock(facts[_CPU_CLOCK], timespec)
    return received


def load() -> None:
    """Load the compiled code now; later it would cost a bot its time."""
    Exchange(-1, -1, -1, 0)


class Exchange:
    """The buffers and streams for asking one process again and again."""

    def __init__(self, stdin: int, stdout: int, stderr: int, cpu_clock: int) -> None:
        self._streams = np.array([stdout, POLLIN, stderr, POLLIN], np.int32)
        message, answer = np.zeros((2, _AT_ONCE), np.uint8)
        self._message = memoryview(message.data)
        self._facts = np.array([0, 0, 0, 0, stdin, cpu_clock, message.ctypes.data, answer.ctypes.data], np.int64)
        self.answer = memoryview(answer.data)
        """Bytes received, up to the number that `ask` returns."""
        self.times = memoryview(self._facts.data)[: _CPU + 1]
        """Nanoseconds: when the message was sent, when the answer came, and the CPU clock of the process then."""
        self._run = partial(entry(exchange, self._streams, self._facts, 0), self._streams, self._facts)

    def forget(self, stream: int) -> None:
        """Stop listening to a closed stream."""
        self._streams[:4:2][self._streams[:4:2] == stream] = -1

    def ask(self, message: bytes) -> int:
        """Send a message and read the answer for a tick; return the result of `exchange`."""
        size = len(message)
        if size > _AT_ONCE:
            self._facts[_SENT] = 0
            return NOT_SENT
        self._message[:size] = message
        return self._run(size)

    @property
    def sent(self) -> int:
        """Number of bytes of the message that were sent."""
        return max(0, self._facts.item(_SENT))
