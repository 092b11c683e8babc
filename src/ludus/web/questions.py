"""Questions to agents, each answered by a process that is ended if it takes too long."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from ludus.core.errors import BusyError, InvalidError
from ludus.core.user_file import held_back

AT_ONCE = 2
"""Questions that are answered at the same time."""
LONGEST = 5.0
"""Seconds that an agent may think."""

_START = 60.0  # seconds more for the process: the code of an agent may have to be compiled
_lock = threading.Lock()
_asking: list[str] = []


def ask(visitor: str, question: dict[str, Any]) -> dict[str, Any]:
    """The answer to a question, one at a time for each visitor; BusyError if too many are being answered."""
    with _turn(visitor):
        command = [sys.executable, "-m", "ludus.web.thinking"]
        content = msgspec.json.encode(question | {"held_back": held_back()})
        try:
            done = subprocess.run(command, input=content, capture_output=True, timeout=LONGEST + _START, check=False)
        except subprocess.TimeoutExpired:
            raise BusyError("The agent took too long and was stopped: choose another one, or less time.") from None
    lines = done.stdout.splitlines()
    if not lines:
        raise InvalidError("The agent's process ended without an answer: choose another one.")
    found: dict[str, Any] = json.loads(lines[-1])
    if "error" in found:
        raise InvalidError(found["error"])
    return found


@contextmanager
def _turn(visitor: str) -> Iterator[None]:
    with _lock:
        if visitor in _asking:
            raise BusyError("An agent is still thinking for you: wait for its move.")
        if len(_asking) >= AT_ONCE:
            raise BusyError("All agents are busy thinking for others: try again in a few seconds.")
        _asking.append(visitor)
    try:
        yield
    finally:
        with _lock:
            _asking.remove(visitor)
