"""Users' specifications of agents; every test has its own home."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ludus import LudusError
from ludus.agents.agent import agent_from
from ludus.tournaments.field import agents_folder, delete_agent, entrant_from, entrants, save_agent, saved_agents
from ludus.tournaments.tournament import Entrant
from support.places import ROOT
from support.sentences import one_sentence

AGENT = '''
from ludus import Agent, Choice, param


class Nth(Agent):
    """Takes the nth move."""

    name = "nth"
    n: int = param(0, "which move")
'''


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def names(text: str, base: Path | None = None) -> list[str]:
    found = entrants(text, base)
    assert all(agent_from(entrant.spec).spec() == entrant.spec for entrant in found)
    return [entrant.name for entrant in found]


def test_a_spec_is_an_agent_that_goes_by_its_shortest_spec() -> None:
    assert entrants("mcts") == [Entrant("mcts", "mcts")]
    assert entrants(" maxn: depth=08 ") == [Entrant("maxn:depth=8", "maxn:depth=8")]


def test_a_list_of_values_makes_an_agent_of_each() -> None:
    assert names("maxn:depth=[4,6, 8,10]") == ["maxn:depth=4", "maxn:depth=6", "maxn:depth=8", "maxn:depth=10"]
    assert names("mcts:time=[100ms,1s]") == ["mcts:time=100ms", "mcts:time=1s"]


def test_a_list_may_be_long() -> None:
    assert len(names(f"mcts:simulations=[{','.join(map(str, range(1, 151)))}]")) == 150


def test_several_lists_make_all_combinations() -> None:
    assert names("mcts:simulations=[100,200],tree_depth=[10,40]") == [
        "mcts:simulations=100,tree_depth=10",
        "mcts:simulations=100,tree_depth=40",
        "mcts:simulations=200,tree_depth=10",
        "mcts:simulations=200,tree_depth=40",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("maxn:depth=[]", "'maxn:depth=[]'"),
        ("maxn:depth=[4,,6]", "'maxn:depth=[4,,6]'"),
        ("maxn:depth=[4,6", "'maxn:depth=[4,6' brackets"),
        ("maxn:depth=[[4],6]", "'maxn:depth=[[4],6]' brackets"),
        ("maxn:depth=[4,no]", "maxn depth=no"),
        ("maxm:depth=[4,6]", "'maxm' 'maxn'"),
        ("", "'' name"),
        ("@nobody", "'nobody'"),
        ("@no body", "body' letters digits . _ -"),
        ("@../x", "'../x' name"),
        ("nowhere.py:Nth", "nowhere.py"),
        ("nowhere.toml", "nowhere.toml"),
        ("~nobody-here/x", "'~nobody-here/x'"),
        ("~nobody-here/x.py", "'~nobody-here/x.py'"),
        ("~nobody-here/x.toml", "'~nobody-here/x.toml'"),
        (f"maxn:depth={'9' * 300}", "maxn depth=999"),
        (f"{'x' * 300}.py", "file xxx"),
        (f"{'x' * 300}.toml", "file xxx"),
        (f"@{'x' * 300}", "'xxx"),
    ],
)
def test_a_wrong_text_gets_one_sentence(text: str, words: str) -> None:
    with one_sentence(words):
        entrants(text)


def test_a_table_is_an_agent_with_parameters_and_perhaps_a_name() -> None:
    assert entrants({"agent": "mcts", "simulations": 9, "keep": False, "name": "tree"}) == [
        Entrant("tree", "mcts:simulations=9,keep=no")
    ]
    assert [entrant.name for entrant in entrants({"agent": "mcts:simulations=2", "tree_depth": [3, 4]})] == [
        "mcts:simulations=2,tree_depth=3",
        "mcts:simulations=2,tree_depth=4",
    ]


def test_a_table_may_hold_limits_of_the_agent() -> None:
    limits = {"move_time": "2s", "memory": "1GiB"}
    (own,) = entrants({"agent": "mcts:simulations=9", "limits": limits, "name": "slow"})
    assert own == Entrant("slow", "mcts:simulations=9,limit.move_time=2s,limit.memory=1GiB")
    assert agent_from(own.spec).limits == limits
    (named,) = entrants("uci,Hash=64,limit.move_time=2s:stockfish")
    assert dict(agent_from(named.spec).limits) == {"move_time": "2s"}
    assert "limit.move_time=2s" in named.spec
    assert "limit.memory" not in getattr(agent_from(named.spec), "options", {})


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"agent": "@list", "iterations": 3}, "@list 'iterations'"),
        ({"agent": "field", "depth": 3}, "field 'depth'"),
        ({"agent": "x.toml", "depth": 3}, "x.toml 'depth'"),
        ({"agent": "mc", "name": " "}, "mc name"),
        ({"name": "x"}, "agents 'x'"),
        ({"agent": "mc", "limits": "2s"}, "mc limits"),
        (3, "agents 3"),
    ],
)
def test_a_wrong_table_gets_one_sentence(tmp_path: Path, table: object, words: str) -> None:
    (tmp_path / "field").mkdir()
    with one_sentence(words):
        entrants(table, tmp_path)


def test_where_one_agent_is_wanted_a_list_is_refused() -> None:
    save_agent("mine", "mc:iterations=3")
    assert entrant_from("@mine") == Entrant("mine", "mc:iterations=3")
    for takes_one in (entrant_from, lambda text: save_agent("x", text)):
        with one_sentence("'mcts:simulations=[1,2]' 2"):
            takes_one("mcts:simulations=[1,2]")


def test_a_saved_agent_goes_by_its_name(home: Path) -> None:
    assert save_agent("strong.2", "mcts: simulations = 0200") == Entrant("strong.2", "mcts:simulations=200")
    assert entrants("@strong.2") == [Entrant("strong.2", "mcts:simulations=200")]
    file = home / "agents" / "strong.2.toml"
    assert file.read_text() == 'name = "strong.2"\nagent = "mcts:simulations=200"\n'
    assert entrants(str(file)) == entrants("@strong.2")
    with one_sentence("'strong2' 'strong.2'"):
        entrants("@strong2")


def test_the_users_agents_are_listed_by_name_and_forgotten() -> None:
    assert saved_agents() == []
    for name in ("b", "a", "c"):
        save_agent(name, "random")
    assert [entrant.name for entrant in saved_agents()] == ["a", "b", "c"]
    delete_agent("b")
    assert [entrant.name for entrant in saved_agents()] == ["a", "c"]
    with pytest.raises(LudusError, match="There is no saved agent 'b'"):
        delete_agent("b")


def test_a_name_is_not_given_to_another_agent() -> None:
    save_agent("strong", "mcts:simulations=200")
    save_agent("strong", "mcts:simulations=0200")
    with one_sentence("strong mcts:simulations=200"):
        save_agent("strong", "random")
    assert entrants("@strong")[0].spec == "mcts:simulations=200"


def test_only_agents_that_exist_are_saved() -> None:
    with pytest.raises(LudusError, match="There is no agent 'mctz'"):
        save_agent("strong", "mctz")
    assert not agents_folder().exists()


def test_read_only_home_gets_one_sentence(home: Path) -> None:
    home.write_text("a file, not a folder")
    with pytest.raises(LudusError, match=r"agents cannot be read: Not a directory\."):
        save_agent("strong", "random")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Take the rights to a folder away; from root, by being somebody else meanwhile."""
    folder.chmod(0)
    if os.getuid() == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(os.getuid())
        folder.chmod(0o700)


def test_folder_without_permission_gets_one_sentence(home: Path) -> None:
    save_agent("strong", "random")
    for does in (
        saved_agents,
        lambda: save_agent("weak", "random"),
        lambda: entrants("@strong"),
        lambda: delete_agent("strong"),
    ):
        with locked(home), pytest.raises(LudusError, match=r"agents cannot be read: Permission denied\."):
            does()
    with locked(home / "agents"), pytest.raises(LudusError, match="cannot be read: Permission denied"):
        saved_agents()


def test_a_folder_is_the_field_of_its_agents(tmp_path: Path) -> None:
    field = tmp_path / "field"
    field.mkdir()
    (field / "b.toml").write_text('agent = "mc:iterations=0100"')
    (field / "a.toml").write_text('agent = "random"\nname = "z"')
    (field / "notes.txt").write_text("nothing")
    expected = [Entrant("b", "mc:iterations=100"), Entrant("z", "random")]
    assert entrants("field", tmp_path) == expected
    assert entrants(f"{field}/") == expected
    assert entrants("field/b.toml", tmp_path) == expected[:1]


def test_an_agent_is_not_mistaken_for_a_folder_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "random").mkdir()
    assert entrants("random", tmp_path) == [Entrant("random", "random")]
    with pytest.raises(LudusError, match="random has no saved agents"):
        entrants("random/", tmp_path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('agent = "mctz"', "x 'mctz'"),
        ('game = "hex"', "x.toml agent ="),
        ("agent = 4", "x.toml agent ="),
        ('agent = "mc"\nname = ""', "x.toml name ''"),
        ('agent = "mc"\nname = ["a"]', "x.toml name ['a']"),
        ("agent = ", "x.toml TOML"),
    ],
)
def test_a_wrong_file_gets_one_sentence(content: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(content)
    for text in ("x.toml", str(tmp_path)):
        with one_sentence(words):
            entrants(text, tmp_path)


def test_a_file_is_named_in_full_and_goes_by_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(AGENT)
    (tmp_path / "cup").mkdir()
    found = entrants("../mine.py:n=[0,1]", tmp_path / "cup")
    assert [entrant.name for entrant in found] == ["../mine.py:Nth", "../mine.py:Nth:n=1"]
    assert [entrant.spec for entrant in found] == [f"{tmp_path}/mine.py:Nth", f"{tmp_path}/mine.py:Nth:n=1"]
    monkeypatch.chdir(tmp_path)
    assert entrants("mine.py") == [Entrant("mine.py:Nth", f"{tmp_path}/mine.py:Nth")]


def test_a_saved_agent_finds_its_file_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    save_agent("mine", "mine.py:n=2")
    (tmp_path / "beside.toml").write_text('agent = "mine.py:Nth:n=3"')
    monkeypatch.chdir("/")
    assert entrants("@mine") == [Entrant("mine", f"{tmp_path}/mine.py:Nth:n=2")]
    assert entrants(f"{tmp_path}/beside.toml") == [Entrant("beside", f"{tmp_path}/mine.py:Nth:n=3")]


# --- Bots ---------------------------------------------------------------------------------------------------------


def test_a_command_that_ends_like_a_saved_agent_is_a_command(tmp_path: Path) -> None:
    for name in ("settings.toml", "bot.py", "bot"):
        (tmp_path / name).touch(0o755)
    assert entrants("stdio:python3 bot.py settings.toml", tmp_path) == [
        Entrant("stdio:python3 bot.py settings.toml", f"stdio:python3 {tmp_path}/bot.py settings.toml")
    ]
    assert entrants("./bot settings.toml", tmp_path) == [
        Entrant("bot settings.toml", f"stdio:{tmp_path}/bot settings.toml")
    ]
    assert entrants({"agent": "uci:engine settings.toml", "depth": 3}, tmp_path) == [
        Entrant("uci,depth=3:engine settings.toml", "uci,depth=3:engine settings.toml")
    ]


def test_a_command_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "stdio:bot").mkdir()
    assert names("stdio:bot", tmp_path) == ["stdio:bot"]


def test_a_saved_agent_may_lie_in_a_folder_with_blanks(tmp_path: Path) -> None:
    (tmp_path / "my field").mkdir()
    (tmp_path / "my field" / "a.toml").write_text('agent = "random"')
    assert entrants("./my field/a.toml", tmp_path) == entrants("my field/", tmp_path) == [Entrant("a", "random")]


def test_lists_are_for_the_options_of_a_bot_and_not_for_its_command() -> None:
    assert names("stdio:./bot --w=[1,2]") == ["stdio:./bot --w=[1,2]"]
    assert names("./bot --w=[1,2] --open=[") == ["bot --w=[1,2] --open=["]
    assert names("uci,nodes=[1,10]:engine --w=[1,2]") == [
        "uci,nodes=1:engine --w=[1,2]",
        "uci,nodes=10:engine --w=[1,2]",
    ]
    with pytest.raises(LudusError, match="brackets"):
        entrants("uci,nodes=[1,10:engine")


def test_table_adds_options_before_the_command() -> None:
    [button] = entrants({"agent": "uci,Clear Hash:engine", "Hash": 64, "Ponder": True})
    assert button.spec == "uci,Clear Hash,Hash=64,Ponder=yes:engine"
    [several, _] = entrants({"agent": "uci,nodes=[1,10]:engine", "Hash": 64})
    assert several.spec == "uci,nodes=1,Hash=64:engine"
    assert len(entrants({"agent": "uci:engine", "nodes": [1, 10], "depth": "[3,4]"})) == 4
    with pytest.raises(LudusError, match="'Hash' twice"):
        entrants({"agent": "uci,Hash=32:engine", "Hash": 64})
    with pytest.raises(LudusError, match="stdio needs a command"):
        entrants({"agent": "stdio:", "safe": True})


@pytest.mark.parametrize("value", ["/books:/more", "/my, books", ["/a", "/b:c"]])
def test_a_value_that_a_spec_cannot_hold_is_refused(value: object) -> None:
    with one_sentence("Books comma colon"):
        entrants({"agent": "uci:engine", "Books": value})


@pytest.mark.parametrize("text", ["python3 bot.py", "java -jar Bot.jar settings.toml", "./venv/python bot.py"])
def test_command_without_a_protocol_gets_the_right_spec(text: str, tmp_path: Path) -> None:
    (tmp_path / "venv").mkdir()
    (tmp_path / "venv" / "python").touch(0o755)
    with one_sentence(f"'{text}' 'stdio:{text}'"):
        entrants(text, tmp_path)


@pytest.mark.parametrize("text", ["./bot.py", "mybot/bot.py"])
def test_python_starter_given_by_its_path_is_a_bot(text: str, tmp_path: Path) -> None:
    file = tmp_path / text
    file.parent.mkdir(exist_ok=True)
    file.write_text((ROOT / "bots" / "python" / "bot.py").read_text())
    (entrant,) = entrants(text, tmp_path)
    assert (entrant.name, entrant.spec) == (text.removeprefix("./"), f"stdio:python3 {file}")
