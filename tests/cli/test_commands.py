"""Commands that another package brings."""

from pathlib import Path

import pytest

from support.installed import Installed

pytestmark = pytest.mark.slow

GREET = """
import sys
print("imported", file=sys.stderr)
EXAMPLE = "Example: ludus greet anna"

def greet(name: str) -> None:
    \"\"\"Say hello to somebody.\"\"\"
    print(f"Hello {name}.")
"""


@pytest.fixture
def installed(tmp_path: Path) -> Installed:
    return Installed(tmp_path / "installed")


def test_command_of_another_package_is_listed_without_importing_it(installed: Installed) -> None:
    installed.install("[ludus.commands]", "greet = greeting:greet")
    installed.write("greeting.py", GREET)
    for _ in range(2):  # read, and noted
        done = installed.run("-m", "ludus", "--help")
        assert "greet" in done.stdout
        assert "Say hello to somebody." in done.stdout
        assert "imported" not in done.stderr


def test_command_of_another_package_runs_and_helps(installed: Installed) -> None:
    installed.install("[ludus.commands]", "greet = greeting:greet")
    installed.write("greeting.py", GREET)
    assert installed.run("-m", "ludus", "greet", "anna").stdout == "Hello anna.\n"
    assert "ludus greet anna" in installed.run("-m", "ludus", "greet", "--help").stdout


def test_broken_command_is_listed_and_reported_when_used(installed: Installed) -> None:
    installed.install("[ludus.commands]", "greet = greeting:greet", "gone = no_such_module:gone", "odd = odd:odd")
    installed.write("greeting.py", "import numpty\n\ndef greet(): 'Say hello.'\n")
    installed.write("odd.py", "def odd(:\n")
    assert "Say hello." in installed.run("-m", "ludus", "--help").stdout
    for name in ("greet", "gone", "odd"):
        done = installed.run("-m", "ludus", name)
        assert done.returncode == 2
        assert f"'ludus {name}'" in done.stderr
        assert done.stderr.count("\n") == 1
        assert "Traceback" not in done.stderr


def test_command_of_another_package_cannot_replace_one_of_ludus(installed: Installed) -> None:
    installed.install("[ludus.commands]", "list = greeting:greet")
    installed.write("greeting.py", GREET)
    assert "tic-tac-toe" in installed.run("-m", "ludus", "list", "games", "--json").stdout
