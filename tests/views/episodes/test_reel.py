import json
from typing import Any

import pytest

from ludus.core.registry import classes
from ludus.games.game import Game
from ludus.views.boards.scene import edited, plain
from ludus.views.episodes.episode_data import head_of, moves_of
from ludus.views.episodes.reel import PIECE, Reel, drawn, said_of
from support.seer import episode_of, record_of

LARGEST = 300_000
"""Bytes of an episode as JSON, with its film."""


def bytes_of(data: object) -> int:
    """The size of some data as the site sends it."""
    return len(json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode())


@pytest.mark.parametrize("name", [name for name in classes(Game) if name != "openspiel"])
def test_the_film_of_an_episode_has_its_pictures_and_texts(name: str) -> None:
    episode = episode_of(record_of(name, *["random"] * (1 if name == "2048" else 2)))
    reel, shapes, lines = Reel(episode), [], []
    frame: list[int] = []
    text: list[int] = []
    said: list[Any] = []
    size = 0
    for first in range(0, len(episode.moments), PIECE):
        piece = reel.piece(first // PIECE)
        assert piece["first"] == first
        shapes += piece["shapes"]
        lines += piece["lines"]
        size += bytes_of(piece)
        for moment, change, text_change, state in zip(
            episode.moments[first : first + PIECE], piece["frames"], piece["texts"], piece["states"], strict=True
        ):
            frame, text, said = edited(frame, change), edited(text, text_change), state or said
            pictured = drawn(episode.game, moment.state, moment.before)
            assert [shapes[number] for number in frame] == [plain(shape) for shape in pictured.shapes]
            assert "\n".join(lines[number] for number in text) == episode.game.draw(moment.state).expandtabs()
            assert said == said_of(episode.game, moment.state)
    assert size + bytes_of([head_of(episode), moves_of(episode)]) < LARGEST


def test_pieces_can_be_asked_for_in_any_order_and_again() -> None:
    episode = episode_of(record_of("2048", "random", seed=5))
    assert len(episode.moments) > PIECE / 2
    one, other = Reel(episode), Reel(episode)
    last = (len(episode.moments) - 1) // PIECE
    later = one.piece(last)
    assert later == [other.piece(number) for number in range(last + 1)][last]
    assert one.piece(0) is one.piece(0)
