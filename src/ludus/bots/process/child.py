"""The main process of a bot: started with pipes, and ended together with all its descendants."""

import contextlib
import errno
import os
import select
import shutil
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import psutil

from ludus.bots.process.environment import NO_VARIABLES
from ludus.bots.process.family import reap
from ludus.bots.process.rlimits import impose
from ludus.bots.process.start import starter
from ludus.bots.process.usage import Files
from ludus.core.errors import InvalidError
from ludus.episode.limits import Limits

_LONGEST_WORDS = 1 << 16
_LOOK_AGAIN = 5  # milliseconds, if the system does not report that a process has ended
_DYING = 5.0  # seconds for a killed process to end, more than a healthy system needs
_BOTS_FAULT = {errno.ENOENT, errno.EACCES, errno.EPERM, errno.ENOEXEC, errno.ENOTDIR, errno.EISDIR, errno.ELOOP}
_BOTS_FAULT |= {errno.ENAMETOOLONG, errno.E2BIG, errno.EINVAL, errno.ETXTBSY}


class Child:
    """The main process of a bot. Its standard streams are descriptors that do not block."""

    def __init__(
        self, argv: Sequence[str], folder: Path, limits: Limits, variables: Mapping[str, str] = NO_VARIABLES
    ) -> None:
        """Start a program in a folder, with variables of its own.

        LudusError if the command cannot be run, OSError if nothing can be started.
        """
        start = starter().start
        (stdin, to_stdin), (from_stdout, stdout), (from_stderr, stderr) = _pipes()
        ours, theirs = (to_stdin, from_stdout, from_stderr), (stdin, stdout, stderr)
        try:
            self.family = start(argv, folder, variables, stdin, stdout, stderr)
        except (OSError, ValueError) as error:
            _close(ours)
            if isinstance(error, OSError) and error.errno not in _BOTS_FAULT:
                raise
            raise InvalidError(_why_not(argv, folder, error)) from None
        finally:
            _close(theirs)
        try:
            impose(self.family.main, limits)
            for descriptor in ours:
                os.set_blocking(descriptor, False)
        except BaseException as error:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(self.family.main, signal.SIGKILL)  # it may lack the tag by which its family knows it
                os.waitpid(self.family.main, 0)
            self.family.bring_down()
            _close(ours)
            if isinstance(error, PermissionError):
                raise InvalidError(
                    f"{argv[0]} runs as another user and cannot be limited: name the program that it starts."
                ) from None
            raise
        self.pid = self.family.main
        self.stdin, self.stdout, self.stderr = ours
        self.limits = limits
        self.folder = folder
        self.files = Files()
        self.received = 0
        """Number of bytes read from its standard output."""
        self.last_words = b""
        """Standard error that was still unread when it was ended."""
        self.has_strays = False
        """True if some of its processes are known to have left its process group."""
        self.is_frozen = self.freezes = False
        """True if it is stopped now, or ever was: then it does nothing in the turns of others."""
        self._status: str | None = None
        self._ended = False

    def freeze(self) -> None:
        """Stop all its processes until `thaw`: 3 µs for both together, unless some have left its process group."""
        if not self._ended:
            self.is_frozen = self.freezes = True
            self.family.signal(signal.SIGSTOP, strays=self.has_strays)

    def thaw(self) -> None:
        """Let its processes go on."""
        if self.is_frozen:
            self.is_frozen = False
            self.family.signal(signal.SIGCONT, strays=self.has_strays)

    def status(self) -> str | None:
        """The end of the main process in words, or None while it runs; its zombie stays until `end`."""
        if self._status is None and (code := self._exit_code()) is not None:
            self._status = f"ended with status {code}" if code >= 0 else f"was killed by signal {_signal(-code)}"
        return self._status

    def state(self) -> str:
        """The state of the main process, in a word."""
        try:
            return str(psutil.Process(self.pid).status()) if not self._ended else "gone"
        except psutil.Error:
            return "gone"

    def end(self, patience: float) -> list[str]:
        """Close its input, wait up to `patience` seconds, kill what is left, close everything; return notes."""
        if self._ended:
            return []
        self.thaw()
        self._ended = True
        remarks = []
        os.close(self.stdin)
        if not self._exits_within(patience):
            if patience:
                remarks.append(f"was still there {patience:g} s after the end, and was killed")
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(self.pid, signal.SIGKILL)
            self._exits_within(_DYING)
        reap(self.pid)
        if left := self.family.bring_down():
            remarks.append(_left(left))
        self._listen(self.stderr)
        _close((self.stdout, self.stderr))
        self.files.close()
        self.stdin = self.stdout = self.stderr = -1
        return remarks

    def _exits_within(self, seconds: float) -> bool:
        """True if the process exits in that time. Its output is read, so that no full pipe keeps it from exiting."""
        deadline = time.monotonic() + seconds
        poll = select.poll()
        poll.register(self.stdout, select.POLLIN)
        poll.register(self.stderr, select.POLLIN)
        with _notice_of_exit(self.pid) as notice:
            if notice is not None:
                poll.register(notice, select.POLLIN)
            while self.status() is None:
                left = 1000 * (deadline - time.monotonic())
                if left <= 0:
                    return False
                for descriptor, _ in poll.poll(left if notice is not None else min(left, _LOOK_AGAIN)):
                    if descriptor != notice and not self._listen(descriptor):
                        poll.unregister(descriptor)
        return True

    def _listen(self, descriptor: int) -> bool:
        """Read what has come; True if more may come."""
        try:
            data = os.read(descriptor, _LONGEST_WORDS)
        except BlockingIOError:
            return True
        if descriptor == self.stderr:
            self.last_words = (self.last_words + data)[:_LONGEST_WORDS]
        return bool(data)

    if sys.platform == "linux":

        def _exit_code(self) -> int | None:
            try:
                found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return None
            if found is None:
                return None
            return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status

    else:

        def _exit_code(self) -> int | None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                return None
            return os.waitstatus_to_exitcode(status) if pid else None


@contextlib.contextmanager
def _notice_of_exit(pid: int) -> Iterator[int | None]:
    """A descriptor that becomes readable when this process exits, if the system offers such."""
    try:
        notice = os.pidfd_open(pid)
    except (AttributeError, OSError):
        yield None
        return
    try:
        yield notice
    finally:
        os.close(notice)


def _pipes() -> list[tuple[int, int]]:
    """Create three pipes, or raise OSError and create none."""
    made: list[tuple[int, int]] = []
    try:
        for _ in range(3):
            made.append(os.pipe())
    except OSError:
        _close(end for ends in made for end in ends)
        raise
    return made


def _close(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def _signal(number: int) -> str:
    try:
        return f"{number} ({signal.Signals(number).name})"
    except ValueError:
        return str(number)


def _left(names: list[str]) -> str:
    some = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
    if len(names) == 1:
        return f"left a process running ({some}), which was killed"
    return f"left {len(names)} processes running ({some}), which were killed"


def _why_not(argv: Sequence[str], folder: Path, error: OSError | ValueError) -> str:
    program = argv[0]
    if not folder.is_dir():
        why = f"there is no folder {folder}"
    elif isinstance(error, ValueError):
        why = f"its command is not valid ({error})"
    elif error.errno == errno.ENOEXEC:
        why = "it is not a program; a script begins with a line such as #!/bin/sh"
    elif error.errno == errno.ENOENT and (found := shutil.which(program)):
        why = f"the program in the first line of {found} does not exist"
    elif error.errno == errno.ENOENT:
        why = "there is no such program"
    elif error.errno == errno.EACCES and Path(folder, program).is_file():
        why = "it is not executable; run chmod +x on it"
    else:
        why = str(error.strerror)
    return f"{program} cannot be started: {why}."
