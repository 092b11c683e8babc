"""A server with many clients: limits of connections and games, and memory."""

import asyncio
import re
import resource
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import trustme
from websockets.asyncio.client import ClientConnection, connect

from support.running import PROGRAM

pytestmark = pytest.mark.slow


@contextmanager
def hosting(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """`ludus host` and its port."""
    command = [
        str(PROGRAM),
        "host",
        "speed",
        "--port",
        "0",
        "--store",
        str(folder / "s.db"),
        "--players",
        "2",
        *options,
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stderr is not None
            port = next(match[1] for line in process.stderr if (match := re.search(r"://[^:]+:(\d+)/", line)))
            yield process, int(port)
        finally:
            process.kill()


async def status(port: int, path: str) -> str:
    """The first line of the answer to a request; empty if there is none."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    line = b""
    with suppress(ConnectionError):
        line = await reader.readline()
    writer.close()
    return line.decode()


def test_server_limits_its_connections(tmp_path: Path) -> None:
    async def test(port: int) -> None:
        url = f"ws://127.0.0.1:{port}/spectate"
        held = [await connect(url) for _ in range(5)]
        assert " 503 " in await status(port, "/games")
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
        ended = [reader.read() for reader, _ in silent]
        done, _ = await asyncio.wait([asyncio.ensure_future(one) for one in ended], return_when="FIRST_COMPLETED")
        assert done, "far beyond the limit nothing is waited for"
        for _, writer in silent:
            writer.transport.abort()
        for connection in held:
            await connection.close()
        async with asyncio.timeout(60):
            while " 200 " not in await status(port, "/games"):
                await asyncio.sleep(0.05)

    with hosting(tmp_path, "--max-per-address", "5") as (_, port):
        asyncio.run(test(port))


def test_server_limits_its_games(tmp_path: Path) -> None:
    async def test(port: int) -> None:
        url = f"ws://127.0.0.1:{port}/spe_ed?key="
        playing = [await connect(url + key) for key in "ab"]
        for player in playing:
            await player.recv()
        headers = "Upgrade: websocket\r\n"
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /spe_ed?key=c HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode())
        said = (await reader.read()).decode()
        writer.close()
        assert " 503 " in said
        assert "Retry-After" in said
        for player in playing:
            await player.send("{}")
        async with asyncio.timeout(60):
            while " 503 " in await status(port, "/spe_ed?key=c"):
                await asyncio.sleep(0.05)

    with hosting(tmp_path, "--max-games", "1") as (_, port):
        asyncio.run(test(port))


MANY = 600


def test_memory_of_many_connections_is_given_back(tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(str(tmp_path / "own.pem"))
    context = ssl.create_default_context()
    authority.configure_trust(context)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2 * MANY:
        pytest.skip(f"a process here may open {hard} files")

    async def test(pid: int, port: int) -> None:
        async def join(number: int) -> ClientConnection:
            return await connect(f"wss://localhost:{port}/spe_ed?key={number}", ssl=context, compression=None)

        before = resident(pid)
        clients: list[ClientConnection] = []
        for begin in range(0, MANY, 50):
            clients += await asyncio.gather(*map(join, range(begin, begin + 50)))
        full = resident(pid)
        assert full - before < MANY / 2, "half a MiB each"
        for client in clients:
            client.transport.abort()
        async with asyncio.timeout(120):
            while resident(pid) - before > (full - before) / 2:
                await asyncio.sleep(0.1)

    options = ["--certificate", str(tmp_path / "own.pem"), "--max-per-address", "700", "--max-games", "700"]
    with hosting(tmp_path, *options) as (process, port):
        asyncio.run(test(process.pid, port))


def resident(pid: int) -> float:
    """The memory that a process holds, in MiB."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024
