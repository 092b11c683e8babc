import pytest

from ludus.core.errors import InvalidError
from ludus.episode.adjudication import Adjudicator
from ludus.episode.limits import Limits
from ludus.episode.outcome import outcome, winners
from ludus.episode.record import Ending, Fault, Move, Record
from ludus.episode.referee import Referee
from ludus.episode.replay import replay
from ludus.episode.request import Answer
from ludus.games.game import game_from
from support.refereeing import begun

RESIGN = Limits(resign=400, resign_moves=3)
DRAW = Limits(draw=10, draw_moves=2, draw_after=4)


def ends_at(limits: Limits, *scores: dict[str, float] | None) -> tuple[int, list[float]] | None:
    """The number of moves with these metrics after which a game ends, and its scores; moves without any are faults."""
    adjudicator = Adjudicator(limits)
    for number, metrics in enumerate(scores):
        move = Move(number % 2, "x", metrics or {}, Fault.LATE if metrics is None else None)
        if adjudicator.ends_with([move]):
            return number + 1, adjudicator.scores
    return None


def cp(*scores: float) -> list[dict[str, float] | None]:
    return [{"score": score} for score in scores]


@pytest.mark.parametrize(
    ("moves", "end"),
    [
        (cp(0, -400, 0, -500, 0, -600), (6, [1.0, -1.0])),
        (cp(-400, 0, -401, 900, -9999), (5, [-1.0, 1.0])),
        (cp(0, -400, 0, -399, 0, -400, 0, -400), None),  # not three in a row
        (cp(900, 900, 900, 900, 900, 900), None),  # nobody thinks it has lost
        ([*cp(0, -400, 0), {}, *cp(0, -400, 0, -400)], None),  # a move without a score
        ([*cp(0, -400, 0), None, *cp(0, -400, 0, -400)], None),  # a fault
        ([{}, {"mate": -4}, {}, {"mate": -3, "score": 0}, {}, {"mate": -2}], (6, [1.0, -1.0])),
        ([{}, {"mate": 4}, {}, {"mate": 3}, {}, {"mate": 2}], None),
    ],
)
def test_hopeless_scores_in_a_row_lose(moves: list[dict[str, float] | None], end: object) -> None:
    assert ends_at(RESIGN, *moves) == end


@pytest.mark.parametrize(
    ("moves", "end"),
    [
        (cp(0, 0, 0, 0, 0, 0, 0, 0), (8, [0.0, 0.0])),  # not before four moves of each
        (cp(90, 90, 90, 90, 90, 90, 10, -10, 3, -4), (10, [0.0, 0.0])),
        (cp(0, 90, 0, 90, 0, 90, 0, 90, 0, 90), None),  # one of them sees more
    ],
)
def test_even_scores_of_both_draw(moves: list[dict[str, float] | None], end: object) -> None:
    assert ends_at(DRAW, *moves) == end


def played(limits: Limits) -> Record:
    """A game of which the second player always thinks that it is lost."""
    game = game_from("connect-four")
    referee = begun("connect-four", limits=limits)
    while requests := referee.requests():
        (request,) = requests
        move = game.moves(request.view.state, request.seat)[0]
        referee.answer(request.seat, Answer(move, {"score": -500 * request.seat}))
    return referee.record


def test_record_says_that_a_game_was_adjudicated() -> None:
    record = played(RESIGN)
    assert (record.ending, record.scores, record.by, len(record.steps)) == (Ending.ADJUDICATED, [1.0, -1.0], [], 6)
    assert record.limits.resign == 400
    assert winners(record) == ["player 0"]
    assert "adjudication" in outcome(record)
    assert Record.from_json(record.to_json()) == record
    assert len(list(replay(record))) == 7


def test_nothing_is_adjudicated_unless_asked() -> None:
    assert played(Limits()).ending is Ending.RULES


def test_only_games_of_two_are_adjudicated() -> None:
    with pytest.raises(InvalidError, match="two players"):
        begun("nim:players=3", limits=RESIGN)
    assert isinstance(begun("nim", limits=DRAW), Referee)
