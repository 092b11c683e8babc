"""Waiting times for the bots of these tests."""

from pathlib import Path

import pytest

from ludus.bots import bot_player
from ludus.bots.process import process_io
from ludus.check import bot_life, bot_moves
from support.leftovers import let_time_fly


@pytest.fixture(autouse=True)
def leisure(monkeypatch: pytest.MonkeyPatch) -> None:
    """No episode is left out and no bot is misjudged because the machine is slow."""
    monkeypatch.setattr(bot_moves, "SECONDS", 300.0)
    monkeypatch.setattr(bot_moves, "_ROUNDS", 6)
    monkeypatch.setattr(bot_life, "ENDING", 60.0)
    monkeypatch.setattr(bot_life, "_LAST_CHANCE", 60.0)
    monkeypatch.setattr(bot_life, "_WATCHED", 0.0)  # those that break at once have more
    monkeypatch.setattr(bot_player, "FAREWELL", 60.0)
    monkeypatch.setattr(process_io, "_STILL_DYING", 60.0)


@pytest.fixture
def hurry(leisure: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use as few and as short episodes as possible."""
    monkeypatch.setattr(bot_moves, "SECONDS", 0.0)


@pytest.fixture
def haste(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a bot that stays silent is up as soon as it does."""
    let_time_fly(tmp_path, monkeypatch)
