import os
import sys
from pathlib import Path

import msgspec
import psutil
import pytest

from ludus.bots.process.meter import Meter
from ludus.bots.process.rlimits import impose
from support.process_programs import LIMITS, python, read_line, say, start, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="other systems limit nothing from outside"),
]


def test_open_files_are_limited(tmp_path: Path) -> None:
    program = """
input()
files = []
try:
    while True:
        files.append(open(os.devnull))
except OSError as error:
    print(error.strerror, files[-1].fileno() + 1)
"""
    child = start(python(program), tmp_path, msgspec.structs.replace(LIMITS, files=20))
    say(child)
    assert read_line(child) == "Too many open files 20"
    child.end(0)


def test_no_file_grows_without_end(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(LIMITS, disk=1 << 20, memory=2 << 20)
    child = start(["sh", "-c", "read line; head -c 9000000 /dev/zero > file; echo done"], tmp_path, limits)
    say(child)
    assert read_line(child) == "done"
    child.end(0)
    assert b"File too large" in child.last_words
    assert (tmp_path / "file").stat().st_size == 3 << 20


def test_one_that_uses_up_its_cpu_is_ended_even_if_nobody_looks(tmp_path: Path) -> None:
    child = start(python("while True: pass"), tmp_path, msgspec.structs.replace(LIMITS, cpu=10**8))
    wait_until(child.status)
    assert child.status() == "was killed by signal 24 (SIGXCPU)"
    child.end(0)


def test_cpu_is_granted_anew_with_each_meter(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(LIMITS, cpu=2 * 10**9)
    program = "import resource\nfor line in sys.stdin: print(*resource.getrlimit(resource.RLIMIT_CPU))"
    child = start(python(program), tmp_path, limits)
    say(child)
    assert read_line(child).split()[0] == "2"
    Meter(child)
    say(child)
    assert read_line(child).split()[0] == "3"
    child.end(0)


def test_limits_are_never_raised(tmp_path: Path) -> None:
    program = "import resource\ninput()\nprint(*resource.getrlimit(resource.RLIMIT_NOFILE))"
    child = start(python(program), tmp_path, msgspec.structs.replace(LIMITS, files=20))
    impose(child.pid, msgspec.structs.replace(LIMITS, files=30))
    say(child)
    assert read_line(child) == "20 20"
    child.end(0)


def test_threads_are_limited_to_far_more_than_there_are(tmp_path: Path) -> None:
    if os.readlink("/proc/self/ns/pid") != "pid:[4026531836]":
        pytest.skip("in a container not all threads can be counted")
    program = "import resource\ninput()\nprint(resource.getrlimit(resource.RLIMIT_NPROC)[0])"
    child = start(python(program), tmp_path)
    say(child)
    granted = int(read_line(child))
    child.end(0)
    own = sum(process.num_threads() for process in [psutil.Process(), *psutil.Process().children()])
    everybody = sum(process.info["num_threads"] or 0 for process in psutil.process_iter(["num_threads"]))
    assert own <= granted - 1000 * (os.cpu_count() or 1) <= 10 * everybody


def test_there_is_no_dump_of_memory(tmp_path: Path) -> None:
    program = "import resource\ninput()\nprint(*resource.getrlimit(resource.RLIMIT_CORE))"
    child = start(python(program), tmp_path)
    say(child)
    assert read_line(child) == "0 0"
    child.end(0)
