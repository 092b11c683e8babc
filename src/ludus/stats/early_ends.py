"""Episodes that ended early through the opponents' own fault: these say little about the winner.

In most games those are the episodes that ended by a fault of an opponent. If a game continues without the player at
fault, and defines the rounds of an early exit, an episode ends early for a player if each opponent left early through
its own fault, as the game defines it.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import polars as pl

from ludus.core.errors import LudusError
from ludus.episode.opening import start_state
from ludus.episode.record import Ending, Key, Record
from ludus.games.game import Game, game_from

if TYPE_CHECKING:
    from ludus.store import Store

_FAULTS = (Ending.ILLEGAL, Ending.LATE, Ending.FAILED, Ending.QUIT)
_KEY = ("repetition", "match", "number")
_EARLY: dict[str, Any] = {**dict.fromkeys(_KEY, pl.Int64), "early": pl.List(pl.Boolean)}

Watch = Callable[[int, int], None]
"""A function called with the number of records read and their total."""


def with_early(episodes: pl.DataFrame, store: "Store", id: int, watch: Watch | None = None) -> pl.DataFrame:
    """The episodes of a tournament with the column `early`: for each seat, true if the opponents ended it early.

    The frame has the key, seats, ending and by of each episode. Records are read only for games with early exits.
    """
    if rounds := _early_rounds(store.tournament(id).game):
        found = _by_exits(episodes, store, id, rounds, watch)
    else:
        faulty = episodes.filter(pl.col("ending").is_in(_FAULTS)).select(*_KEY, "seats", "by")
        found = [
            (*key, [any(blamed != seat for blamed in by) for seat in range(len(seats))])
            for *key, seats, by in faulty.iter_rows()
        ]
    early = pl.DataFrame(found, _EARLY, orient="row")
    joined = episodes.join(early, on=_KEY, how="left", maintain_order="left")
    return joined.with_columns(pl.coalesce("early", pl.lit(False).repeat_by(pl.col("seats").list.len())))


def _early_rounds(spec: str) -> int:
    try:
        return _game(spec).early_rounds
    except LudusError:  # a missing game
        return 0


def _by_exits(
    episodes: pl.DataFrame, store: "Store", id: int, rounds: int, watch: Watch | None
) -> list[tuple[int | list[bool], ...]]:
    found: list[tuple[int | list[bool], ...]] = []
    wanted = _doubtful(episodes, store, id, rounds)
    for number, (key, record) in enumerate(store.records(id, wanted), 1):
        out, seats = went_out_early(record), range(len(record.seats))
        found.append((*key, [out.issuperset(other for other in seats if other != seat) for seat in seats]))
        if watch is not None:
            watch(number, len(wanted))
    return found


def _doubtful(episodes: pl.DataFrame, store: "Store", id: int, rounds: int) -> list[Key]:
    """The episodes in which a player may have left early.

    Between two players a long episode without faults is not one: the first exit ends it.
    """
    faulty = store.timings(id).group_by("repetition", "match").agg(faults=pl.col("faults").sum() > 0)
    plies = store.episodes(id, [*_KEY, "plies"])
    known = episodes.join(plies, on=_KEY, maintain_order="left").join(faulty, on=_KEY[:2], maintain_order="left")
    doubtful = (pl.col("seats").list.len() > 2) | (pl.col("plies") <= rounds) | pl.col("faults")
    return [Key(*key) for key in known.filter(doubtful).select(_KEY).iter_rows()]


def went_out_early(record: Record) -> set[int]:
    """The seats of an episode that left early through their own fault."""
    game, opening = _game(record.game), record.opening
    steps = [[(move.seat, move.move) for move in step] for step in record.steps]
    return set(record.by) | game.early_exits(start_state(game, opening), opening.moves, steps)


@cache
def _game(spec: str) -> Game:
    return game_from(spec)
