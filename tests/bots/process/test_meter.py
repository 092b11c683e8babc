import os
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from ludus.bots.process.child import Child
from ludus.bots.process.meter import Meter
from ludus.episode.cost import Cost
from support.process_programs import LIMITS, is_there, python, read_line, say, start, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="other systems tell less")]

SPIN = """
def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
"""
HELPER = """
asked, ask = os.pipe()
answered, answer = os.pipe()
if os.fork() == 0:
    while os.read(asked, 1):
        spin(0.1)
        os.write(answer, b'.')
def ask_helper():
    os.write(ask, b'.')
    os.read(answered, 1)
"""
MILLISECOND = 10**6
MIB = 1 << 20


def one_move(child: Child, meter: Meter, waiting: Callable[[], object] = lambda: None, said: str = "") -> Cost:
    meter.begin()
    say(child, said)
    read_line(child, waiting)
    return meter.end()


def wait_for_next_look(meter: Meter) -> None:
    """Wait until it would look at the whole family again: the slower the machine, the longer that is."""
    wait_until(lambda: time.monotonic_ns() >= meter._due)


def broken(child: Child) -> str:
    """The limit that it breaks as it thinks."""
    meter = Meter(child)
    meter.begin()
    say(child)
    wait_until(meter.tick)
    meter.end()
    child.end(0)
    assert meter.broken is not None
    return meter.broken


def test_cpu_of_each_move_is_counted(tmp_path: Path) -> None:
    child = start(python(SPIN + "for line in sys.stdin: spin(0.1 if 'x' in line else 0); print()"), tmp_path)
    meter = Meter(child)
    one_move(child, meter)
    assert one_move(child, meter, said="x").cpu >= 100 * MILLISECOND
    idle = one_move(child, meter)
    assert 0 < idle.cpu < 100 * MILLISECOND
    assert idle.memory > MIB
    assert meter.broken is None
    child.end(0)


def test_cpu_of_threads_is_counted(tmp_path: Path) -> None:
    program = f"""
import threading
{SPIN}
def work():
    end = time.thread_time() + 0.03
    while time.thread_time() < end:
        pass
for line in sys.stdin:
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    print()
"""
    child = start(python(program), tmp_path)
    meter = Meter(child)
    assert one_move(child, meter, meter.tick).cpu >= 90 * MILLISECOND
    child.end(0)


def test_cpu_of_children_that_stay_is_counted(tmp_path: Path) -> None:
    child = start(python(SPIN + HELPER + "for line in sys.stdin: ask_helper(); print()"), tmp_path)
    meter = Meter(child)
    one_move(child, meter)
    wait_for_next_look(meter)
    assert one_move(child, meter).cpu >= 100 * MILLISECOND
    child.end(0)


def test_cpu_of_children_that_come_and_go_is_counted(tmp_path: Path) -> None:
    program = """
for line in sys.stdin:
    if os.fork() == 0:
        spin(0.1)
        os._exit(0)
    os.wait()
    print()
"""
    child = start(python(SPIN + program), tmp_path)
    meter = Meter(child)
    one_move(child, meter)
    wait_for_next_look(meter)
    assert one_move(child, meter).cpu >= 80 * MILLISECOND
    child.end(0)


def test_cpu_of_orphans_is_not_forgotten(tmp_path: Path) -> None:
    program = """
print('ready')
input()
if os.fork() == 0:
    if os.fork() == 0:
        print(os.getpid())
        spin(0.2)
        os._exit(0)
    os._exit(0)
os.wait()
for line in sys.stdin:
    spin(0.2)
    print()
"""
    child = start(python(SPIN + program), tmp_path, msgspec.structs.replace(LIMITS, cpu=350 * MILLISECOND))
    read_line(child)
    meter = Meter(child)
    say(child)
    orphan = int(read_line(child))
    wait_until(lambda: not meter.tick() and not is_there(orphan))
    assert meter.broken is None
    one_move(child, meter)
    wait_until(meter.tick)
    assert str(meter.broken).endswith("of CPU with a limit of 350 ms")
    child.end(0)


IN_A_THREAD = """
import threading
begin, done = threading.Semaphore(0), threading.Semaphore(0)
def work():
    while begin.acquire():
        spin(0.1)
        done.release()
threading.Thread(target=work, daemon=True).start()
def think():
    begin.release()
    done.acquire()
"""


@pytest.mark.parametrize("thinking", ["def think(): spin(0.1)\n", IN_A_THREAD])
def test_waiting_for_a_core_is_counted(thinking: str, tmp_path: Path) -> None:
    core = min(os.sched_getaffinity(0))
    pinned = f"os.sched_setaffinity(0, [{core}])\n"
    rival = start(python(pinned + "print()\nwhile True: pass"), tmp_path)
    read_line(rival)
    program = SPIN + pinned + thinking + "print('ready')\nfor line in sys.stdin: think(); print()"
    child = start(python(program), tmp_path)
    read_line(child)
    meter = Meter(child)
    assert one_move(child, meter).waited > 10 * MILLISECOND
    child.end(0)
    rival.end(0)


def test_memory_that_was_given_back_is_seen(tmp_path: Path) -> None:
    program = """
for line in sys.stdin:
    held = bytearray(os.urandom(1)) * (80 << 20) if 'x' in line else None
    del held
    time.sleep(0.01)
    print()
"""
    child = start(python(program), tmp_path)
    meter = Meter(child)
    before = one_move(child, meter).memory
    during = one_move(child, meter, said="x").memory
    after = one_move(child, meter).memory
    assert during >= 80 * MIB > max(before, after)
    child.end(0)


def test_memory_that_was_given_back_between_two_moves_is_seen(tmp_path: Path) -> None:
    program = """
for line in sys.stdin:
    print()
    sys.stdin.readline()
    held = bytearray(os.urandom(1)) * (200 << 20)
    del held
    open('done', 'w').close()
"""
    child = start(python(program), tmp_path, msgspec.structs.replace(LIMITS, memory=100 * MIB))
    meter = Meter(child)
    one_move(child, meter)
    say(child)  # which is not a move
    wait_until((tmp_path / "done").exists)
    assert meter.broken is None
    wait_for_next_look(meter)
    meter.begin()
    assert meter.broken is not None
    assert meter.end().memory < 100 * MIB
    child.end(0)


def test_cpu_between_moves_is_told_apart(tmp_path: Path) -> None:
    program = (
        SPIN
        + """
print('ready')
for line in sys.stdin:
    spin(0.1)
    print()
    if 'x' in line:
        sys.stdin.readline()
        spin(0.3)
        print('done')
"""
    )
    child = start(python(program), tmp_path)
    read_line(child)
    meter = Meter(child)
    one_move(child, meter)
    cpu, _ = meter.between()
    assert cpu < 100 * MILLISECOND
    for said in ("x", ""):
        one_move(child, meter, said=said)
        if said:
            say(child)  # which is not a move
            read_line(child)
    cpu, time_between = meter.between()
    assert 250 * MILLISECOND <= cpu < 400 * MILLISECOND
    assert time_between >= cpu
    child.end(0)


def test_memory_over_the_limit_is_seen_as_it_thinks(tmp_path: Path) -> None:
    program = "input(); held = bytearray(os.urandom(1)) * (200 << 20); time.sleep(600)"
    words = broken(start(python(program), tmp_path, msgspec.structs.replace(LIMITS, memory=100 * MIB)))
    assert words.startswith("held ")
    assert words.endswith(" MiB with a limit of 100 MiB")


def test_memory_of_all_processes_counts(tmp_path: Path) -> None:
    program = """
input()
for _ in range(3):
    if os.fork() == 0:
        break
held = bytearray(os.urandom(1)) * (50 << 20)
time.sleep(600)
"""
    words = broken(start(python(program), tmp_path, msgspec.structs.replace(LIMITS, memory=150 * MIB)))
    assert words.startswith("held ")


def test_memory_that_processes_share_counts_once(tmp_path: Path) -> None:
    program = """
held = bytearray(os.urandom(1)) * (50 << 20)
for _ in range(4):
    if os.fork() == 0:
        time.sleep(600)
print('ready')
for line in sys.stdin:
    time.sleep(0.1)
    print()
"""
    child = start(python(program), tmp_path, msgspec.structs.replace(LIMITS, memory=150 * MIB))
    read_line(child)
    meter = Meter(child)
    for _ in range(3):
        assert 50 * MIB < one_move(child, meter, meter.tick).memory < 150 * MIB
    assert meter.broken is None
    child.end(0)


def test_memory_taken_in_short_moves_is_seen(tmp_path: Path) -> None:
    program = "held = []\nfor line in sys.stdin: held.append(bytearray(os.urandom(1)) * (1 << 20)); print()"
    child = start(python(program), tmp_path, msgspec.structs.replace(LIMITS, memory=50 * MIB))
    meter = Meter(child)
    for _ in range(60):
        one_move(child, meter)
    assert meter.broken is not None
    child.end(0)


def test_processes_over_the_limit_are_seen(tmp_path: Path) -> None:
    program = "input()\nfor _ in range(12):\n    if os.fork() == 0: break\ntime.sleep(600)"
    words = broken(start(python(program), tmp_path, msgspec.structs.replace(LIMITS, processes=10)))
    assert words.endswith(" processes with a limit of 10")


def test_many_small_files_over_the_limit_of_the_disk_are_seen(tmp_path: Path) -> None:
    program = """
input()
for number in range(1000):
    with open(f'file{number}', 'wb') as file:
        file.write(bytes(8192))
time.sleep(600)
"""
    words = broken(start(python(program), tmp_path, msgspec.structs.replace(LIMITS, disk=4 * MIB)))
    assert words.startswith("wrote ")
    assert words.endswith(" MiB to files with a limit of 4 MiB")


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="there is no /dev/shm to write to")
def test_files_in_memory_over_the_limit_of_the_disk_are_seen(tmp_path: Path) -> None:
    program = """
input()
name = f'/dev/shm/ludus-test-{os.getpid()}'
with open(name, 'wb', buffering=0) as file:
    os.unlink(name)
    file.write(bytes(8 << 20))
    time.sleep(600)
"""
    words = broken(start(python(program), tmp_path, msgspec.structs.replace(LIMITS, disk=4 * MIB)))
    assert words.startswith("wrote ")


def test_what_was_written_before_its_meter_does_not_count(tmp_path: Path) -> None:
    program = "for line in sys.stdin:\n    with open('file', 'wb') as file: file.write(bytes(3 << 20))\n    print()"
    child = start(python(program), tmp_path, msgspec.structs.replace(LIMITS, disk=4 * MIB))
    for _ in range(3):
        meter = Meter(child)
        one_move(child, meter)
        wait_for_next_look(meter)
        assert meter.tick() is None
    one_move(child, meter)
    wait_until(meter.tick)
    child.end(0)


def test_what_it_said_and_was_heard_does_not_count_as_written(tmp_path: Path) -> None:
    child = start(python("input(); print('x' * (8 << 20)); time.sleep(600)"), tmp_path)
    child.limits = msgspec.structs.replace(LIMITS, disk=4 * MIB)
    meter = Meter(child)
    meter.begin()
    say(child)
    while child.received < 8 * MIB:
        select.select([child.stdout], [], [])
        child.received += len(os.read(child.stdout, MIB))
    wait_for_next_look(meter)
    assert meter.tick() is None
    child.end(0)


def test_cpu_over_the_limit_is_seen(tmp_path: Path) -> None:
    program = "input()\nif os.fork() and os.fork(): time.sleep(600)\nwhile True: pass"
    words = broken(start(python(program), tmp_path, msgspec.structs.replace(LIMITS, cpu=2 * 10**8)))
    assert words.startswith("took ")
    assert words.endswith(" of CPU with a limit of 200 ms")


def test_limits_of_an_episode_count_from_its_meter_on(tmp_path: Path) -> None:
    program = SPIN + "print('ready')\nfor line in sys.stdin: spin(0.1); print()"
    child = start(python(program), tmp_path, msgspec.structs.replace(LIMITS, cpu=180 * MILLISECOND))
    read_line(child)
    for _ in range(3):
        meter = Meter(child)
        one_move(child, meter)
        wait_for_next_look(meter)
        assert meter.tick() is None
    one_move(child, meter)
    wait_until(meter.tick)
    child.end(0)


def test_one_that_died_is_still_measured(tmp_path: Path) -> None:
    child = start(python(SPIN + "input(); spin(0.05); os._exit(1)"), tmp_path)
    meter = Meter(child)
    meter.begin()
    say(child)
    wait_until(child.status)
    assert meter.tick() is None
    assert meter.end().cpu >= 50 * MILLISECOND
    child.end(0)
