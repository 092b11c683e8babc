from datetime import UTC, datetime

import pytest

from ludus.episode.limits import Limits
from ludus.episode.opening import random_opening
from ludus.episode.outcome import outcome, winners
from ludus.episode.record import Ending, Fault, Move, Preparation, Record, Seat
from ludus.episode.replay import replay
from ludus.games.game import game_from
from ludus.kernel.rules import CHANCE
from support.playing import played


def record(*scores: float, ending: Ending = Ending.RULES, by: tuple[int, ...] = (), steps: int = 2) -> Record:
    return Record(
        format=1,
        ludus="0.1.0",
        played=datetime.now(UTC),
        game="nim",
        seats=[Seat("random", name) for name in "abc"[: len(scores)]],
        seed=0,
        scores=list(scores),
        ending=ending,
        by=list(by),
        steps=[[Move(0, "x")] for _ in range(steps)],
    )


@pytest.mark.parametrize(
    ("scores", "ending", "won", "sentence"),
    [
        ((1.0, -1.0), Ending.RULES, ["a"], "a wins after 2 moves."),
        ((0.0, 0.0), Ending.RULES, [], "A tie after 2 moves."),
        ((0.5, -1.0, 0.5), Ending.RULES, ["a", "c"], "a and c win after 2 moves."),
        ((0.0, 0.0), Ending.PLIES, [], "A tie after 2 moves, at the limit of plies."),
        ((1234.0,), Ending.RULES, [], "a got 1,234 points in 2 moves."),
        ((0.0, 0.0), Ending.MACHINE, [], "No result after 2 moves: the machine failed, and no player is to blame."),
    ],
)
def test_outcome_is_one_sentence(scores: tuple[float, ...], ending: Ending, won: list[str], sentence: str) -> None:
    found = record(*scores, ending=ending)
    assert (winners(found), outcome(found)) == (won, sentence)


def test_outcome_names_the_player_at_fault_and_the_first_line_of_the_evidence() -> None:
    late = record(1.0, -1.0, ending=Ending.LATE, by=(1,))
    late.steps.append([Move(1, "", fault=Fault.LATE, evidence="answered after 2 s\nand more")])
    assert outcome(late) == "a wins after 2 moves: b was too late (answered after 2 s)."
    failed = record(-1.0, 1.0, ending=Ending.FAILED, by=(0,), steps=0)
    failed.seats[0].preparation = Preparation(fault=Fault.FAILED, evidence="no program")
    assert outcome(failed) == "b wins after 0 moves: a failed (no program)."


def test_moves_of_chance_do_not_count() -> None:
    dice = record(8.0)
    dice.steps.append([Move(-1, "6")])
    assert outcome(dice) == "a got 8 points in 2 moves."


def test_moves_of_the_opening_count_as_they_do_in_a_replay() -> None:
    for game, agents in (("connect-four", ["random", "random"]), ("2048", ["random"])):
        start = random_opening(game_from(game), 3, seed=1)
        found = played(game, *agents, seed=1, opening=start, limits=Limits(plies=5))
        moves = [move for scene in replay(found) for move in scene.step if move.seat != CHANCE]
        assert len(moves) == 8
        assert "8 moves" in outcome(found)
