"""System limits on a bot's processes, which hold even between two measurements; the meter knows more, and is exact.

Memory is not limited here: a limit on addresses (RLIMIT_AS) would stop Java and others, which reserve far more than
they use. On systems other than Linux nothing is limited here.

The limit on processes is the system's, which counts all threads of the user, so it is generous: it bounds programs that
keep starting processes between two measurements. Root is not bound by it. In a container it is not set, because other
processes of the same user there cannot be counted.
"""

import contextlib
import os
import resource
import sys
import time

from ludus.episode.limits import Limits

_MORE_THREADS = 1000  # on top of the present ones, for each core: for all bots and the user's other programs
_COUNT_AFTER = 10.0  # seconds between two counts of the threads
_WHOLE_MACHINE = "pid:[4026531836]"  # namespace with all processes; the number is the same on every Linux


def impose(pid: int, limits: Limits) -> None:
    """Limit a new process, and all its descendants."""
    if sys.platform == "linux":
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
            _limit(pid, resource.RLIMIT_NOFILE, limits.files, for_good=True)
            if limits.memory is not None:  # the system treats shared memory as a file
                _limit(pid, resource.RLIMIT_FSIZE, limits.disk + limits.memory, for_good=True)
            _limit(pid, resource.RLIMIT_CPU, _seconds(limits.cpu), for_good=False)
            if (most := _most_threads()) is not None:
                _limit(pid, resource.RLIMIT_NPROC, most, for_good=True)
            with contextlib.suppress(OSError), open(f"/proc/{pid}/oom_score_adj", "w") as file:
                file.write("1000")  # if memory runs out, the kernel must kill bots, not their manager


def grant_cpu(pid: int, used: int, limits: Limits) -> None:
    """Grant CPU time for an episode to a process that has already used `used` nanoseconds."""
    if sys.platform == "linux":
        with contextlib.suppress(ProcessLookupError):
            _limit(pid, resource.RLIMIT_CPU, _seconds(used + limits.cpu), for_good=False)


def _seconds(nanoseconds: int) -> int:
    return -(-nanoseconds // 10**9)


if sys.platform == "linux":
    _counted, _at = None, -_COUNT_AFTER

    def _most_threads() -> int | None:
        """Number of threads this user may have; None if they cannot be counted."""
        global _counted, _at
        if time.monotonic() - _at >= _COUNT_AFTER:
            _at = time.monotonic()
            with contextlib.suppress(OSError):
                _counted = _threads() if os.readlink("/proc/self/ns/pid") == _WHOLE_MACHINE else None
        return None if _counted is None else _counted + _MORE_THREADS * (os.cpu_count() or 1)

    def _threads() -> int:
        """Count the threads of this user: a folder has a link for each folder inside, here for each thread."""
        found = 0
        for pid in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):  # it has ended
                tasks = os.stat(f"/proc/{pid}/task")
                found += tasks.st_nlink - 2 if tasks.st_uid == os.getuid() else 0
        return found

    def _limit(pid: int, which: int, value: int, *, for_good: bool) -> None:
        """Set a limit; unless it is for good, this process and the limited one can raise it later."""
        hard = resource.prlimit(pid, which)[1]
        soft = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.prlimit(pid, which, (soft, soft if for_good else hard))
