"""Connections: from a path or URL to an engine with up-to-date tables, or an error that says why not."""

import contextlib
import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filelock import FileLock
from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, func, inspect, make_url, select, text

from ludus.core.errors import BusyError, FileError, InvalidError, LudusError
from ludus.core.paths import cache_folder, data_folder
from ludus.store.schema import VERSION, metadata
from ludus.tournaments.config import default_store

_VERSION_TABLE = "ludus_version"
_PATIENCE = 60  # seconds that one writer waits for another
_MIGRATING = 0x1D05  # an arbitrary constant
_BUSY = ("55P03", "53300", "57P03")  # PostgreSQL: a lock is not available, too many clients, it is still starting
_one_migration = threading.Lock()  # Alembic allows one migration per process at a time


def location(given: str | None = None) -> URL:
    """The URL of a store, or of the default one, whose folder is made."""
    is_default = not given
    given = given or default_store()
    if "://" not in given:
        file = Path(given).absolute()
        if is_default or file.parent == data_folder().absolute():
            with _as_file_error(file.parent):
                file.parent.mkdir(parents=True, exist_ok=True)
        return URL.create("sqlite", database=str(file))
    try:
        url = make_url(given)
    except (exc.ArgumentError, ValueError):
        url = URL.create("")
    if url.drivername == "sqlite" and url.database:
        return url.set(database=str(Path(url.database).absolute()))
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    raise InvalidError(
        f"{_spoken(given)} is not a store: give a file, sqlite:///FILE or postgresql://USER@HOST/DATABASE."
    )


def connect(url: URL) -> Engine:
    """An engine for a store whose tables are up to date."""
    engine = _engine(url)
    with reaching(engine):
        version = _version(engine)
        if version < VERSION:
            with _migrating(engine):
                if _version(engine) < VERSION:  # no other process migrated it meanwhile
                    with _one_migration:
                        _migrate(engine)
    if version > VERSION:
        raise InvalidError(
            f"The store {shown(url)} was made by a newer Ludus (version {version} of the tables, and this one supports "
            f"up to {VERSION}): update Ludus."
        )
    return engine


def shown(url: URL) -> str:
    """The URL of a store without its password, for messages."""
    if url.drivername == "sqlite":
        return str(url.database)
    return url.set(drivername="postgresql").render_as_string(hide_password=True)


@contextlib.contextmanager
def reaching(engine: Engine) -> Iterator[None]:
    """Turn database errors into one sentence."""
    try:
        yield
    except (exc.DBAPIError, engine.dialect.loaded_dbapi.Error) as error:
        cause = getattr(error, "orig", error)
        reason = " ".join(str(cause).split()).rstrip(".")
        kind = BusyError if _is_busy(cause) else LudusError
        raise kind(f"The store {shown(engine.url)} cannot be used: {reason}.") from error


def _is_busy(cause: object) -> bool:
    """True if a database refuses because others use it."""
    sqlite, postgresql = getattr(cause, "sqlite_errorname", ""), getattr(cause, "sqlstate", None)
    return sqlite.startswith("SQLITE_BUSY") or postgresql in _BUSY


def lock_file(engine: Engine, name: str) -> Path:
    """A file to be locked, in a folder beside an SQLite file.

    It is never deleted: otherwise two processes could each hold a lock, one of them on the deleted file.
    """
    folder = Path(f"{engine.url.database}.locks")
    with _as_file_error(folder):
        folder.mkdir(exist_ok=True)
    return folder / f"{name}.lock"


def live_folder(engine: Engine) -> Path:
    """The folder of what is being played into a store: beside an SQLite file, else among the user's cached files."""
    if engine.dialect.name == "sqlite":
        return Path(f"{engine.url.database}.live")
    identity = hashlib.sha256(shown(engine.url).encode()).hexdigest()[:16]
    return cache_folder() / "live" / identity


@contextlib.contextmanager
def _as_file_error(folder: Path) -> Iterator[None]:
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
        connection.isolation_level = None  # transactions begin explicitly

        # The system has all data of a transaction when it ends: kill -9 loses nothing; after a power cut the last
        # transactions may be missing, but the file is intact.
        connection.execute("PRAGMA synchronous = NORMAL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer waits here; a transaction that began as a reader would fail if another one wrote meanwhile.
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


@contextlib.contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Open a connection in a transaction that will write."""
    with reaching(engine), engine.execution_options(writes=True).begin() as connection:
        yield connection


@contextlib.contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Open a connection in a read-only transaction: it sees the store as of now, whatever others write."""
    # SQLite always does.
    options = {} if engine.dialect.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}
    with reaching(engine), engine.execution_options(**options).begin() as connection:
        yield connection


# --- The version of the tables ----------------------------------------------------------------------------------------


def _version(engine: Engine) -> int:
    """The number of the last migration; 0 if there are no tables yet."""
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
    from alembic.operations import Operations  # slow to import, and needed once per store
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    if _version(engine) == 0 and (taken := set(inspect(engine).get_table_names()) & set(metadata.tables)):
        raise InvalidError(
            f"{shown(engine.url)} already has a table '{min(taken)}' of another program: choose another store."
        )
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            cursor = connection.connection.cursor()
            cursor.execute("PRAGMA auto_vacuum = INCREMENTAL")  # so that deleting a tournament frees disk space
            cursor.execute("PRAGMA journal_mode = WAL")
            cursor.close()
    folder = str(Path(__file__).with_name("migrations"))
    script = ScriptDirectory(folder, version_locations=[folder])
    with engine.execution_options(writes=True).begin() as connection:
        # From Alembic's cookbook, without the files that its command line needs.
        steps = {"fn": lambda at, _: script._upgrade_revs("heads", at), "version_table": _VERSION_TABLE}
        context = MigrationContext.configure(connection, opts=steps)
        with Operations.context(context):
            context.run_migrations()
