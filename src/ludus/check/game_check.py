"""Checks that walk through numbered steps and say what is wrong and how to mend it; here that of games.

Every step runs in a child process: a rule that never returns, or that writes outside an array and kills its process, is
a failed step and not the end of the check.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator

from ludus.check.steps import STEPS, Step

__all__ = ["Step", "check_game"]

PATIENCE = 120
"""Seconds after which a step that says nothing has failed."""
_GROUPS = [(range(1, 3), {}), (range(3, 4), {"NUMBA_BOUNDSCHECK": "1"}), (range(4, len(STEPS) + 1), {})]
_DECISIVE = 4
"""The first steps: after one of them has failed, what follows would only repeat it, or crash."""
_OBJECTS = "its states are Python objects: nothing is compiled"


def check_game(spec: str) -> Iterator[Step]:
    """Check the game that a spec names; steps come as they end."""
    compiled, given_up = True, False
    for numbers, environment in _GROUPS:
        untried = [number for number in numbers if compiled or number not in (3, 4)]
        yield from (_skipped(number, _OBJECTS) for number in numbers if number not in untried)
        if not given_up:
            for step in _in_child(spec, list(untried), environment):
                yield step
                untried.remove(step.number)
                if step.number == 1:
                    compiled = bool(step.figures.get("compiled", True))
                if step.verdict == "failed" and step.number <= _DECISIVE:
                    given_up = True
                    break
        yield from (_skipped(number, "") for number in untried)


def _skipped(number: int, reason: str) -> Step:
    return Step(number, STEPS[number - 1].title, "skipped", 0.0, reason)


def _in_child(spec: str, numbers: list[int], environment: dict[str, str]) -> Iterator[Step]:
    if not numbers:
        return
    # -P: or a file of the user's called random.py would be taken for Python's.
    command = [sys.executable, "-P", "-m", "ludus.check", spec, *(str(number) for number in numbers)]
    with tempfile.TemporaryFile("w+") as complaints:
        child = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=complaints, env={**os.environ, **environment}, text=True
        )
        try:
            for number in numbers:
                begin = time.monotonic()
                guard = threading.Timer(PATIENCE, child.kill)
                guard.start()
                line = child.stdout.readline() if child.stdout else ""
                guard.cancel()
                if line:
                    yield Step(**json.loads(line))
                    continue
                status = child.wait()
                complaints.seek(0)
                seconds = time.monotonic() - begin
                said = _last_words(spec, status, seconds, complaints.read())
                yield Step(number, STEPS[number - 1].title, "failed", seconds, *said)
                return
        finally:
            child.kill()
            child.wait()


def _last_words(spec: str, status: int, seconds: float, complaints: str) -> tuple[str, str]:
    if seconds >= PATIENCE:
        return f"{spec} did not come back within {PATIENCE} s", "look for a loop that never ends"
    if status < 0:
        name = signal.Signals(-status).name
        return f"{spec} was killed by {name}", "a rule reads or writes outside an array: look at its indices"
    lines = complaints.strip().splitlines() or ["it said nothing"]
    return f"{spec} ended the check: {lines[-1]}", "run the rule that it names by hand"
