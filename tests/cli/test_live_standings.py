import re
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from rich.text import Text

from ludus.cli import live_standings
from ludus.cli.live_standings import drawn, ranked
from ludus.run.runner import Progress
from support.places import SUPPORT
from support.running import Terminal, ludus

AGENTS = SUPPORT / "simple_agents.py"


def progress(points: list[float], played: list[int], **more: object) -> Progress:
    names = [f"agent {number} " + "x" * 100 for number in range(len(points))]
    return Progress(sum(played), 1000, names, np.array(points), np.array(played), **more)  # type: ignore[arg-type]


def lines(shown: Progress, *, seats: int = 2, columns: int = 80, rows: int = 24) -> list[str]:
    console = Console(width=columns, height=rows)
    with console.capture() as capture:
        console.print(drawn(shown, seats, Text("bar"), console))
    return capture.get().splitlines()


def test_agents_stand_by_their_mean_score_once_they_have_played() -> None:
    assert ranked(progress([3.0, 4.0, 0.0, 5.0], [4, 8, 0, 5])) == [3, 0, 1]


@pytest.mark.parametrize("columns", [40, 80, 132])
def test_everything_fits_the_screen_on_one_line_each(columns: int) -> None:
    names = ["first " + "x" * 90, "second " + "y" * 90]
    shown = lines(progress([1.0] * 100, [2] * 100, compiling=names, playing=[names, names]), columns=columns)
    assert max(map(len, shown)) <= columns
    assert len(shown) <= 24
    starts = [line.split()[0] for line in shown]
    assert starts[:2] == ["bar", "#"]
    assert starts[-3:] == ["and", "compiling", "playing"]
    assert any("50.0 %" in line for line in shown)


def test_low_screen_shows_at_least_the_first() -> None:
    shown = lines(progress([1.0] * 9, [2] * 9), rows=5)
    assert [line.split()[0] for line in shown] == ["bar", "#", "─" * len(shown[2].strip()), "1", "and"]


def test_games_of_one_player_show_mean_points() -> None:
    assert lines(progress([300.0], [2]), seats=1)[-1].split()[-2:] == ["150.0", "2"]


@pytest.mark.slow
def test_terminal_shows_standings_and_what_is_played(tmp_path: Path) -> None:
    slow = f"{AGENTS}:Sleeper:ms=50"
    command = ["run", "--game", "tic-tac-toe", "--agent", slow, "--agent", "random", "--episodes", "15"]
    terminal = Terminal(*command, LUDUS_STORE=str(tmp_path / "ludus.db"))
    for text in ("/30 episodes", "score  episodes", "1  ", "playing "):
        terminal.wait_for(text)
    assert terminal.end() == 0
    live, _, results = terminal.raw.partition("Standings")
    assert "\x1b[2K" in live  # lines are drawn over, and removed at the end
    assert "playing" not in results
    assert re.search(r"random\s+\d+\.\d %\s+\d+", terminal.text)


def test_elsewhere_a_line_is_written_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_standings, "_FIRST_LINE", 0.01)
    slow = f"{AGENTS}:Sleeper:ms=10"
    command = ["run", "--game", "tic-tac-toe", "--agent", slow, "--agent", "random", "--episodes", "10"]
    done = ludus(*command, "--workers", "0", LUDUS_STORE=str(tmp_path / "ludus.db"))
    assert done.returncode == 0
    told = done.stderr.splitlines()
    assert 1 <= len(told) <= 8
    assert not [line for line in told if not re.match(r"\d+ of 20 episodes[,;] .*first: .* \(\d+\.\d %\)\.$", line)]
