"""`make demo` shows a game, standings and a report."""

import subprocess
from pathlib import Path

import pytest

from support.places import ROOT
from support.running import PATIENCE, PROGRAM


@pytest.mark.nightly
def test_demo_ends_with_a_report(tmp_path: Path) -> None:
    dry = subprocess.run(["make", "-n", "demo"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    lines = [line for line in dry.splitlines() if line.startswith((".venv/bin/ludus", "mkdir"))]
    assert len(lines) == 4
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    script = "\n".join(lines).replace(".venv/bin/ludus", str(PROGRAM))
    done = subprocess.run(
        ["sh", "-e", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Standings" in done.stdout
    assert "Connect Four demo" in (tmp_path / "build" / "demo.html").read_text()
