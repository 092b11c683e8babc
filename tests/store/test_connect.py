import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, text

from ludus.core.errors import BusyError, InvalidError, LudusError
from ludus.store import open_store
from ludus.store.connect import connect, location, writing
from ludus.store.schema import VERSION, metadata
from support.samples import stored
from support.store_children import PROCESSES, open_once


def test_migrations_make_the_tables_of_the_schema(url: str) -> None:
    engine = connect(location(url))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": "ludus_version"})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_what_is_stored_is_there_when_the_store_is_opened_again(url: str) -> None:
    with open_store(url) as store:
        id = stored(store)
        rows = store.episodes(id).rows()
    with open_store(url) as store:
        assert store.episodes(id).rows() == rows


@pytest.mark.slow
def test_programs_that_open_a_new_store_together_agree(url: str) -> None:
    programs = [PROCESSES.Process(target=open_once, args=(url,)) for _ in range(4)]
    for program in programs:
        program.start()
    for program in programs:
        program.join()
    assert [program.exitcode for program in programs] == [0, 0, 0, 0]
    with open_store(url) as store:
        assert store.tournaments() == []


def test_threads_open_new_stores_at_once(tmp_path: Path) -> None:
    def opened(number: int) -> int:
        with open_store(str(tmp_path / f"{number}.db")) as store:
            return len(store.tournaments())

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(opened, range(8))) == [0] * 8


def test_a_store_of_a_newer_ludus_is_refused(url: str) -> None:
    open_store(url).close()
    engine = create_engine(location(url))
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE ludus_version SET version_num = '{VERSION + 1}'"))
    engine.dispose()
    with pytest.raises(LudusError, match=rf"newer Ludus \(version {VERSION + 1} of the tables, .* update Ludus"):
        open_store(url)


def test_tables_of_another_program_are_left_alone(url: str) -> None:
    engine = create_engine(location(url))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE matches (a INTEGER)"))
    engine.dispose()
    with pytest.raises(LudusError, match="already has a table 'matches' of another program"):
        open_store(url)


@pytest.mark.parametrize("content", [b"no database, but longer than the header of one" * 50, b"\x00" * 5000])
def test_file_other_than_a_database_gets_one_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(content)
    with pytest.raises(LudusError, match=f"The store {file} cannot be used: file is not a database"):
        open_store(str(file))
    assert file.read_bytes() == content


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("/no/such/folder/ludus.db", "The store /no/such/folder/ludus.db cannot be used: there is no folder"),
        ("mysql://host/database", "mysql://… is not a store: give a file, sqlite:///FILE or postgresql://"),
        ("sqlite://", "sqlite://… is not a store"),
        ("postgresql://me:secret@127.0.0.1:1/x", r"postgresql://me:\*\*\*@127.0.0.1:1/x cannot be used: connection "),
        ("postgresql://me@127.0.0.1:1/x?password=secret", r"1/x\?password=\*\*\* cannot be used: connection "),
        ("postgresql://me@127.0.0.1:1/x?passwort=secret", r"1/x\?passwort=\*\*\* cannot be used: invalid "),
        ("postgresql://me:half@secret@127.0.0.1:1/x", "write %40"),
        ("postgresql://me:secret@127.0.0.1:port/x", "postgresql://… is not a store"),
        ("oracle://me:secret@host/x", "oracle://… is not a store"),
        ("mysql://me@host/x?password=secret", "mysql://… is not a store"),
    ],
)
def test_what_cannot_be_reached_gets_one_sentence(given: str, said: str) -> None:
    with pytest.raises(LudusError, match=said) as refused:
        open_store(given)
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(LudusError, match=r"pip install 'ludus\[postgresql\]'"):
        open_store("postgresql://127.0.0.1/x")


def test_without_a_name_the_store_lies_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LUDUS_STORE", raising=False)
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path / "home"))
    assert location().database == str(tmp_path / "home" / "ludus.db")
    monkeypatch.delenv("LUDUS_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    if sys.platform == "linux":
        assert location().database == str(tmp_path / "data" / "ludus" / "ludus.db")
    monkeypatch.setenv("LUDUS_STORE", "sqlite:///other.db")
    assert location().database == os.path.abspath("other.db")
    assert location(str(tmp_path / "given.db")).database == str(tmp_path / "given.db")


def test_deleting_makes_room_on_the_disk(tmp_path: Path) -> None:
    file = tmp_path / "ludus.db"
    with open_store(str(file)) as store:
        id = stored(store)
    small = file.stat().st_size
    with sqlite3.connect(file) as raw:
        raw.execute("INSERT INTO records VALUES (?, 7, 7, 7, zeroblob(10000000))", (id,))
    raw.close()
    assert file.stat().st_size > small + 9_000_000
    with open_store(str(file)) as store:
        store.delete(id)
    assert file.stat().st_size <= small


@pytest.mark.slow
def test_locked_table_of_a_server_is_busy(postgresql_url: str) -> None:
    impatient = connect(location(f"{postgresql_url}%20-clock_timeout%3D50"))
    holder = connect(location(postgresql_url))
    with holder.begin() as holding:
        holding.execute(text("LOCK TABLE tournaments"))
        with pytest.raises(BusyError), writing(impatient) as connection:
            connection.execute(text("DELETE FROM tournaments"))
    impatient.dispose()
    holder.dispose()


# --- Who may read and write it --------------------------------------------------------------------------------------


def test_new_store_is_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "ludus.db"
    before = os.umask(0)
    try:
        with open_store(str(file)) as store, store.lock(stored(store)):
            made = [file, *tmp_path.rglob("*")]
            assert len(made) > 3
            assert [path for path in made if path.stat().st_mode & 0o077] == []
    finally:
        os.umask(before)


@pytest.mark.parametrize("mode", [0o602, 0o666])
def test_store_that_others_can_change_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "ludus.db"
    open_store(str(file)).close()
    file.chmod(mode)
    with pytest.raises(InvalidError, match=f"other users can change {file}: run chmod go-w {file}"):
        open_store(str(file))


def test_store_in_a_folder_that_others_can_change_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(InvalidError, match=f"other users can change {folder}: run chmod go-w {folder}"):
        open_store(str(folder / "ludus.db"))
    folder.chmod(0o1777)  # as /tmp, where nobody can replace the files of others
    open_store(str(folder / "ludus.db")).close()


def test_pipe_is_no_store(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidError, match="it is not a regular file"):
        open_store(str(tmp_path / "pipe"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no namespaces")
def test_store_on_a_read_only_file_system_can_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    with open_store(str(folder / "ludus.db")) as store:
        id = stored(store)
        name = store.tournament(id).name
    ludus = f"{sys.executable} -m ludus"
    script = (
        f"mount --bind {folder} {folder} && mount -o remount,bind,ro {folder} && "
        f"! touch {folder}/x && {ludus} list tournaments --store {folder}/ludus.db && "
        f"{ludus} results {id} --store {folder}/ludus.db && ! {ludus} store delete {id} --yes --store {folder}/ludus.db"
    )
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", script]
    if subprocess.run([*command[:3], "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine allows no namespaces")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert name in done.stdout
    assert "Traceback" not in done.stderr
    assert "read-only" in done.stderr.lower() or "readonly" in done.stderr.lower()
