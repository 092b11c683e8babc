"""Lines from standard input to a service, and its answers to standard output."""

import contextlib
import os
import sys
from collections.abc import Iterable

from ludus.bots.serve.service import Service
from ludus.core.errors import LudusError

_STDOUT, _STDERR = 1, 2


def serve(service: Service) -> None:
    """Answer the manager until the end, and report errors to it too.

    From now on, anything else written to standard output, by an agent or a library, goes to standard error.
    """
    sys.stdout.flush()
    manager = os.dup(_STDOUT)
    os.dup2(_STDERR, _STDOUT)
    try:
        service.begin()
        while not service.over and (line := sys.stdin.buffer.readline()):
            _write(manager, service.answer(line.decode(errors="replace").strip()))
    except BrokenPipeError:
        pass  # the manager has gone
    except LudusError as error:
        with contextlib.suppress(BrokenPipeError):
            _write(manager, service.refuse(" ".join(str(error).split())))
        raise
    finally:
        os.close(manager)


def _write(manager: int, lines: Iterable[str]) -> None:
    """Write each line at once, since a whole episode may lie between two of them."""
    for line in lines:
        rest = f"{line}\n".encode()
        while rest:
            rest = rest[os.write(manager, rest) :]
