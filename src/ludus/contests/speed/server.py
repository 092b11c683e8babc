"""Servers of spe_ed: their games, and the messages of servers and clients."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

import numpy as np

from ludus.agents.agent import Clock
from ludus.contests.speed import api
from ludus.contests.speed.game import (
    ANSWERED_TWICE,
    CHANGE_NOTHING,
    FELL,
    LARGEST,
    LARGEST_GIVEN,
    NO_ANSWER,
    SLOW_DOWN,
    SMALLEST,
    SPEED_UP,
    TURN_LEFT,
    TURN_RIGHT,
    Speed,
    SpeedState,
)
from ludus.contests.speed.sighting import SpeedSighting
from ludus.core.ranges import Range
from ludus.core.spec import Duration, param
from ludus.episode.limits import Limits
from ludus.episode.opening import start_state
from ludus.episode.record import Opening
from ludus.episode.request import Request
from ludus.games.game import Game
from ludus.kernel.rules import duplicate, play
from ludus.net.contest import Contest
from ludus.net.sighting import Message

_SECOND = 10**9
_DRAWN_BY_THE_GAME = Range(SMALLEST, LARGEST)
_SAFEST_FIRST = (CHANGE_NOTHING, TURN_LEFT, TURN_RIGHT, SLOW_DOWN, SPEED_UP)


class SpeedContest(Contest):
    """spe_ed as on the server of its organisers."""

    name: ClassVar[str] = "speed"
    path: ClassVar[str] = api.PATH
    time_path: ClassVar[str] = api.TIME_PATH
    example: ClassVar[str] = (
        "--players 4 --width 60 --height 50 --deadline 5 --keys keys.txt --fill speed.combi --port 8080"
    )

    players: Range = param(Range(2, 6), "Players per game; from a range, a new number for each game.", low=2, high=6)
    width: Range = param(_DRAWN_BY_THE_GAME, "Columns of the board.", low=4, high=LARGEST_GIVEN)
    height: Range = param(_DRAWN_BY_THE_GAME, "Rows of the board.", low=4, high=LARGEST_GIVEN)
    deadline: Range = param(
        Range(5, 15), "Seconds per round; from a range, a new number for each round.", low=0.01, high=86400.0
    )
    grace: Duration = param(2 * _SECOND, "How late an answer may be.")

    @property
    def least_places(self) -> int:
        return int(self.players.low)

    @property
    def most_places(self) -> int:
        return int(self.players.high)

    def places(self) -> int:
        return int(self.players.draw())

    def set_up(self, places: int, seed: int) -> tuple[Game, Opening]:
        spans = self.width, self.height
        width, height = (None if span == _DRAWN_BY_THE_GAME else int(span.draw()) for span in spans)
        game, opening = Speed(players=places, width=width, height=height), Opening(seed=seed)
        if not all(span.fixed or span == _DRAWN_BY_THE_GAME for span in spans):
            # A spec without the size, so that games of all sizes form one tournament.
            opening = Opening(game.save(start_state(game, opening)))
            game = Speed(players=places)
        return game, opening

    def limits(self) -> Limits:
        # Random deadlines of rounds are not limits, which hold for all rounds.
        return Limits(move=round(self.deadline.low * _SECOND) if self.deadline.fixed else None, grace=self.grace)

    def grant(self, clock: Clock) -> int:
        return round(self.deadline.draw() * _SECOND)

    def facts(self, state: SpeedState) -> dict[str, Any]:
        height, width = state.cells.shape
        return {"width": width, "height": height}

    def in_words(self, state: SpeedState) -> str:
        height, width = state.cells.shape
        return f"{width}×{height}"

    @property
    def pace(self) -> str:
        return f"{self.deadline}s a round"

    def ask(self, requests: Sequence[Request], deadline: datetime) -> api.BoardText:
        return api.BoardText(requests[0].view.state, deadline)

    def close(self, state: SpeedState, names: Sequence[str]) -> api.BoardText:
        return api.BoardText(state, names=names)

    def read_answer(self, data: bytes) -> int:
        return api.read_action(data)

    def void(self, move: int) -> int | None:
        return ANSWERED_TWICE + move  # its turn or speed is still visible

    def time_message(self, now: datetime) -> bytes:
        return api.time_message(now)

    def sighting(self, first: Message) -> SpeedSighting:
        return SpeedSighting(first)

    def read_message(self, data: str | bytes) -> Message:
        return api.read_state(data)

    def write_answer(self, move: int) -> str:
        return api.write_action(move)

    def safe_move(self, state: SpeedState, player: int) -> int:
        """A move that survives if nobody else moves, if there is one."""
        own = np.count_nonzero(state.players[:player, FELL] == 0)
        for move in _SAFEST_FIRST:
            after: SpeedState = duplicate(state)
            moves = np.full(len(state.players), NO_ANSWER)
            moves[own] = move
            play(after, moves)
            if after.players[player, FELL] == 0:
                return move
        return CHANGE_NOTHING

    def read_time(self, data: bytes) -> datetime:
        return api.read_time(data)
