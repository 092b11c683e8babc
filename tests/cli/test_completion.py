import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from ludus.cli.outline import outline
from ludus.cli.suggestions import Suggestion, suggestions
from ludus.core.registry import names
from ludus.store import schema
from ludus.store.connect import connect, location, writing
from support.installed import Installed
from support.installed_games import needs
from support.running import PATIENCE, PROGRAM, ludus, program

TOURNAMENTS = 1000


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with many tournaments, of which the third has 20 matches of 10 episodes, and the fourth repetitions."""
    file = tmp_path_factory.mktemp("store") / "a store.db"
    about = {"content": "{}", "versions": "{}", "created": 0}
    keys = [(3, 0, match, number) for match in range(20) for number in range(10)]
    keys += [(4, repetition, 0, 0) for repetition in range(2)]
    rest = {"played": 0, "wall": 0, "plies": 1, "result": 0, "course": 0}
    with writing(connect(location(str(file)))) as connection:
        connection.execute(
            insert(schema.tournaments),
            [{"id": n, "identity": f"{n:x}", "name": name_of(n), **about} for n in range(1, TOURNAMENTS + 1)],
        )
        connection.execute(
            insert(schema.episodes),
            [dict(zip(("tournament", "repetition", "match", "number"), key, strict=True)) | rest for key in keys],
        )
    return str(file)


def name_of(number: int) -> str:
    return f"spring cup {number}" if number % 100 == 0 else f"hex-{number}"


def words(line: str) -> list[str]:
    """The words that can end a line, which is split at each space."""
    command, *earlier, incomplete = line.split(" ")
    return [suggestion.word for suggestion in suggestions(outline(command), [command, *earlier], incomplete)]


def bash(*typed: str, **environment: Any) -> list[str]:
    """The answer to Bash, which makes words of colons and equals signs, too."""
    asked: dict[str, Any] = {"_LUDUS_COMPLETE": "complete_bash", "COMP_WORDS": "\n".join(["ludus", *typed])}
    done = ludus(**asked, COMP_CWORD=str(len(typed)), **environment)
    assert done.stderr == ""
    return done.stdout.splitlines()


def shell(name: str, line: str, **environment: Any) -> str:
    """The answer to another shell."""
    asked: dict[str, Any] = {"_LUDUS_COMPLETE": f"complete_{name}", "_TYPER_COMPLETE_ARGS": f"ludus {line}"}
    done = ludus(**asked, **environment)
    assert done.stderr == ""
    return done.stdout


# --- Commands, options, names -----------------------------------------------------------------------------------------


def test_commands_and_their_options_are_offered() -> None:
    assert bash("re") == ["results", "replay"]
    assert bash("run", "--open") == ["--opening-plies", "--openings"]
    assert "--version" in bash("--")


def test_commands_are_offered_with_their_summaries() -> None:
    assert Suggestion("play", "Play episodes between agents.") in suggestions(outline(""), [], "pl")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("list g", ["games"]),
        ("list games hex:si", ["hex:size=", "hex:size=11"]),
        ("scenario c", ["cut"]),
        ("store exp", ["export"]),
        pytest.param("host ", ["speed"], marks=needs("speed")),
        pytest.param("host speed --wid", ["--width"], marks=needs("speed")),
        ("check game conn", ["connect-four"]),
        ("check bot mybot --game conn", ["connect-four"]),
        ("play ch", ["chess"]),
        ("play hex minim", ["minimax"]),
        ("play hex random --move-time 1s minim", ["minimax"]),
        ("play hex -n 3 -- minim", ["minimax"]),
        ("play hex random --policy s", ["soft"]),
        ("play hex random --policy=s", ["--policy=soft"]),
        ("run --format swi", ["swiss"]),
        ("play hex random --seed ", []),
        ("results --html ", []),
        ("bot nothing ", []),
    ],
)
def test_what_comes_next_depends_on_the_command(line: str, offered: list[str]) -> None:
    assert words(line) == offered


def test_all_games_and_formats_are_offered() -> None:
    assert words("play ") == names("game")
    assert words("run --format ") == names("format")


def test_saved_agents_are_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "strong.toml").touch()
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    assert words("compare @") == ["@strong"]


def test_parameters_of_a_spec_follow_its_colon() -> None:
    assert "mcts:simulations=" in words("play hex mcts:")
    assert "mcts:simulations=" not in words("play hex mcts:simulations=5,")
    assert "mcts:simulations=5,time=" in words("play hex mcts:simulations=5,")
    assert words("play hex:swap=") == ["hex:swap=yes", "hex:swap=no"]


# --- Tournaments and episodes -----------------------------------------------------------------------------------------


def test_tournaments_are_offered_by_number_and_name(store: str) -> None:
    assert bash("results", "--store", shlex.quote(store), "100") == ["100", "1000"]
    assert bash("results", "hex-99", LUDUS_STORE=store) == [f"hex-{n}" for n in (99, *range(990, 1000))]
    assert len(bash("results", "", LUDUS_STORE=store)) == 2 * TOURNAMENTS


def test_the_store_that_is_typed_is_read(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_STORE", store)
    monkeypatch.setenv("HOME", str(Path(store).parent))
    asked = ["results", "--store"]
    for typed, offered in ((f"{tmp_path}/none.db", []), ("~/a store.db", ["555"]), ("$HOME/a store.db", ["555"])):
        found = suggestions(outline("results"), [*asked, typed], "555")
        assert [suggestion.word for suggestion in found] == offered


def test_the_store_of_the_settings_is_read(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LUDUS_STORE", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ludus.toml").write_text(f"store = '{store}'\n")
    assert bash("results", "555") == ["555"]
    (tmp_path / "ludus.toml").write_text("store = ")
    assert bash("results", "555") == []


def test_episodes_of_a_tournament_follow_its_slash(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_STORE", store)
    assert words("replay 3/20.")[:2] == ["3/20.1", "3/20.2"]
    assert words("replay hex-3/1.1") == ["hex-3/1.1", "hex-3/1.10"]
    assert words("replay 4/") == ["4/1.1.1", "4/2.1.1"]
    assert words("replay 39") == ["39/", *(f"{n}/" for n in range(390, 400))]
    assert words("replay hex-4/nothing") == []


@pytest.mark.parametrize("content", [None, b"", b"no database", b"SQLite format 3\0 broken"])
def test_a_store_that_cannot_be_read_has_no_names(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "broken.db"
    if content is not None:
        file.write_bytes(content)
    assert bash("results", "", LUDUS_STORE=str(file)) == []
    assert bash("replay", "3/", LUDUS_STORE=str(file)) == []
    assert bash("replay", "3/", LUDUS_STORE="postgresql://nobody@localhost:1/none") == []


# --- Shells -----------------------------------------------------------------------------------------------------------


def test_bash_gets_blanks_with_backslashes_or_in_the_quotes_that_are_open(store: str) -> None:
    assert bash("results", "spring\\ cup\\ 3", LUDUS_STORE=store) == ["spring\\ cup\\ 300"]
    assert bash("results", "'spring cup 3", LUDUS_STORE=store) == ["spring cup 300"]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["play", "hex", "mcts", ":", "simulat"], ["simulations=", "simulations=none"]),
        (["play", "hex", "--agent", "=", "mcts", ":", "x"], []),
        (["run", "--agent", "=", "mcts", ":", "sol"], ["solve=", "solve=yes"]),
        (["play", "hex", ":", "size", "=", "5,sw"], ["5,swap=", "5,swap=no"]),
        (["play", "hex", ":", "size", "=", "5", "minim"], ["minimax"]),
        (["run", "--game", "="], names("game")),
    ],
)
def test_bash_gets_what_follows_the_last_colon_or_equals_sign(typed: list[str], offered: list[str]) -> None:
    assert bash(*typed) == offered


@pytest.mark.slow
def test_the_script_for_bash_completes(store: str) -> None:
    script = """
        eval "$(ludus --show-completion)"
        COMP_WORDS=(ludus results 'spring\\ cup\\ 3'); COMP_CWORD=2; _ludus_completion ludus
        printf '%s|' "${COMPREPLY[@]}"
    """
    environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "LUDUS_STORE": store}
    done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.stdout, done.stderr) == ("spring\\ cup\\ 300|", "")


def test_zsh_gets_a_command_that_describes_each_word(store: str) -> None:
    assert shell("zsh", "pl") == "local -a found=('play:Play episodes between agents.'); _describe ludus found"
    assert "'spring cup 300'" in shell("zsh", "results spring\\ cup\\ 3", LUDUS_STORE=store)
    assert "'spring cup 300'" in shell("zsh", "results spring\\ ", LUDUS_STORE=store)
    assert "'spring cup 300'" in shell("zsh", "results 'spring ", LUDUS_STORE=store)
    assert "mcts\\:keep=" in shell("zsh", "play hex mcts:ke")
    assert shell("zsh", "play hex mcts:ke").endswith(" -S ''")
    assert shell("zsh", "replay --number ") == "_files"


def test_fish_gets_a_line_for_each_word_with_its_help() -> None:
    assert shell("fish", "pl", _TYPER_COMPLETE_FISH_ACTION="get-args") == "play\tPlay episodes between agents."
    asked: dict[str, Any] = {"_LUDUS_COMPLETE": "complete_fish", "_TYPER_COMPLETE_FISH_ACTION": "is-args"}
    assert ludus(**asked, _TYPER_COMPLETE_ARGS="ludus pl").returncode == 0
    assert ludus(**asked, _TYPER_COMPLETE_ARGS="ludus replay --number ").returncode == 1


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_the_script_for_fish_completes(store: str) -> None:
    asked: dict[str, Any] = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    script = program("--show-completion", "fish", **asked).stdout + "\ncomplete -C 'ludus results spring\\ cup\\ 3'"
    environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "LUDUS_STORE": store}
    done = subprocess.run(["fish", "-c", script], env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout == "spring cup 300\n"


def test_powershell_gets_each_word_with_its_help() -> None:
    found = shell("powershell", "pl", _TYPER_COMPLETE_WORD_TO_COMPLETE="pl")
    assert found == "play:::Play episodes between agents."


@pytest.mark.parametrize("asked", ["complete_bash", "complete_csh", "nonsense", ""])
def test_a_question_that_makes_no_sense_gets_no_answer(asked: str) -> None:
    done = ludus(_LUDUS_COMPLETE=asked)
    assert (done.stdout, done.stderr) == ("", "")


# --- Speed, plugins ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_answer_loads_no_large_library_once_completion_is_installed(store: str, tmp_path: Path) -> None:
    environment: dict[str, Any] = {"HOME": str(tmp_path), "LUDUS_HOME": str(tmp_path), "LUDUS_STORE": store}
    program("--install-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1", **environment)
    assert "ludus" in (tmp_path / ".bashrc").read_text()
    code = "import atexit, json, sys; atexit.register(lambda: print(json.dumps([*sys.modules])))\n"
    code += "from ludus.cli import main; main()"
    for typed in (["play", "he"], ["results", ""], ["replay", "3/"], ["list", "games", "o"]):
        asked = {"_LUDUS_COMPLETE": "complete_bash", "COMP_WORDS": "\n".join(["ludus", *typed])}
        variables = {**os.environ, **environment, **asked, "COMP_CWORD": str(len(typed))}
        done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True)
        answer, loaded = done.stdout.rsplit("[", 1)
        assert answer
        assert not {"typer", "rich", "numba", "numpy", "polars", "sqlalchemy"} & set(json.loads(f"[{loaded}"))


SHOUT = """
print("a plugin that talks")
from typing import Annotated
import typer

def animals(ctx: typer.Context, args: list[str], incomplete: str):
    return [("cat", f"after {len(args)} words"), "cow", ctx.params.get("loud", "dog")]

def shout(
    animal: Annotated[str, typer.Argument(autocompletion=animals)],
    loud: Annotated[str, typer.Option(help="How loud.")] = "",
) -> None:
    pass
"""


@pytest.mark.slow
def test_commands_of_plugins_complete_and_changes_are_noticed(tmp_path: Path) -> None:
    installed = Installed(tmp_path / "installed")
    installed.install("[ludus.commands]", "shout = shouting:shout")
    installed.write("shouting.py", SHOUT)

    def fish(line: str) -> list[str]:
        asked = {"_LUDUS_COMPLETE": "complete_fish", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
        return installed.run("-m", "ludus", _TYPER_COMPLETE_ARGS=f"ludus {line}", **asked).stdout.splitlines()

    assert fish("shout c") == ["cat\tafter 1 words", "cow"]
    assert fish("shout --loud dodo d") == ["dodo"]
    assert fish("shout --lo") == ["--loud\tHow loud."]
    installed.write("shouting.py", SHOUT.replace("loud:", "quiet:"))
    assert fish("shout --q") == ["--quiet\tHow loud."]


@pytest.mark.slow
def test_a_broken_plugin_completes_nothing_and_says_nothing(tmp_path: Path) -> None:
    installed = Installed(tmp_path / "installed")
    installed.install("[ludus.commands]", "broken = broken:broken")
    installed.write("broken.py", "import sys; print('oh', file=sys.stderr); sys.exit('no')")
    asked: dict[str, Any] = {"_LUDUS_COMPLETE": "complete_bash", "COMP_WORDS": "ludus\nbroken\n-", "COMP_CWORD": "2"}
    done = installed.run("-m", "ludus", **asked)
    assert (done.stdout, done.stderr) == ("", "")
    asked |= {"COMP_WORDS": "ludus\nbro", "COMP_CWORD": "1"}
    assert installed.run("-m", "ludus", **asked).stdout.split() == ["broken"]
