import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow


def said(progress: str) -> str:
    """The output of a script on standard error, which seems to be a terminal."""
    script = f"import ludus; ludus.play('nim', ['random', 'random'], episodes=5, progress={progress})"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"FORCE_COLOR": "1", "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    return done.stderr


@pytest.mark.parametrize("progress", ["None", "False"])
def test_script_is_silent(progress: str) -> None:
    assert said(progress) == ""


def test_progress_is_shown_on_request() -> None:
    assert "Compiling nim" in said("True")
