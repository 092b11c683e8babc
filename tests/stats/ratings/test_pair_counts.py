import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.stats.ratings.pair_counts import meetings


def test_counts_of_one_seating_are_added_up() -> None:
    met = meetings(3, [0, 1, 0], [1, 0, 1], [3, 1, 1], [2, 0, 0], [1, 1, 0])
    assert met.first.tolist() == [0, 1]
    assert met.second.tolist() == [1, 0]
    assert met.games.tolist() == [7, 2]
    assert met.points.tolist() == [5, 1]


def test_pair_without_games_did_not_meet() -> None:
    assert not len(meetings(2, [0], [1], [0], [0], [0]).first)


@pytest.mark.parametrize(
    ("columns", "complaint"),
    [
        (([0], [2], [1], [0], [0]), "the 2 agents are numbered"),
        (([-1], [1], [1], [0], [0]), "the 2 agents are numbered"),
        (([0, 1], [1], [1], [0], [0]), "differ in length"),
        (([0], [1], [1], [-1], [0]), "negative"),
    ],
)
def test_meetings_that_make_no_sense_are_refused(columns: list[np.ndarray], complaint: str) -> None:
    with pytest.raises(LudusError, match=complaint):
        meetings(2, *columns)
