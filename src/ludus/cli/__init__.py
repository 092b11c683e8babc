"""The command line: one module per command."""

import os
import sys


def main() -> None:
    """Run the command line, or answer a shell that asks for completions: few modules, since somebody waits."""
    if "_LUDUS_COMPLETE" in os.environ:
        from ludus.cli.shells import answer

        answer()
        return
    from ludus.cli.app import run_app

    if sys.argv[1:2] == ["--install-completion"]:
        from ludus.cli.outline import note_all

        note_all()
    run_app()
