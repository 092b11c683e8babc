"""Bots on a system that is not Linux: the same modules, imported where the system says that it is another."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PRETENCE = """
import sys
import ludus.bots.process.meter
for name in [name for name in sys.modules if name.startswith(("ludus.bots", "ludus.episode"))]:
    del sys.modules[name]
sys.platform = "darwin"
from ludus.bots.process.usage import Files
Files.descriptor = lambda self, path: -1
"""
BOTS = r"""
from pathlib import Path
import msgspec
from ludus.bots.process.meter import Meter
from support.process_programs import LIMITS, read_line, python, runs, say, start, wait_until

here = Path.cwd()
spin = "end = time.process_time() + 0.05\n    while time.process_time() < end: pass"
bot = start(python(f"for line in sys.stdin:\n    {spin}\n    print()"), here)
meter = Meter(bot)
for _ in range(2):
    meter.begin()
    say(bot)
    read_line(bot, meter.tick)
    took = meter.end()
    assert took.cpu >= 40_000_000 and took.waited == 0 and took.memory > 1 << 20, took
assert meter.broken is None
assert bot.end(60) == [] and bot.status() == "ended with status 0", bot.status()

limits = msgspec.structs.replace(LIMITS, processes=1)
stubborn = start(python("os.fork(); os.write(1, b'%d\\n' % os.getpid()); time.sleep(600)"), here, limits)
pids = int(read_line(stubborn)), int(read_line(stubborn))
meter = Meter(stubborn)
wait_until(meter.tick)
assert meter.broken == "runs 2 processes with a limit of 1", meter.broken
remarks = stubborn.end(0.01)
assert len(remarks) == 2 and "was still there" in remarks[0] and "left a process running" in remarks[1], remarks
assert stubborn.status() == "was killed by signal 9 (SIGKILL)"
wait_until(lambda: not any(map(runs, pids)))
"""


def test_other_systems_do_with_sessions_and_psutil(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PRETENCE + BOTS]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
