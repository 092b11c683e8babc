import numpy as np

from ludus.agents.agent import agent_from
from ludus.contests.speed.game import SpeedState
from ludus.episode.driver import play_episode
from ludus.episode.local_player import player_for
from ludus.episode.record import Opening
from ludus.games.game import Game, game_from
from ludus.kernel.rules import State
from ludus.kernel.state import Array
from ludus.views.boards.bitmap import Bitmap
from ludus.views.boards.canvas import Box
from ludus.views.boards.colours import FIELD, INK, PLAYERS, RAMP, mixed, rgb
from ludus.views.boards.painter import Layer
from ludus.views.boards.painters import painter_for
from support.seer import episode_of

BOX = Box(0, 0, 300, 300)


def painted(game: Game, state: State, before: State | None = None, layer: Layer | None = None) -> Array:
    canvas = Bitmap(300, 300, 1)
    painter_for(game).paint(canvas, BOX, state, before, layer)
    return np.asarray(canvas.image())


def count(picture: Array, colour: str) -> int:
    return int((picture == rgb(colour)).all(axis=2).sum())


def test_trails_have_the_colours_of_their_players_and_those_of_the_dead_are_pale() -> None:
    game = game_from("speed:players=3,width=10,height=10")
    rows = ["1111......", "..........", "22222.....", "..........", "33*......."]
    position = "/".join([*rows, *["." * 10] * 5]) + " r 7 3,0,right,1 4,2,right,2 2,4,left,1,5"
    state = game.load(position)
    picture = painted(game, state)
    assert tuple(picture[15, 15]) == rgb(PLAYERS[0])
    assert tuple(picture[75, 15]) == rgb(PLAYERS[1])
    assert tuple(picture[135, 15]) == rgb(mixed(PLAYERS[2], FIELD, 0.6))
    assert tuple(picture[285, 285]) == rgb(FIELD)
    painter = painter_for(game)
    assert [painter.status(state, seat) for seat in range(3)] == ["speed 1", "speed 2", "died in round 5"]
    assert [painter.gauge(state, seat) for seat in range(3)] == [(1, 10), (2, 10), None]
    assert [game.is_out(state, seat) for seat in range(3)] == [False, False, True]


def test_a_player_that_left_the_board_is_crossed_out_at_its_edge() -> None:
    game = game_from("speed:players=2,width=10,height=10")
    rows = ["1........."] + [".........2"] * 9
    picture = painted(game, game.load("/".join(rows) + " r 7 -1,0,left,3,6 9,9,down,1"))
    assert count(picture[:30, :30], mixed(PLAYERS[0], INK, 0.25)) > 50


def test_players_that_went_out_at_one_place_are_all_seen() -> None:
    game = game_from("speed:players=3,width=10,height=10")
    rows = ["1........3", "2........."] + ["." * 10] * 8
    picture = painted(game, game.load("/".join(rows) + " r 7 4,4,right,1,6 4,4,down,1,6 9,0,left,1"))
    assert all(count(picture[105:165, 105:165], mixed(PLAYERS[player], INK, 0.25)) > 20 for player in range(2))


def test_heat_is_shown_between_the_trails() -> None:
    game = game_from("speed:players=2,width=10,height=10")
    state = game.load("/".join(["1........2"] + ["." * 10] * 9) + " r 1 0,0,right,1 9,0,left,1")
    values = np.zeros((10, 10))
    values[5, 5] = 1.0
    picture = painted(game, state, None, Layer("heat", values, 0))
    assert tuple(picture[165, 165]) == rgb(RAMP[-1])
    assert tuple(picture[255, 255]) == rgb(RAMP[0])


def test_a_path_is_drawn_from_cell_to_cell() -> None:
    game = game_from("speed:players=2,width=10,height=10")
    state = game.load("/".join(["1........2"] + ["." * 10] * 9) + " r 1 0,0,right,1 9,0,left,1")
    values = np.zeros((10, 10))
    values[5, 2:8] = np.linspace(1.0, 0.1, 6)
    picture = painted(game, state, None, Layer("path", values, 0))
    assert all(tuple(picture[165, x]) == rgb(INK) for x in (75, 165, 225))
    assert tuple(picture[255, 255]) == rgb(FIELD)


def test_a_round_of_speed_has_the_number_of_its_state() -> None:
    game = game_from("speed:players=2,width=10,height=10")
    position = "/".join(["1........2"] + ["." * 10] * 9) + " r 12 0,0,down,1 9,0,down,1"
    players = [player_for(agent_from("speed.straight"), name) for name in "ab"]
    episode = episode_of(play_episode(game, players, opening=Opening(position)))
    for moment in episode.moments:
        assert isinstance(moment.state, SpeedState)
        assert moment.round == moment.state.clock[0]
    assert episode.moments[0].round == 12
