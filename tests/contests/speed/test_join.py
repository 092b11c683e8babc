import json
import os
import signal
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from contests.speed.scripted_server import KEY, Scripted, board, serving
from ludus.store import open_store
from support.running import PROGRAM, Terminal, ludus

pytestmark = pytest.mark.slow

AGENT = "speed.dont-hit"
LONG = board(20, 20, (2, 2, "right"), (10, 12, "down"))


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "ludus.db")


def test_games_are_played_and_what_came_of_them_is_told(store: str) -> None:
    with serving(script := Scripted()) as url:
        done = ludus(
            *("join", "speed", "--url", url, "--key", KEY, "--agent", AGENT, "--games", "2", "--store", store),
            columns=200,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "Game 1: place 1 of 2 after 1 round, stored as 1/1.1.\n"
        "Game 2: place 1 of 2 after 1 round, stored as 1/2.1.\n"
        "2 of 2 games won.\n"
    )
    assert "Game 2 begins: 2 players on 9×5, and we are player 1." in done.stderr
    assert script.games == 2


def test_the_environment_is_that_of_contest_clients_and_options_win(store: str) -> None:
    with serving(Scripted()) as url:
        asked = ("join", "speed", "--agent", AGENT, "--games", "1", "--store", store)
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
    assert refused.stderr.splitlines()[-1].startswith("ludus: The server at localhost:")
    assert refused.stderr.endswith("does not accept this key.\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess", "--agent", AGENT], "There are no servers of 'chess'"),
        (["speed", "--agent", AGENT], "Give --url"),
        (["speed", "--agent", AGENT, "--url", "ws://localhost/spe_ed"], "Give --key"),
        (["speed", "--agent", AGENT, "--url", "localhost", "--key", "k"], "'localhost' is not an address of a server"),
        (["speed", "--agent", "human", "--url", "ws://localhost", "--key", "k"], "human cannot join a server"),
        (["speed", "--agent", "random:x=1", "--url", "ws://localhost", "--key", "k"], "random"),
        (["speed", "--url", "ws://localhost", "--key", "k"], "Missing option '--agent'"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(arguments: list[str], said: str, store: str) -> None:
    done = ludus("join", *arguments, URL="", KEY="", LUDUS_STORE=store)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
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


def test_a_server_that_sends_us_to_a_page_gets_a_sentence_that_keeps_the_key(store: str) -> None:
    with ThreadingHTTPServer(("localhost", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"ws://localhost:{server.server_port}/spe_ed"
        done = ludus("join", "speed", "--agent", AGENT, "--url", url, "--key", "s3cret", "--store", store)
        server.shutdown()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("redirects to an address that is not a game server; check the address.\n")
    assert "s3cret" not in done.stderr


@pytest.mark.parametrize("proxy", ["127.0.0.1:3128", "socks5://127.0.0.1:1080"])
def test_a_proxy_that_cannot_be_used_gets_a_sentence(proxy: str, store: str) -> None:
    door = ("--url", "ws://example.org/spe_ed", "--key", KEY, "--time-url", "http://localhost:1")
    done = ludus("join", "speed", "--agent", AGENT, *door, "--store", store, http_proxy=proxy, socks_proxy=proxy)
    assert (done.returncode, done.stdout) == (2, "")
    assert "ludus: The proxy from the environment cannot be used: " in done.stderr


def test_an_address_of_a_clock_that_cannot_be_sent_is_warned_of(store: str) -> None:
    with serving(Scripted()) as url:
        asked = ("join", "speed", "--agent", AGENT, "--url", url, "--key", KEY, "--games", "1", "--store", store)
        done = ludus(*asked, columns=200, TIME_URL=url.replace("ws://", "http://").replace("spe_ed", "Ühr"))
    assert done.returncode == 0
    assert "cannot be read, so this machine's clock is used" in done.stderr


def test_a_script_hears_of_each_game_at_once(store: str) -> None:
    with serving(Scripted(start=LONG)) as url:
        command = [str(PROGRAM), "join", "speed", "--agent", AGENT, "--url", url, "--key", KEY, "--store", store]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        with subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE, text=True, env=environment) as client:
            assert client.stdout is not None
            assert json.loads(client.stdout.readline())["episode"] == "1/1.1"
            client.kill()


def test_the_first_interrupt_stops_it_after_the_game(store: str) -> None:
    script = Scripted(LONG, gate=threading.Event())
    with serving(script) as url, joining(url, store) as client:
        wait_for(client, "begins")
        client.send_signal(signal.SIGINT)
        wait_for(client, "Stopping after this game")
        script.gate.set()  # type: ignore[union-attr]
        out, _ = client.communicate(timeout=60)
    assert (client.returncode, script.games) == (0, 1)
    assert out.startswith("Game 1: place 1 of 2")


def test_the_second_interrupt_stops_it_at_once_and_what_was_seen_is_stored(store: str) -> None:
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


def test_a_terminal_shows_the_round(store: str) -> None:
    with serving(Scripted(LONG)) as url:
        terminal = Terminal(
            "join", "speed", "--url", url, "--key", KEY, "--agent", AGENT, "--games", "1", "--store", store
        )
        terminal.wait_for("waiting for the game to begin")
        terminal.wait_for("we are player 1")
        terminal.wait_for("Game 1: place 1 of 2")
        assert terminal.end() == 0
