import pytest

from ludus.core.errors import LudusError
from support.samples import sample
from support.seer import SEER, episode_of, record_of


def test_rounds_are_counted_from_the_opening_on() -> None:
    episode = episode_of(record_of("connect-four", SEER, SEER, plies=2))
    assert [moment.round for moment in episode.moments] == list(range(1, len(episode.moments) + 1))
    assert [episode.after(number, "move") for number in (0, 3)] == [0, 3]
    assert episode.choosing(3, "move") == 2


def test_chance_is_no_round_and_a_round_begins_after_it() -> None:
    episode = episode_of(record_of("2048", "random"))
    place = episode.choosing(1, "move")
    assert episode.moments[place].round == 1
    assert episode.game.movers(episode.moments[place].state) == [0]
    assert [move.seat for move in episode.moments[episode.after(1, "move")].step] == [0]


def test_a_round_that_was_not_played_is_refused() -> None:
    episode = episode_of(record_of("tic-tac-toe", SEER, SEER))
    last = len(episode.record.steps)
    assert episode.after(last, "move") == last
    for number in (-1, last + 1):
        with pytest.raises(LudusError, match=f"There is no move {number}: the episode has moves 1 to {last}, and 0 is"):
            episode.after(number, "move")


def test_the_move_chosen_last_may_not_have_been_carried_out() -> None:
    episode = episode_of(sample("failed").records[0])
    last = len(episode.moments) - 1
    assert episode.choosing(None, "move") == episode.choosing(episode.last.round, "move") == last
