"""Games and agents in files of the user's: what is wrong with a file is said in one sentence."""

import re
from pathlib import Path

import pytest

from ludus.agents.agent import agent_from
from ludus.core.errors import LudusError
from ludus.games.game import game_from
from support.takeaway import write_game


def sentence(error: pytest.ExceptionInfo[LudusError]) -> str:
    text = str(error.value)
    assert "\n" not in text
    assert text.endswith(".")
    return text


def test_file_is_taken_where_a_name_is(tmp_path: Path) -> None:
    file = write_game(tmp_path)
    game = game_from(f"{file}:size=9")
    assert game.name == "take-away"
    assert game.spec() == f"{file}:TakeAway:size=9"
    assert game_from(game.spec()).spec() == game.spec()


def test_file_is_imported_once(tmp_path: Path) -> None:
    file = write_game(tmp_path)
    assert type(game_from(str(file))) is type(game_from(f"{file}:TakeAway"))


def test_module_of_another_folder_is_not_taken_for_the_one_beside_a_file(tmp_path: Path) -> None:
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
        with pytest.raises(LudusError) as error:
            game_from(str(files[1]))
        assert sentence(error) == (
            f"{files[1]} would import {tmp_path}/alice/beside_a_test.py instead of the module beside_a_test "
            "beside it: rename one of the two."
        )


def test_class_is_chosen_where_a_file_holds_several(tmp_path: Path) -> None:
    file = write_game(tmp_path)
    file.write_text(file.read_text() + '\n\nclass Second(TakeAway):\n    """Another."""\n\n    name = "second"\n')
    assert game_from(f"{file}:Second").name == "second"
    with pytest.raises(LudusError) as error:
        game_from(str(file))
    assert sentence(error) == f"{file} has several games: write {file}:TakeAway."
    with pytest.raises(LudusError) as error:
        game_from(f"{file}:Secnd")
    assert sentence(error) == f"{file} has no game 'Secnd', perhaps you mean 'Second'."


def test_script_of_a_bot_is_not_run_as_an_agent(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("class Bot:\n    pass\n\n\nraise SystemExit(input())\n")
    with pytest.raises(LudusError) as error:
        agent_from(str(file))
    assert sentence(error).startswith(f"{file} has no agent: derive a class with a name from ludus.Agent; ")
    assert sentence(error).endswith(f"to use a bot, write stdio:python3 {file}.")


def test_file_of_a_game_holds_no_agent(tmp_path: Path) -> None:
    file = write_game(tmp_path)
    with pytest.raises(LudusError) as error:
        agent_from(str(file))
    assert "has no agent: derive a class with a name from ludus.Agent; to use a bot" in sentence(error)


def test_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LudusError) as error:
        game_from(f"{tmp_path}/nothing.py")
    assert sentence(error) == f"There is no file {tmp_path}/nothing.py."


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("import numpty", "cannot be imported: ModuleNotFoundError: No module named 'numpty'"),
        ("def f(:\n    pass\n", "cannot be imported: SyntaxError: "),
        ("1 / 0", "cannot be imported: ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)", "cannot be imported: SystemExit: 3"),
    ],
)
def test_broken_file_is_one_sentence(tmp_path: Path, text: str, answer: str) -> None:
    file = tmp_path / f"broken_{len(text)}.py"
    file.write_text(text)
    for _ in range(2):
        with pytest.raises(LudusError) as error:
            game_from(str(file))
        assert re.search(re.escape(answer), sentence(error))


def test_misspelt_rule_in_a_file_is_one_sentence(tmp_path: Path) -> None:
    file = write_game(tmp_path, ("def legal(", "def leagl("))
    with pytest.raises(LudusError) as error:
        game_from(str(file))
    assert "there is no rule 'leagl', perhaps you mean 'legal'" in sentence(error)
