"""One process at a time on a tournament: a lock that ends with the process that holds it, even after a crash."""

import contextlib
from collections.abc import Iterator

from filelock import FileLock, Timeout
from sqlalchemy import Engine, func, select
from sqlalchemy.exc import DBAPIError

from ludus.core.errors import BusyError, FileError
from ludus.store.connect import lock_file, reaching

_SPACE = int.from_bytes(b"ludu", "big")
"""First of the two numbers of a lock in PostgreSQL, which has one space of them per database for all programs."""


@contextlib.contextmanager
def held(engine: Engine, id: int, name: str) -> Iterator[None]:
    """Hold the lock of a tournament, or refuse at once if another process does."""
    refusal = BusyError(f"The tournament '{name}' is in use by another process: wait for it, or stop it.")
    if engine.dialect.name == "sqlite":
        lock = FileLock(lock_file(engine, str(id)), timeout=0)
        try:
            lock.acquire()
        except Timeout:
            raise refusal from None
        except OSError as error:
            raise FileError(f"{lock.lock_file} cannot be locked: {error.strerror}.", lock.lock_file) from None
        try:
            yield
        finally:
            lock.release()
        return
    # A separate connection without a transaction: an open one would block the server's maintenance.
    with reaching(engine), engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.detach()  # the connection and the lock end with this block
        if not connection.scalar(select(func.pg_try_advisory_lock(_SPACE, id))):
            raise refusal
        try:
            yield
        finally:
            with contextlib.suppress(DBAPIError):  # the server may be gone; otherwise this releases the lock at once
                connection.execute(select(func.pg_advisory_unlock(_SPACE, id)))
