import os
import resource
import signal
import sys
from pathlib import Path

import psutil
import pytest

from ludus.bots.process.meter import Meter
from ludus.core.errors import LudusError
from support.process_programs import is_there, python, read_line, runs, say, start, wait_until
from support.sentences import one_sentence

pytestmark = pytest.mark.slow

linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems know a bot's processes by their session")

ECHO = "for line in sys.stdin: print(line.strip(), flush=True)"
DAEMON = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        {then}
    os._exit(0)
os.wait()
sys.stdin.read()
"""


def test_bot_is_talked_to_through_its_streams(tmp_path: Path) -> None:
    child = start(python("line = input(); print(line, os.getcwd()); print('oh', file=sys.stderr)"), tmp_path)
    say(child, "hello")
    assert read_line(child) == f"hello {tmp_path}"
    assert child.end(30) == []
    assert child.last_words == b"oh\n"
    assert child.status() == "ended with status 0"


def test_streams_do_not_block(tmp_path: Path) -> None:
    child = start(python("time.sleep(600)"), tmp_path)
    with pytest.raises(BlockingIOError):
        os.read(child.stdout, 1)
    with pytest.raises(BlockingIOError):
        os.read(child.stderr, 1)
    os.write(child.stdin, bytes(1 << 20))
    with pytest.raises(BlockingIOError):
        os.write(child.stdin, b"x")
    child.end(0)


def test_bot_has_a_session_of_its_own(tmp_path: Path) -> None:
    child = start(python(ECHO), tmp_path)
    assert os.getsid(child.pid) == child.pid != os.getsid(0)
    child.end(0)


@linux
def test_bot_has_the_usual_signals_whatever_we_ignore(tmp_path: Path) -> None:
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGQUIT)}
    child = start(["grep", "SigIgn", "/proc/self/status"], tmp_path)
    assert all(signal.getsignal(number) is signal.SIG_IGN for number in (*before, signal.SIGPIPE))
    for number, handler in before.items():
        signal.signal(number, handler)
    ignored = int(read_line(child).split()[1], 16)
    assert [number for number in signal.Signals if ignored & 1 << number - 1] == [signal.SIGXFSZ]
    child.end(0)


def test_status_tells_how_it_exited(tmp_path: Path) -> None:
    child = start(python("sys.stdin.read(); os._exit(3)"), tmp_path)
    assert child.status() is None
    os.close(child.stdin)
    child.stdin = os.open(os.devnull, os.O_WRONLY)
    wait_until(child.status)
    assert child.status() == "ended with status 3"
    assert child.end(0) == []
    assert child.status() == "ended with status 3"


@pytest.mark.parametrize(
    ("number", "words"), [(9, "9 (SIGKILL)"), (11, "11 (SIGSEGV)"), pytest.param(40, "40", marks=linux)]
)
def test_status_tells_which_signal_killed_it(number: int, words: str, tmp_path: Path) -> None:
    child = start(python(f"os.kill(os.getpid(), {number}); sys.stdin.read()"), tmp_path)
    wait_until(child.status)
    assert child.status() == f"was killed by signal {words}"
    assert child.end(0) == []


def test_state_tells_that_it_stopped_itself(tmp_path: Path) -> None:
    child = start(["sh", "-c", "kill -STOP $$"], tmp_path)
    wait_until(lambda: child.state() == "stopped")
    assert child.status() is None
    child.end(0)
    assert child.status() == "was killed by signal 9 (SIGKILL)"
    assert child.state() == "gone"


def test_one_that_ignores_the_end_is_killed(tmp_path: Path) -> None:
    child = start(python("print('ready'); time.sleep(600)"), tmp_path)
    read_line(child)
    assert child.end(0.05) == ["was still there 0.05 s after the end, and was killed"]
    assert child.status() == "was killed by signal 9 (SIGKILL)"
    assert not is_there(child.pid)


def test_end_lets_it_say_its_last_words(tmp_path: Path) -> None:
    child = start(python("sys.stdin.read(); print('x' * 10**6); sys.stderr.write('y' * 10**6); os._exit(4)"), tmp_path)
    assert child.end(60) == []
    assert child.status() == "ended with status 4"
    assert child.last_words == b"y" * (1 << 16)


def test_end_happens_once(tmp_path: Path) -> None:
    child = start(python("time.sleep(600)"), tmp_path)
    assert len(child.end(0.01)) == 1
    assert child.end(0.01) == []
    assert child.stdin == child.stdout == child.stderr == -1


def test_processes_that_it_leaves_are_killed(tmp_path: Path) -> None:
    child = start(["sh", "-c", "sleep 600 & sleep 600 & echo"], tmp_path)
    read_line(child)
    wait_until(lambda: [psutil.Process(pid).name() for pid in child.family.members()].count("sleep") == 2)
    assert child.end(60) == ["left 2 processes running (sleep, sleep), which were killed"]
    assert child.family.members() == []


@linux
@pytest.mark.parametrize(("name", "shown"), [(r"\x20\xff", " ?"), ("", "?")])
def test_processes_are_killed_whatever_they_call_themselves(name: str, shown: str, tmp_path: Path) -> None:
    renamed = f"ctypes.CDLL(None).prctl(15, b'{name}', 0, 0, 0)"
    child = start(
        python(f"import ctypes, os, time\nif os.fork() == 0:\n {renamed}\n print()\n time.sleep(600)"), tmp_path
    )
    read_line(child)
    assert child.end(60) == [f"left a process running ({shown}), which was killed"]
    assert child.family.members() == []


@linux
@pytest.mark.parametrize("then", ["time.sleep(600)", "os.execve('/bin/sleep', ['sleep', '600'], {})"])
def test_processes_that_left_for_another_session_are_killed(then: str, tmp_path: Path) -> None:
    child = start(python(DAEMON.format(then=then)), tmp_path)
    daemon = int(read_line(child))
    assert os.getsid(daemon) != child.pid
    [remark] = child.end(60)
    assert remark.startswith("left a process running (")
    assert not is_there(daemon)


@linux
def test_orphan_that_ended_by_itself_leaves_no_zombie(tmp_path: Path) -> None:
    child = start(python(DAEMON.format(then="os._exit(0)")), tmp_path)
    orphan = int(read_line(child))
    wait_until(lambda: not runs(orphan))
    assert child.end(60) == []
    assert not is_there(orphan)


@linux
@pytest.mark.parametrize("leave", ["", "os.setsid()"])
def test_storm_of_processes_is_brought_down(leave: str, tmp_path: Path) -> None:
    storm = f"""
import mmap
count = mmap.mmap(-1, 200)
count.write(b'.')
while (place := count.find(b'\\0', 0)) >= 0:
    count[place] = 1
    if os.fork() == 0:
        {leave or "pass"}
time.sleep(600)
"""
    child = start(python(storm), tmp_path)
    wait_until(lambda: len(child.family.members()) > 50)
    child.end(0)
    assert child.family.members() == []


@linux
def test_thing_that_runs_away_is_caught(tmp_path: Path) -> None:
    child = start(
        python("print(1)\nfor _ in range(3000):\n    if os.fork(): os._exit(0)\n    os.setsid()\ntime.sleep(600)"),
        tmp_path,
    )
    read_line(child)
    child.end(0)
    assert child.family.members() == []


def test_command_that_cannot_be_run_is_said_in_one_sentence(tmp_path: Path) -> None:
    script = tmp_path / "bot"
    script.write_text("print(1)")
    with one_sentence("bot executable chmod +x"):
        start([str(script)], tmp_path)
    script.chmod(0o755)
    with one_sentence("bot program script line"):
        start([str(script)], tmp_path)
    script.write_text("#!/nowhere/python\n")
    with one_sentence("bot first line"):
        start([str(script)], tmp_path)
    with one_sentence("nonesuch program"):
        start(["nonesuch"], tmp_path)
    with one_sentence("true folder /none"):
        start(["true"], tmp_path / "none")
    with pytest.raises(LudusError, match="cannot be started: its command is not valid"):
        start(["tr\0ue"], tmp_path)


@linux
def test_lack_of_descriptors_is_not_taken_for_the_fault_of_a_bot(tmp_path: Path) -> None:
    start(["cat"], tmp_path).end(30)
    before = [int(name) for name in os.listdir("/proc/self/fd")]
    enough_for_two_pipes = [number for number in range(1000) if number not in before[:-1]][3] + 1
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (enough_for_two_pipes, hard))
    try:
        with pytest.raises(OSError, match="Too many open files"):
            start(["cat"], tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert len(os.listdir("/proc/self/fd")) == len(before)


@linux
def test_nothing_is_left_after_many_starts(tmp_path: Path) -> None:
    def everything() -> tuple[int, list[int]]:
        this = psutil.Process()
        return this.num_fds(), sorted(child.pid for child in this.children(recursive=True))

    commands = ["cat", "sleep 600 & cat", "(setsid sleep 600 &); cat", "(true &); cat", "exit 1", "nonesuch"]
    start(["cat"], tmp_path).end(30)
    before = everything()
    for number in range(200):
        child = start(["sh", "-c", commands[number % len(commands)]], tmp_path)
        Meter(child).tick()
        child.end(30 if number % 5 else 0)
        with pytest.raises(LudusError):
            start(["nonesuch"], tmp_path)
    assert everything() == before
