"""Connections: from a path or URL to an engine with up-to-date tables, or an error that says why not."""

import contextlib
import hashlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote
from weakref import WeakKeyDictionary

from filelock import FileLock
from sqlalchemy import URL, Connection, Engine, Pool, create_engine, event, exc, func, inspect, make_url, select, text

from ludus.core.errors import BusyError, FileError, InvalidError, LudusError
from ludus.core.paths import cache_folder, data_folder
from ludus.core.private import FILE, is_changed_by_others, make_file, make_folder
from ludus.store.schema import VERSION, metadata
from ludus.tournaments.config import default_store

_VERSION_TABLE = "ludus_version"
_PATIENCE = 60  # seconds that one writer waits for another
_MIGRATING = 0x1D05  # an arbitrary constant
_BUSY = ("55P03", "53300")  # PostgreSQL: a lock is not available, too many clients
_AWAY = ("57P01", "57P02", "57P03", None)  # PostgreSQL: it is being stopped, crashed, is starting, or is not there
_one_migration = threading.Lock()  # Alembic allows one migration per process at a time


def location(given: str | None = None) -> URL:
    """The URL of a store, or of the default one, whose folder is made."""
    is_default = not given
    given = given or default_store()
    if "://" not in given:
        file = Path(given).absolute()
        if is_default or file.parent == data_folder().absolute():
            with _as_file_error(file.parent):
                make_folder(file.parent)
        return URL.create("sqlite", database=str(file))
    try:
        url = make_url(given)
    except (exc.ArgumentError, ValueError):
        url = URL.create("")
    if url.drivername == "sqlite" and url.database:
        return url.set(database=str(Path(url.database).absolute()))
    if url.drivername not in ("postgresql", "postgres", "postgresql+psycopg"):
        # The rest may hold a password.
        raise InvalidError(
            f"{given.partition('://')[0]}://… is not a store: give a file, sqlite:///FILE or "
            "postgresql://USER@HOST/DATABASE."
        )
    if "@" in (url.host or ""):
        raise InvalidError("The address of the store has two @: write %40 for one that belongs to the password.")
    return url.set(drivername="postgresql+psycopg")


def _passwords(url: URL) -> list[str]:
    """All passwords in a URL."""
    asked = [text for name, texts in url.normalized_query.items() if _is_secret(name) for text in texts if text]
    return [str(url.password), *asked] if url.password else asked


def _is_secret(name: str) -> bool:
    """True if the part of a URL with this name is a password, even if the name is misspelt."""
    return "pass" in name and name != "passfile"


def connect(url: URL) -> Engine:
    """An engine for a store whose tables are up to date.

    A new file is for its owner alone; one that others could change is refused.
    """
    if url.drivername == "sqlite":
        _make_safe(Path(str(url.database)))
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
    hidden = {name: "***" for name in url.query if _is_secret(name)}
    plain = url.update_query_dict(hidden).set(drivername="postgresql")
    return plain.render_as_string(hide_password=True).replace("%2A%2A%2A", "***")


@contextlib.contextmanager
def reaching(engine: Engine) -> Iterator[None]:
    """Turn database errors into one sentence."""
    try:
        yield
    except (exc.DBAPIError, engine.dialect.loaded_dbapi.Error) as error:
        cause = getattr(error, "orig", error)
        reason = " ".join(str(cause).split()).rstrip(".")
        if engine.dialect.name == "sqlite" and not (folder := Path(str(engine.url.database)).parent).is_dir():
            reason = f"there is no folder {folder}"
        for password in _passwords(engine.url):
            reason = reason.replace(password, "***")
        kind = BusyError if _is_busy(cause) or _is_away(engine, cause) else LudusError
        raise kind(f"The store {shown(engine.url)} cannot be used: {reason}.") from error


def _is_busy(cause: object) -> bool:
    """True if a database refuses because others use it."""
    sqlite, postgresql = getattr(cause, "sqlite_errorname", ""), getattr(cause, "sqlstate", None)
    return sqlite.startswith("SQLITE_BUSY") or postgresql in _BUSY


def _is_away(engine: Engine, cause: object) -> bool:
    """True if a server cannot be reached, or has just gone, as it does when it restarts."""
    is_trouble = isinstance(cause, engine.dialect.loaded_dbapi.OperationalError)
    return is_trouble and engine.dialect.name == "postgresql" and getattr(cause, "sqlstate", None) in _AWAY


def lock_file(engine: Engine, name: str) -> Path:
    """A file to be locked, in a folder beside an SQLite file.

    It is never deleted: otherwise two processes could each hold a lock, one of them on the deleted file.
    """
    folder = Path(f"{engine.url.database}.locks")
    with _as_file_error(folder):
        make_folder(folder)
    return folder / f"{name}.lock"


def live_folder(engine: Engine) -> Path:
    """The folder of what is being played into a store: beside an SQLite file, else among the user's cached files."""
    if engine.dialect.name == "sqlite":
        return Path(f"{engine.url.database}.live")
    identity = hashlib.sha256(shown(engine.url).encode()).hexdigest()[:16]
    return cache_folder() / "live" / identity


def _make_safe(file: Path) -> None:
    """Make the file of a store if it is new; refuse one that is not a file, or that other users could change."""
    if not file.parent.is_dir():
        return  # SQLite says what is wrong
    with _as_file_error(file.parent):
        with contextlib.suppress(PermissionError):
            make_file(file)
        if file.exists() and not file.is_file():
            raise InvalidError(f"{file} is not a store: it is not a regular file.")
        for path in (file, file.parent):
            if path.exists() and is_changed_by_others(path):
                raise InvalidError(
                    f"The store {file} is not safe, because other users can change {path}: run chmod go-w {path}, or "
                    "choose another store."
                )


@contextlib.contextmanager
def _as_file_error(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FileError(
            f"{folder} cannot be used for results: {error.strerror}; set LUDUS_HOME or --store.", folder
        ) from None


def _engine(url: URL) -> Engine:
    if url.drivername != "sqlite":
        try:
            return create_engine(url, pool_pre_ping=True)
        except ModuleNotFoundError:
            raise LudusError(
                "PostgreSQL needs a package that is not installed: pip install 'ludus[postgresql]'."
            ) from None
    file = Path(str(url.database))
    if _is_read_only(file):
        # Nobody can change it, and SQLite needs no files beside it.
        name = f"file:{quote(str(file))}?mode=ro" + ("" if _has_log(file) else "&immutable=1")
        engine = create_engine(url, creator=partial(sqlite3.connect, name, uri=True, check_same_thread=False))
    else:
        engine = create_engine(url, connect_args={"timeout": _PATIENCE})
    _files[engine.pool] = _file_of(engine)

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


def _is_read_only(file: Path) -> bool:
    """True if a file is on a file system that cannot be written."""
    try:
        return bool(os.statvfs(file).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def _has_log(file: Path) -> bool:
    """True if the last transactions of a store are still in the file beside it."""
    log = Path(f"{file}-wal")
    return log.exists() and log.stat().st_size > 0


@contextlib.contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Open a connection in a transaction that will write; FileError if the file was deleted meanwhile."""
    with reaching(engine), engine.execution_options(writes=True).begin() as connection:
        yield connection
    if engine.dialect.name == "sqlite" and _file_of(engine) != _files.get(engine.pool):
        file = Path(str(engine.url.database))
        raise FileError(
            f"The store {file} was deleted or replaced while it was in use: nothing more can be stored.", file
        )


_files: "WeakKeyDictionary[Pool, tuple[int, int] | None]" = WeakKeyDictionary()
"""The file that each engine opened."""


def _file_of(engine: Engine) -> tuple[int, int] | None:
    """The file that now has the name of a store."""
    try:
        status = os.stat(str(engine.url.database))
    except OSError:
        return None
    return status.st_dev, status.st_ino


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
        with FileLock(lock_file(engine, "tables"), mode=FILE):
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
