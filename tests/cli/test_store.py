from pathlib import Path

import polars as pl
import pytest

from ludus.store import open_store
from support.running import Terminal, ludus
from support.samples import sample, stored

NAME = "one mover at a time"


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A store with a tournament of four episodes, number 1."""
    url = str(tmp_path / "ludus.db")
    with open_store(url) as opened:
        stored(opened)
    return url


def test_an_exported_tournament_can_be_imported_elsewhere(store: str, tmp_path: Path) -> None:
    folder, other = str(tmp_path / "deep" / "folder"), str(tmp_path / "other.db")
    done = ludus("store", "export", NAME, "--json", folder, "--store", store, columns=200)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{NAME}: 4 episodes written to {folder}.\n", "")
    done = ludus("store", "import", folder, LUDUS_STORE=other, columns=200)
    assert (done.returncode, done.stdout) == (0, f"{NAME} is tournament 1, with 4 episodes.\n")
    done = ludus("store", "import", folder, LUDUS_STORE=other, columns=200)
    said = f"{NAME} is tournament 1, of which 4 episodes were stored already, and 0 more are now.\n"
    assert (done.returncode, done.stdout) == (0, said)
    with open_store(other) as opened:
        assert [record for _, record in opened.records(1)] == sample(NAME).records


def test_a_name_that_is_not_used_is_told(store: str, tmp_path: Path) -> None:
    folder, other = str(tmp_path / "folder"), str(tmp_path / "other.db")
    ludus("store", "export", "1", "--json", folder, "--store", store)
    done = ludus("store", "import", folder, "--name", "Mine", "--store", other, columns=200)
    assert (done.returncode, done.stdout) == (0, "Mine is tournament 1, with 4 episodes.\n")
    done = ludus("store", "import", folder, "--name", "Yours", "--store", other, columns=200)
    said = "It was stored already, so it keeps this name and is not called 'Yours'.\n"
    assert done.returncode == 0
    assert done.stdout.endswith(said)


def test_tables_are_written_into_a_folder(store: str, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    done = ludus("store", "export", "1", "--parquet", str(folder), "--store", store)
    assert (done.returncode, done.stderr) == (0, "")
    names = ("agents", "matches", "episodes", "moves", "metrics", "preparations", "timings")
    assert {file.name for file in folder.iterdir()} == {f"{name}.parquet" for name in names}
    moves = pl.read_parquet(folder / "moves.parquet")
    assert len(moves) == sum(len(record.steps) for record in sample(NAME).records)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["export", "1", "--csv", "a", "--json", "b"],
            "Say how to export, in one way: --csv FOLDER, --json",
        ),
        (["export", "1", "--csv", "/dev/null/x"], "/dev/null/x cannot be written: Not a directory."),
        (["import", "/dev/null"], "/dev/null/tournament.json cannot be read: Not a directory; give a folder"),
        (["import", "nothing.json"], "nothing.json cannot be read: No such file or directory."),
        (
            ["import", "cup", "log.json"],
            "One tournament is imported at a time, and not with logs: import cup by itself.",
        ),
        (["delete", "1"], f"{NAME} (tournament 1, 4 episodes) would be gone for good: add --yes if you mean it."),
    ],
)
def test_what_cannot_be_done_gets_one_sentence(store: str, arguments: list[str], said: str) -> None:
    done = ludus(*arguments, "--store", store, columns=200)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"ludus: {said}")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_delete_asks_on_a_terminal_unless_told_yes(store: str) -> None:
    terminal = Terminal("store", "delete", "1", "--store", store)
    terminal.wait_for(f"Delete {NAME} (tournament 1, 4 episodes) for good?")
    terminal.type("n\n")
    assert terminal.end() == 130
    with open_store(store) as opened:
        assert len(opened.tournaments()) == 1
    done = ludus("store", "delete", NAME, "--yes", "--store", store, columns=200)
    assert (done.returncode, done.stdout) == (0, f"{NAME} (tournament 1, 4 episodes) is deleted.\n")
    with open_store(store) as opened:
        assert opened.tournaments() == []
