import json
import os
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from contests.speed.scripted_server import KEY, Scripted, board, serving
from ludus.contests.speed.game import Speed
from ludus.store import open_store
from support.running import PROGRAM, Terminal, ludus, program
from support.sentences import missing

pytestmark = pytest.mark.slow

AGENT = "speed.dont-hit"
LONG = board(20, 20, (2, 2, "right"), (10, 12, "down"))


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "ludus.db")


def test_results_of_games_are_printed(store: str) -> None:
    with serving(script := Scripted()) as url:
        done = ludus(
            *("join", "speed", "--url", url, "--key", KEY, "--agent", AGENT, "--episodes", "2", "--store", store),
            columns=200,
        )
    assert done.returncode == 0, done.stderr
    first, second, total = done.stdout.splitlines()
    assert missing(first, "1 of 2 1/1.1") == missing(second, "1 of 2 1/2.1") == missing(total, "2 of 2") == []
    assert "9×5" in done.stderr
    assert script.games == 2


def test_options_override_the_environment_of_contest_clients(store: str) -> None:
    with serving(Scripted()) as url:
        asked = ("join", "speed", "--agent", AGENT, "--episodes", "1", "--store", store)
        clock = "http://localhost:1/clock"
        done = ludus(*asked, "--key", KEY, "--json", URL=url, KEY="wrong", TIME_URL=clock)
        refused = ludus(*asked, URL=url, KEY="wrong")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "episode": "1/1.1",
        "players": [AGENT, "berta"],
        "you": 1,
        "place": 1,
        "won": True,
        "rounds": 1,
        "remarks": [],
    }
    assert f"{clock} cannot be read" in done.stderr
    assert (refused.returncode, refused.stdout) == (2, "")
    assert missing(refused.stderr.splitlines()[-1], "ludus: localhost: key") == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess", "--agent", AGENT], "'chess' speed"),
        (["speed", "--agent", AGENT], "--url URL"),
        (["speed", "--agent", AGENT, "--url", "ws://localhost/spe_ed"], "--key KEY"),
        (["speed", "--agent", AGENT, "--url", "localhost", "--key", "k"], "'localhost'"),
        (["speed", "--agent", "remote:anna", "--url", "ws://localhost", "--key", "k"], "remote:anna client"),
        (["speed", "--agent", "stdio:/no/bot", "--url", "ws://localhost", "--key", "k"], "stdio:/no/bot started"),
        (["speed", "--agent", "random:x=1", "--url", "ws://localhost", "--key", "k"], "random 'x'"),
        (["speed", "--url", "ws://localhost", "--key", "k"], "--agent"),
    ],
)
def test_bad_input_gets_one_sentence(arguments: list[str], words: str, store: str) -> None:
    done = ludus("join", *arguments, URL="", KEY="", LUDUS_STORE=store)
    assert (done.returncode, done.stdout) == (2, "")
    assert missing(done.stderr, words) == []
    assert len(done.stderr.splitlines()) == 1


class Elsewhere(BaseHTTPRequestHandler):
    """Sends everybody on to a page."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(301)
        self.send_header("Location", f"https://localhost{self.path}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Quietly."""


def test_error_about_a_redirect_keeps_the_key_secret(store: str) -> None:
    with ThreadingHTTPServer(("localhost", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"ws://localhost:{server.server_port}/spe_ed"
        done = ludus("join", "speed", "--agent", AGENT, "--url", url, "--key", "s3cret", "--store", store)
        server.shutdown()
    assert (done.returncode, done.stdout) == (2, "")
    assert missing(done.stderr.splitlines()[-1], f"ludus: localhost:{server.server_port} redirects") == []
    assert "s3cret" not in done.stderr


BOT = """
import pathlib, sys
heard = pathlib.Path(__file__).with_suffix(".txt").open("w")
for line in sys.stdin:
    print(line.strip(), file=heard, flush=True)
    word, *rest = line.split()
    if word == "INFO":
        if rest[0] == "initial_board":
            print(pathlib.Path(rest[1]).read_text().strip(), file=heard, flush=True)
        print("OK", flush=True)
    elif word == "END":
        break
    else:
        print("change_nothing" if word == "START" else "turn_right", flush=True)
"""


def test_bot_joins_by_its_protocol(store: str, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    agent = f"stdio:{sys.executable} {bot}"
    with serving(script := Scripted(start=LONG)) as url:
        door = ("--url", url, "--key", KEY, "--store", store)
        done = program("join", "speed", "--agent", agent, *door, "--episodes", "1", "--json")
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr.replace("the agent", "")
    assert [json.loads(said)["action"] for said, _ in script.heard[:3]] == [
        "change_nothing",
        "turn_right",
        "turn_right",
    ]
    heard = bot.with_suffix(".txt").read_text().splitlines()
    position = heard[next(place for place, line in enumerate(heard) if line.startswith("INFO initial_board")) + 1]
    assert Speed().save(Speed().load(position)) == Speed().save(LONG)
    turns = [line for line in heard if line.startswith(("START", "TURN"))]
    assert turns[:2] == ["START", "TURN 0:change_nothing 1:change_nothing"]
    assert heard[-1] == "END"
    assert json.loads(done.stdout)["remarks"] == []
    with open_store(store) as opened:
        (summary,) = opened.tournaments()
        ((_, record),) = opened.records(summary.id)
    assert record.seats[0].agent == agent
    assert all(move.fault is None for step in record.steps for move in step if move.seat == 0)


def test_person_joins_sees_the_board_and_plays_one_game(store: str) -> None:
    with serving(script := Scripted()) as url:
        door = ("--url", url, "--key", KEY, "--store", store)
        done = program("join", "speed", "--agent", "human", *door, said="turn\nturn_right\n", columns=120)
    assert done.returncode == 0, done.stderr
    assert [json.loads(said)["action"] for said, _ in script.heard] == ["turn_right"]
    assert "your move" in done.stderr
    assert "1/1.1" in done.stdout


def test_person_may_leave_a_game(store: str) -> None:
    with serving(script := Scripted(start=LONG)) as url:
        door = ("--url", url, "--key", KEY, "--store", store)
        done = program("join", "speed", "--agent", "human", *door, said="turn_right\nquit\n", columns=200)
    assert done.returncode == 0, done.stderr
    assert len(script.heard) == 1
    assert "without a result after 1 round" in done.stdout
    assert "the player left it" in done.stderr


@pytest.mark.parametrize("proxy", ["127.0.0.1:3128", "socks5://127.0.0.1:1080"])
def test_unusable_proxy_gets_one_sentence(proxy: str, store: str) -> None:
    door = ("--url", "ws://example.org/spe_ed", "--key", KEY, "--time-url", "http://localhost:1")
    done = ludus("join", "speed", "--agent", AGENT, *door, "--store", store, http_proxy=proxy, socks_proxy=proxy)
    assert (done.returncode, done.stdout) == (2, "")
    assert missing(done.stderr.splitlines()[-1], "ludus: proxy environment") == []


def test_unreadable_clock_is_a_warning(store: str) -> None:
    with serving(Scripted()) as url:
        asked = ("join", "speed", "--agent", AGENT, "--url", url, "--key", KEY, "--episodes", "1", "--store", store)
        done = ludus(*asked, columns=200, TIME_URL=url.replace("ws://", "http://").replace("spe_ed", "Ühr"))
    assert done.returncode == 0
    assert missing(done.stderr, "clock localhost hr") == []


def test_each_game_is_printed_at_once(store: str) -> None:
    with serving(Scripted(start=LONG)) as url:
        command = [str(PROGRAM), "join", "speed", "--agent", AGENT, "--url", url, "--key", KEY, "--store", store]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        with subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE, text=True, env=environment) as client:
            assert client.stdout is not None
            assert json.loads(client.stdout.readline())["episode"] == "1/1.1"
            client.kill()


def test_first_interrupt_stops_after_the_game(store: str) -> None:
    script = Scripted(LONG, gate=threading.Event())
    with serving(script) as url, joining(url, store) as client:
        wait_for(client, "begins")
        client.send_signal(signal.SIGINT)
        wait_for(client, "Stopping after this game")
        script.gate.set()  # type: ignore[union-attr]
        out, _ = client.communicate(timeout=60)
    assert (client.returncode, script.games) == (0, 1)
    assert out.startswith("Game 1: place 1 of 2")


def test_second_interrupt_stops_at_once_and_stores_the_unfinished_game(store: str) -> None:
    script = Scripted(LONG, gate=threading.Event())
    with serving(script) as url, joining(url, store) as client:
        wait_for(client, "begins")
        client.send_signal(signal.SIGINT)
        wait_for(client, "Stopping after this game")
        client.send_signal(signal.SIGINT)
        out, said = client.communicate(timeout=60)
        script.gate.set()  # type: ignore[union-attr]
    assert "Traceback" not in said
    assert (client.returncode, out) == (130, "Game 1: without a result after 0 rounds, stored as 1/1.1.\n")
    with open_store(store) as opened:
        assert [summary.episodes for summary in opened.tournaments()] == [1]


def joining(url: str, store: str) -> subprocess.Popen[str]:
    """A client that plays there without end."""
    return subprocess.Popen(
        [PROGRAM, "join", "speed", "--url", url, "--key", KEY, "--agent", AGENT, "--store", store],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"COLUMNS": "200"},
    )


def wait_for(client: subprocess.Popen[str], text: str) -> None:
    assert client.stderr is not None
    for line in client.stderr:
        if text in line:
            return
    raise AssertionError(f"it ended without {text!r}")


def test_terminal_shows_the_round(store: str) -> None:
    with serving(Scripted(LONG)) as url:
        terminal = Terminal(
            "join", "speed", "--url", url, "--key", KEY, "--agent", AGENT, "--episodes", "1", "--store", store
        )
        terminal.wait_for("Connected")
        terminal.wait_for("20×20")
        terminal.wait_for("Game 1: place 1 of 2")
        assert terminal.end() == 0
