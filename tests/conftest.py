"""Settings of all tests: long files come first, so that no core waits for the last of them."""

import importlib.metadata
import tomllib

import pytest

from support.places import ROOT

_LONG = [
    "agents/test_all_agents.py",
    "run/test_runner.py",
    "check/test_game_check.py",
    "run/test_runs_with_bots.py",
    "e2e/test_cache.py",
    "check/test_bot_moves.py",
    "check/test_bot_life.py",
    "games/test_all_games.py",
    "e2e/test_kills.py",
    "bots/test_starters.py",
    "e2e/test_bots.py",
    "e2e/test_report.py",
    "cli/test_host.py",
    "bots/serve/test_loop.py",
]


def pytest_configure() -> None:
    """Stop where the entry points of pyproject.toml are not those that are installed: classes would not be found."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    installed = importlib.metadata.distribution("ludus").entry_points
    if {(group, *entry) for group, entries in wanted.items() for entry in entries.items()} - {
        (entry.group, entry.name, entry.value) for entry in installed
    }:
        pytest.exit("The entry points of Ludus have changed: install it again, with 'make setup'.", 2)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort them so; within a file the order stays."""
    places = {f"tests/{file}": place for place, file in enumerate(_LONG)}
    items.sort(key=lambda item: places.get(item.nodeid.partition("::")[0], len(_LONG)))
