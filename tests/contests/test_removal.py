"""Contests are plugins: without one, all else goes on as before."""

import pytest

from support.copied_project import CopiedProject

SUBSET = (
    "tests/test_architecture.py",
    "tests/core",
    "tests/tournaments/formats",
    "tests/episode/test_record.py",
    "tests/episode/test_referee.py",
    "tests/episode/test_verdict.py",
    "tests/stats/ratings/test_bradley_terry.py",
    "tests/views/test_columns.py",
    "tests/cli/test_commands.py",
    "tests/cli/test_games.py",
    "tests/cli/test_words.py",
)
"""Tests without contests, processes or long compilations, as words for pytest."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> CopiedProject:
    """A copy of the project without spe_ed."""
    copied = CopiedProject(tmp_path_factory.mktemp("project"))
    copied.remove_contest("speed")
    copied.install()
    return copied


def test_without_speed_its_game_is_unknown_and_others_are_not(project: CopiedProject) -> None:
    assert "hex" in project.run("-m", "ludus", "games", "hex").stdout
    assert "There is no game 'speed'" in project.run("-m", "ludus", "games", "speed").stderr


def test_without_speed_the_tests_of_all_else_pass(project: CopiedProject) -> None:
    done = project.test(SUBSET)
    assert done.returncode == 0, done.stdout
