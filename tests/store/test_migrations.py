import gzip
import sqlite3
from pathlib import Path

from ludus.store import open_store
from ludus.store.schema import VERSION

OLD = Path(__file__).parents[1] / "fixtures" / "0.1.0" / "store.db.gz"


def tables(file: Path) -> set[tuple[str, ...]]:
    """All that a file of SQLite holds besides rows, as it was declared."""
    with sqlite3.connect(file) as connection:
        return set(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))


def test_new_store_has_the_tables_of_the_first_release(tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    old.write_bytes(gzip.decompress(OLD.read_bytes()))
    with open_store(str(new)):
        assert tables(new) == tables(old)


def test_store_of_the_first_release_opens_without_a_change(tmp_path: Path) -> None:
    file = tmp_path / "old.db"
    file.write_bytes(gzip.decompress(OLD.read_bytes()))
    before = tables(file)
    with open_store(str(file)) as store:
        assert store.tournaments()
    assert tables(file) == before
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT version_num FROM ludus_version").fetchall() == [(str(VERSION),)]
