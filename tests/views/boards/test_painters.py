from pathlib import Path

import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.core.registry import classes
from ludus.games.game import Game, game_from
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import State
from ludus.kernel.state import Array
from ludus.views.boards.bitmap import Bitmap
from ludus.views.boards.canvas import Box
from ludus.views.boards.colours import BLACK_AND_WHITE, INK, PLAYERS, RAMP, rgb
from ludus.views.boards.painter import Layer, cells_of_path
from ludus.views.boards.painters import painter_for
from support.places import ROOT
from support.seer import episode_of, record_of
from support.takeaway import SOURCE

BOX = Box(0, 0, 300, 300)
ALONE = ["2048"]


def painted(game: Game, state: State, before: State | None = None, layer: Layer | None = None) -> Array:
    canvas = Bitmap(300, 300, 1)
    painter_for(game).paint(canvas, BOX, state, before, layer)
    return np.asarray(canvas.image())


def count(picture: Array, colour: str) -> int:
    return int((picture == rgb(colour)).all(axis=2).sum())


@pytest.mark.parametrize("name", [name for name in classes(Game) if name != "openspiel"])
def test_every_game_has_pictures_that_change_with_its_moves(name: str) -> None:
    record = record_of(name, *["random"] * (1 if name in ALONE else 2))
    episode = episode_of(record)
    first, last = (painted(episode.game, moment.state) for moment in (episode.moments[0], episode.last))
    assert (first != 255).any()
    assert (first != last).any()


def test_a_game_of_the_user_is_drawn_as_its_text(tmp_path: Path) -> None:
    (tmp_path / "takeaway.py").write_text(SOURCE)
    record = record_of(str(tmp_path / "takeaway.py"), "random", "random")
    episode = episode_of(record)
    assert (painted(episode.game, episode.moments[0].state).sum(axis=2) < 500).sum() > 20
    layer = Layer("heat", np.zeros((1, 1)), 0)
    with pytest.raises(LudusError, match="cannot show layers: it has no cells"):
        painter_for(episode.game).check(layer, episode.moments[0].state)


def test_a_file_beside_a_game_of_the_user_has_its_painter() -> None:
    game = game_from(str(ROOT / "docs" / "examples" / "breakthrough.py"))
    picture = painted(game, game.start(new_rng(0)))
    assert [count(picture, colour) > 5000 for colour in PLAYERS[:3]] == [True, True, False]


def test_a_long_path_keeps_its_order_though_it_has_more_cells_than_levels() -> None:
    cells = [(x, y) for y in range(0, 40, 2) for x in (range(40) if y % 4 == 0 else reversed(range(40)))]
    values = np.zeros((40, 40))
    for step, (x, y) in enumerate(cells):
        values[y, x] = np.ceil(255 * (1 - step / len(cells))) / 255
    assert cells_of_path(values, (-1, 0)) == cells


@pytest.mark.parametrize(
    ("spec", "position", "inside", "colours"),
    [
        ("connect-four", "/".join(["......."] * 5 + ["x.....o"]), [(37, 250), (262, 250)], PLAYERS),
        ("tic-tac-toe", "x../.../..o", [(72, 66), (212, 238)], PLAYERS),
        ("othello", None, [(170, 130), (130, 130)], BLACK_AND_WHITE),
        ("gomoku:size=3,length=3", "x../.../..o", [(83, 83), (217, 217)], BLACK_AND_WHITE),
    ],
)
def test_stones_lie_where_they_should(
    spec: str, position: str | None, inside: list[tuple[int, int]], colours: tuple[str, str]
) -> None:
    game = game_from(spec)
    episode = episode_of(record_of(spec, "random", "random"))
    state = episode.moments[0].state if position is None else game.load(position)
    picture = painted(game, state)
    found = [{tuple(pixel) for pixel in picture[y - 12 : y + 13, x - 12 : x + 13].reshape(-1, 3)} for x, y in inside]
    for player, pixels in enumerate(found):
        assert rgb(colours[player]) in pixels
        assert rgb(colours[1 - player]) not in pixels


def test_hex_has_the_colour_of_each_player_on_its_two_sides() -> None:
    game = game_from("hex:size=3")
    state = episode_of(record_of("hex:size=3", "random", "random")).moments[0].state
    picture = painted(game, state)
    first, second = ((picture == rgb(colour)).all(axis=2) for colour in PLAYERS[:2])
    assert first[:150].any()
    assert first[150:].any()
    assert second[:, :150].any()
    assert second[:, 150:].any()
    assert np.argwhere(first)[:, 0].min() < np.argwhere(second)[:, 0].min() + 10


@pytest.mark.parametrize("spec", ["connect-four", "gomoku", "othello", "hex", "tic-tac-toe"])
def test_the_new_stone_is_marked(spec: str) -> None:
    episode = episode_of(record_of(spec, "random", "random"))
    moment = episode.moments[2]
    with_mark, without = (painted(episode.game, moment.state, before) for before in (moment.before, None))
    changed = np.argwhere((with_mark != without).any(axis=2))
    assert len(changed) > 0
    assert (np.ptp(changed, axis=0) < 100).all()


@pytest.mark.parametrize(("spec", "shape"), [("connect-four", (6, 7)), ("hex:size=5", (5, 5)), ("gomoku", (15, 15))])
@pytest.mark.parametrize("name", ["heat", "path"])
def test_boards_with_stones_take_layers_too(spec: str, shape: tuple[int, int], name: str) -> None:
    episode = episode_of(record_of(spec, "random", "random"))
    layer = Layer(name, np.ones(shape), 0)
    state = episode.moments[0].state
    painter_for(episode.game).check(layer, state)
    assert count(painted(episode.game, state, None, layer), RAMP[-1] if name == "heat" else INK) > 500


def test_a_layer_of_another_size_is_refused() -> None:
    episode = episode_of(record_of("connect-four", "random", "random"))
    with pytest.raises(LudusError, match=r"'heat'.* 7×7 .* 7×6"):
        painter_for(episode.game).check(Layer("heat", np.ones((7, 7)), 0), episode.moments[0].state)
