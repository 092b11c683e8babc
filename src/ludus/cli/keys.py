"""Keys pressed on a terminal, one at a time."""

import codecs
import os
import select
from collections.abc import Iterator
from contextlib import contextmanager

try:
    import termios
    import tty

    AVAILABLE = True
except ImportError:  # Windows
    AVAILABLE = False
"""True if this platform has terminals whose keys can be read one at a time."""

ESCAPE = "escape"
_SEQUENCES = {
    "[A": "up",
    "[B": "down",
    "[C": "right",
    "[D": "left",
    "[H": "home",
    "[F": "end",
    "[1~": "home",
    "[4~": "end",
    "[5~": "page up",
    "[6~": "page down",
    "[7~": "home",
    "[8~": "end",
}
_LETTERS = {
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\b": "backspace",
    "\x03": "interrupt",
    "\x04": "interrupt",
}
_REST_OF_SEQUENCE = 0.05  # seconds that the rest of a sequence may take, after which Escape itself was meant


class Keys:
    """Reads keys by name: a letter, or one of `right`, `page up`, `enter`, `escape` and their like."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._unread = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("ignore")  # what is read may end within a letter

    def read(self, seconds: float) -> str | None:
        """The next key; None if no key was pressed in that time or it has no name. EOFError if no key can follow."""
        if not self._unread and not self._fill(seconds):
            return None
        letter, self._unread = self._unread[0], self._unread[1:]
        if letter == "\x1b":
            return self._sequence()
        return _LETTERS.get(letter, letter if letter.isprintable() else None)

    def _sequence(self) -> str | None:
        if not self._unread and not self._fill(_REST_OF_SEQUENCE):
            return ESCAPE
        if self._unread[0] not in "[O":
            return ESCAPE
        text, self._unread = self._unread[0], self._unread[1:]
        while self._unread or self._fill(_REST_OF_SEQUENCE):
            letter, self._unread = self._unread[0], self._unread[1:]
            text += letter
            if letter.isalpha() or letter == "~":
                break
        return _SEQUENCES.get(text.replace("O", "[", 1))

    def _fill(self, seconds: float) -> bool:
        if not select.select([self._descriptor], [], [], seconds)[0]:
            return False
        data = os.read(self._descriptor, 1024)
        if not data:
            raise EOFError
        self._unread += self._decoder.decode(data)
        return bool(self._unread)


@contextmanager
def reading_keys(descriptor: int) -> Iterator[Keys]:
    """Read keys as they are pressed, without showing them; Ctrl-C is the key `interrupt`."""
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        mode = termios.tcgetattr(descriptor)
        mode[tty.LFLAG] &= ~termios.ISIG
        termios.tcsetattr(descriptor, termios.TCSADRAIN, mode)
        yield Keys(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
