"""spe_ed: games that were played on the organisers' server, replayed exactly."""

import numpy as np
import pytest

from contests.speed.positions import board, game_of
from contests.speed.records import RECORDED, as_move, recorded, shown
from ludus.contests.speed.game import DIRECTIONS, NO_ANSWER, empty_board
from ludus.kernel import rules


@pytest.mark.skipif(not RECORDED.exists(), reason="the recorded games lie in ../shared/games, which is not here")
def test_all_recorded_games_are_there() -> None:
    games = recorded()
    assert len(games) == 27
    assert {len(game["start"]) for game in games} >= {2, 6}
    sent = [message for game in games for r in game["rounds"] for said in r["sent"].values() for message in said]
    assert any(as_move([message]) == NO_ANSWER for message in sent)


@pytest.mark.parametrize("number", range(27))
def test_recorded_game_is_replayed_exactly(number: int) -> None:
    if not RECORDED.exists():
        pytest.skip("the recorded games lie in ../shared/games, which is not here")
    game = recorded()[number]
    starts = [game["start"][key] for key in sorted(game["start"])]
    players = [(x, y, DIRECTIONS.index(direction), 1, 0) for x, y, direction in starts]
    state = empty_board(game["width"], game["height"], players)
    for mark, (x, y, *_) in enumerate(players, 1):
        state.cells[y, x] = mark
    for at, step in enumerate(game["rounds"], 1):
        assert not rules.over(state), f"over before round {at}"
        movers = game_of(len(players)).movers(state)
        rules.play(state, np.array([as_move(step["sent"].get(str(player + 1), [])) for player in movers]))
        assert shown(state) == step["after"], f"after round {at}"
    assert rules.over(state)
    assert board(state) == game["cells"]
