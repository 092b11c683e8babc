import json
import os
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from cli.running import PROGRAM, Terminal, ludus
from ludus.store import open_store
from servers.scripted import KEY, Scripted, board, serving

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
    assert "Game 2 begins: 2 players on 9×5 cells, and we are player 1." in done.stderr
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
    assert refused.stderr.endswith("does not know this key.\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess", "--agent", AGENT], "'chess' cannot be joined"),
        (["speed", "--agent", AGENT], "Give --url"),
        (["speed", "--agent", AGENT, "--url", "ws://localhost/spe_ed"], "Give --key"),
        (["speed", "--agent", AGENT, "--url", "localhost", "--key", "k"], "'localhost' is no address of a server"),
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
