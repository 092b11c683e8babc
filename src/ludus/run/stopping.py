"""Stops on Ctrl-C, at a moment when nothing is half done."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Stop:
    """Whether SIGINT or SIGTERM has asked to stop."""

    def __init__(self) -> None:
        self._asked = False

    def check(self) -> None:
        """Raise KeyboardInterrupt if a stop was asked for."""
        if self._asked:
            raise KeyboardInterrupt

    def ask(self, _number: int, _frame: FrameType | None) -> None:
        """Ask; who asks twice does not want to wait."""
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True


@contextmanager
def interruptible() -> Iterator[None]:
    """Take a polite end of the process for Ctrl-C, so that what is open is closed."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def stopping() -> Iterator[Stop]:
    """Take Ctrl-C and a polite end of the process as wishes; other threads than the first hear no signals."""
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
