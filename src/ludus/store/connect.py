"""Connections: from a path or URL to an engine with up-to-date tables, or one sentence why not."""

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filelock import FileLock
from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, func, inspect, make_url, select, text

from ludus.core.errors import BusyError, FileError, InvalidError, LudusError
from ludus.core.paths import data_folder
from ludus.store.schema import VERSION, metadata
from ludus.tournaments.config import config

_VERSION_TABLE = "ludus_version"
_PATIENCE = 60  # seconds that a writer waits for another
_MIGRATING = 0x1D05  # any number that is always the same
_one_migration = threading.Lock()  # Alembic has one place for the present one


def location(given: str | None = None) -> URL:
    """Where the store is: as given, else LUDUS_STORE, else as in ludus.toml, else a file in the user's data folder."""
    given = given or os.environ.get("LUDUS_STORE") or config().store
    if not given:
        folder = data_folder()
        with _told(folder):
            folder.mkdir(parents=True, exist_ok=True)
        given = str(folder / "ludus.db")
    if "://" not in given:
        return URL.create("sqlite", database=str(Path(given).absolute()))
    try:
        url = make_url(given)
    except (exc.ArgumentError, ValueError):
        url = URL.create("")
    if url.drivername == "sqlite" and url.database:
        return url.set(database=str(Path(url.database).absolute()))
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    raise InvalidError(f"{_spoken(given)} is no store: give a file, sqlite:///FILE or postgresql://USER@HOST/DATABASE.")


def connect(url: URL) -> Engine:
    """An engine for a store whose tables are up to date."""
    engine = _engine(url)
    with reaching(engine):
        version = _version(engine)
        if version < VERSION:
            with _migrating(engine):
                if _version(engine) < VERSION:  # nobody else did it meanwhile
                    with _one_migration:
                        _migrate(engine)
    if version > VERSION:
        raise InvalidError(
            f"The store {shown(url)} was made by a newer Ludus (version {version} of the tables, and this one knows "
            f"up to {VERSION}): update Ludus."
        )
    return engine


def shown(url: URL) -> str:
    """A store as people write it, without its password."""
    if url.drivername == "sqlite":
        return str(url.database)
    return url.set(drivername="postgresql").render_as_string(hide_password=True)


@contextlib.contextmanager
def reaching(engine: Engine) -> Iterator[None]:
    """Turn what the database says into one sentence."""
    try:
        yield
    except (exc.DBAPIError, engine.dialect.loaded_dbapi.Error) as error:
        cause = getattr(error, "orig", error)
        said = " ".join(str(cause).split()).rstrip(".")
        kind = BusyError if getattr(cause, "sqlite_errorname", "").startswith("SQLITE_BUSY") else LudusError
        raise kind(f"The store {shown(engine.url)} cannot be used: {said}.") from error


def lock_file(engine: Engine, name: str) -> Path:
    """A file to be locked, in a folder beside an SQLite file.

    It stays there for good: were it deleted, two processes could each hold a lock, one of them on the deleted file.
    """
    folder = Path(f"{engine.url.database}.locks")
    with _told(folder):
        folder.mkdir(exist_ok=True)
    return folder / f"{name}.lock"


@contextlib.contextmanager
def _told(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FileError(
            f"{folder} cannot be used for results: {error.strerror}; set LUDUS_HOME or --store.", folder
        ) from None


def _spoken(given: str) -> str:
    return "://".join([given.split("://")[0], "…"]) if "@" in given else given


def _engine(url: URL) -> Engine:
    if url.drivername != "sqlite":
        try:
            return create_engine(url, pool_pre_ping=True)
        except ModuleNotFoundError:
            raise LudusError(
                "PostgreSQL needs a package that is not installed: pip install 'ludus[postgresql]'."
            ) from None
    engine = create_engine(url, connect_args={"timeout": _PATIENCE})

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say so
        # What a transaction wrote is in the hands of the system when it ends: kill -9 loses nothing, and after a power
        # cut the last transactions may be missing but the file is whole.
        connection.execute("PRAGMA synchronous = NORMAL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer waits for its turn here; one that began as a reader would fail if another wrote meanwhile.
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


@contextlib.contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A connection in a transaction that will write."""
    with reaching(engine), engine.execution_options(writes=True).begin() as connection:
        yield connection


@contextlib.contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection in a transaction that only reads: it sees the store as it is now, whatever others write."""
    # SQLite does so always.
    options = {} if engine.dialect.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}
    with reaching(engine), engine.execution_options(**options).begin() as connection:
        yield connection


# --- The version of the tables ----------------------------------------------------------------------------------------


def _version(engine: Engine) -> int:
    """The number of the last migration; 0 where there are no tables yet."""
    if not inspect(engine).has_table(_VERSION_TABLE):
        return 0
    with engine.begin() as connection:
        return int(connection.execute(text(f"SELECT version_num FROM {_VERSION_TABLE}")).scalar_one())


@contextlib.contextmanager
def _migrating(engine: Engine) -> Iterator[None]:
    """Keep others from migrating this store at the same time."""
    if engine.dialect.name == "sqlite":
        with FileLock(lock_file(engine, "tables")):
            yield
        return
    with engine.begin() as connection:
        connection.execute(select(func.pg_advisory_xact_lock(_MIGRATING)))
        yield


def _migrate(engine: Engine) -> None:
    from alembic.operations import Operations  # takes long to import, and is needed once in the life of a store
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    if _version(engine) == 0 and (taken := set(inspect(engine).get_table_names()) & set(metadata.tables)):
        raise InvalidError(
            f"{shown(engine.url)} already has a table '{min(taken)}' of another program: choose another store."
        )
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            cursor = connection.connection.cursor()
            cursor.execute("PRAGMA auto_vacuum = INCREMENTAL")  # so that deleting a tournament makes room on the disk
            cursor.execute("PRAGMA journal_mode = WAL")
            cursor.close()
    folder = str(Path(__file__).with_name("migrations"))
    script = ScriptDirectory(folder, version_locations=[folder])
    with engine.execution_options(writes=True).begin() as connection:
        # As Alembic's cookbook does it, without the files that its command line needs.
        steps = {"fn": lambda at, _: script._upgrade_revs("heads", at), "version_table": _VERSION_TABLE}
        context = MigrationContext.configure(connection, opts=steps)
        with Operations.context(context):
            context.run_migrations()
