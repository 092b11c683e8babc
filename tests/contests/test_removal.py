"""Contests are plugins: a copy of the project without one works, and passes the quick tests."""

import pytest

from support.copied_project import CopiedProject

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> CopiedProject:
    """A copy of the project without spe_ed."""
    copied = CopiedProject(tmp_path_factory.mktemp("project"))
    copied.remove_contest("speed", pages="spe_ed*.md")
    return copied


def test_without_speed_only_its_game_is_unknown(project: CopiedProject) -> None:
    assert "hex" in project.run("-m", "ludus", "list", "games", "hex").stdout
    unknown = project.run("-m", "ludus", "list", "games", "speed")
    assert unknown.returncode == 2
    assert "'speed'" in unknown.stderr


def test_without_speed_the_rules_of_the_project_hold(project: CopiedProject) -> None:
    done = project.test("-m", "not slow and not nightly", "tests/test_architecture.py", "tests/core/test_registry.py")
    assert done.returncode == 0, done.stdout


@pytest.mark.nightly
def test_without_speed_the_quick_tests_pass(project: CopiedProject) -> None:
    done = project.test("-m", "not slow and not nightly")
    assert done.returncode == 0, done.stdout
