import pytest

from ludus.core.errors import LudusError
from support.seer import SEER, episode_of, record_of


def test_rounds_are_counted_from_the_opening_on() -> None:
    episode = episode_of(record_of("connect-four", SEER, SEER, plies=2))
    assert [moment.round for moment in episode.moments] == list(range(1, len(episode.moments) + 1))
    assert episode.find(3, "move") == 2


def test_chance_is_no_round_and_a_round_begins_after_it() -> None:
    episode = episode_of(record_of("2048", "random"))
    first = episode.moments[episode.find(1, "move")]
    assert first.round == 1
    assert episode.game.movers(first.state) == [0]


def test_a_round_that_was_not_played_is_refused() -> None:
    episode = episode_of(record_of("tic-tac-toe", SEER, SEER))
    last = len(episode.record.steps)
    assert episode.find(last + 1, "move") == last
    with pytest.raises(
        LudusError, match=f"There is no move 99: the episode has moves 1 to {last}, and {last + 1} shows its end"
    ):
        episode.find(99, "move")
