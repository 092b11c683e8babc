import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.bots.process import tags
from support.process_programs import python, runs, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="other systems have no tags to know a bot by"),
]

BOT = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(1, f'{os.getpid()}\\n'.encode())
        os.execve('/bin/sleep', ['sleep', '600'], {})
    os._exit(0)
time.sleep(600)
"""
STARTER = f"""
import os, time
from pathlib import Path
from support.process_programs import read_line, start

bot = start({python(BOT)!r}, Path.cwd())
fork = os.fork() or time.sleep(600)
print(bot.pid, read_line(bot), fork, flush=True)
time.sleep(600)
"""


def test_bot_and_what_it_started_die_with_a_starter_that_is_killed(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", STARTER]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        bot, daemon, fork = (int(word) for word in starter.stdout.readline().split())
        assert runs(bot)
        assert runs(daemon)
        starter.kill()
    wait_until(lambda: not runs(bot) and not runs(daemon))
    assert runs(fork), "the guardian waited for it, or took it for a bot"
    os.kill(fork, signal.SIGKILL)


def test_the_guardian_does_not_wait_for_who_is_dead_already() -> None:
    first = 7 * tags.MOST
    with tags.tagging(first + 1) as possible:
        assert possible
        zombie = subprocess.Popen([sys.executable, "-c", ""])
    wait_until(lambda: not runs(zombie.pid))
    assert zombie.pid in tags.tagged(first, first + tags.MOST - 1)
    assert not tags.runs(zombie.pid)
    guardian = subprocess.Popen([sys.executable, "-I", "-S", tags.__file__, str(first)], stdin=subprocess.DEVNULL)
    assert guardian.wait(60) == 0
    zombie.wait()
