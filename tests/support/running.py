"""The program: as a real process with pipes or on a terminal, or, where that proves no less, in this process."""

import codecs
import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
import tty
from pathlib import Path

import pytest

from ludus.cli import app, main, screen

PROGRAM = Path(sys.executable).with_name("ludus")
PATIENCE = 600.0
"""Seconds after which it hangs: a slow machine takes minutes to compile what a command needs."""


def ludus(*arguments: str, said: str = "", columns: int = 80, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program to its end in this process, which saves a second, with `said` on standard input."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"COLUMNS": str(columns), **environment}.items():
            patch.setenv(name, value)
        for name, stream in (("stdin", io.StringIO(said)), ("stdout", out), ("stderr", err)):
            patch.setattr(sys, name, stream)
        patch.setattr(sys, "argv", ["ludus", *arguments])
        patch.setattr(app, "collect_rarely", lambda: None)  # it would keep all that tests have left behind
        _forget_screens()
        with pytest.raises(SystemExit) as ended:
            main()
    _forget_screens()
    assert isinstance(ended.value.code, int)
    return subprocess.CompletedProcess(arguments, ended.value.code, out.getvalue(), err.getvalue())


def _forget_screens() -> None:
    """They have the width that was when they were made."""
    screen.output.cache_clear()
    screen.errors.cache_clear()


def program(*arguments: str, said: str = "", columns: int = 80, **environment: str) -> subprocess.CompletedProcess[str]:
    """The same as a process: for what a process of its own may lack or do, once for each command at least."""
    return subprocess.run(
        [PROGRAM, *arguments],
        input=said,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=os.environ | {"COLUMNS": str(columns)} | environment,
        check=False,
    )


def hear_interrupts() -> None:
    """For a process that is to be interrupted: a job in the background is started so that it ignores that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """The program on a terminal of its own, which is as wide as `columns` for ever, or has a `size` that may change."""

    def __init__(
        self, *arguments: str, columns: int = 80, size: tuple[int, int] | None = None, **environment: str
    ) -> None:
        self._master, slave = pty.openpty()
        environment = os.environ | {"COLUMNS": str(columns), "TERM": "xterm"} | environment
        if size is not None:
            del environment["COLUMNS"]
            self.resize(*size)
        self._process = subprocess.Popen(
            [PROGRAM, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment
        )
        os.close(slave)
        self.raw = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()  # what is read may end within a letter
        self._seen = 0
        self.echoed_at_end = False

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        termios.tcsetwinsize(self._master, (rows, columns))

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program."""
        self._process.send_signal(number)

    def wait_for(self, text: str) -> None:
        """Read until the text appears on the screen, after what was waited for before."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.text[self._seen :]:
            assert time.monotonic() < deadline, f"no {text!r} in {self.text!r}"
            assert self._read(1.0) is not False, f"ended without {text!r}: {self.text!r}"
        self._seen = self.text.index(text, self._seen) + len(text)

    def type(self, text: str) -> None:
        """Type something."""
        os.write(self._master, text.encode())

    def end(self) -> int:
        """Read to the end and return the exit status."""
        while self._read(PATIENCE):
            pass
        self.echoed_at_end = bool(termios.tcgetattr(self._master)[tty.LFLAG] & termios.ECHO)
        os.close(self._master)
        return self._process.wait(60)

    def _read(self, seconds: float) -> bool | None:
        """Read some output; False at the end, None if nothing came in time."""
        if not select.select([self._master], [], [], seconds)[0]:
            return None
        try:
            data = os.read(self._master, 65536)
        except OSError:  # how Linux says that the other end is closed
            return False
        self.raw += self._decoder.decode(data)
        return bool(data)

    @property
    def text(self) -> str:
        """The content of the screen, without colours."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.raw)
