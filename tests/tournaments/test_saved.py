"""What a user writes for agents; every test has a home of its own."""

from pathlib import Path

import pytest

from ludus import LudusError
from ludus.catalog import agent_from
from ludus.tournaments.base import Entrant
from ludus.tournaments.saved import agents_folder, entrants, forget_agent, save_agent, saved_agents

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


def test_several_lists_make_all_combinations() -> None:
    assert names("mcts:simulations=[100,200],tree_depth=[10,40]") == [
        "mcts:simulations=100,tree_depth=10",
        "mcts:simulations=100,tree_depth=40",
        "mcts:simulations=200,tree_depth=10",
        "mcts:simulations=200,tree_depth=40",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("maxn:depth=[]", "'maxn:depth=[]' has a list with nothing in it: write values as in depth=[4,6,8]."),
        ("maxn:depth=[4,,6]", "'maxn:depth=[4,,6]' has a list with nothing in it"),
        ("maxn:depth=[4,6", "'maxn:depth=[4,6' has brackets that do not match: write a list as in depth=[4,6,8]."),
        ("maxn:depth=[[4],6]", "'maxn:depth=[[4],6]' has brackets that do not match"),
        ("maxn:depth=[4,no]", "maxn: depth=no is not a whole number"),
        ("maxm:depth=[4,6]", "There is no agent 'maxm', perhaps you mean 'maxn'"),
        ("", "'' has no name"),
        ("@nobody", "There is no saved agent 'nobody'; 'ludus agents saved' lists them all."),
        ("@no body", "'no body' is no name for a saved agent: write letters, digits and . _ - without blanks."),
        ("@../x", "'../x' is no name for a saved agent"),
        ("nowhere.py:Nth", "There is no file "),
        ("nowhere.toml", "There is no file "),
    ],
)
def test_a_wrong_text_gets_one_sentence(text: str, said: str) -> None:
    with pytest.raises(LudusError) as caught:
        entrants(text)
    assert str(caught.value).startswith(said)
    assert str(caught.value).endswith(".")


def test_a_saved_agent_goes_by_its_name(home: Path) -> None:
    assert save_agent("strong.2", "mcts: simulations = 0200") == Entrant("strong.2", "mcts:simulations=200")
    assert entrants("@strong.2") == [Entrant("strong.2", "mcts:simulations=200")]
    file = home / "agents" / "strong.2.toml"
    assert file.read_text() == 'name = "strong.2"\nagent = "mcts:simulations=200"\n'
    assert entrants(str(file)) == entrants("@strong.2")
    with pytest.raises(LudusError, match=r"no saved agent 'strong2', perhaps you mean 'strong\.2'"):
        entrants("@strong2")


def test_the_users_agents_are_listed_by_name_and_forgotten() -> None:
    assert saved_agents() == []
    for name in ("b", "a", "c"):
        save_agent(name, "random")
    assert [entrant.name for entrant in saved_agents()] == ["a", "b", "c"]
    forget_agent("b")
    assert [entrant.name for entrant in saved_agents()] == ["a", "c"]
    with pytest.raises(LudusError, match="There is no saved agent 'b'"):
        forget_agent("b")


def test_a_name_is_not_given_to_another_agent() -> None:
    save_agent("strong", "mcts:simulations=200")
    save_agent("strong", "mcts:simulations=0200")
    with pytest.raises(LudusError) as caught:
        save_agent("strong", "random")
    assert str(caught.value) == (
        "strong is saved already, as mcts:simulations=200: take another name, or 'ludus agents forget strong' first."
    )
    assert entrants("@strong")[0].spec == "mcts:simulations=200"


def test_only_agents_that_exist_are_saved() -> None:
    with pytest.raises(LudusError, match="There is no agent 'mctz'"):
        save_agent("strong", "mctz")
    assert not agents_folder().exists()


def test_a_home_that_cannot_be_written_is_told_in_one_sentence(home: Path) -> None:
    home.write_text("a file, not a folder")
    with pytest.raises(LudusError, match=r"strong\.toml cannot be written: Not a directory\."):
        save_agent("strong", "random")


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
    with pytest.raises(LudusError, match="random holds no saved agents"):
        entrants("random/", tmp_path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('agent = "mctz"', "The saved agent x cannot be used: There is no agent 'mctz'"),
        ('game = "hex"', 'is no saved agent: it lacks a line such as agent = "mcts:simulations=500".'),
        ("agent = 4", "is no saved agent"),
        ("agent = ", "is not TOML: Invalid value"),
    ],
)
def test_a_wrong_file_gets_one_sentence(content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(content)
    for text in ("x.toml", str(tmp_path)):
        with pytest.raises(LudusError) as caught:
            entrants(text, tmp_path)
        assert said in str(caught.value)
        assert "\n" not in str(caught.value)


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
