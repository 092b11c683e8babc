import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
import trustme

from contests.speed.scripted_server import KEY, TUNNEL, Scripted, board, serving
from ludus.agents.agent import agent_from
from ludus.contests.speed.game import CHANGE_NOTHING, FELL, NO_ANSWER
from ludus.contests.speed.server import SpeedContest
from ludus.core.errors import LudusError
from ludus.episode.local_player import player_for
from ludus.episode.player import Player
from ludus.episode.record import Ending, Fault
from ludus.episode.replay import replay
from ludus.kernel.rules import duplicate
from ludus.net.client import Door, Ended, Guest, Listener, door
from ludus.net.joined_game import Joined
from ludus.net.listener import stay_awake
from ludus.store import Store, open_store
from ludus.tournaments.tournament import Entrant

pytestmark = pytest.mark.slow

SPEED = SpeedContest()
CAREFUL = Entrant("careful", "speed.dont-hit")
AGENTS = '''
import time
from pathlib import Path
from ludus.agents.agent import Agent, Choice

class Troubled(Agent):
    """Fails, then makes no move, then thinks until there is a file called `go` beside it."""
    name = "troubled"

    def begin(self, game, seat, seed):
        self.round = 0

    def choose(self, view, clock):
        self.round += 1
        if self.round == 1:
            raise ValueError("no idea")
        if self.round == 2:
            return Choice(99)
        while self.round == 3 and not Path(__file__).with_name("go").exists():
            time.sleep(0.01)
        return Choice(4, {"round": self.round})

class Waiting(Troubled):
    """Thinks until there is a file called `go` beside it."""
    name = "waiting"

    def choose(self, view, clock):
        while not Path(__file__).with_name("go").exists():
            time.sleep(0.01)
        return Choice(4)

class Told(Troubled):
    """Reports its limit for a move."""
    name = "told"

    def choose(self, view, clock):
        return Choice(4, {"limit": clock.move})

class Unready(Troubled):
    """Is never ready."""
    name = "unready"

    def begin(self, game, seat, seed):
        raise ValueError("not today")
'''


@dataclass
class Notes(Listener):
    """Notes of a client's events."""

    waits: list[tuple[float, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    games: list[Ended] = field(default_factory=list)
    on_move: Callable[[], None] = lambda: None
    has_heard: int = 0

    def wait(self, seconds: float, why: str) -> None:
        self.waits.append((seconds, why))

    def warn(self, sentence: str) -> None:
        self.warnings.append(sentence)

    def moved(self, game: Joined, move: int) -> None:
        self.troubles.append(game.trouble)
        self.on_move()

    def stopping(self) -> None:
        self.has_heard += 1

    def ended(self, ended: Ended) -> None:
        self.games.append(ended)


def visit(
    url: str,
    folder: Path,
    entrant: Entrant = CAREFUL,
    games: int | None = 1,
    notes: Notes | None = None,
    check: Callable[[], None] = lambda: None,
) -> Notes:
    """Play there, with a store in that folder."""
    notes = notes or Notes()
    with open_store(str(folder / "ludus.db")) as store:
        where = door(SPEED, url, KEY)
        keep = partial(store.keep_game, f"joined {where.host}")

        def seat() -> Player:
            return player_for(agent_from(entrant.spec), entrant.name)

        Guest(SPEED, where, seat, lambda *game: keep(*game).name, notes, check).play(games)
    return notes


# --- Addresses ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "time_url", "expected"),
    [
        (
            "wss://example.org/spe_ed",
            None,
            Door("wss://example.org/spe_ed?key=a+key", "https://example.org/spe_ed_time"),
        ),
        ("ws://[::1]:8080", None, Door("ws://[::1]:8080/spe_ed?key=a+key", "http://[::1]:8080/spe_ed_time")),
        ("ws://a/b?key=old&x=1", "http://c/d", Door("ws://a/b?x=1&key=a+key", "http://c/d")),
    ],
)
def test_the_clock_is_beside_the_door_unless_it_is_elsewhere(url: str, time_url: str | None, expected: Door) -> None:
    assert door(SPEED, url, KEY, time_url) == expected


def test_a_host_is_named_with_its_port_and_without_secrets() -> None:
    found = door(SPEED, "ws://me:secret@example.org:8080/spe_ed", KEY)
    assert (found.host, found.time_url) == ("example.org:8080", "http://example.org:8080/spe_ed_time")


@pytest.mark.parametrize(
    ("url", "key", "time_url", "said"),
    [
        ("http://example.org/spe_ed", KEY, None, "not an address of a server"),
        ("example.org", KEY, None, "not an address of a server"),
        ("ws://", KEY, None, "not an address of a server"),
        ("ws://a:99999/b", KEY, None, "not an address of a server"),
        ("ws://example..org/b", KEY, None, "not an address of a server"),
        ("ws://me@example.org/b", KEY, None, "not an address of a server"),
        ("ws://a/b", "", None, "needs a key"),
        ("ws://a/b", KEY, "file:///etc/passwd", "not an address of a clock"),
        ("ws://a/b", KEY, "http://[x", "not an address of a clock"),
        ("ws://a/b", KEY, "http://example..org/time", "not an address of a clock"),
    ],
)
def test_what_is_no_address_is_refused(url: str, key: str, time_url: str | None, said: str) -> None:
    with pytest.raises(LudusError, match=said):
        door(SPEED, url, key, time_url)


# --- Games --------------------------------------------------------------------------------------------------------


def test_a_game_is_played_and_stored_with_the_names_of_the_others(tmp_path: Path) -> None:
    script = Scripted(
        board(20, 20, (2, 2, "right"), (9, 15, "down"), (15, 5, "down")),
        [[0, CHANGE_NOTHING, NO_ANSWER]],
    )
    with serving(script) as url:
        notes = visit(url, tmp_path)
        host = f"localhost:{script.port}"
    (ended,) = notes.games
    assert [(seat.agent, seat.name) for seat in ended.record.seats] == [
        ("speed.dont-hit", "careful"),
        ("remote:berta", "berta"),
        ("remote:carla", "carla"),
    ]
    assert (ended.record.ending, ended.record.scores) == (Ending.RULES, [1.0, 0.0, -1.0])
    assert [said for said, _ in script.heard] == [f'{{"action":"{step[0].move}"}}' for step in ended.record.steps]
    assert all(step[0].wall > 0 and step[0].fault is None for step in ended.record.steps)
    assert ended.record.steps[0][2].fault is Fault.LATE
    assert ended.episode is not None
    with open_store(str(tmp_path / "ludus.db")) as store:
        assert [summary.name for summary in store.tournaments()] == [f"joined {host}, 3 players"]
        stored = store.record(*store.find_episode(ended.episode))
    assert stored == ended.record
    assert len(list(replay(stored))) == 1 + len(script.heard)


def test_a_client_that_is_out_waits_for_the_end(tmp_path: Path) -> None:
    script = Scripted(board(20, 20, (19, 0, "right"), (9, 10, "down"), (15, 10, "up")))
    script.start.cells[1, 19] = 2  # there is no way out
    with serving(script) as url:
        (ended,) = visit(url, tmp_path).games
    assert len(script.heard) == 1
    assert (ended.record.ending, ended.record.scores[0]) == (Ending.RULES, -1.0)
    assert len(ended.record.steps) == 10


def test_requested_number_of_games_is_played(tmp_path: Path) -> None:
    with serving(script := Scripted()) as url:
        notes = visit(url, tmp_path, games=3)
    assert (script.games, [game.episode for game in notes.games]) == (3, ["1/1.1", "1/2.1", "1/3.1"])


@pytest.mark.parametrize("ahead", [timedelta(hours=1), timedelta(hours=-1)])
def test_agent_gets_the_time_left_on_the_servers_clock(ahead: timedelta, tmp_path: Path) -> None:
    agents = tmp_path / "agents.py"
    agents.write_text(AGENTS)
    script = Scripted(seconds=(1800,), ahead=ahead)
    with serving(script) as url:
        (ended,) = visit(url, tmp_path, Entrant("told", f"{agents}:Told")).games
    assert 900 * 10**9 < ended.record.steps[0][0].metrics["limit"] < 1800 * 10**9


def test_failing_agent_is_replaced_by_safe_moves_with_a_remark(tmp_path: Path) -> None:
    agents = tmp_path / "agents.py"
    agents.write_text(AGENTS)
    start = board(30, 20, (2, 2, "right"), (10, 12, "down"))
    notes = Notes(on_move=lambda: (tmp_path / "go").touch() if len(notes.troubles) == 3 else None)
    with serving(Scripted(start, seconds=(600, 600, 1, 600))) as url:
        visit(url, tmp_path, Entrant("troubled", f"{agents}:Troubled"), notes=notes)
    assert notes.troubles[:3] == [
        "failed with ValueError: no idea (agents.py, line 16)",
        "chose 99, which is not a move",
        "gave no answer in time",
    ]
    own = [step[0] for step in notes.games[0].record.steps]
    assert [(move.move, move.fault) for move in own[:3]] == [
        ("change_nothing", Fault.FAILED),
        ("change_nothing", Fault.ILLEGAL),
        ("change_nothing", Fault.LATE),
    ]
    assert own[-1].fault is None
    assert own[-1].metrics["round"] > 3
    assert notes.games[0].record.scores == [1.0, -1.0]


def test_a_ping_is_answered_while_the_agent_thinks(tmp_path: Path) -> None:
    agents = tmp_path / "agents.py"
    agents.write_text(AGENTS)
    with serving(Scripted(seconds=(60,), pong=tmp_path / "go")) as url:
        (ended,) = visit(url, tmp_path, Entrant("waiting", f"{agents}:Waiting")).games
    assert ended.record.steps[0][0].fault is None


def test_a_game_that_ended_while_the_agent_thought_has_its_result(tmp_path: Path) -> None:
    agents = tmp_path / "agents.py"
    agents.write_text(AGENTS)
    script = Scripted(board(20, 20, (2, 2, "right"), (10, 12, "down")), closed=tmp_path / "go")
    with serving(script) as url:
        notes = visit(url, tmp_path, Entrant("waiting", f"{agents}:Waiting"))
    (ended,) = notes.games
    assert (ended.record.ending, ended.record.scores) == (Ending.RULES, [-1.0, 1.0])
    assert ended.record.steps[0][0].fault is Fault.LATE
    assert notes.troubles == [], "nothing was sent"


def test_an_agent_that_is_never_ready_is_replaced_too(tmp_path: Path) -> None:
    agents = tmp_path / "agents.py"
    agents.write_text(AGENTS)
    with serving(Scripted()) as url:
        notes = visit(url, tmp_path, Entrant("unready", f"{agents}:Unready"))
    assert notes.troubles == ["failed with ValueError: not today (agents.py, line 44)"]
    assert notes.games[0].record.scores == [1.0, -1.0]


def test_a_game_whose_connection_is_lost_has_no_result_and_another_follows(tmp_path: Path) -> None:
    script = Scripted(board(20, 20, (2, 2, "right"), (10, 12, "down")), hangs_up_after=3)
    with serving(script) as url:
        notes = visit(url, tmp_path, games=2)
    first, _ = notes.games
    assert (first.record.ending, len(first.record.steps)) == (Ending.MACHINE, 2)
    assert first.record.seats[0].remarks == ["the record ends before the game: the connection was lost"]
    assert [seat.name for seat in first.record.seats] == ["careful", "unknown"]
    assert notes.waits == [(1, "the connection was lost")], "after the last game nothing is waited for"


def test_game_that_cannot_be_stored_gets_a_warning_and_another_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise LudusError("The disk is full.")

    monkeypatch.setattr(Store, "keep_game", fail)
    with serving(Scripted()) as url:
        notes = visit(url, tmp_path, games=2)
    assert [(ended.episode, ended.record.scores) for ended in notes.games] == [(None, [1.0, -1.0])] * 2
    assert notes.warnings == ["the game could not be stored: The disk is full."] * 2


def test_interrupt_while_a_game_is_stored_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "keep_game", lambda *_: stop_if(True))
    with serving(Scripted()) as url, pytest.raises(KeyboardInterrupt):
        visit(url, tmp_path)


def test_without_the_servers_clock_there_is_one_warning(tmp_path: Path) -> None:
    with serving(Scripted(tells_time=False)) as url:
        notes = visit(url, tmp_path, games=2)
    assert len(notes.warnings) == 1
    assert "so this machine's clock is used" in notes.warnings[0]
    assert len(notes.games) == 2


def test_games_are_played_over_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    script = Scripted()
    with serving(script, context) as url:
        assert url.startswith("wss://")
        with pytest.raises(LudusError, match=r"certificate .*localhost.*SSL_CERT_FILE"):
            visit(url, tmp_path)
        authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        notes = visit(url, tmp_path)
    assert (len(notes.games), notes.warnings) == (1, [])


# --- Being let in -------------------------------------------------------------------------------------------------


def test_client_that_must_wait_waits_longer_each_time(tmp_path: Path) -> None:
    script = Scripted(statuses=[429, 429])
    with serving(script) as url:
        notes = visit(url, tmp_path)
    busy = "the key is already in a game or a lobby"
    assert notes.waits == [(1, busy), (2, busy)]
    assert (script.tries, len(notes.games)) == (3, 1)


def test_client_waits_for_a_server_that_asks_it_to(tmp_path: Path) -> None:
    with serving(Scripted(statuses=[503])) as url:
        notes = visit(url, tmp_path)
    assert ([seconds for seconds, _ in notes.waits], len(notes.games)) == ([1], 1)


@pytest.mark.parametrize(
    ("status", "said"),
    [(403, "does not accept this key"), (404, "answers with 404"), (502, "answers with 502")],
)
def test_rejected_client_gets_one_sentence_and_stops(status: int, said: str, tmp_path: Path) -> None:
    script = Scripted(statuses=[status])
    with serving(script) as url, pytest.raises(LudusError, match=said) as refused:
        visit(url, tmp_path)
    assert (script.tries, KEY in str(refused.value)) == (1, False)


def test_known_server_is_awaited_before_the_first_game_too(tmp_path: Path) -> None:
    script, notes = Scripted(), Notes()
    script.start.players[1, FELL] = 1  # over before it begins

    def restart() -> None:
        if len(notes.waits) == 1 and script.tries == 1 and not script.statuses:
            script.statuses.append(502)
            script.start = duplicate(TUNNEL)

    with serving(script) as url:
        visit(url, tmp_path, notes=notes, check=restart)
    assert [why for _, why in notes.waits] == [
        "the server closed the connection before a game began",
        "the server answers with 502",
    ]
    assert len(notes.games) == 1


def test_server_that_fails_between_two_games_is_awaited(tmp_path: Path) -> None:
    script = Scripted()
    notes = Notes(on_move=lambda: script.statuses.append(502) if script.games == 1 else None)
    with serving(script) as url:
        visit(url, tmp_path, games=2, notes=notes)
    assert notes.waits == [(1, "the server answers with 502")]
    assert len(notes.games) == 2


@pytest.mark.parametrize("url", ["ws://localhost:1/spe_ed", "ws://nowhere.invalid/spe_ed"])
def test_missing_server_gets_one_sentence(url: str, tmp_path: Path) -> None:
    with pytest.raises(LudusError, match=r"cannot be reached: [A-Z][a-z ]+; check the address\.$"):
        visit(url, tmp_path)


def test_peer_that_hangs_up_at_once_is_not_a_game_server(tmp_path: Path) -> None:
    def hang_up() -> None:
        with suppress(OSError):  # until the listener is closed
            while True:
                listener.accept()[0].close()

    with socket.create_server(("localhost", 0)) as listener:
        threading.Thread(target=hang_up, daemon=True).start()
        url = f"ws://localhost:{listener.getsockname()[1]}/spe_ed"
        with pytest.raises(LudusError, match=r"does not answer like a game server; check the address\.$"):
            visit(url, tmp_path)


# --- Stopping -----------------------------------------------------------------------------------------------------


def stop_if(wanted: bool) -> None:
    if wanted:
        raise KeyboardInterrupt


class Wish:
    """That it stops, once it is made."""

    def __init__(self) -> None:
        self.made = threading.Event()

    def check(self) -> None:
        stop_if(self.made.is_set())


def test_stop_takes_effect_after_the_game(tmp_path: Path) -> None:
    wish = Wish()
    script = Scripted(board(20, 20, (2, 2, "right"), (10, 12, "down")))
    notes = Notes(on_move=wish.made.set)
    with serving(script) as url:
        visit(url, tmp_path, games=None, notes=notes, check=wish.check)
    assert (script.games, notes.has_heard) == (1, 1)
    assert notes.games[0].record.ending is Ending.RULES


def test_stop_ends_the_wait_for_a_game(tmp_path: Path) -> None:
    notes = Notes()
    with serving(Scripted(statuses=[429] * 100)) as url:
        visit(url, tmp_path, games=None, notes=notes, check=lambda: stop_if(bool(notes.waits)))
    assert len(notes.waits) == 1
    assert (notes.games, notes.has_heard) == ([], 0)


def test_game_that_ends_before_it_begins_does_not_count(tmp_path: Path) -> None:
    script = Scripted(board(9, 9, (1, 1, "right"), (5, 5, "up")))
    script.start.players[1, FELL] = 1
    notes = Notes()
    with serving(script) as url:
        visit(url, tmp_path, notes=notes, check=lambda: stop_if(bool(notes.waits)))
    assert (script.games, notes.games) == (1, [])
    assert notes.waits == [(1, "the server closed the connection before a game began")]


def test_closed_connection_needs_no_keep_alive() -> None:
    connected, other = socket.socketpair()
    connected.close()
    other.close()
    stay_awake(connected)


def test_stopped_client_leaves_a_record_without_a_result(tmp_path: Path) -> None:
    notes = Notes(on_move=lambda: stop_if(True))
    with serving(Scripted()) as url, pytest.raises(KeyboardInterrupt):
        visit(url, tmp_path, notes=notes)
    assert notes.games[0].record.seats[0].remarks == ["the record ends before the game: it was stopped"]
