"""What the system itself keeps a bot's processes to, even if nobody looks; the meter knows more, and is exact.

Memory is not limited here: a limit on addresses (RLIMIT_AS) would stop Java and others, which reserve far more than
they use. On other systems than Linux nothing is limited here.
"""

import contextlib
import resource
import sys

from ludus.record import Limits


def impose(pid: int, limits: Limits) -> None:
    """Limit a process that was just started, and with it all that it will start."""
    if sys.platform == "linux":
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
            _limit(pid, resource.RLIMIT_NOFILE, limits.files, for_good=True)
            if limits.memory is not None:  # to the system, memory that processes share is a file as well
                _limit(pid, resource.RLIMIT_FSIZE, limits.disk + limits.memory, for_good=True)
            _limit(pid, resource.RLIMIT_CPU, _seconds(limits.cpu), for_good=False)


def grant_cpu(pid: int, used: int, limits: Limits) -> None:
    """Let a process that has used so many nanoseconds use as many more as are granted for an episode."""
    if sys.platform == "linux":
        with contextlib.suppress(ProcessLookupError):
            _limit(pid, resource.RLIMIT_CPU, _seconds(used + limits.cpu), for_good=False)


def _seconds(nanoseconds: int) -> int:
    return -(-nanoseconds // 10**9)


if sys.platform == "linux":

    def _limit(pid: int, which: int, value: int, *, for_good: bool) -> None:
        """Set a limit; one that is not for good can be raised later, by this process and the limited one alike."""
        hard = resource.prlimit(pid, which)[1]
        soft = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.prlimit(pid, which, (soft, soft if for_good else hard))
