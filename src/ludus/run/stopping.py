"""Stops on Ctrl-C, at a moment when nothing is half done."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Stop:
    """A flag set by SIGINT or SIGTERM."""

    def __init__(self) -> None:
        self._asked = False

    def check(self) -> None:
        """Raise KeyboardInterrupt if a stop was requested."""
        if self._asked:
            raise KeyboardInterrupt

    def ask(self, _number: int, _frame: FrameType | None) -> None:
        """Request a stop; a second request stops at once."""
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True


@contextmanager
def interruptible() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C, so that open resources are closed."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def stopping() -> Iterator[Stop]:
    """Treat SIGINT and SIGTERM as requests; only the main thread receives signals."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, stop.ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
