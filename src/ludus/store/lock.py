"""One process at a time on a tournament: a lock that ends with the process that holds it, even after a crash."""

import contextlib
from collections.abc import Iterator

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from ludus.core.errors import BusyError, FileError
from ludus.core.private import FILE
from ludus.store.connect import lock_file, reaching

_SPACE = int.from_bytes(b"ludu", "big")
"""First of the two numbers of a lock in PostgreSQL, which has one space of them per database for all programs."""


class Lock:
    """The lock of a tournament, held by this process."""

    def __init__(self, engine: Engine, id: int, name: str) -> None:
        self._engine = engine
        self._id = id
        self._refusal = BusyError(f"The tournament '{name}' is in use by another process: wait for it, or stop it.")
        self._held = contextlib.ExitStack()

    def acquire(self) -> None:
        """Take the lock, or refuse at once if another process holds it."""
        if self._engine.dialect.name == "sqlite":
            self._lock_file()
        else:
            self._lock_in_server()

    def renew(self) -> None:
        """Take the lock again if a server has lost it, as it does when it restarts."""
        if self._engine.dialect.name == "sqlite":
            return
        try:
            self._connection.execute(select(1))
        except SQLAlchemyError:
            self.release()
            self._lock_in_server()

    def release(self) -> None:
        """Give the lock back."""
        self._held.close()

    def _lock_file(self) -> None:
        lock = FileLock(lock_file(self._engine, str(self._id)), timeout=0, mode=FILE)
        try:
            lock.acquire()
        except Timeout:
            raise self._refusal from None
        except OSError as error:
            raise FileError(f"{lock.lock_file} cannot be locked: {error.strerror}.", lock.lock_file) from None
        self._held.callback(lock.release)

    def _lock_in_server(self) -> None:
        # A separate connection without a transaction: an open one would block the server's maintenance.
        with reaching(self._engine), contextlib.ExitStack() as opened:
            connection = self._engine.execution_options(isolation_level="AUTOCOMMIT").connect()
            connection.detach()  # the connection and the lock end with this lock
            opened.callback(connection.close)
            if not connection.scalar(select(func.pg_try_advisory_lock(_SPACE, self._id))):
                raise self._refusal
            self._held = opened.pop_all()
        self._held.callback(self._unlock, connection)
        self._connection = connection

    def _unlock(self, connection: Connection) -> None:
        with contextlib.suppress(SQLAlchemyError):  # the server may be gone; otherwise this releases the lock at once
            connection.execute(select(func.pg_advisory_unlock(_SPACE, self._id)))


@contextlib.contextmanager
def held(engine: Engine, id: int, name: str) -> Iterator[Lock]:
    """Hold the lock of a tournament, or refuse at once if another process does."""
    lock = Lock(engine, id, name)
    lock.acquire()
    try:
        yield lock
    finally:
        lock.release()
