import copy
import re

import numpy as np
import pytest

from ludus.episode.record import Ending
from ludus.kernel.state import Array
from ludus.views.boards.colours import PLAYERS, rgb
from ludus.views.boards.picture import HEIGHT, WIDTH, Frames
from ludus.views.boards.seen_layers import see
from ludus.views.boards.svg import Svg
from support.drawn_pictures import picture, title
from support.seer import SEER, episode_of, record_of


def has(picture: Array, colour: str) -> bool:
    return bool((picture == rgb(colour)).all(axis=2).any())


@pytest.mark.parametrize("scale", [0.75, 1, 2])
def test_pictures_have_the_size_that_was_asked_for(scale: float) -> None:
    episode = episode_of(record_of("tic-tac-toe", "random", "random"))
    size = (WIDTH * scale, HEIGHT * scale)
    assert [title(episode, scale).size, picture(episode, episode.last, scale=scale).size] == [size, size]


def test_the_title_shows_every_player_in_its_colour() -> None:
    episode = episode_of(record_of("nim:players=6", *["random"] * 6))
    card = np.asarray(title(episode))
    assert all(has(card, colour) for colour in PLAYERS[:6])
    assert not has(card, PLAYERS[6])


def test_the_title_names_places_result_and_source() -> None:
    record = record_of("tic-tac-toe", "random", "mcts:simulations=50")
    record.scores = [-1.0, 1.0]
    episode = episode_of(record)
    episode.source = "joined example.org, 2 players"
    canvas = Svg(WIDTH, HEIGHT)
    Frames(episode).draw_title(canvas)
    texts = re.findall(r">([^<]+)</text>", canvas.source())
    assert [text for text in texts if text.startswith("place ")] == ["place 2", "place 1"]
    assert episode.result in texts
    assert any(text.startswith("joined example.org, 2 players") for text in texts)
    record.ending = Ending.MACHINE
    assert episode.places == []


def test_names_of_any_length_leave_the_edge_white() -> None:
    record = record_of("nim:players=6", *["random"] * 6)
    for seat in record.seats:
        seat.name = "a very long name, as of a file in a folder of folders" * 3
    episode = episode_of(record)
    for drawn in (title(episode), picture(episode, episode.moments[0]), picture(episode, episode.last)):
        assert (np.asarray(drawn)[:, -20:] == 255).all()


def test_the_end_shows_the_result() -> None:
    record = record_of("tic-tac-toe", "random", "random")
    other = copy.deepcopy(record)
    pictures = []
    for number, text in enumerate(("random wins.", "Nobody wins.")):
        episode = episode_of([record, other][number])
        episode.result = text
        pictures.append([np.asarray(picture(episode, moment)) for moment in (episode.moments[0], episode.last)])
    assert (pictures[0][0] == pictures[1][0]).all()
    assert (pictures[0][1] != pictures[1][1]).any()


def test_a_layer_comes_with_its_scale_and_says_if_it_was_asked_for_anew() -> None:
    episode = episode_of(record_of("connect-four", f"{SEER}:layers=yes", "random"))
    layer = see(episode, 0, "heat", None)
    kept = np.asarray(picture(episode, episode.moments[0], layer))
    anew = np.asarray(picture(episode, episode.moments[0], layer._replace(asked_anew=True)))
    strip = kept[634, 740:1240]
    assert len(np.unique(strip, axis=0)) > 50
    assert strip[0].sum() > strip[-1].sum() + 300
    changed = np.argwhere((kept != anew).any(axis=2))
    assert len(changed) > 100
    assert changed[:, 0].min() > 670
