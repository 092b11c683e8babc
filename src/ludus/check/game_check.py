"""The check of a game: numbered steps, each with a verdict, and a fix if it fails.

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

from ludus.check.game_steps import STEPS
from ludus.check.steps import Step, in_order

PATIENCE = 120
"""Seconds after which a step without output has failed."""
_GROUPS: dict[range, dict[str, str]] = {
    range(1, 3): {},
    range(3, 4): {"NUMBA_BOUNDSCHECK": "1"},
    range(4, len(STEPS) + 1): {},
}
"""Steps that share a process, and its environment."""
_COMPILED = (3, 4)
_OBJECTS = "its states are Python objects: nothing is compiled"


def check_game(spec: str) -> Iterator[Step]:
    """Check the game that a spec names; each step is yielded as it ends."""
    children: dict[range, Iterator[Step]] = {}
    compiled = True

    def take(number: int) -> Step:
        nonlocal compiled
        if number in _COMPILED and not compiled:
            return STEPS[number - 1].skipped(number, _OBJECTS)
        group = next(group for group in _GROUPS if number in group)
        child = children.setdefault(group, _in_child(spec, range(number, group.stop), _GROUPS[group]))
        step = next(child, STEPS[number - 1].skipped(number, ""))
        compiled = compiled and bool(step.figures.get("compiled", True))
        return step

    yield from in_order(STEPS, take)


def _in_child(spec: str, numbers: range, environment: dict[str, str]) -> Iterator[Step]:
    # -P, because a user's file called random.py would replace Python's.
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
                ending = _last_words(spec, status, seconds, complaints.read())
                yield Step(number, STEPS[number - 1].title, "failed", seconds, *ending)
                return
        finally:
            child.kill()
            child.wait()


def _last_words(spec: str, status: int, seconds: float, complaints: str) -> tuple[str, str]:
    if seconds >= PATIENCE:
        return f"{spec} did not finish within {PATIENCE} s", "look for a loop that never ends"
    if status < 0:
        name = signal.Signals(-status).name
        return f"{spec} was killed by {name}", "a rule reads or writes outside an array: check its indices"
    lines = complaints.strip().splitlines() or ["no output"]
    return f"{spec} ended the check: {lines[-1]}", "run the rule it names by hand"
