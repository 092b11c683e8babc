"""Parts shared by all tests: a home of their own, the guard of quick tests, the order of files."""

import importlib.metadata
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludus.store import Store, open_store
from ludus.tournaments import plan
from support import durations, played_formats, quick
from support.places import ROOT


def pytest_configure(config: pytest.Config) -> None:
    """Stop where the entry points of pyproject.toml are not those that are installed: classes would not be found."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    installed = importlib.metadata.distribution("ludus").entry_points
    if {(group, *entry) for group, entries in wanted.items() for entry in entries.items()} - {
        (entry.group, entry.name, entry.value) for entry in installed
    }:
        pytest.exit("The entry points of Ludus have changed: install it again, with 'make setup'.", 2)
    # Machine code that one process compiles serves all others, and the next run; nothing of the user's is touched.
    os.environ.setdefault("LUDUS_HOME", str(ROOT / ".pytest_cache" / "ludus"))
    for plugin in (quick, durations, played_formats):
        config.pluginmanager.register(plugin)


@pytest.fixture(scope="session", autouse=True)
def _undrawn_seeds() -> Iterator[None]:
    """A tournament of a test that does not ask for a seed gets 0, so that the test cannot fail by bad luck."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "drawn_seed", lambda: 0)
        yield


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with open_store(str(tmp_path / "ludus.db")) as opened:
        yield opened
