"""A PostgreSQL server of our own, from the system's binaries, in a temporary folder."""

import contextlib
import os
import pwd
import shutil
import socket
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
    """Run a server and yield the URL of its database; it is stopped at the end."""
    account = pwd.getpwnam(USER) if os.getuid() == 0 else None  # the server refuses to run as root
    if account is not None:
        os.chown(folder, account.pw_uid, account.pw_gid)
    programs = binaries()
    assert programs is not None
    port = _free_port()

    def call(program: str, *arguments: str) -> None:
        subprocess.run(
            [programs / program, "-D", folder / "data", *arguments],
            user=account and account.pw_uid,
            group=account and account.pw_gid,
            extra_groups=[] if account else None,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            timeout=60,
            check=True,
        )

    call("initdb", "--username", USER, "--auth", "trust", "--encoding", "UTF8", "--no-sync")
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories= -c fsync=off"
    call("pg_ctl", "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgresql://{USER}@127.0.0.1:{port}/postgres"
    finally:
        call("pg_ctl", "-w", "-m", "immediate", "stop")


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that the server's user can reach: pytest's own are for their owner alone."""
    with tempfile.TemporaryDirectory(prefix="ludus-postgresql-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
