import pytest

from ludus.agents.agent import agent_from
from ludus.contests.speed.game import SpeedState
from ludus.core.errors import LudusError
from ludus.episode.driver import play_episode
from ludus.episode.local_player import player_for
from ludus.episode.record import Opening
from ludus.games.game import game_from
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


def test_a_round_of_speed_has_the_number_of_its_state() -> None:
    game = game_from("speed:players=2,width=10,height=10")
    position = "/".join(["1........2"] + ["." * 10] * 9) + " r 12 0,0,down,1 9,0,down,1"
    players = [player_for(agent_from(SEER), name) for name in "ab"]
    episode = episode_of(play_episode(game, players, opening=Opening(position)))
    for moment in episode.moments:
        assert isinstance(moment.state, SpeedState)
        assert moment.round == moment.state.clock[0]
    assert episode.moments[0].round == 12


def test_a_round_that_was_not_played_is_refused() -> None:
    episode = episode_of(record_of("tic-tac-toe", SEER, SEER))
    last = len(episode.record.steps)
    assert episode.find(last + 1, "move") == last
    with pytest.raises(
        LudusError, match=f"There is no move 99: the episode has moves 1 to {last}, and {last + 1} shows its end"
    ):
        episode.find(99, "move")
