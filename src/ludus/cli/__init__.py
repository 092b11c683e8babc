"""The command line: one module per command."""

import os
import signal
import sys
from types import FrameType


def main() -> None:
    """Run the command line, or answer a shell that asks for completions: few modules, since somebody waits."""
    if "_LUDUS_COMPLETE" in os.environ:
        from ludus.cli.shells import answer

        answer()
        return
    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else a shell made it ignored
    if is_usual:
        signal.signal(signal.SIGINT, _leave)
    from ludus.cli.app import run_app

    if is_usual:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.argv[1:2] == ["--install-completion"]:
        from ludus.cli.outline import note_all

        note_all()
    run_app()


def _leave(_number: int, _frame: FrameType | None) -> None:
    """End at once on Ctrl-C: nothing has begun, and an exception within an import may show a traceback."""
    os._exit(130)
