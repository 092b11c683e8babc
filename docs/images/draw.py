"""Draw the pictures of the guide: what the commands really print, as SVG. Run it after the output has changed."""

import contextlib
import functools
import io
import re
from pathlib import Path

from rich.console import Console

from ludus.cli import app_for, screen

PICTURES = {
    "play.svg": "play connect-four mcts:simulations=2000 alphabeta:depth=7 --episodes 40 --opening-plies 2 --seed 1",
    "check.svg": "check game docs/examples/breakthrough.py",
}


def draw(command: str, file: Path) -> None:
    """Run a command and keep its screen."""
    screen.Console = functools.partial(  # type: ignore[assignment,misc]
        Console, record=True, force_terminal=True, width=96, color_system="truecolor", file=io.StringIO()
    )
    screen.output.cache_clear()
    screen.errors.cache_clear()
    screen.output().print(f"[bold green]$[/] ludus {command}\n")
    with contextlib.suppress(SystemExit):
        app_for(command.split())(command.split(), standalone_mode=False)
    picture = screen.output().export_svg(title="ludus", unique_id=file.stem)
    # Rich would have the fonts fetched: any monospaced font will do.
    file.write_text(re.sub(r"@font-face \{.*?\}|<!--.*?-->", "", picture, flags=re.DOTALL))


if __name__ == "__main__":
    for name, command in PICTURES.items():
        draw(command, Path(__file__).parent / name)
