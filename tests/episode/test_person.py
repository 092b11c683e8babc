"""A person at the terminal, who may type anything."""

import io
import sys
from pathlib import Path

import pytest

from ludus.agents.agent import Clock, View
from ludus.episode.person import Human
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng
from support.takeaway import write_game


def test_what_a_game_cannot_read_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    strict = (
        "class TakeAway(Game):",
        "class TakeAway(Game):\n    def parse(self, state, player, text):\n        return int(text)\n",
    )
    game, person = game_from(str(write_game(tmp_path, strict))), Human()
    person.begin(game, 0, 1)
    monkeypatch.setattr(sys, "stdin", io.StringIO("two\n2\n"))
    assert person.choose(View(game.start(new_rng(1)), 0, []), Clock()).move == 2
    assert "'two' cannot be read as a move: ValueError. 'moves' lists them all." in capsys.readouterr().err
