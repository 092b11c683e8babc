"""Recorded games of ReversiXT, on real maps."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus import rules
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.rules import (
    BOMBING,
    FOR_BOMB,
    FOR_OVERRIDE,
    MOVER,
    OUT,
    SPECIALS,
    ReversiXtState,
)
from ludus.rng import new_rng

FOLDER = Path(__file__).parents[4] / "shared" / "games" / "reversixt"
MAPS = sorted(FOLDER.glob("*.map"))
needs_recorded_games = pytest.mark.skipif(not MAPS, reason=f"{FOLDER} is not there, with real maps and recorded games")

_CHOSEN = {20: FOR_BOMB, 21: FOR_OVERRIDE}


@cache
def recorded_games() -> list[dict[str, Any]]:
    with gzip.open(FOLDER / "games.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


@cache
def game_on(map_number: int) -> ReversiXT:
    return ReversiXT(map=str(FOLDER / f"map{map_number}.map"))


def number_of(game: ReversiXT, state: ReversiXtState, x: int, y: int, special: int) -> int:
    """The number of a move as it was sent, −1 if there can be none."""
    field = game.board.numbers.get((x, y))
    chosen = 0 if state.turn[BOMBING] else _CHOSEN.get(special, special)
    return -1 if field is None or chosen >= SPECIALS else field * SPECIALS + chosen


def replayed(recorded: dict[str, Any]) -> ReversiXtState:
    """The last state of a recorded game; every turn, and every move that the server took or rejected, is checked."""
    game = game_on(recorded["map"])
    state = game.start(new_rng(0))
    outs = list(recorded["outs"])
    for number, made in enumerate([*recorded["moves"], None]):
        while outs and outs[0][0] == number:
            _, player, _, *rejected = outs.pop(0)
            assert state.turn[MOVER] == player - 1
            if rejected:
                assert not rules.allows(state, player - 1, number_of(game, state, *rejected[0][1:]))
            rules.play(state, np.array([OUT]))
        if made is None:
            break
        player, *sent = made
        assert not rules.over(state)
        assert state.turn[MOVER] == player - 1
        move = number_of(game, state, *sent)
        assert rules.allows(state, player - 1, move)
        rules.play(state, np.array([move]))
    assert rules.over(state)
    return state
