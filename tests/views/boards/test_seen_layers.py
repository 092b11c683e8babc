import sys

import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.views.boards.seen_layers import see
from support.seer import SEER, episode_of, record_of
from support.sentences import one_sentence


def test_a_layer_is_taken_from_the_record() -> None:
    episode = episode_of(record_of("goofspiel", "random", f"{SEER}:layers=yes"))
    layer = see(episode, 1, "heat", None)
    assert (layer.seat, layer.asked_anew) == (1, False)
    assert np.argwhere(layer.values).tolist() == [[0, 0]]
    assert layer.values.shape == (6, 7)


def test_where_the_record_has_none_the_agent_is_asked_again() -> None:
    episode = episode_of(record_of("connect-four", "random", SEER))
    layer = see(episode, 3, "path", None)
    assert (layer.seat, layer.asked_anew) == (1, True)
    assert (layer.values[0] > 0).all()


def test_who_needs_its_first_move_to_get_going_is_asked_twice() -> None:
    episode = episode_of(record_of("goofspiel", "random", f"{SEER}:slow=yes"))
    assert see(episode, 1, "heat", None).values[0, 0] == 1


def test_agent_asked_again_gets_the_opening() -> None:
    record = record_of("connect-four", SEER, f"{SEER}:layers=yes", plies=3)
    episode = episode_of(record)
    assert [move.metrics.get("turns") for move in episode.answers(3)] == [3]
    assert episode.answers(2) == []
    assert see(episode, 3, "heat", None).asked_anew is False
    assert see(episode, 2, "heat", None).asked_anew is True
    assert len(episode.history(2)) == 2


def test_the_eyes_can_be_chosen() -> None:
    episode = episode_of(record_of("goofspiel", f"{SEER}:layers=yes", f"{SEER}:layers=yes"))
    assert see(episode, 1, "heat", None).seat == 0
    assert see(episode, 1, "heat", 1).seat == 1


def test_an_agent_without_layers_gets_one_sentence() -> None:
    episode = episode_of(record_of("connect-four", "random", SEER))
    with one_sentence("random 1 layers record"):
        see(episode, 2, "heat", 0)
    alike = episode_of(record_of("goofspiel", "random", "random"))
    with one_sentence("layers record"):
        see(alike, 1, "heat", None)


def test_a_bot_is_not_asked_again() -> None:
    record = record_of("connect-four", "random", "random")
    record.seats[0].agent = f"stdio:{sys.executable} bot.py"
    with one_sentence("random 1 bot record"):
        see(episode_of(record), 0, "heat", None)


def test_an_agent_that_is_not_known_here_hinders_no_other() -> None:
    record = record_of("goofspiel", "random", SEER)
    record.seats[0].agent = "elsewhere"
    episode = episode_of(record)
    assert see(episode, 1, "heat", None).seat == 1
    with one_sentence("'elsewhere'"):
        see(episode, 1, "heat", 0)


def test_a_layer_that_the_agent_does_not_have_is_refused() -> None:
    episode = episode_of(record_of("goofspiel", SEER, SEER))
    with one_sentence("'probability' heat path"):
        see(episode, 1, "probability", None)
    with one_sentence("Seer 2 'probability' heat path"):
        see(episode, 1, "probability", 1)


def test_who_had_no_move_saw_nothing() -> None:
    episode = episode_of(record_of("connect-four", SEER, SEER))
    with pytest.raises(LudusError, match=r"Seer 2 \(player 2\) had no move there"):
        see(episode, 0, "heat", 1)
    with pytest.raises(LudusError, match="Nobody moves after the end"):
        see(episode, len(episode.moments) - 1, "heat", None)


def test_an_agent_that_fails_when_asked_again_is_one_sentence() -> None:
    record = record_of("connect-four", SEER, SEER)
    record.seats[0].agent += ":fails=yes"
    with one_sentence("ZeroDivisionError"):
        see(episode_of(record), 0, "heat", None)


def test_a_layer_in_the_record_that_is_none_is_one_sentence() -> None:
    record = record_of("connect-four", f"{SEER}:layers=yes", SEER)
    record.steps[0][0].metrics["layers"]["heat"] = "nonsense"
    with pytest.raises(LudusError, match="an invalid layer"):
        see(episode_of(record), 0, "heat", None)
