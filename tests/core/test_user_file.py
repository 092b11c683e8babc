"""Games and agents in users' files: any mistake is reported in one sentence."""

from pathlib import Path

import pytest

from ludus.agents.agent import agent_from
from ludus.games.game import game_from
from support.sentences import one_sentence
from support.takeaway import write_game


def test_path_of_a_file_replaces_the_name_of_a_game(tmp_path: Path) -> None:
    file = write_game(tmp_path)
    game = game_from(f"{file}:size=9")
    assert game.name == "take-away"
    assert game.spec() == f"{file}:TakeAway:size=9"
    assert game_from(game.spec()).spec() == game.spec()


def test_file_is_imported_once(tmp_path: Path) -> None:
    file = write_game(tmp_path)
    assert type(game_from(str(file))) is type(game_from(f"{file}:TakeAway"))


def test_file_never_imports_a_module_beside_another_file(tmp_path: Path) -> None:
    files = []
    for name, beside in (("alice", "beside_a_test.py"), ("bob", "beside_a_test/__init__.py")):
        folder = tmp_path / name
        (folder / beside).parent.mkdir(parents=True)
        (folder / beside).write_text(f"WHOSE = {name!r}\n")
        (folder / "random.py").write_text("raise ImportError('not this one')")
        first = ("import numpy as np", "import numpy as np\nimport random\nfrom beside_a_test import WHOSE")
        files.append(write_game(folder, first))
    assert game_from(str(files[0])).name == "take-away"
    for _ in range(2):
        with one_sentence(f"{files[1]} {tmp_path}/alice/beside_a_test.py"):
            game_from(str(files[1]))


def test_class_is_named_if_a_file_has_several(tmp_path: Path) -> None:
    file = write_game(tmp_path)
    file.write_text(file.read_text() + '\n\nclass Second(TakeAway):\n    """Another."""\n\n    name = "second"\n')
    assert game_from(f"{file}:Second").name == "second"
    with one_sentence(f"games {file}:TakeAway"):
        game_from(str(file))
    with one_sentence(f"{file} 'Secnd' 'Second'"):
        game_from(f"{file}:Secnd")


def test_script_is_a_bot_and_not_imported(tmp_path: Path) -> None:
    file = tmp_path / "my bot.py"
    file.write_text("class Bot:\n    pass\n\n\nraise SystemExit(input())\n")
    assert agent_from(str(file)).spec() == f"stdio:python3 '{file}'"


def test_file_of_a_game_has_no_agent(tmp_path: Path) -> None:
    file = write_game(tmp_path)
    with one_sentence(f"{file} agent ludus.Agent bot"):
        agent_from(str(file))


def test_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with one_sentence(f"{tmp_path}/nothing.py"):
        game_from(f"{tmp_path}/nothing.py")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import numpty", "ModuleNotFoundError 'numpty'"),
        ("def f(:\n    pass\n", "SyntaxError"),
        ("1 / 0", "ZeroDivisionError"),
        ("raise SystemExit(3)", "SystemExit 3"),
    ],
)
def test_broken_file_is_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / f"broken_{len(text)}.py"
    file.write_text(text)
    for _ in range(2):
        with one_sentence(f"{file} {words}"):
            game_from(str(file))


def test_misspelt_rule_in_a_file_is_one_sentence(tmp_path: Path) -> None:
    file = write_game(tmp_path, ("def legal(", "def leagl("))
    with one_sentence("'leagl' 'legal'"):
        game_from(str(file))
