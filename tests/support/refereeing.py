"""Referees of episodes that are about to begin, and what they tell."""

from typing import Any

from ludus.episode.record import Record, Seat
from ludus.episode.referee import Referee
from ludus.episode.request import Answer
from ludus.games.game import game_from


def referee_of(game: str, **options: Any) -> Referee:
    """One whose players get ready."""
    made = game_from(game)
    return Referee(made, [Seat("test", f"player {seat}") for seat in range(made.seats)], **options)


def begun(game: str, **options: Any) -> Referee:
    """One whose players are ready."""
    referee = referee_of(game, **options)
    referee.begin()
    return referee


def asked(referee: Referee) -> list[int]:
    """The seats that are to move."""
    return [request.seat for request in referee.requests()]


def play_first_moves(referee: Referee, game: str) -> Record:
    """Answer every request with the first legal move, to the end."""
    rules = game_from(game)
    while requests := referee.requests():
        for request in requests:
            referee.answer(request.seat, Answer(rules.moves(request.view.state, request.seat)[0]))
    return referee.record


def texts(record: Record) -> list[str]:
    """All moves, chance included."""
    return [move.move for step in record.steps for move in step]
