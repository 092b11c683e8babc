"""The guard of quick tests: a test that starts a process or a server is marked, or fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.places import ROOT

pytestmark = pytest.mark.slow

TESTS = """
import contextlib, os, socket, subprocess
import pytest

def test_nothing():
    pass

def test_process():
    subprocess.run(["true"])

def test_process_whose_failure_is_caught():
    with contextlib.suppress(Exception):
        subprocess.run(["true"])

def test_fork():
    if os.fork() == 0:
        os._exit(0)

def test_server():
    socket.socket().bind(("127.0.0.1", 0))

@pytest.fixture
def started():
    subprocess.run(["true"])

def test_process_of_a_fixture(started):
    pass

@pytest.mark.slow
def test_marked_process(started):
    assert subprocess.run(["true"]).returncode == 0

@pytest.mark.nightly
def test_process_at_night(started):
    assert subprocess.run(["true"]).returncode == 0
"""


def test_unmarked_tests_that_start_something_fail_with_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "test_all.py"
    file.write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  slow\n  nightly\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "support.quick", "-p", "no:cacheprovider", "-rA", "--tb=line", file],
        env={name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
        | {"PYTHONPATH": str(ROOT / "tests"), "COLUMNS": "300"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    outcomes = [
        line.split(" - ")[0] for line in done.stdout.splitlines() if line.startswith(("PASSED", "FAILED", "ERROR"))
    ]
    assert sorted(outcomes) == [
        "ERROR test_all.py::test_process_of_a_fixture",
        "FAILED test_all.py::test_fork",
        "FAILED test_all.py::test_process",
        "FAILED test_all.py::test_process_whose_failure_is_caught",
        "FAILED test_all.py::test_server",
        "PASSED test_all.py::test_marked_process",
        "PASSED test_all.py::test_nothing",
        "PASSED test_all.py::test_process_at_night",
    ]
    assert done.stdout.count("@pytest.mark.slow") >= 5
