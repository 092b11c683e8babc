import asyncio
import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import trustme
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from ludus.core.errors import LudusError
from ludus.episode.record import Record
from ludus.store import open_store
from support.running import PATIENCE, PROGRAM, Terminal, ludus
from support.sentences import missing

pytestmark = pytest.mark.slow


class Server:
    """`ludus host` as a process, whose port is read from what it says."""

    def __init__(self, process: "subprocess.Popen[str]", url: str) -> None:
        self.process = process
        self.url = url
        self.port = re.search(r":(\d+)/", url)[1]  # type: ignore[index]

    def said(self, words: str) -> str:
        """Wait for a line with these words."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if words in line:
                return line
        raise AssertionError(f"it ended without {words!r}")


@contextmanager
def hosting(folder: Path, *arguments: str) -> Iterator[Server]:
    command = [str(PROGRAM), "host", "speed", "--port", "0", "--store", str(folder / "s.db"), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            for line in process.stderr:
                if match := re.search(r"wss?://\S+/spe_ed", line):
                    yield Server(process, match[0])
                    break
            else:
                raise AssertionError("it does not listen")
        finally:
            process.kill()


def play(url: str, key: str, action: str = "change_nothing") -> dict[str, Any]:
    """One game; the last state."""
    state: dict[str, Any] = {}
    with connect(f"{url}?key={key}", compression=None) as connection:
        try:
            for text in connection:
                state = json.loads(text)
                if state["running"] and state["players"][str(state["you"])]["active"]:
                    connection.send(json.dumps({"action": action}))
        except ConnectionClosed:
            pass
    return state


def test_game_is_hosted_filled_written_and_stored(tmp_path: Path) -> None:
    (tmp_path / "keys.txt").write_text("s3cret Team Anna\n")
    options = [
        "--players",
        "3",
        "--width",
        "60",
        "--height",
        "50",
        "--deadline",
        "600",
        "--keys",
        str(tmp_path / "keys.txt"),
    ]
    options += ["--fill", "random", "--lobby", "10ms", "--episodes", "1", "--json"]
    with hosting(tmp_path, *options) as server:
        with pytest.raises(InvalidStatus, match="403"):
            play(server.url, "anna")
        last = play(server.url, "s3cret")
        out, _ = server.process.communicate(timeout=60)
        assert server.process.returncode == 0
    assert (last["width"], last["height"]) == (60, 50)
    assert [player["name"] for player in last["players"].values()] == ["Team Anna", "random", "random"]
    record = Record.from_json(out)
    assert [seat.name for seat in record.seats] == ["Team Anna", "random", "random"]
    with open_store(str(tmp_path / "s.db")) as store:
        (summary,) = store.tournaments()
        assert summary.episodes == 1
    shown = ludus("replay", "1/1.1", "--store", str(tmp_path / "s.db"))
    assert shown.returncode == 0, shown.stderr
    assert "Team Anna" in shown.stdout


def test_events_are_printed_as_plain_lines(tmp_path: Path) -> None:
    with hosting(tmp_path, "--players", "2", "--width", "60", "--height", "50", "--deadline", "600") as server:
        with connect(f"{server.url}?key=anna") as anna:
            assert missing(server.said("anna"), "1 of 2") == []
            anna.send('{"action":"change_nothing"}')
            play(server.url, "bob", "slow_down")
        assert missing(server.said("begins"), "1 60×50 600s anna bob") == []
        assert "1/1.1" in server.said("Game 1: ")


@contextmanager
def game_of_two(folder: Path) -> Iterator[tuple[Server, ClientConnection, ClientConnection]]:
    """A server and the clients anna and bob, whose game has begun."""
    with (
        hosting(folder, "--players", "2", "--width", "60", "--height", "50", "--deadline", "600") as server,
        connect(f"{server.url}?key=anna") as anna,
        connect(f"{server.url}?key=bob") as bob,
    ):
        anna.recv()
        yield server, anna, bob


def test_first_interrupt_lets_games_end_and_the_second_stops_them(tmp_path: Path) -> None:
    with game_of_two(tmp_path) as (server, anna, bob):
        server.process.send_signal(signal.SIGINT)
        server.said("one game will be finished")
        with pytest.raises(InvalidStatus, match="503"):
            play(server.url, "carl")
        anna.send('{"action":"slow_down"}')
        bob.send('{"action":"change_nothing"}')
        server.said("bob won after 1 round")
        assert server.process.wait(60) == 0
    with game_of_two(tmp_path) as (server, _, _):
        server.process.send_signal(signal.SIGINT)
        server.said("one game will be finished")
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(60) == 130
        assert "Traceback" not in server.process.stderr.read()  # type: ignore[union-attr]


def test_game_is_stored_when_standard_output_is_closed(tmp_path: Path) -> None:
    with hosting(tmp_path, "--players", "2", "--fill", "random", "--lobby", "10ms", "--json") as server:
        assert server.process.stdout is not None
        server.process.stdout.close()
        play(server.url, "anna", "slow_down")
        server.said("stored as 1/1.1")
        assert server.process.wait(60) == 1
        assert server.process.stderr is not None
        assert server.process.stderr.read() == ""
    with open_store(str(tmp_path / "s.db")) as store:
        assert [summary.episodes for summary in store.tournaments()] == [1]


def test_games_end_and_are_stored_when_standard_error_is_closed(tmp_path: Path) -> None:
    with game_of_two(tmp_path) as (server, anna, bob):
        assert server.process.stderr is not None
        server.process.stderr.close()
        server.process.send_signal(signal.SIGINT)
        anna.send('{"action":"slow_down"}')
        bob.send('{"action":"change_nothing"}')
        assert server.process.wait(60) == 0
    with open_store(str(tmp_path / "s.db")) as store:
        assert store.tournaments()[0].episodes == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device here that is full")
def test_game_is_stored_when_its_record_cannot_be_written(tmp_path: Path) -> None:
    command = [str(PROGRAM), "host", "speed", "--port", "0", "--store", str(tmp_path / "s.db"), "--json"]
    command += ["--players", "2", "--deadline", "600", "--fill", "random", "--lobby", "10ms", "--episodes", "1"]
    with open("/dev/full", "w") as full, subprocess.Popen(command, stdout=full, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        said = next(line for line in process.stderr if b"ws://" in line).decode()
        play(re.search(r"ws://\S+/spe_ed", said)[0], "anna")  # type: ignore[index]
        rest = process.stderr.read().decode()
    assert process.returncode == 2
    assert missing(rest.splitlines()[-1], "ludus: No space left on device store") == []
    with open_store(str(tmp_path / "s.db")) as store:
        assert store.tournaments()[0].episodes == 1


def test_slow_reader_of_records_holds_up_neither_games_nor_the_end(tmp_path: Path) -> None:
    options = [
        "--players",
        "2",
        "--width",
        "399..400",
        "--height",
        "399..400",
        "--fill",
        "random",
        "--lobby",
        "10ms",
        "--json",
    ]
    with hosting(tmp_path, *options) as server:
        for number in range(1, 4):  # a record has the board on which it began, which is more than a pipe holds
            play(server.url, "anna", "slow_down")
            server.said(f"stored as 1/{number}.1")
        for _ in range(2):  # two at once would be one
            server.process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                server.process.wait(1)
        assert server.process.wait(60) == 0


def test_killed_server_leaves_no_processes(tmp_path: Path) -> None:
    with hosting(tmp_path, "--players", "2", "--fill", "random", "--lobby", "10ms") as server:
        children = _children(server.process.pid)
        assert children
        server.process.kill()
        server.process.wait(60)
        for child in children:
            _wait_for_the_end(child)


def _children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _wait_for_the_end(pid: int) -> None:
    async def wait() -> None:
        async with asyncio.timeout(60):
            while _is_alive(pid):
                await asyncio.sleep(0.01)

    asyncio.run(wait())


def _is_alive(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_tls_by_options(tmp_path: Path) -> None:
    certificate = trustme.CA().issue_cert("localhost")
    certificate.cert_chain_pems[0].write_to_path(str(tmp_path / "certificate.pem"))
    certificate.private_key_pem.write_to_path(str(tmp_path / "key.pem"))
    files = ["--certificate", str(tmp_path / "certificate.pem"), "--private-key", str(tmp_path / "key.pem")]
    with hosting(tmp_path, *files) as server:
        assert server.url.startswith("wss://")


def test_terminal_shows_lobby_and_games_as_a_table(tmp_path: Path) -> None:
    terminal = Terminal(
        "host", "speed", "--port", "0", "--players", "2", "--width", "60", "--height", "50", "--deadline", "600",
        "--episodes", "1", "--store", str(tmp_path / "s.db"), columns=120,
    )  # fmt: skip
    terminal.wait_for("lobby")
    url = re.search(r"ws://\S+/spe_ed", terminal.text)[0]  # type: ignore[index]
    with connect(f"{url}?key=anna") as anna, connect(f"{url}?key=bob") as bob:
        terminal.wait_for("60×50")
        terminal.wait_for("2 of 2")
        assert "2 of 2 of 2" not in terminal.text
        anna.send('{"action":"slow_down"}')
        bob.send('{"action":"change_nothing"}')
        terminal.wait_for("stored as 1/1.1")
        assert terminal.end() == 0


def test_keys_that_cannot_fill_a_game_are_refused_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "keys.txt").write_text("s3cret Team Anna\n")
    keys = ["--keys", str(tmp_path / "keys.txt"), "--store", str(tmp_path / "s.db")]
    done = ludus("host", "speed", "--players", "3", *keys)
    assert (done.returncode, done.stdout) == (2, "")
    assert missing(done.stderr, "keys.txt 1 3 --fill") == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["hex"], "'hex' speed"),
        (["speed", "--players", "7"], "--players 7 2 6"),
        (["speed", "--players", "many"], "--players many number"),
        (["speed", "--width", "50..40"], "--width 50..40 40..50"),
        (
            ["speed", "--deadline", "0"],
            "--deadline 0 0.01 86,400",
        ),
        (["speed", "--deadline", "1e12"], "--deadline 1e12"),
        (["speed", "--keys", "/nowhere/keys.txt"], "/nowhere/keys.txt"),
        (["speed", "--fill", "nobody"], "'nobody'"),
        (["speed", "--fill", "remote:anna"], "remote:anna place"),
        (["speed", "--private-key", "x.pem"], "certificate"),
        (["speed", "--lobby", "soon"], "--lobby soon time"),
        (["speed", "--host", "256.0.0.1"], "256.0.0.1 8080"),
        (["speed", "--host", "0.0.0..0"], "0.0.0..0 8080 address"),
        (["speed", "--grace", "60", "--lobby", "31536001s"], "--lobby 31536001s time"),
    ],
)
def test_bad_input_gets_one_line(tmp_path: Path, arguments: list[str], words: str) -> None:
    done = ludus("host", *arguments, "--store", str(tmp_path / "s.db"))
    assert done.returncode == 2
    assert missing(done.stderr, words) == []
    assert "Traceback" not in done.stderr
    assert "Unknown error" not in done.stderr
    assert len([line for line in done.stderr.splitlines() if line.startswith("ludus: ")]) == 1


def test_clients_of_ludus_join_a_server_of_ludus(tmp_path: Path) -> None:
    options = ["--players", "2", "--width", "60", "--height", "50", "--deadline", "600", "--episodes", "2"]
    with hosting(tmp_path, *options) as server:
        joined = [
            subprocess.Popen(
                [PROGRAM, "join", "speed", "--url", server.url, "--key", key, "--agent", "random", "--episodes", "2"],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=os.environ | {"LUDUS_STORE": str(tmp_path / f"{key}.db")},
            )
            for key in ("anna", "bob")
        ]
        for client in joined:
            _, complaints = client.communicate(timeout=PATIENCE)
            assert client.returncode == 0, complaints
        assert server.process.wait(60) == 0
    for name in ("s", "anna", "bob"):
        with open_store(str(tmp_path / f"{name}.db")) as store:
            assert sum(summary.episodes for summary in store.tournaments()) == 2, name


def test_number_alone_is_milliseconds_for_a_server_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}

    def serve(contest: Any, *others: Any, patience: int, **options: Any) -> None:
        given.update(grace=contest.grace, lobby=patience)
        raise LudusError("enough")

    monkeypatch.setattr("ludus.cli.host.Host", serve)
    ludus("host", "speed", "--grace", "60", "--lobby", "1500", "--store", str(tmp_path / "s.db"))
    assert given == {"grace": 60 * 10**6, "lobby": 1500 * 10**6}
