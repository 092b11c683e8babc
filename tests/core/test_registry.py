"""Classes are found by name, in what is built in and what is installed beside Ludus; only those named are imported."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.agents.agent import Agent, agent_from
from ludus.agents.random import Random
from ludus.bots.bot import Bot
from ludus.core.errors import NotFoundError
from ludus.core.registry import Named, classes, find, names
from ludus.games.connect_four import ConnectFour
from ludus.games.game import Game, game_from
from ludus.tournaments.formats.format import Format
from ludus.views.boards.painter import Painter
from support.installed import Installed
from support.running import ludus
from support.takeaway import write_game

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", [Game, Agent, Bot, Format, Painter])
def test_every_name_in_the_sources_belongs_to_a_class(kind: type[Named]) -> None:
    found = classes(kind)
    assert list(found) == names(kind.noun)
    assert all(cls.name == name and issubclass(cls, kind) for name, cls in found.items())


@pytest.mark.parametrize("kind", [Game, Agent, Format])
def test_unknown_name_is_answered_with_the_command_that_lists_all(kind: type[Named]) -> None:
    with pytest.raises(NotFoundError) as error:
        find(kind, "frob")
    (command,) = re.findall("'ludus (.*?)'", str(error.value))
    done = ludus(*command.split())
    assert done.returncode == 0
    assert names(kind.noun)[0] in done.stdout


def test_built_in_games_and_agents_are_found_without_a_list() -> None:
    assert find(Game, "connect-four") is ConnectFour
    assert find(Agent, "random") is Random


def test_wrong_name_suggests_the_nearest() -> None:
    with pytest.raises(NotFoundError, match=r"^There is no game 'conect-four'.*mean 'connect-four'"):
        game_from("conect-four")
    with pytest.raises(NotFoundError, match="did you mean 'random'"):
        agent_from("ramdon")


@pytest.fixture
def installed(tmp_path: Path) -> Installed:
    return Installed(tmp_path / "installed")


AGENT = "from ludus import Agent\n\n\nclass Mine(Agent):\n    name = {}\n"
LIST = "from ludus.core.registry import names; print(*names('agent'))"


def test_only_the_module_that_is_named_is_imported() -> None:
    script = (
        "import sys; from ludus.core.registry import find, names; from ludus.core.spec import Configurable;"
        "names('agent'), names('game'), names('protocol'), names('format'), names('board');"
        "print(*[name for name in sys.modules if name.startswith('ludus')]);"
        "find(Configurable, 'swiss', 'format'); print('ludus.tournaments.formats.knockout' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    before, after = done.stdout.splitlines()
    assert {name.split(".")[1] for name in before.split() if "." in name} == {"core"}
    assert after == "False"


def test_classes_in_sub_packages_are_found(installed: Installed) -> None:
    installed.install("[ludus.agents]", "a = more")
    installed.write("more/__init__.py", "")
    installed.write("more/deep/__init__.py", "")
    installed.write("more/deep/down.py", AGENT.format("'deep-down'"))
    assert "deep-down" in installed.says(LIST)[0].split()


@pytest.mark.parametrize("name", ["'com' + 'puted'", "''.join(['computed'])"])
def test_module_whose_source_does_not_tell_a_name_is_imported(installed: Installed, name: str) -> None:
    installed.install("[ludus.agents]", "a = odd")
    installed.write("odd.py", AGENT.format(name))
    assert "computed" in installed.says(LIST)[0].split()


def test_field_with_a_default_is_no_name(installed: Installed) -> None:
    installed.install("[ludus.agents]", "a = more")
    installed.write("more.py", AGENT.format("'mine'") + "\n\nclass Row(tuple):\n    name: str = 'row'\n")
    assert {"mine", "row"} & set(installed.says(LIST)[0].split()) == {"mine"}


def test_edited_source_and_new_entry_point_are_noticed(installed: Installed) -> None:
    installed.install("[ludus.agents]", "a = more")
    installed.write("more.py", AGENT.format("'first'"))
    installed.write("later.py", AGENT.format("'later'"))
    assert {"first", "second", "later"} & set(installed.says(LIST)[0].split()) == {"first"}
    installed.write("more.py", AGENT.format("'second'"))
    assert {"first", "second", "later"} & set(installed.says(LIST)[0].split()) == {"second"}
    installed.install("[ludus.agents]", "a = more", "b = later")
    assert {"first", "second", "later"} & set(installed.says(LIST)[0].split()) == {"second", "later"}


@pytest.mark.parametrize("content", ["", "[]", "{", '{"x": 3}', "\0"])
def test_damaged_notes_harm_nobody(installed: Installed, tmp_path: Path, content: str) -> None:
    expected = installed.says(LIST, LUDUS_HOME=str(tmp_path))
    (notes,) = (tmp_path / "cache").glob("names-*.json")
    notes.write_text(content)
    assert installed.says(LIST, LUDUS_HOME=str(tmp_path)) == expected


def test_cache_that_cannot_be_written_harms_nobody(installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way")
    assert installed.says(LIST, LUDUS_HOME=str(tmp_path)) == installed.says(LIST)


def test_class_that_cannot_be_imported_is_told_when_it_is_named(installed: Installed) -> None:
    installed.install("[ludus.agents]", "a = more")
    installed.write("more.py", AGENT.format("'mine'") + "\n\nimport numpty\n")
    script = (
        "from ludus.agents.agent import Agent, agent_from; from ludus.core.registry import classes;"
        "print('mine' in classes(Agent), 'random' in classes(Agent))\n"
        "try: agent_from('mine')\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    listed, told = installed.says(script)
    assert listed == "False True"
    assert told.startswith("LudusError The agent 'mine' cannot be used: more cannot be imported: ModuleNotFoundError: ")


def test_what_is_installed_beside_ludus_and_broken_is_told_and_disturbs_no_other(installed: Installed) -> None:
    (installed.folder / "empty_games").mkdir()
    (installed.folder / "empty_games" / "__init__.py").touch()
    (installed.folder / "faulty_games.py").write_text("1 / 0")
    write_game(installed.folder, name="more_games.py")
    write_game(installed.folder, ("take-away", "give-away"), name="one_game.py")
    installed.install(
        "[ludus.games]", "a = empty_games", "b = faulty_games", "c = math:pi", "d = more_games", "e = one_game:TakeAway"
    )
    script = (
        "from ludus.core.registry import names; from ludus.games.game import game_from\n"
        "print(names('game'))\n"
        "try: game_from('hexx')\n"
        "except Exception as error: print(error)\n"
    )
    listed, told = installed.says(script)
    assert "'hex'" in listed
    assert "'take-away'" in listed
    assert "'give-away'" in listed
    assert "empty_games has no game" in told
    assert "faulty_games cannot be imported: ZeroDivisionError" in told
    assert "math:pi has no game" in told
