import pytest

from ludus import LudusError
from ludus.agents.agent import agent_from
from ludus.episode.driver import play_episode
from ludus.episode.limits import UNLIMITED, Limits, Policy
from ludus.episode.local_player import player_for
from ludus.episode.opening import random_opening
from ludus.episode.player import Player
from ludus.episode.record import Ending, Move, Record
from ludus.episode.replay import replay
from ludus.games.game import game_from
from ludus.kernel.rules import State
from support.simple_agents import AlwaysFirst, IllegalAt


def played(game: str, *players: Player, limits: Limits = UNLIMITED, plies: int = 0) -> tuple[Record, list[str]]:
    """A record, and the drawings of the states it went through."""
    made = game_from(game)
    drawn: list[str] = []

    def watch(state: State, step: list[Move]) -> None:
        drawn.append(made.draw(state))

    seats = [*players, *(player_for(agent_from("random")) for _ in range(made.seats - len(players)))]
    opening = random_opening(made, plies, seed=4)
    return play_episode(made, seats, limits=limits, seed=9, opening=opening, watch=watch), drawn


@pytest.mark.parametrize(
    ("game", "players", "limits", "plies"),
    [
        ("connect-four", [], Limits(), 5),
        ("goofspiel:players=3,cards=5", [], Limits(), 1),
        ("nim:players=3", [IllegalAt(turn=2)], Limits(), 0),
        ("nim:players=3", [IllegalAt(turn=1)], Limits(policy=Policy.RANDOM), 0),
        ("tic-tac-toe", [IllegalAt(turn=2)], Limits(), 2),
        ("2048", [AlwaysFirst()], Limits(plies=30), 0),
    ],
)
def test_a_replay_goes_through_the_same_states(
    game: str, players: list[AlwaysFirst | IllegalAt], limits: Limits, plies: int
) -> None:
    record, drawn = played(game, *map(player_for, players), limits=limits, plies=plies)
    copy = Record.from_json(record.to_json())
    made = game_from(record.game)
    scenes = list(replay(copy))
    assert [made.draw(scene.state) for scene in scenes[1:]] == drawn
    assert [scene.step for scene in scenes[1 + len(record.opening.moves) :]] == [
        step for step in record.steps if all(move.move for move in step)
    ]


def test_a_wrong_move_is_found_with_its_step() -> None:
    record, _ = played("tic-tac-toe")
    record.steps[3][0].move = record.steps[1][0].move
    with pytest.raises(LudusError, match=r"goes wrong at step 4: '.*' is not a legal move"):
        list(replay(record))


def test_a_wrong_mover_is_found() -> None:
    record, _ = played("tic-tac-toe")
    record.steps[2][0].seat = 1
    with pytest.raises(LudusError, match="at step 3: seats 1 moved, but it was the turn of 0"):
        list(replay(record))


def test_a_wrong_opening_is_found() -> None:
    record, _ = played("tic-tac-toe", plies=2)
    record.opening.moves[1] = ["z9"]
    with pytest.raises(LudusError, match="at step 2 of the opening"):
        list(replay(record))


def test_a_wrong_number_of_moves_in_the_opening_is_found() -> None:
    record, _ = played("tic-tac-toe", plies=2)
    record.opening.moves[1].append("a1")
    with pytest.raises(LudusError, match="at step 2 of the opening: it has 2 moves, not 1"):
        list(replay(record))


def test_a_wrong_seat_in_a_last_step_that_was_not_carried_out_is_found() -> None:
    record, _ = played("tic-tac-toe", player_for(IllegalAt(turn=2)))
    record.steps[-1][0].seat = 7
    with pytest.raises(LudusError, match="at step 3: other players were to move"):
        list(replay(record))


def test_a_wrong_result_is_found() -> None:
    record, _ = played("connect-four")
    record.scores = [score / 2 for score in record.scores]
    with pytest.raises(LudusError, match=r"it has the scores .* but the rules give"):
        list(replay(record))


def test_a_game_that_stops_too_soon_or_too_late_is_found() -> None:
    record, _ = played("tic-tac-toe")
    last = record.steps.pop()
    with pytest.raises(LudusError, match="ended by 'rules', but by the rules the game goes on"):
        list(replay(record))
    record.steps += [last, last]
    with pytest.raises(LudusError, match="the game was already over"):
        list(replay(record))
    record.steps.pop()
    record.ending = Ending.PLIES
    with pytest.raises(LudusError, match="ended by 'plies', but by the rules the game is over"):
        list(replay(record))
