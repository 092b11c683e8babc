"""Bots are stopped in the turns of others, unless they may ponder."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from ludus.agents.agent import Choice, Clock, View
from ludus.bots import bot_player
from ludus.episode.limits import Limits
from ludus.episode.record import Ending
from support import playing
from support.crowding import needs_linux
from support.leftovers import alive, bot, nothing_left, pids, wait_until
from support.simple_agents import AlwaysFirst

pytestmark = [pytest.mark.slow, needs_linux]

S = 10**9
AMPLE = Limits(preparation=60 * S, move=60 * S)


@pytest.fixture(autouse=True)
def _nothing_is_left(tmp_path: Path) -> Iterator[None]:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with nothing_left(temporary):
        yield


@pytest.fixture(autouse=True)
def _leisure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_player, "FAREWELL", 60.0)


class Onlooker(AlwaysFirst):
    """Looks at something in each of its turns."""

    look: Callable[[], None] = staticmethod(lambda: None)

    def choose(self, view: View, clock: Clock) -> Choice:
        self.look()
        return super().choose(view, clock)


def onlooker(look: Callable[[], None]) -> Onlooker:
    agent = Onlooker()
    agent.look = look
    return agent


def states(folder: Path) -> list[str]:
    return [psutil.Process(pid).status() for pid in pids(folder)]


def test_bot_is_stopped_in_the_turns_of_others(tmp_path: Path) -> None:
    seen: list[list[str]] = []

    def look() -> None:
        wait_until(lambda: states(tmp_path) == [psutil.STATUS_STOPPED])
        seen.append(states(tmp_path))

    record = playing.played("tic-tac-toe", bot("good", tmp_path), onlooker(look), limits=AMPLE)
    assert record.ending is Ending.RULES
    assert len(seen) > 1
    assert record.seats[0].remarks == []


def test_helpers_are_stopped_too_wherever_they_are(tmp_path: Path) -> None:
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1
        if looks == 1:
            time.sleep(0.1)  # until its processes are counted again: then it is known that one has left the group
        else:
            wait_until(lambda: states(tmp_path) == [psutil.STATUS_STOPPED] * 3)

    record = playing.played("tic-tac-toe", bot("keeps_helpers_busy", tmp_path), onlooker(look), limits=AMPLE)
    assert record.ending is Ending.RULES
    assert looks > 1
    assert alive(tmp_path) == []


def test_bot_that_may_ponder_is_not_stopped(tmp_path: Path) -> None:
    seen: list[list[str]] = []
    spec = bot("keeps_helpers_busy", tmp_path, ",pondering=yes")
    record = playing.played("tic-tac-toe", spec, onlooker(lambda: seen.append(states(tmp_path))), limits=AMPLE)
    assert record.ending is Ending.RULES
    assert psutil.STATUS_STOPPED not in {state for states in seen for state in states}


def test_two_bots_never_run_at_the_same_time(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
    record = playing.played("tic-tac-toe", *(bot("keeps_helpers_busy", folder) for folder in folders), limits=AMPLE)
    assert record.ending is Ending.RULES
    assert [seat.remarks for seat in record.seats if any("CPU" in remark for remark in seat.remarks)] == []


def test_files_made_in_many_short_moves_are_counted_together(tmp_path: Path) -> None:
    limits = Limits(preparation=60 * S, move=60 * S, new_files=800)
    record = playing.played("tic-tac-toe", bot("makes_many_files_move_by_move", tmp_path), "random", limits=limits)
    assert (record.ending, record.by) == (Ending.FAILED, [0])
    assert record.steps[-1][0].evidence.startswith("made more than 800 files")


def test_files_of_the_opponent_do_not_count(tmp_path: Path) -> None:
    limits = Limits(preparation=60 * S, move=60 * S, new_files=800)
    other = tmp_path / "other"
    other.mkdir()
    many = bot("makes_many_files_move_by_move", tmp_path)
    record = playing.played("tic-tac-toe", bot("takes_its_time", other), many, limits=limits)
    assert (record.ending, record.by) == (Ending.FAILED, [1])
