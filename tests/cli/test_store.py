from pathlib import Path

import polars as pl
import pytest

from ludus.store import open_store
from support.running import Terminal, ludus
from support.samples import sample, stored
from support.sentences import missing

NAME = "one mover at a time"


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A store with a tournament of four episodes, number 1."""
    url = str(tmp_path / "ludus.db")
    with open_store(url) as opened:
        stored(opened)
    return url


def test_exported_tournament_can_be_imported_elsewhere(store: str, tmp_path: Path) -> None:
    folder, other = str(tmp_path / "deep" / "folder"), str(tmp_path / "other.db")
    done = ludus("store", "export", NAME, "--json", folder, "--store", store, columns=200)
    assert (done.returncode, done.stderr) == (0, "")
    assert not missing(done.stdout, f"{NAME} {folder}")
    assert "4 episodes" in done.stdout
    for new in ("4 episodes", "0 new"):
        done = ludus("store", "import", folder, LUDUS_STORE=other, columns=200)
        assert (done.returncode, done.stdout.count("\n")) == (0, 1)
        assert not missing(done.stdout, NAME)
        assert new in done.stdout
    with open_store(other) as opened:
        assert [record for _, record in opened.records(1)] == sample(NAME).records


def test_unused_name_is_reported_with_the_command_that_renames(store: str, tmp_path: Path) -> None:
    folder, other = str(tmp_path / "folder"), str(tmp_path / "other.db")
    ludus("store", "export", "1", "--json", folder, "--store", store)
    done = ludus("store", "import", folder, "--name", "Mine", "--store", other, columns=200)
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)
    assert "Mine" in done.stdout
    done = ludus("store", "import", folder, "--name", "Yours", "--store", other, columns=200)
    assert done.returncode == 0
    assert "Mine" in done.stdout
    assert "'ludus store rename 1 \"Yours\"'" in done.stdout
    with open_store(other) as opened:
        assert [summary.name for summary in opened.tournaments()] == ["Mine"]


def test_tournament_is_renamed(store: str) -> None:
    done = ludus("store", "rename", "1", "Hex cup", "--store", store, columns=200)
    assert done.returncode == 0
    assert not missing(done.stdout, f"1 {NAME} Hex cup")
    with open_store(store) as opened:
        assert [summary.name for summary in opened.tournaments()] == ["Hex cup"]


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\x1b[31mb", "a\u2028b"])
def test_name_that_cannot_be_typed_or_shown_is_refused(store: str, tmp_path: Path, name: str) -> None:
    ludus("store", "export", "1", "--json", str(tmp_path / "folder"), "--store", store)
    other = str(tmp_path / "other.db")
    for words in (
        ["store", "rename", "1", name, "--store", store],
        ["store", "import", str(tmp_path / "folder"), "--name", name, "--store", other],
        ["run", "--game", "tic-tac-toe", "--agent", "random", "--agent", "minimax", "--name", name, "--store", other],
    ):
        done = ludus(*words)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert "name" in done.stderr
    with open_store(store) as kept, open_store(other) as untouched:
        assert [summary.name for summary in kept.tournaments()] == [NAME]
        assert untouched.tournaments() == []


def test_tables_are_written_into_a_folder(store: str, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    done = ludus("store", "export", "1", "--parquet", str(folder), "--store", store)
    assert (done.returncode, done.stderr) == (0, "")
    names = ("agents", "matches", "episodes", "moves", "metrics", "preparations", "timings", "standings", "crosstable")
    assert {f"{name}.parquet" for name in names} <= {file.name for file in folder.iterdir()}
    moves = pl.read_parquet(folder / "moves.parquet")
    assert len(moves) == sum(len(record.steps) for record in sample(NAME).records)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["export", "1"], "--csv --json --parquet --latex --games"),
        (["export", "1", "--csv", "a", "--json", "b"], "--csv --json --parquet --latex --games"),
        (["export", "1", "--csv", "/dev/null/x"], "/dev/null/x"),
        (["import", "/dev/null"], "/dev/null"),
        (["import", "nothing.json"], "nothing.json"),
        (["import", "cup", "log.json"], "cup alone"),
        (["delete", "1"], f"{NAME} 4 episodes --yes"),
    ],
)
def test_impossible_command_gets_one_sentence(store: str, arguments: list[str], named: str) -> None:
    done = ludus("store", *arguments, "--store", store, columns=200)
    assert (done.returncode, done.stdout) == (2, "")
    assert not missing(done.stderr, named)
    assert done.stderr.count("\n") == 1
    with open_store(store) as opened:
        assert len(opened.tournaments()) == 1


@pytest.mark.slow
def test_delete_asks_on_a_terminal_without_yes(store: str) -> None:
    terminal = Terminal("store", "delete", "1", "--store", store)
    terminal.wait_for(f"{NAME} (tournament 1, 4 episodes)?")
    terminal.type("n\n")
    assert terminal.end() == 130
    with open_store(store) as opened:
        assert len(opened.tournaments()) == 1
    done = ludus("store", "delete", NAME, "--yes", "--store", store, columns=200)
    assert done.returncode == 0
    assert f"{NAME} (tournament 1, 4 episodes)" in done.stdout
    with open_store(store) as opened:
        assert opened.tournaments() == []


def test_games_go_out_and_come_in_as_files_of_other_programs(tmp_path: Path) -> None:
    url, file = str(tmp_path / "ludus.db"), tmp_path / "games.sgf"
    with open_store(url) as opened:
        stored(opened, "passes")
    done = ludus("store", "export", "passes", "--games", str(file), "--store", url, columns=200)
    assert (done.returncode, done.stderr) == (0, "")
    for word in ("4 episodes", "already stored"):
        done = ludus("store", "import", str(file), "--store", url, columns=200)
        assert (done.returncode, done.stderr) == (0, "")
        assert word in done.stdout
    with open_store(url) as opened:
        assert [record.scores for _, record in opened.records(2)] == [r.scores for r in sample("passes").records]


def test_wrong_games_of_a_file_are_listed_and_the_others_stored(tmp_path: Path) -> None:
    url, file = str(tmp_path / "ludus.db"), tmp_path / "games.sgf"
    file.write_text("(;GM[11]SZ[3];B[a1];W[b2])\n(;GM[11]SZ[3];B[a1];W[a1])\n")
    done = ludus("store", "import", str(file), "--store", url, columns=200)
    assert done.returncode == 2
    assert not missing(done.stderr, "Line 2 1 of 2")
    with open_store(url) as opened:
        assert [summary.episodes for summary in opened.tournaments()] == [1]
