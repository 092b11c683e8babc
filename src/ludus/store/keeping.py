"""Storing the games of servers: like all other episodes, in tournaments that grow with whoever came."""

from ludus.core.text import format_duration
from ludus.episode.finished import episode
from ludus.episode.record import Key, Record
from ludus.store import Store
from ludus.store.server_games import Kept, loose_format
from ludus.tournaments.tournament import Entrant, Tournament

UNKNOWN = "unknown"
"""The name of players of whom not even that is known."""


def keep(store: Store, where: str, record: Record, wall: int) -> Kept:
    """Store a game that was played there, as in 'joined example.org', and took so many nanoseconds.

    Games with as many players, the same spec and the same limits come into one tournament, which is named after them.
    Players go by the names of their seats; one whose name another program or seat has already gets a number, as in
    `anna (2)`.
    """
    limit = record.limits.move
    kind = Tournament(
        name=f"{where}, {len(record.seats)} players" + (f", {format_duration(limit)} a move" if limit else ""),
        game=record.game,
        agents=(),
        format=loose_format(where),
        limits=record.limits,
    )
    seats = [Entrant(seat.name or UNKNOWN, seat.agent) for seat in record.seats]
    return store.keep(kind, seats, episode(record, Key(0, 0, 0), wall))
