"""The environment in which bots run, as they see it themselves."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ludus.bots.process.child import Child
from ludus.bots.process.environment import PASSED_ON
from support.places import ROOT
from support.process_programs import LIMITS, python, read_line
from support.running import ludus

pytestmark = pytest.mark.slow

TELL = python("import json; print(json.dumps(dict(os.environ)))")
SECRETS = {
    "LUDUS_STORE": "postgresql://me:secret@host/results",
    "PGPASSWORD": "secret",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "GITHUB_TOKEN": "secret",
    "SSH_AUTH_SOCK": "/tmp/agent",
}


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in SECRETS.items():
        monkeypatch.setenv(name, text)


def seen(folder: Path, **own: str) -> dict[str, Any]:
    child = Child(TELL, folder, LIMITS, own)
    try:
        return dict(json.loads(read_line(child)))
    finally:
        child.end(1)


def test_no_secret_reaches_a_bot(tmp_path: Path) -> None:
    variables = seen(tmp_path)
    assert variables.keys().isdisjoint(SECRETS)
    assert "secret" not in str(variables)


def test_bot_learns_who_and_where_the_user_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"HOME": "/home/me", "PATH": "/usr/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "JAVA_HOME": "/usr/lib/jvm"}
    for name, text in given.items():
        monkeypatch.setenv(name, text)
    assert given.items() <= seen(tmp_path).items()


def test_bot_has_variables_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    variables = seen(tmp_path, THREADS="4", TZ="CET")
    assert (variables["THREADS"], variables["TZ"]) == ("4", "CET")


def test_spec_and_tournament_file_set_variables_of_a_bot(tmp_path: Path) -> None:
    program = tmp_path / "tell.py"
    program.write_text("import json, os\nopen('seen', 'w').write(json.dumps(dict(os.environ)))\n")
    bot = f"stdio,env.LEVEL=3:{sys.executable} {program}"
    ludus("play", "nim", bot, "random")
    assert json.loads((tmp_path / "seen").read_text())["LEVEL"] == "3"
    file = tmp_path / "cup.toml"
    file.write_text(f"""
game = "nim"
agents = [{{ agent = "stdio:{sys.executable} {program}", env.LEVEL = 4, env.MODE = "fast" }}, "random"]
""")
    ludus("run", str(file), "--workers", "0", "--store", str(tmp_path / "ludus.db"))
    variables = json.loads((tmp_path / "seen").read_text())
    assert (variables["LEVEL"], variables["MODE"]) == ("4", "fast")
    assert variables.keys().isdisjoint(SECRETS)


def test_page_lists_every_variable_that_is_passed_on() -> None:
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    assert [name for name in PASSED_ON if f"`{name}`" not in page] == []
