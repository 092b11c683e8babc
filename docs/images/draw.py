"""Draw the pictures of the documentation: commands with what they print, the report of a tournament, and the site.

python docs/images/draw.py
"""

import contextlib
import functools
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright
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
PAGES = {"site-tournament.png": "tournaments/1", "site-episode.png": "episodes/1/1.1#20"}
LIVE = "run --game othello --agent mcts:time=300ms --agent alphabeta:time=300ms --workers 1 --name cup"
COMPILED = 300_000  # milliseconds until the agents of a game are compiled
DRAWN = 5000  # milliseconds until a page has drawn its charts and some moves


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
    page = folder / "report.html"
    run("results", "1", "--html", str(page))
    options = ["--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1100,1440", f"--screenshot={file}"]
    subprocess.run([browser(), *options, "--virtual-time-budget=5000", page.as_uri()], check=True)


def draw_site(folder: Path) -> None:
    """Keep the top of some pages of the site as PNG, one of them of a game that is being played."""
    with background("serve", "--port", "0") as served, sync_playwright() as playwright:
        assert served.stderr is not None
        address = re.findall(r"http://\S+", served.stderr.readline())[0]
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": 1280, "height": 800})

        def keep(path: str, file: Path) -> None:
            page.goto(address + path)
            page.locator("svg").first.wait_for(timeout=COMPILED)
            page.wait_for_timeout(DRAWN)
            page.screenshot(path=file)

        for name, path in PAGES.items():
            keep(path, folder / name)
        with background(*LIVE.split()):
            while not (runs := json.load(urllib.request.urlopen(f"{address}api/live"))) or not runs[0]["feeds"]:
                time.sleep(0.1)
            keep(f"live/{runs[0]['id']}/{runs[0]['feeds'][0]['name']}", folder / "site-live.png")
        chromium.close()


def browser() -> str:
    """The program of a browser."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        sys.exit("The pictures need Chromium.")
    return found


@contextlib.contextmanager
def background(*words: str) -> Iterator["subprocess.Popen[str]"]:
    """A command that runs meanwhile, until Ctrl-C ends it."""
    with subprocess.Popen([sys.executable, "-m", "ludus", *words], stderr=subprocess.PIPE, text=True) as process:
        yield process
        process.send_signal(signal.SIGINT)


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
        draw_site(IMAGES)


if __name__ == "__main__":
    main()
