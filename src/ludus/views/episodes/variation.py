"""Variations: positions that somebody reaches by playing on from a position of an episode."""

import secrets
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from ludus.core.errors import InvalidError, LudusError
from ludus.core.text import score
from ludus.episode.game_file import written
from ludus.episode.outcome import outcome
from ludus.episode.record import Ending, Move, Record
from ludus.episode.verdict import final_scores
from ludus.games.game import Game
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import CHANCE, State, duplicate, over, play, sample
from ludus.views.boards.painters import painter_for
from ludus.views.boards.scene import plain
from ludus.views.boards.timeline import Timeline
from ludus.views.episodes.reel import BOARD, drawn, said_of, view

RECORD = "record"
"""The form of a variation as a record; other forms are endings of files, such as .pgn."""

Steps = Sequence[Sequence[str]]


class Variation:
    """The position after some steps from a place of an episode; an empty move is drawn by chance."""

    def __init__(self, episode: Timeline, place: int, steps: Steps) -> None:
        if not 0 <= place < len(episode.moments):
            raise InvalidError(f"There is no position {place}: the episode has 0 to {len(episode.moments) - 1}.")
        moment = episode.moments[place]
        self.episode = episode
        self.place = place
        self.state = duplicate(moment.state)
        self.before = moment.before
        self.steps: list[list[Move]] = []
        self.history = episode.history(place)
        for number, texts in enumerate(steps, 1):
            self._play(texts, number)

    @property
    def game(self) -> Game:
        """The game of the episode."""
        return self.episode.game

    @property
    def is_over(self) -> bool:
        """True if the game has ended by the rules."""
        return bool(over(self.state))

    def _play(self, texts: Sequence[str], number: int) -> None:
        if self.is_over:
            raise InvalidError(f"Step {number} of the variation comes after the end of the game.")
        movers = self.game.movers(self.state)
        if len(texts) != len(movers):
            raise InvalidError(f"Step {number} of the variation has {len(texts)} moves, not {len(movers)}.")
        chosen = []
        for seat, text in zip(movers, texts, strict=True):
            if not text and seat == CHANCE:
                chosen.append(int(sample(self.state, CHANCE, new_rng(secrets.randbits(62)))))
            else:
                chosen.append(self.game.parse(self.state, seat, text))
        step = [
            Move(seat=seat, move=self.game.format(self.state, seat, move))
            for seat, move in zip(movers, chosen, strict=True)
        ]
        self.before = duplicate(self.state)
        play(self.state, np.array(chosen, np.int64))
        self.steps.append(step)
        self.history.append(chosen)

    def to_dict(self) -> dict[str, Any]:
        """The position for the page: its drawing, the legal moves of each seat, and the result if it is the end."""
        scene = drawn(self.game, self.state, self.before)
        return {
            "step": [move.move for move in self.steps[-1]] if self.steps else [],
            "view": view(scene.extent),
            "shapes": [plain(shape) for shape in scene.shapes],
            "text": self.game.draw(self.state).expandtabs(),
            "state": said_of(self.game, self.state),
            "moves": [] if self.is_over else [self._moves(seat) for seat in self.game.movers(self.state)],
            "over": self.is_over,
            "scores": [score(points) for points in self.game.scores(self.state)] if self.is_over else None,
            "result": outcome(self.record()) if self.is_over else "",
            "forms": self._forms(),
        }

    def _moves(self, seat: int) -> dict[str, Any]:
        numbers = self.game.moves(self.state, seat)
        texts = {self.game.format(self.state, seat, number): number for number in numbers}
        clicks = {} if seat == CHANCE else painter_for(self.game).targets(BOARD, self.state, seat, texts)
        return {
            "seat": seat,
            "moves": [
                {"text": text, "clicks": [_corners(polygon) for polygon in clicks[text]]}
                if text in clicks
                else {"text": text}
                for text in texts
            ],
        }

    def _forms(self) -> list[str]:
        notation = self.game.notation()
        return [RECORD] if notation is None else [RECORD, notation.written]

    def record(self) -> Record:
        """The episode up to the place, and then the variation."""
        played = self.episode.record
        opening = played.opening
        kept = max(0, self.place - len(opening.moves))
        replace = msgspec.structs.replace
        ending = Ending.RULES if self.is_over else Ending.PLIES
        points = self.game.scores(self.state) if self.is_over or self.game.seats == 1 else [0.0] * self.game.seats
        remark = f"From position {self.place} on, these moves are a variation."
        return replace(
            played,
            opening=replace(opening, moves=opening.moves[: self.place]),
            seats=[replace(seat, remarks=[remark], log="", preparation=None) for seat in played.seats],
            scores=final_scores(points, [], self.game),
            ending=ending,
            by=[],
            out=[],
            steps=[*played.steps[:kept], *self.steps],
        )

    def file(self, form: str) -> tuple[str, str]:
        """The name and the text of a file with the variation."""
        if form not in self._forms():
            raise InvalidError(f"{self.game.name} has no form '{form}': choose one of {', '.join(self._forms())}.")
        record, notation = self.record(), self.game.notation()
        if form == RECORD or notation is None:
            return "variation.jsonl", record.to_json() + "\n"
        return f"variation{notation.written}", written(record, notation, self.game)


def position_of(game: Game, state: State) -> str:
    """A position as text to copy."""
    try:
        return game.save(state)
    except LudusError:
        raise InvalidError(f"Positions of {game.name} have no text form.") from None


def _corners(polygon: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in polygon)
