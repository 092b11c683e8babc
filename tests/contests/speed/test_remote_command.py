import asyncio
import json
import re
import signal
import ssl
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import trustme
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from support.running import PROGRAM, ludus
from support.sentences import missing

pytestmark = pytest.mark.slow


def play(url: str, key: str, trusting: ssl.SSLContext | None = None) -> dict[str, Any]:
    """One game without turning; the last state."""
    state: dict[str, Any] = {}

    async def go_straight_on() -> None:
        nonlocal state
        async with connect(f"{url}?key={key}", compression=None, ssl=trusting) as connection:
            with suppress(ConnectionClosed):
                async for text in connection:
                    state = json.loads(text)
                    if state["running"] and state["players"][str(state["you"])]["active"]:
                        await connection.send('{"action":"change_nothing"}')

    asyncio.run(go_straight_on())
    return state


def waiting(*arguments: str) -> tuple["subprocess.Popen[str]", str]:
    """The program, and where it waits for clients."""
    process = subprocess.Popen(
        [str(PROGRAM), *arguments, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    for line in process.stderr:
        if match := re.search(r"wss?://\S+/spe_ed", line):
            return process, match[0]
    raise AssertionError("it does not listen")


def test_play_waits_for_a_client() -> None:
    process, url = waiting("play", "speed", "remote:anna", "random", "--episodes", "2", "--move-time", "1m")
    for _ in range(2):
        assert not play(url, "anna")["running"]
    out, complaints = process.communicate(timeout=60)
    assert process.returncode == 0, complaints
    assert "remote:anna" in out


def test_play_waits_for_a_client_with_a_certificate(tmp_path: Path) -> None:
    authority = trustme.CA()
    certificate = authority.issue_cert("localhost")
    certificate.cert_chain_pems[0].write_to_path(str(tmp_path / "certificate.pem"))
    certificate.private_key_pem.write_to_path(str(tmp_path / "key.pem"))
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    files = ["--certificate", str(tmp_path / "certificate.pem"), "--private-key", str(tmp_path / "key.pem")]
    process, url = waiting("play", "speed", "remote:anna", "random", "--move-time", "1m", *files)
    last = play(url.replace("127.0.0.1", "localhost"), "anna", trusting)
    assert last["players"]["1"]["name"] == "anna"
    _, complaints = process.communicate(timeout=60)
    assert process.returncode == 0, complaints


def test_run_waits_for_a_client_by_the_name_of_its_key(tmp_path: Path) -> None:
    (tmp_path / "keys.txt").write_text("s3cret Team Anna\n")
    options = ["--agent", "remote:Team Anna", "--agent", "random", "--move-time", "1m", "--json"]
    places = ["--keys", str(tmp_path / "keys.txt"), "--store", str(tmp_path / "s.db")]
    process, url = waiting("run", "--game", "speed", *options, *places)
    for _ in range(2):
        play(url, "s3cret")
    out, complaints = process.communicate(timeout=60)
    assert process.returncode == 0, complaints
    assert json.loads(out)["episodes"] == 2


def test_interrupt_ends_the_wait_for_a_client(tmp_path: Path) -> None:
    options = ["--agent", "remote:anna", "--agent", "random", "--store", str(tmp_path / "s.db")]
    process, _ = waiting("run", "--game", "speed", *options)
    assert process.stderr is not None
    assert any("Waiting for anna" in line for line in process.stderr)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "speed", "remote:anna", "random"], "remote: --port"),
        (["play", "speed", "random", "random", "--port", "0"], "remote"),
        (["play", "speed", "random", "random", "--certificate", "x.pem"], "remote"),
        (["play", "speed", "remote:a", "remote:a", "--port", "0"], "remote:a twice"),
        (["play", "speed", "remote:a", "random", "--port", "0", "--certificate", "x.pem"], "x.pem"),
        (["play", "hex", "remote:anna", "random", "--port", "0"], "remote:anna hex"),
        (["play", "speed", "remote:a", "random", "--port", "8080", "--host", "0.0.0..0"], "0.0.0..0 8080 address"),
        (["run", "--game", "speed", "--agent", "remote:a", "--agent", "random"], "remote: --port"),
        (
            ["run", "--game", "speed", "--agent", "remote:a", "--agent", "random", "--workers", "2", "--port", "0"],
            "process --workers",
        ),
        (
            ["run", "--game", "speed", "--agent", "remote:a", "--agent", "random", "--timed", "--port", "0"],
            "--timed",
        ),
    ],
)
def test_bad_input_is_told_in_one_line(tmp_path: Path, arguments: list[str], words: str) -> None:
    done = ludus(*arguments, LUDUS_STORE=str(tmp_path / "s.db"))
    assert done.returncode == 2
    assert missing(done.stderr, words) == []
    assert "Traceback" not in done.stderr
