"""One game, stored by its server and by its players, or by several of its players: known by its start and moves.

A server knows the names of its clients and the agents that it added itself; a client knows its own agent, and perhaps
the names of the others.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select

from ludus.core.errors import LudusError
from ludus.core.spec import parse_agent
from ludus.episode.codec import unpack
from ludus.episode.finished import Episode
from ludus.episode.record import Record
from ludus.store import schema
from ludus.store.entries import stored_record
from ludus.store.origin import content_of
from ludus.store.write import numbers
from ludus.tournaments.tournament import Entrant, Tournament

_UNKNOWN, _NAMED, _AGENT = range(3)
_Steps = list[list[tuple[int, str]]]


class SameGame(NamedTuple):
    """A stored game: the number and content of its tournament, its match with its seats, and all that is known of its
    players now.
    """

    id: int
    tournament: Tournament
    match: int
    seats: list[int]
    players: list[Entrant]


def same_game(
    connection: Connection, format: str, kind: Tournament, seats: Sequence[Entrant], episode: Episode
) -> SameGame | None:
    """The stored game that an episode tells again from another side; its tournament has a format that begins so.

    The two were played at the same time, and what they know of their players does not contradict.
    """
    told = None
    for id, tournament, match, seated, packed in _at_the_time(connection, format, episode):
        players = _joined([tournament.agents[agent] for agent in seated], seats)
        if players is None:
            continue
        told = told or _course(unpack(episode.packed, kind.game, kind.limits, [(s.spec, s.name) for s in seats]))
        if told is not None and told == _course(stored_record(packed, tournament, seated)):
            return SameGame(id, tournament, match, seated, players)
    return None


def _at_the_time(
    connection: Connection, format: str, episode: Episode
) -> Iterator[tuple[int, Tournament, int, list[int], bytes]]:
    t, m, e, r = schema.tournaments, schema.matches, schema.episodes, schema.records
    query = (
        select(t.c.id, t.c.content, m.c.match, m.c.seats, r.c.packed)
        .join_from(t, e, e.c.tournament == t.c.id)
        .join(m, (m.c.tournament == t.c.id) & (m.c.match == e.c.match))
        .join(r, (r.c.tournament == t.c.id) & (r.c.match == e.c.match))
        .where(t.c.content.contains(f'"format":"{format}', autoescape=True), e.c.plies == episode.plies)
        .where(e.c.played < episode.played + episode.wall // 1000, e.c.played + e.c.wall / 1000 > episode.played)
    )
    for id, content, match, seats, packed in connection.execute(query).all():
        yield id, content_of(content), match, numbers(seats), packed


def _course(record: Record) -> tuple[str, str, _Steps] | None:
    """The game, its start and its moves; None if its positions have no text form."""
    from ludus.episode.opening import start_state
    from ludus.games.game import game_from  # imports the compiler, which is slow

    try:
        game = game_from(record.game)
        start = game.save(start_state(game, record.opening))
    except LudusError:
        return None
    opened = [[(-1, text) for text in step] for step in record.opening.moves]
    return game.name, start, opened + [sorted((move.seat, move.move) for move in step) for step in record.steps]


def _joined(stored: Sequence[Entrant], given: Sequence[Entrant]) -> list[Entrant] | None:
    """The players as far as either knows them; None if the two contradict each other, or agree in everything."""
    if len(stored) != len(given) or all(one.spec == other.spec for one, other in zip(stored, given, strict=True)):
        return None
    joined = []
    for one, other in zip(stored, given, strict=True):
        known, told = _knowledge(one), _knowledge(other)
        if known == told != _UNKNOWN and one.spec != other.spec:
            return None
        joined.append(one if known >= told else other)
    return joined


def _knowledge(player: Entrant) -> int:
    from ludus.net.remote import UNKNOWN, Remote

    spec = parse_agent(player.spec)
    if spec.name != Remote.name or spec.command is not None:
        return _AGENT
    return _NAMED if {*spec.words, *spec.options.values()} - {UNKNOWN} else _UNKNOWN
