"""Defaults of `ludus.toml` fill what neither options nor the environment nor a tournament file sets."""

import json
from pathlib import Path
from typing import Any

import pytest

import ludus as api
from ludus.core.errors import InvalidError
from ludus.episode.limits import LIMITS, UNLIMITED, Limits, Policy
from ludus.store import open_store
from ludus.store.connect import location
from ludus.tournaments.config import Colours, Config, config, with_default_limits
from ludus.tournaments.file import plan, read_tournament
from ludus.tournaments.run_options import RUN_OPTIONS
from support.running import ludus

S = 10**9
FIELD: dict[str, Any] = {"game": "tic-tac-toe", "agents": ["random", "mc:iterations=2"]}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder; another one is the current folder."""
    for name in ("LUDUS_STORE", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("home", "here"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "home"


def test_without_a_file_nothing_is_set() -> None:
    assert config() == Config()


def test_a_file_sets_everything_that_is_declared() -> None:
    limits = {name: getattr(UNLIMITED, name) for name in LIMITS}
    limits |= {name: limit.least for name, limit in LIMITS.items() if limits[name] is None}
    limits |= {"policy": Policy.SOFT, "move": 1 * S, "hard": 2 * S}
    options = {"workers": 3, "timed": True, "patience": 7 * S}
    lines = ['store = "sqlite:///x.db"', 'colours = "never"']
    for declared, values in ((RUN_OPTIONS, options), (LIMITS, limits)):
        lines += ["[limits]"] if declared is LIMITS else []
        for name, value in values.items():
            kind, text = declared[name].kind, declared[name].kind.write(value)
            key = LIMITS[name].key if declared is LIMITS else name
            lines.append(f"{key} = {json.dumps(text) if kind.written is str else text}")
    Path("ludus.toml").write_text("\n".join(lines))
    assert config() == Config("sqlite:///x.db", Colours.NEVER, options, limits)
    assert options.keys() == {name for name, option in RUN_OPTIONS.items() if option.in_config}


def test_the_current_folder_goes_before_the_user_s(home: Path) -> None:
    (home / "ludus.toml").write_text('workers = 3\ncolours = "never"\n[limits]\nmove_time = "1s"\nplies = 9')
    Path("ludus.toml").write_text('workers = 0\n[limits]\nmove_time = "2s"')
    assert config() == Config(None, Colours.NEVER, {"workers": 0}, {"move": 2 * S, "plies": 9})


def test_a_store_lies_beside_its_file(home: Path) -> None:
    (home / "ludus.toml").write_text('store = "all.db"')
    assert location().database == str(home / "all.db")
    Path("ludus.toml").write_text('store = "mine.db"')
    assert location().database == str(Path("mine.db").absolute())


def test_the_folder_of_the_store_is_made() -> None:
    Path("ludus.toml").write_text('store = "results/ludus.db"')
    with open_store() as store:
        assert store.tournaments() == []
    assert Path("results/ludus.db").is_file()


def test_help_needs_no_valid_file() -> None:
    Path("ludus.toml").write_text("workers = ")
    done = ludus("--help", columns=300)
    assert done.returncode == 0
    assert "Usage" in done.stdout
    assert done.stderr.count("ludus.toml") == 1


def test_the_environment_and_options_go_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("ludus.toml").write_text('store = "mine.db"')
    monkeypatch.setenv("LUDUS_STORE", "theirs.db")
    assert location().database == str(Path("theirs.db").absolute())
    assert location("given.db").database == str(Path("given.db").absolute())


def test_limits_fill_the_gaps_of_options() -> None:
    Path("ludus.toml").write_text('[limits]\nmove_time = "1s"\nplies = 9')
    assert with_default_limits({"plies": 5}) == {"move": 1 * S, "plies": 5}
    assert plan(**FIELD, limits={"plies": 5}).tournament.limits == Limits(move=1 * S, plies=5)
    assert plan(**FIELD).tournament.limits == Limits(move=1 * S, plies=9)


def test_a_tournament_file_goes_before_and_options_before_that() -> None:
    Path("ludus.toml").write_text('workers = 3\n[limits]\nmove_time = "1s"\nplies = 9\ntotal = "60s"')
    Path("cup.toml").write_text(
        'game = "tic-tac-toe"\nagents = ["random", "mc"]\nworkers = 2\n[limits]\nplies = 8\nmove_time = "3s"'
    )
    planned = read_tournament("cup.toml", {"limits": {"move": 4 * S}})
    assert planned.tournament.limits == Limits(move=4 * S, plies=8, total=60 * S)
    assert planned.options.workers == 2
    assert read_tournament("cup.toml", {"workers": 1}).options.workers == 1


def test_another_policy_drops_the_hard_limit_of_the_defaults() -> None:
    Path("ludus.toml").write_text('[limits]\npolicy = "soft"\nmove_time = "1s"\nhard = "2s"')
    assert with_default_limits({}) == {"policy": Policy.SOFT, "move": 1 * S, "hard": 2 * S}
    assert with_default_limits({"policy": Policy.LOSE}) == {"policy": Policy.LOSE, "move": 1 * S}


def test_commands_and_python_play_the_same_tournament_in_the_same_store() -> None:
    Path("ludus.toml").write_text('store = "mine.db"\nworkers = 0\n[limits]\nplies = 6')
    done = ludus("run", "--game", FIELD["game"], "--agent", "random", "--agent", "mc:iterations=2", "--name", "cup")
    assert done.returncode == 0, done.stderr
    found = api.tournament(**FIELD, name="cup")
    assert found.tournament.limits == Limits(plies=6)
    with open_store("mine.db") as store:
        (summary,) = store.tournaments()
        (sitting, _) = store.sittings(summary.id)
    assert (summary.name, sitting.workers) == ("cup", 0)


def test_play_keeps_the_limits() -> None:
    Path("ludus.toml").write_text("[limits]\nplies = 4")
    done = ludus("play", "tic-tac-toe", "random", "random", "--json")
    assert len(json.loads(done.stdout)["steps"]) == 4
    done = ludus("play", "tic-tac-toe", "random", "random", "--json", "--plies", "3")
    assert len(json.loads(done.stdout)["steps"]) == 3


def test_a_default_for_memory_does_not_stop_agents_that_play_without_processes() -> None:
    Path("ludus.toml").write_text('[limits]\nmemory = "1GB"')
    assert ludus("play", "tic-tac-toe", "random", "random").returncode == 0
    assert ludus("play", "tic-tac-toe", "random", "random", "--memory", "1GB").returncode == 2


@pytest.mark.parametrize(
    ("colours", "no_colour", "coloured"),
    [("always", "", True), ("always", "1", False), ("never", "", False), ("auto", "", False)],
)
def test_colours_are_as_wanted(colours: str, no_colour: str, coloured: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if no_colour:
        monkeypatch.setenv("NO_COLOR", no_colour)
    Path("ludus.toml").write_text(f'colours = "{colours}"')
    done = ludus("list", "formats")
    assert ("\x1b[" in done.stdout) is coloured


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("worker = 3", "'worker' is unknown (did you mean 'workers'"),
        ("seed = 3", "'seed' is unknown"),
        ("workers = -1", "workers = -1 is not"),
        ('workers = "3"', 'workers = "3" is not'),
        ('colours = "blue"', "one of auto, always, never"),
        ("store = 3", "store = 3 is not a text"),
        ("limits = 3", "limits = 3 is not a table"),
        ('[limits]\nmove = "1s"', "'limits.move' is unknown (did you mean 'move_time'"),
        ('[limits]\nmove_time = "1"', 'limits.move_time = "1" is not'),
        ('[limits]\nhard = "1s"', "needs the policy 'soft', but the policy is 'lose'"),
        ("workers = ", "is not TOML"),
        ("workers = -1\nseed = 3\nstore = 3", "workers = -1 is not a whole number of at least 0; 'seed' is unknown"),
        ("workers = -1\nseed = 3\nstore = 3", "; store = 3 is not a text."),
    ],
)
def test_error_is_one_sentence_with_the_file(text: str, said: str) -> None:
    Path("ludus.toml").write_text(text)
    with pytest.raises(InvalidError) as error:
        config()
    assert str(error.value).startswith("ludus.toml")
    assert said in str(error.value)
    done = ludus("list", "tournaments", columns=300)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr
