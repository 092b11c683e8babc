"""A PostgreSQL server of our own, from the system's binaries, in a temporary folder."""

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

USER = "postgres"


def binaries() -> Path | None:
    """The folder of the newest server that is installed."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if on_path := shutil.which("initdb"):
        found.append(Path(on_path).parent)
    return max(found, key=lambda path: path.parent.name.zfill(4), default=None)


@contextlib.contextmanager
def server(folder: Path) -> Iterator[str]:
    """Run a server and yield the URL of its database; it is stopped at the end.

    It listens at a socket in the folder alone: a port could be taken by somebody else before it is.
    """
    account = _account()
    if account is not None:
        os.chown(folder, account.pw_uid, account.pw_gid)
    _call(folder, "initdb", "--username", USER, "--auth", "trust", "--encoding", "UTF8", "--no-sync")
    start(folder)
    try:
        yield f"postgresql://{USER}@/postgres?host={folder}"
    finally:
        stop(folder)


def start(folder: Path) -> None:
    """Start the server of a folder."""
    options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
    _call(folder, "pg_ctl", "-w", "-t", "600", "-l", str(folder / "log"), "-o", options, "start")


def stop(folder: Path) -> None:
    """Stop the server of a folder at once, even if it is in use."""
    _call(folder, "pg_ctl", "-w", "-t", "600", "-m", "immediate", "stop")


def _account() -> pwd.struct_passwd | None:
    """The account for the server, which refuses to run as root."""
    return pwd.getpwnam(USER) if os.getuid() == 0 else None


def _call(folder: Path, program: str, *arguments: str) -> None:
    account, programs = _account(), binaries()
    assert programs is not None
    subprocess.run(
        [programs / program, "-D", folder / "data", *arguments],
        user=account and account.pw_uid,
        group=account and account.pw_gid,
        extra_groups=[] if account else None,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        timeout=600,
        check=True,
    )


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that the server's user can reach: pytest's own are for their owner alone."""
    with tempfile.TemporaryDirectory(prefix="ludus-postgresql-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)
