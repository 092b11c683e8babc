"""Finding games and agents by name and by file; what is wrong is said in one sentence."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.agents.random import Random
from ludus.core import registry
from ludus.core.errors import LudusError
from ludus.games.connect_four import ConnectFour
from support.takeaway import write_game


def sentence(error: pytest.ExceptionInfo[LudusError]) -> str:
    text = str(error.value)
    assert "\n" not in text
    assert text.endswith(".")
    return text


def test_built_in_games_and_agents_are_found_without_a_list() -> None:
    assert registry.games()["connect-four"] is ConnectFour
    assert registry.agents()["random"] is Random


def test_spec_sets_parameters() -> None:
    game = registry.game_from("connect-four:rows=5,columns=6")
    assert isinstance(game, ConnectFour)
    assert (game.rows, game.columns, game.length) == (5, 6, 4)
    assert game.spec() == "connect-four:rows=5,columns=6"


def test_wrong_name_suggests_the_nearest() -> None:
    with pytest.raises(LudusError) as error:
        registry.game_from("conect-four")
    assert sentence(error).startswith("There is no game 'conect-four', perhaps you mean 'connect-four';")
    with pytest.raises(LudusError) as error:
        registry.agent_from("ramdon")
    assert "perhaps you mean 'random'" in sentence(error)


@pytest.mark.parametrize(
    ("spec", "answer"),
    [
        ("connect-four:rows=many", "rows=many is not a whole number from 2 to 12"),
        ("connect-four:rows=1", "rows=1 is not a whole number from 2 to 12"),
        ("connect-four:colums=7", "has no parameter 'colums', perhaps you mean 'columns'"),
        ("connect-four:rows=5,rows=6", "gives 'rows' twice"),
        ("connect-four:big", "'big' is not of the form key=value"),
        ("connect-four:rows=9,columns=9", "is too large"),
        (":rows=5", "has no name"),
    ],
)
def test_wrong_parameter_is_one_sentence(spec: str, answer: str) -> None:
    with pytest.raises(LudusError) as error:
        registry.game_from(spec)
    assert answer in sentence(error)


def test_file_is_taken_where_a_name_is(tmp_path: Path) -> None:
    file = write_game(tmp_path)
    game = registry.game_from(f"{file}:size=9")
    assert game.name == "take-away"
    assert game.spec() == f"{file}:TakeAway:size=9"
    assert registry.game_from(game.spec()).spec() == game.spec()


def test_file_is_imported_once(tmp_path: Path) -> None:
    file = write_game(tmp_path)
    assert type(registry.game_from(str(file))) is type(registry.game_from(f"{file}:TakeAway"))


def test_module_of_another_folder_is_not_taken_for_the_one_beside_a_file(tmp_path: Path) -> None:
    files = []
    for name, beside in (("alice", "beside_a_test.py"), ("bob", "beside_a_test/__init__.py")):
        folder = tmp_path / name
        (folder / beside).parent.mkdir(parents=True)
        (folder / beside).write_text(f"WHOSE = {name!r}\n")
        (folder / "random.py").write_text("raise ImportError('not this one')")
        first = ("import numpy as np", "import numpy as np\nimport random\nfrom beside_a_test import WHOSE")
        files.append(write_game(folder, first))
    assert registry.game_from(str(files[0])).name == "take-away"
    for _ in range(2):
        with pytest.raises(LudusError) as error:
            registry.game_from(str(files[1]))
        assert sentence(error) == (
            f"{files[1]} would take {tmp_path}/alice/beside_a_test.py for its module beside_a_test, which "
            "is beside it: rename one of the two."
        )


def test_class_is_chosen_where_a_file_holds_several(tmp_path: Path) -> None:
    file = write_game(tmp_path)
    file.write_text(file.read_text() + '\n\nclass Second(TakeAway):\n    """Another."""\n\n    name = "second"\n')
    assert registry.game_from(f"{file}:Second").name == "second"
    with pytest.raises(LudusError) as error:
        registry.game_from(str(file))
    assert sentence(error) == f"{file} holds several games: write {file}:TakeAway."
    with pytest.raises(LudusError) as error:
        registry.game_from(f"{file}:Secnd")
    assert sentence(error) == f"{file} holds no game 'Secnd', perhaps you mean 'Second'."


def test_script_of_a_bot_is_not_run_as_an_agent(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("class Bot:\n    pass\n\n\nraise SystemExit(input())\n")
    with pytest.raises(LudusError) as error:
        registry.agent_from(str(file))
    assert sentence(error).startswith(f"{file} holds no agent: derive a class with a name from ludus.Agent; ")
    assert sentence(error).endswith(f"a bot is named with how it is run: stdio:python3 {file}.")


@pytest.mark.parametrize("command", ["python3 bot.py", "java -jar Bot.jar", "sh run me", "no-such-program Bot.jar 5"])
def test_command_without_a_protocol_is_told_where_it_stands(command: str) -> None:
    with pytest.raises(LudusError) as error:
        registry.agent_from(command)
    assert sentence(error) == (
        f"There is no agent '{command}'; a bot's command stands after its protocol: 'stdio:{command}'."
    )


def test_file_of_an_agent_may_lie_in_a_folder_named_like_a_command(tmp_path: Path) -> None:
    with pytest.raises(LudusError, match=r"There is no file no such/mine\.py"):
        registry.agent_from("no such/mine.py")
    file = tmp_path / "test bots" / "mine.py"
    file.parent.mkdir()
    file.write_text("from ludus import Agent\n\n\nclass Mine(Agent):\n    name = 'mine'\n")
    registry.refuse_bare_command("test bots/mine.py", tmp_path)
    assert registry.agent_from(str(file)).name == "mine"


def test_files_of_an_agent_are_those_that_its_spec_names(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.touch()
    assert registry.files_of(f"stdio:python3 {script}") == [script]
    assert registry.files_of("uci:sh") == [Path(str(shutil.which("sh")))]
    assert registry.files_of(f"{script}:Mine:n=3") == [script]
    assert registry.files_of("mcts") == []


def test_file_of_a_game_holds_no_agent(tmp_path: Path) -> None:
    file = write_game(tmp_path)
    with pytest.raises(LudusError) as error:
        registry.agent_from(str(file))
    assert "holds no agent: derive a class with a name from ludus.Agent; a bot is named" in sentence(error)


def test_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LudusError) as error:
        registry.game_from(f"{tmp_path}/nothing.py")
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
            registry.game_from(str(file))
        assert re.search(re.escape(answer), sentence(error))


def test_misspelt_rule_in_a_file_is_one_sentence(tmp_path: Path) -> None:
    file = write_game(tmp_path, ("def legal(", "def leagl("))
    with pytest.raises(LudusError) as error:
        registry.game_from(str(file))
    assert "there is no rule 'leagl', perhaps you mean 'legal'" in sentence(error)


def test_players_left_open_take_the_number_at_the_table(tmp_path: Path) -> None:
    changes = ('name = "take-away"', 'name = "take-away"\n    most_players = 4\n    players: int = param(2, "seats")')
    file = write_game(tmp_path, changes)
    assert registry.game_from(str(file), players=3).seats == 3
    assert registry.game_from(str(file), players=9).seats == 4
    assert registry.game_from(f"{file}:players=2", players=3).seats == 2


def test_what_is_installed_beside_ludus_and_broken_is_told_and_disturbs_no_other(tmp_path: Path) -> None:
    (tmp_path / "empty_games").mkdir()
    (tmp_path / "empty_games" / "__init__.py").touch()
    (tmp_path / "faulty_games.py").write_text("1 / 0")
    write_game(tmp_path, name="more_games.py")
    write_game(tmp_path, ("take-away", "give-away"), name="one_game.py")
    info = tmp_path / "more_games-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: more-games\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[ludus.games]\na = empty_games\nb = faulty_games\nc = math:pi\nd = more_games\ne = one_game:TakeAway\n"
    )
    script = (
        "from ludus.core import registry\n"
        "print(sorted(registry.games()))\n"
        "try: registry.game_from('hexx')\n"
        "except Exception as error: print(error)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    listed, told = done.stdout.splitlines()
    assert "'hex'" in listed
    assert "'take-away'" in listed
    assert "'give-away'" in listed
    assert "empty_games holds no game" in told
    assert "faulty_games cannot be imported: ZeroDivisionError" in told
    assert "math:pi holds no game" in told
