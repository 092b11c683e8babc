from typing import Any

import numpy as np
import pytest

from ludus.episode.limits import Limits, Policy
from ludus.tournaments.plan import make_tournament
from support.sentences import one_sentence


def make(**changes: Any) -> Any:
    settings: dict[str, Any] = {"game": "tic-tac-toe", "agents": ["random", "mc"]}
    return make_tournament(**(settings | changes))


def test_without_a_name_it_is_called_after_its_game_and_content() -> None:
    assert make().name == f"tic-tac-toe {make().identity[:6]}"
    assert make(name="cup").name == "cup"


def test_numbers_of_numpy_are_taken() -> None:
    made = make(episodes=np.int64(3), seed=np.uint8(4))
    assert (made.episodes, made.seed) == (3, 4)
    assert made.identity == make(episodes=3, seed=4).identity


def test_limits_that_are_as_by_default_make_no_difference() -> None:
    assert make(limits=Limits()).identity == make().identity
    written = Limits(move=5, grace=int("10000000"), increment=int("0"), policy=Policy("lose"))
    assert make(limits=written).identity == make(limits=Limits(move=5)).identity


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"episodes": 10**9 + 1}, "episodes 1000000001 1,000,000,000"),
        ({"repetitions": 10**6 + 1}, "repetitions 1000001 1,000,000"),
        ({"episodes": 0}, "episodes 0"),
        ({"episodes": "3"}, 'episodes "3"'),
        ({"episodes": 3.0}, "episodes 3.0"),
        ({"episodes": True}, "episodes true"),
        ({"seed": 2**63}, "seed 9223372036854775808"),
        ({"opening_plies": -1}, "opening_plies -1 0"),
        ({"agents": "random"}, "agents 'random' list"),
        ({"agents": 3}, "agents 3 list"),
        ({"agents": []}, "agent"),
        ({"game": 3}, "game 3 text"),
        ({"name": ""}, "name '' text"),
        ({"format": ["swiss"]}, "format ['swiss'] text"),
        ({"limits": "1s"}, "limits '1s' Limits(move=10**9)"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_sentence(changes: dict[str, Any], words: str) -> None:
    with one_sentence(words):
        make(**changes)
