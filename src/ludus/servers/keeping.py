"""Storing the games of servers: like all other episodes, in tournaments that grow with whoever came."""

import msgspec

from ludus.record import Record
from ludus.spec import format_duration
from ludus.store import Store
from ludus.store.loose import Kept
from ludus.store.packing import episode
from ludus.tournaments.base import Entrant, Key, Tournament

REMOTE = "remote"
"""The spec of players of whom nothing is known but a name."""
UNKNOWN = "unknown"
"""The name of players of whom not even that is known."""


def keep(store: Store, where: str, record: Record, wall: int) -> Kept:
    """Store a game that was played there, as in 'joined example.org', and took so many nanoseconds.

    Games with as many players, the same spec and the same limits come into one tournament, which is named after them.
    Players go by the names of their seats; one whose name another program or seat has already gets a number, as in
    `anna (2)`. A seat without any times was not measured, and has none in tables.
    """
    limit = record.limits.move
    kind = Tournament(
        name=f"{where}, {len(record.seats)} players" + (f", {format_duration(limit)} a move" if limit else ""),
        game=record.game,
        agents=(),
        format=f"open:{where.replace(',', ' ')}",
        limits=record.limits,
    )
    seats = [Entrant(seat.name or UNKNOWN, seat.agent) for seat in record.seats]
    made = episode(record, Key(0, 0, 0), wall)
    walls = tuple([walls if any(walls) else [] for walls in made.walls])
    return store.keep(kind, seats, msgspec.structs.replace(made, walls=walls))
