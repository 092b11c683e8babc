"""The order of test files: those that take longest come first, so that all processes end at about the same time.

`LUDUS_DURATIONS=write make test` measures them again, into tests/durations.json.
"""

import json
import os
from collections import defaultdict
from pathlib import Path

import pytest

FILE = Path(__file__).parents[1] / "durations.json"
SHORT = 1.0
"""Seconds below which a file is not listed."""

_measured: defaultdict[str, float] = defaultdict(float)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort by the seconds of each file; a new file counts as short, and within a file the order stays."""
    seconds = json.loads(FILE.read_text())
    items.sort(key=lambda item: -seconds.get(file_of(item.nodeid), 0.0))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _measured[file_of(report.nodeid)] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    if os.environ.get("LUDUS_DURATIONS") == "write" and not hasattr(session.config, "workerinput"):
        listed = {file: round(seconds) for file, seconds in sorted(_measured.items()) if seconds >= SHORT}
        FILE.write_text(json.dumps(listed, indent=1) + "\n")


def file_of(nodeid: str) -> str:
    """The path of a test's file below the folder of tests."""
    return nodeid.partition("::")[0].removeprefix("tests/")
