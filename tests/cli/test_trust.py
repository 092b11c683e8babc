"""Python files that records and imported tournaments name: loaded only if the user trusts them."""

import json
from pathlib import Path

import pytest

import ludus as api
from ludus.core.errors import InvalidError
from support.running import ludus

GAME = """
from pathlib import Path

from ludus.games.nim import Nim

Path(__file__).with_suffix(".ran").touch()


class Own(Nim):
    name = "own-nim"
"""
AGENT = """
from pathlib import Path

from ludus.agents.random import Random

Path(__file__).with_suffix(".ran").touch()


class Own(Random):
    name = "own-random"
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A file with a game, which leaves a trace beside it when it is loaded."""
    file = tmp_path / "own.py"
    file.write_text(GAME)
    return file


def was_loaded(file: Path) -> bool:
    return file.with_suffix(".ran").exists()


@pytest.fixture
def record(own: Path) -> Path:
    """The record of an episode of this game, as somebody else would send it."""
    file = own.with_name("r.jsonl")
    played = json.loads(ludus("play", "nim", "random", "random", "--json").stdout)
    file.write_text(json.dumps(played | {"game": f"{own}:Own"}))
    return file


@pytest.fixture
def exported(own: Path) -> Path:
    """A tournament in this game, exported by somebody else."""
    folder, store = own.with_name("exported"), str(own.with_name("theirs.db"))
    run = ("run", "--game", "nim", "--agent", "random", "--agent", "mcts:simulations=2", "--name", "theirs")
    assert ludus(*run, "--workers", "0", "--store", store).returncode == 0
    assert ludus("store", "export", "theirs", "--json", str(folder), "--store", store).returncode == 0
    for name in ("tournament.json", "records.jsonl"):
        text = (folder / name).read_text().replace('"game":"nim"', f'"game":"{own}:Own"')
        (folder / name).write_text(text.replace('"game": "nim"', f'"game": "{own}:Own"'))
    return folder


@pytest.mark.parametrize("arguments", [(), ("--json",), ("--move", "1"), ("-o", "game.svg")])
def test_replaying_a_record_runs_no_file_that_it_names(record: Path, own: Path, arguments: tuple[str, ...]) -> None:
    refused = ludus("replay", str(record), *arguments)
    assert refused.returncode == 2
    assert str(own) in refused.stderr
    assert "--trust" in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert not was_loaded(own)


def test_record_may_name_its_file_in_another_way(record: Path, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own.parent)
    for path in ("own.py", "./own.py", f"../{own.parent.name}/own.py"):
        content = json.loads(record.read_text()) | {"game": f"{path}:Own"}
        record.write_text(json.dumps(content))
        assert "--trust" in ludus("replay", str(record)).stderr
    assert "--trust" in ludus("replay", "-", said=record.read_text()).stderr
    assert not was_loaded(own)


def test_trusted_record_is_replayed(record: Path, own: Path) -> None:
    assert ludus("replay", str(record)).returncode == 2
    assert ludus("replay", str(record), "--trust").returncode == 0
    assert was_loaded(own)


def test_agent_in_a_record_is_not_asked_for_layers(tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text(AGENT)
    played = json.loads(ludus("play", "nim", "random", "random", "--json").stdout)
    played["seats"][0]["agent"] = f"{agent}:Own"
    record = tmp_path / "r.jsonl"
    record.write_text(json.dumps(played))
    ludus("replay", str(record), "--move", "1", "--layer", "heat", "--seat", "1", "-o", str(tmp_path / "x.svg"))
    ludus("scenario", "cut", str(record), "--move", "1")
    assert not was_loaded(agent)


def test_scenario_is_cut_from_trusted_records_only(record: Path, own: Path) -> None:
    assert "--trust" in ludus("scenario", "cut", str(record), "--move", "1").stderr
    assert not was_loaded(own)
    assert ludus("scenario", "cut", str(record), "--move", "1", "--trust").returncode == 0


def test_python_api_asks_for_trust_too(record: Path, own: Path) -> None:
    with pytest.raises(InvalidError, match="trust=True"):
        api.replay(record)
    assert not was_loaded(own)
    assert len(api.replay(record, trust=True)) > 1


def test_imported_tournament_runs_no_file_that_it_names(exported: Path, own: Path, tmp_path: Path) -> None:
    store = str(tmp_path / "mine.db")
    assert ludus("store", "import", str(exported), "--store", store).returncode == 0
    for command in (
        ("results", "theirs"),
        ("results", "theirs", "--html", str(tmp_path / "report.html")),
        ("results", "theirs", "--json"),
        ("list", "tournaments"),
        ("stats",),
        ("ladder", "nim"),
        ("store", "export", "theirs", "--csv", str(tmp_path / "csv")),
        ("replay", "theirs/1.1"),
        ("store", "import", str(exported)),
    ):
        done = ludus(*command, "--store", store)
        assert done.returncode in (0, 2)
        assert not was_loaded(own), command
    refused = ludus("replay", "theirs/1.1", "--store", store)
    assert refused.returncode == 2
    assert str(own) in refused.stderr
    assert ludus("replay", "theirs/1.1", "--trust", "--store", store).returncode == 0


def test_import_can_be_trusted_later(exported: Path, own: Path, tmp_path: Path) -> None:
    store = str(tmp_path / "mine.db")
    assert ludus("store", "import", str(exported), "--store", store).returncode == 0
    assert ludus("store", "import", str(exported), "--trust", "--store", store).returncode == 0
    assert not was_loaded(own)
    assert ludus("replay", "theirs/1.1", "--store", store).returncode == 0
    assert was_loaded(own)


def test_what_the_user_runs_is_trusted(exported: Path, own: Path, tmp_path: Path) -> None:
    store = str(tmp_path / "mine.db")
    assert ludus("store", "import", str(exported), "--store", store).returncode == 0
    seed = str(json.loads((exported / "tournament.json").read_text())["tournament"].get("seed", 0))
    run = ("run", "--game", f"{own}:Own", "--agent", "random", "--agent", "mcts:simulations=2", "--name", "theirs")
    done = ludus(*run, "--workers", "0", "--seed", seed, "--store", store)
    assert done.returncode == 0, done.stderr
    assert was_loaded(own)
    assert ludus("replay", "theirs/1.1", "--store", store).returncode == 0


def test_exporter_cannot_say_that_a_tournament_is_trusted(exported: Path, own: Path, tmp_path: Path) -> None:
    head = exported / "tournament.json"
    content = json.loads(head.read_text())
    content["tournament"]["foreign"] = False
    head.write_text(json.dumps(content))
    store = str(tmp_path / "mine.db")
    assert ludus("store", "import", str(exported), "--store", store).returncode == 0
    assert ludus("replay", "theirs/1.1", "--store", store).returncode == 2
    assert not was_loaded(own)
