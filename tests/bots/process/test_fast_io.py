"""One message and its answer in compiled code, with real pipes and processes."""

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ludus.bots.process.fast_io import NOT_SENT, SPOKE_BEFORE, Exchange
from ludus.bots.process.usage import clock_of

pytestmark = pytest.mark.slow

ECHO = "import os\nwhile line := os.read(0, 100): os.write(1, b'heard ' + line)"


@contextmanager
def started(program: str) -> Iterator[tuple[Exchange, "subprocess.Popen[bytes]"]]:
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    with child.stdin, child.stdout, child.stderr:
        yield Exchange(child.stdin.fileno(), child.stdout.fileno(), child.stderr.fileno(), clock_of(child.pid)), child
        child.kill()
    child.wait()


def ready(child: "subprocess.Popen[bytes]") -> None:
    """Wait until the program is running, which then answers at once."""
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(b"hello\n")
    assert child.stdout.readline() == b"heard hello\n"


def test_answer_is_heard_with_its_times() -> None:
    with started(ECHO) as (exchange, child):
        ready(child)
        heard = exchange.ask(b"move\n")
        if heard:  # a busy machine may need more than a tick
            assert bytes(exchange.answer[:heard]) == b"heard move\n"
        else:
            assert child.stdout is not None
            assert child.stdout.readline() == b"heard move\n"
        began, ended, cpu = exchange.times
        assert began < ended
        assert cpu > 0


def test_what_was_said_before_keeps_the_message_back() -> None:
    with started("import sys; print('unasked', flush=True); sys.stdin.read()") as (exchange, child):
        assert child.stdout is not None
        select.select([child.stdout], [], [])
        assert exchange.ask(b"\n") == SPOKE_BEFORE
        assert child.stdout.readline() == b"unasked\n"


def test_what_is_on_standard_error_is_left_for_others() -> None:
    with started("import sys; sys.stdin.readline(); print('oh', file=sys.stderr); sys.stdin.read()") as (
        exchange,
        child,
    ):
        assert child.stderr is not None
        assert exchange.ask(b"go\n") == 0
        assert child.stderr.readline() == b"oh\n"


def test_message_that_does_not_fit_is_sent_in_part() -> None:
    with started("import time; time.sleep(60)") as (exchange, child):
        assert child.stdin is not None
        os.set_blocking(child.stdin.fileno(), False)
        line = b"x" * 60_000
        assert exchange.ask(line) == 0
        assert exchange.ask(line) == NOT_SENT
        assert 0 <= exchange.sent < len(line)


def test_message_that_is_too_long_is_not_sent() -> None:
    with started(ECHO) as (exchange, _):
        assert exchange.ask(b"x" * 100_000) == NOT_SENT
        assert exchange.sent == 0


def test_closed_stream_is_no_answer() -> None:
    with started("import os; os.close(1); os.read(0, 1)") as (exchange, child):
        assert child.stdout is not None
        select.select([child.stdout], [], [])
        assert exchange.ask(b"") == SPOKE_BEFORE
        exchange.forget(child.stdout.fileno())
        assert exchange.ask(b"") == 0
