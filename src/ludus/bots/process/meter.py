"""The meter of a bot: resources used for each move, and the first limit that was broken."""

from collections.abc import Iterable, Mapping
from os import pread
from time import clock_gettime_ns, monotonic_ns, thread_time_ns

from ludus.bots.process.child import Child
from ludus.bots.process.family import reap
from ludus.bots.process.new_files import NewFiles
from ludus.bots.process.rlimits import grant_cpu
from ludus.bots.process.usage import PAGE, ThreadWaits, Usage, clock_of, fair_share, peak, thread_files, usage, written
from ludus.core.text import spoken_size, spoken_time
from ludus.episode.cost import Cost
from ludus.episode.waiting import SHORT

_LOOK_AFTER = 20_000_000  # nanoseconds between two looks at the whole family, or longer:
_LOOK_COST = 50  # times the duration of the look, so that looks take at most 2 % of the time
_BRIEF = 1_000_000  # nanoseconds between two moves, too short for a bot to do anything
_INSTANT = 100_000  # nanoseconds: too short to take much memory, or to compute anything
_LONG = 3_000_000  # nanoseconds of a move after which a full measurement is worth its cost
_IN_PIPES = 128 << 10  # bytes of its output that may still be unread
_PONDERING = 10**8  # nanoseconds of CPU in the turns of others that are reported, if they are a tenth of the time
_CHILDLESS = 50  # looks without CPU of children, after which none are expected


class Meter:
    """Measures a bot in one episode, from its creation on.

    A bot of one process with one thread costs 5 µs a move. The whole family is checked every 20 ms while it thinks, and
    when the next move is requested. A process that comes and goes in between is counted when its parent has waited for
    it, to 10 ms of CPU. All written bytes count except those sent to the manager: a file in memory (tmpfs) cannot be
    distinguished from a pipe between two processes of the bot. Systems other than Linux report neither how long a bot
    waited nor what it wrote. A meter is useless once its child has ended.
    """

    def __init__(self, child: Child) -> None:
        self._child = child
        self._limits = child.limits
        self._files = child.files
        self.clock = clock_of(child.pid)
        """Clock of the CPU time of the main process."""
        self._statm = self._files.descriptor(f"{child.pid}/statm")
        self._waiting = ThreadWaits(self._files, child.pid)
        self.broken: str | None = None
        """The first limit that was broken, in words, even if that happened in moves shorter than a tick."""
        self._family: list[int] = []
        self._alone = self._suspected = False
        self._childless = 0
        self._cpu_of_children = self._cpu_of_orphans = 0
        self._written_by_orphans = self._written_before = (0, 0)
        self._new_files = NewFiles(child.folder)
        self._began = self._cpu = self._held = self._memory = self._peak = 0
        self._cpu_before = self._cpu_between = self._time_between = 0
        self._cpu_before, self._written_before = self._look()
        self._cpu_after, self._ended = self._cpu_before, monotonic_ns()
        self.broken = None
        self._due = self._peak = 0  # by the time of its first move it may have threads and children
        for pid in self._family:  # CPU time of earlier episodes does not count in this one
            grant_cpu(pid, self._cpu_before, self._limits)

    def begin(self) -> int:
        """Begin a move just before the bot is asked; return the moment from which its time counts."""
        now = monotonic_ns()
        if now >= self._due:
            if self._child.freezes:
                self._new_files.skip()
            self._look()
            now = monotonic_ns()
        if now >= self._waiting.due:
            self._waiting.begin(now)
        self._memory = self._held
        self._began, idle = now, now - self._ended
        self._time_between += idle
        if self._alone and idle < _BRIEF:
            self._cpu = self._cpu_after  # it only went back to waiting in between
            return now
        self._cpu = clock_gettime_ns(self.clock) + self._cpu_of_children if self._alone else self._use()
        if self._cpu - self._cpu_after > _INSTANT:  # otherwise it has not changed
            self._cpu_between += self._cpu - self._cpu_after
        return now

    def tick(self) -> str | None:
        """Check the limits, and return the broken one in words; call it every 20 ms while a bot thinks."""
        if monotonic_ns() >= self._due:
            self._look()
        elif self._alone:
            self._holds(int(pread(self._statm, 64, 0).split(None, 2)[1]) * PAGE)
        return self.broken

    def end(self, ended: int | None = None, cpu: int = 0) -> Cost:
        """End a move, with an answer or without; return its cost except for the wall time, which the clock knows.

        If the moment was noted, with the value of `clock` at that time, neither is read again.
        """
        self._ended = monotonic_ns() if ended is None else ended
        took = self._ended - self._began
        if self._alone:
            self._cpu_after = (clock_gettime_ns(self.clock) if ended is None else cpu) + self._cpu_of_children
            if took > _INSTANT:
                self._count_files()
                self._holds(int(pread(self._statm, 64, 0).split(None, 2)[1]) * PAGE)
        else:
            self._count_files()
            self._cpu_after = self._use()
        if took > _LONG:
            self._see_peak()
        waited = 0 if took < SHORT else self._waiting.end(took)
        used = self._cpu_after - self._cpu
        return Cost(cpu=used if used > 0 else 0, waited=waited, memory=self._memory)

    def between(self) -> tuple[int, int]:
        """CPU time used between moves so far, and the time that passed between them, in nanoseconds."""
        cpu = clock_gettime_ns(self.clock) + self._cpu_of_children if self._alone else self._use()
        time = self._time_between + monotonic_ns() - self._ended
        return self._cpu_between + max(0, cpu - self._cpu_after), time

    def pondering(self) -> list[str]:
        """A note on CPU time used in the turns of others, who share the core; none if there is little of it."""
        cpu, time = self.between()
        return (
            [f"used {spoken_time(cpu)} of CPU while others were thinking"] if cpu > max(_PONDERING, time // 10) else []
        )

    def _look(self) -> tuple[int, tuple[int, int]]:
        """Check the whole family; return its CPU time, bytes sent to a disk, and bytes written anywhere, so far."""
        cost = thread_time_ns()
        main = self._child.pid
        used = {pid: each for pid in {main, *self._child.family.members()} if (each := usage(self._files, pid))}
        disk = {pid: written(self._files, pid) for pid in used}
        for pid in [pid for pid, each in used.items() if not each.runs and pid != main and reap(pid)]:
            self._cpu_of_orphans += used.pop(pid).cpu
            self._written_by_orphans = _added(self._written_by_orphans, disk.pop(pid))
        if len(used) > 1:
            self._note_strays(used)
        self._note(used)
        self._holds(sum(each.memory for each in used.values()))
        self._see_peak()
        all_cpu = self._cpu_of_orphans + sum(each.cpu for each in used.values())
        to_disk, anywhere = _added(self._written_by_orphans, *disk.values())
        all_written = to_disk, anywhere - self._child.received
        processes = sum(each.runs for each in used.values())
        before = self._written_before
        put = max(all_written[0] - before[0], all_written[1] - before[1] - _IN_PIPES)
        self._check(processes, all_cpu - self._cpu_before, put)
        self._due = monotonic_ns() + max(_LOOK_AFTER, _LOOK_COST * (thread_time_ns() - cost))
        return all_cpu, all_written

    def _note_strays(self, pids: Iterable[int]) -> None:
        """Look for processes that have left the process group; new ones of a frozen bot are stopped too."""
        child = self._child
        if any(child.family.is_stray(pid) for pid in pids):
            child.has_strays = True
            if child.is_frozen:
                child.freeze()

    def _note(self, used: Mapping[int, Usage]) -> None:
        """Note the present processes; a single process is measured in a simpler way."""
        self._family = sorted(used)
        main = used.get(self._child.pid)
        of_children = self._cpu_of_orphans + (main.reaped if main is not None else 0)
        self._childless = self._childless + 1 if of_children == self._cpu_of_children else 0
        self._cpu_of_children = of_children
        childless = not of_children or self._childless > _CHILDLESS
        self._alone = self._statm >= 0 and self._family == [self._child.pid] and childless
        threads = [file for pid in self._family for file in thread_files(pid)]
        self._files.keep(self._family, threads)
        self._waiting.learn(threads)

    def _use(self) -> int:
        """The CPU time of the family as of the last look; its memory is noted."""
        used = [each for pid in self._family if (each := usage(self._files, pid))]
        self._holds(sum(each.memory for each in used))
        return self._cpu_of_orphans + sum(each.cpu for each in used)

    def _holds(self, memory: int) -> None:
        """Note the memory of the family."""
        limit = self._limits.memory
        if limit is not None and memory > limit and len(self._family) > 1:
            memory = sum(fair_share(pid) for pid in self._family) or memory
            self._suspected, before = memory > limit, self._suspected
            if self._suspected and not before:
                return  # before exec a process may run in the memory of another (vfork), which counts once
        self._held = memory
        self._saw(memory)

    def _see_peak(self) -> None:
        """Note the most memory that the main process held since the last look, even if some was released."""
        if (most := peak(self._files, self._child.pid)) > self._peak:
            self._peak = most
            self._saw(most)

    def _saw(self, memory: int) -> None:
        """Note the memory of the family at some time of the move."""
        self._memory = max(self._memory, memory)
        limit = self._limits.memory
        if limit is not None and memory > limit:
            self._broke(f"held {spoken_size(memory)} with a limit of {spoken_size(limit)}")

    def _check(self, processes: int, cpu: int, disk: int) -> None:
        limits = self._limits
        if not self._child.is_frozen:
            self._count_files()
        if processes > limits.processes:
            self._broke(f"runs {processes} processes with a limit of {limits.processes}")
        if cpu > limits.cpu:
            self._broke(f"took {spoken_time(cpu)} of CPU with a limit of {spoken_time(limits.cpu)}")
        if disk > limits.disk:
            self._broke(f"wrote {spoken_size(disk)} to files with a limit of {spoken_size(limits.disk)}")

    def _count_files(self) -> None:
        if self._new_files.exceed(self._limits.new_files):
            self._broke(f"made more than {self._limits.new_files:,} files")

    def _broke(self, words: str) -> None:
        self.broken = self.broken or words


def _added(first: tuple[int, int], *others: tuple[int, int]) -> tuple[int, int]:
    return sum([first[0], *(other[0] for other in others)]), sum([first[1], *(other[1] for other in others)])
