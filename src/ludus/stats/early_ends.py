"""Episodes that ended early by the opponents' own doing: these say little about whoever won.

In every game those are the episodes that ended by the fault of an opponent. In spe_ed the game goes on without a player
at fault; there an episode ends early for a player if each opponent gave no valid answer in time, in whatever round, or
went out within the first rounds by itself: it left the board or ran into its own trail, and met nobody.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ludus.contests.speed.game import (
    CRASH,
    DIRECTION,
    FELL,
    NAMES,
    NO_ANSWER,
    SPEED,
    TOP_SPEED,
    Speed,
    SpeedState,
    X,
    Y,
    is_skipped,
)
from ludus.core.registry import game_from
from ludus.core.spec import Spec
from ludus.episode.opening import start_state
from ludus.episode.record import Ending, Record
from ludus.games.game import Game
from ludus.kernel.rules import duplicate, play
from ludus.tournaments.tournament import Key

if TYPE_CHECKING:
    from ludus.store import Store

EARLY_ROUNDS = 20
"""Rounds of spe_ed in which going out is early."""
_NUMBERS = {name: number for number, name in enumerate(NAMES)}
_INVALID = frozenset(NAMES[NO_ANSWER:])
_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # by direction
_FAULTS = (Ending.ILLEGAL, Ending.LATE, Ending.FAILED, Ending.QUIT)
_KEY = ("repetition", "match", "number")
_SINGLY = 50  # times as long as in a row a record takes to read by itself
_EARLY: dict[str, Any] = {**dict.fromkeys(_KEY, pl.Int64), "early": pl.List(pl.Boolean)}

Watch = Callable[[int, int], None]
"""Is told how many records of how many are read."""


def with_early(episodes: pl.DataFrame, store: "Store", id: int, watch: Watch | None = None) -> pl.DataFrame:
    """The episodes of a tournament with the column `early`: for each seat, whether opponents ended it early.

    The frame has the key, seats, ending and by of each episode. Records are read of spe_ed alone.
    """
    if Spec.parse(store.tournament(id).game).name == Speed.name:
        found = _early_in_speed(episodes, store, id, watch)
    else:
        faulty = episodes.filter(pl.col("ending").is_in(_FAULTS)).select(*_KEY, "seats", "by")
        found = [
            (*key, [any(blamed != seat for blamed in by) for seat in range(len(seats))])
            for *key, seats, by in faulty.iter_rows()
        ]
    early = pl.DataFrame(found, _EARLY, orient="row")
    joined = episodes.join(early, on=_KEY, how="left", maintain_order="left")
    return joined.with_columns(pl.coalesce("early", pl.lit(False).repeat_by(pl.col("seats").list.len())))


def _early_in_speed(
    episodes: pl.DataFrame, store: "Store", id: int, watch: Watch | None
) -> list[tuple[int | list[bool], ...]]:
    found: list[tuple[int | list[bool], ...]] = []
    wanted = _doubtful(episodes, store, id)
    for number, (key, record) in enumerate(_records(wanted, len(episodes), store, id), 1):
        out, seats = went_out_early(record), range(len(record.seats))
        found.append((*key, [out.issuperset(other for other in seats if other != seat) for seat in seats]))
        if watch is not None:
            watch(number, len(wanted))
    return found


def _doubtful(episodes: pl.DataFrame, store: "Store", id: int) -> list[Key]:
    """The episodes of spe_ed in which somebody may have gone out early.

    Between two players a long one without faults is none: who goes out first ends it.
    """
    faulty = store.timings(id).group_by("repetition", "match").agg(faults=pl.col("faults").sum() > 0)
    plies = store.episodes(id, [*_KEY, "plies"])
    told = episodes.join(plies, on=_KEY, maintain_order="left").join(faulty, on=_KEY[:2], maintain_order="left")
    doubtful = (pl.col("seats").list.len() > 2) | (pl.col("plies") <= EARLY_ROUNDS) | pl.col("faults")
    return [Key(*key) for key in told.filter(doubtful).select(_KEY).iter_rows()]


def _records(wanted: list[Key], count: int, store: "Store", id: int) -> Iterator[tuple[Key, Record]]:
    """The records of these of so many episodes."""
    if len(wanted) * _SINGLY < count:
        return ((key, store.record(id, key)) for key in wanted)
    among = set(wanted)
    return ((key, record) for key, record in store.records(id) if key in among)


def went_out_early(record: Record) -> set[int]:
    """The seats of an episode of spe_ed that went out early by their own doing."""
    out = {move.seat for step in record.steps for move in step if move.move in _INVALID} | set(record.by)
    return out | {
        seat
        for before, after in pairwise(_first_states(record))
        for seat in range(len(record.seats))
        if after.players[seat, FELL] and not before.players[seat, FELL] and fell_by_itself(before, after, seat)
    }


def _first_states(record: Record) -> Iterator[SpeedState]:
    """The states of the first rounds after the opening; not by `replay`, whose checks take five times as long.

    There are none if the record begins in a later round, such as one of a log that lacks its start.
    """
    state = start_state(_game(record.game), record.opening)
    if state.clock[0] > 1:
        return
    for texts in record.opening.moves:
        play(state, np.array([_NUMBERS[text] for text in texts]))
    yield duplicate(state)
    for step in record.steps[:EARLY_ROUNDS]:
        if not all(move.move for move in step):
            return  # cut off, and not carried out
        play(state, np.array([_NUMBERS[move.move] for move in step]))
        yield duplicate(state)


@cache
def _game(spec: str) -> Game:
    return game_from(spec)


def fell_by_itself(before: SpeedState, after: SpeedState, seat: int) -> bool:
    """Whether a player that went out in this round touched no cell where another had been or came too."""
    return all(before.cells[y, x] == seat + 1 for x, y in _path(before, after, seat) if after.cells[y, x] == CRASH)


def _path(before: SpeedState, after: SpeedState, seat: int) -> Iterator[tuple[int, int]]:
    """The cells on the board that a player touched in a round."""
    height, width = before.cells.shape
    x, y = (int(before.players[seat, place]) for place in (X, Y))
    direction, speed = (int(after.players[seat, place]) for place in (DIRECTION, SPEED))
    dx, dy = _STEPS[direction]
    for step in range(speed if 1 <= speed <= TOP_SPEED else 0):
        x, y = x + dx, y + dy
        if not (0 <= x < width and 0 <= y < height):
            return
        if not is_skipped(step, speed, int(before.clock[0])):
            yield x, y
