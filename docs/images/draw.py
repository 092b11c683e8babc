"""Draw the pictures of the documentation: commands with what they print, and the report of a tournament.

python docs/images/draw.py
"""

import contextlib
import functools
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from ludus.cli import screen
from ludus.cli.app import app_for

IMAGES = Path(__file__).parent
ROOT = IMAGES.parents[1]
DEMO = str(ROOT / "examples" / "demo.toml")
TERMINALS = {
    "play.svg": "play connect-four mcts:simulations=2000 alphabeta:depth=7 -n 40 --opening-plies 2 --seed 1",
    "check.svg": "check game docs/examples/breakthrough.py",
    "results.svg": "results 1",
}


def draw_terminal(command: str, file: Path) -> None:
    """Run a command and keep its screen as SVG."""
    os.environ["COLUMNS"] = "100"
    screen.Console = functools.partial(  # type: ignore[assignment,misc]
        Console, record=True, force_terminal=True, color_system="truecolor", file=io.StringIO()
    )
    screen.output.cache_clear()
    screen.errors.cache_clear()
    screen.output().print(f"[bold green]$[/] ludus {command}\n")
    with contextlib.suppress(SystemExit):
        app_for(command.split())(command.split(), standalone_mode=False)
    picture = screen.output().export_svg(title="ludus", unique_id=file.stem)
    # Rich would load fonts from elsewhere: any monospaced font will do.
    file.write_text(re.sub(r"@font-face \{.*?\}|<!--.*?-->", "", picture, flags=re.DOTALL))


def draw_report(file: Path, folder: Path) -> None:
    """Keep the top of the report of the demo as PNG."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("The report needs Chromium.")
    page = folder / "report.html"
    run("results", "1", "--html", str(page))
    options = ["--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1100,1440", f"--screenshot={file}"]
    subprocess.run([browser, *options, "--virtual-time-budget=5000", page.as_uri()], check=True)


def run(*words: str) -> None:
    """Run a command without keeping its screen."""
    subprocess.run([sys.executable, "-m", "ludus", *words], check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LUDUS_STORE"] = f"{folder}/demo.db"
        run("run", DEMO)
        for name, command in TERMINALS.items():
            draw_terminal(command, IMAGES / name)
        draw_report(IMAGES / "report.png", Path(folder))


if __name__ == "__main__":
    main()
