"""Episodes outside any schedule, such as games on a server, in tournaments that grow with their players.

Each of them is a match of one episode, and the tournament counts as finished at any time.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, func, select

from ludus.core.text import format_duration
from ludus.core.version import __version__
from ludus.episode.codec import now
from ludus.episode.finished import Episode
from ludus.episode.record import Key, Record
from ludus.store import schema
from ludus.store.entries import episode_name
from ludus.store.origin import LOOSE, content_of
from ludus.store.same_game import SameGame, same_game
from ludus.store.write import add_episodes, listed, numbers
from ludus.tournaments.tournament import Entrant, Tournament


def loose_tournament(where: str, record: Record) -> Tournament:
    """The tournament, without agents, for games such as this one from the same place."""
    limit = record.limits.move
    return Tournament(
        name=f"{where}, {len(record.seats)} players" + (f", {format_duration(limit)} a move" if limit else ""),
        game=record.game,
        agents=(),
        format=f"{LOOSE}{where.replace(',', ' ')}",
        limits=record.limits,
    )


def is_loose(tournament: Tournament) -> bool:
    """True if it is such a tournament."""
    return tournament.format.startswith(LOOSE)


class Kept(NamedTuple):
    """The place of a stored episode: the number of its tournament and its key; `new` unless it was stored before."""

    id: int
    key: Key
    new: bool

    @property
    def name(self) -> str:
        """The name of the episode for 'ludus replay'."""
        return episode_name(self.id, self.key, repetitions=1)


def keep_loose(connection: Connection, kind: Tournament, seats: Sequence[Entrant], episode: Episode) -> Kept:
    """Add an episode with these entrants, unless it is stored already, here or from another side.

    `kind` is such a tournament without agents. A game that is stored from another side only gets what that did not
    know: the agents of some seats. If another tournament or agent already has a name, the name gets a
    number, as in `random (2)`. A seat without any times was not measured, and has none in tables.
    """
    told_before = same_game(connection, LOOSE, kind, seats, episode)
    if told_before is not None:
        _reseat(connection, told_before)
        return Kept(told_before.id, Key(0, told_before.match, 0), new=False)
    id, stored = _find(connection, kind)
    grown, seated = _seated(stored, seats)
    match = _match_of(connection, id, seated, episode)
    if match is not None:
        return Kept(id, Key(0, match, 0), new=False)
    t, m = schema.tournaments, schema.matches
    last = connection.scalar(select(func.max(m.c.match)).where(m.c.tournament == id))
    match = 0 if last is None else last + 1
    connection.execute(m.insert().values(tournament=id, repetition=0, match=match, round=match, seats=listed(seated)))
    content = {"identity": grown.identity, "content": grown.to_json()} if grown != stored else {}
    connection.execute(t.update().where(t.c.id == id).values(finished=now(), **content))
    walls = tuple([walls if any(walls) else [] for walls in episode.walls])
    add_episodes(connection, id, [msgspec.structs.replace(episode, key=Key(0, match, 0), walls=walls)])
    return Kept(id, Key(0, match, 0), new=True)


def _match_of(connection: Connection, id: int, seated: Sequence[int], episode: Episode) -> int | None:
    """The match that already holds this episode: equal in players, time and course."""
    e, m = schema.episodes, schema.matches
    query = select(m.c.match).join_from(e, m, (m.c.tournament == e.c.tournament) & (m.c.match == e.c.match))
    same = (e.c.tournament == id) & (e.c.course == episode.course) & (e.c.played == episode.played)
    return connection.scalar(query.where(same, m.c.seats == listed(seated)))


def _reseat(connection: Connection, game: SameGame) -> None:
    """Seat the players that are known now; one that no other match seats is replaced."""
    t, m = schema.tournaments, schema.matches
    others = select(m.c.seats).where(m.c.tournament == game.id, m.c.match != game.match)
    elsewhere = {agent for text in connection.scalars(others) for agent in numbers(text)}
    agents, seated = list(game.tournament.agents), list(game.seats)
    for seat, player in enumerate(game.players):
        before = seated[seat]
        if agents[before].spec == player.spec:
            continue
        known = [place for place, agent in enumerate(agents) if agent.spec == player.spec and place not in seated]
        names = {agent.name for place, agent in enumerate(agents) if place != before or before in elsewhere}
        named = Entrant(next(name for name in _numbered(player.name) if name not in names), player.spec)
        if known:
            seated[seat] = known[0]
            if before not in elsewhere and before == len(agents) - 1:
                agents.pop()
        elif before in elsewhere:
            seated[seat] = len(agents)
            agents.append(named)
        else:
            agents[before] = named
    grown = msgspec.structs.replace(game.tournament, agents=tuple(agents))
    of_match = (m.c.tournament == game.id) & (m.c.match == game.match)
    connection.execute(m.update().where(of_match).values(seats=listed(seated)))
    connection.execute(t.update().where(t.c.id == game.id).values(identity=grown.identity, content=grown.to_json()))


def _find(connection: Connection, kind: Tournament) -> tuple[int, Tournament]:
    """Find the tournament of that kind, whatever its name, or create it."""
    t = schema.tournaments
    format = f'"format":{msgspec.json.encode(kind.format).decode()}'
    for row in connection.execute(select(t.c.id, t.c.content).where(t.c.content.contains(format, autoescape=True))):
        found = content_of(row.content)
        if msgspec.structs.replace(found, name=kind.name, agents=()) == kind:
            return row.id, found
    taken = set(connection.scalars(select(t.c.name).where(t.c.name.startswith(kind.name, autoescape=True))))
    wanted = msgspec.structs.replace(kind, name=next(name for name in _numbered(kind.name) if name not in taken))
    made = connection.execute(
        t.insert().values(
            identity=wanted.identity,
            name=wanted.name,
            content=wanted.to_json(),
            versions=msgspec.json.encode({"ludus": __version__}).decode(),
            created=now(),
        )
    )
    return made.inserted_primary_key[0], wanted  # type: ignore[index]


def _seated(stored: Tournament, seats: Iterable[Entrant]) -> tuple[Tournament, list[int]]:
    """The tournament with its new agents, and the number of the agent at each seat; no agent has two seats."""
    agents = list(stored.agents)
    places = {agent.name: place for place, agent in enumerate(agents)}
    seated: list[int] = []
    for entrant in seats:
        for name in _numbered(entrant.name):
            if name not in places:
                places[name] = len(agents)
                agents.append(Entrant(name, entrant.spec))
            if agents[places[name]].spec == entrant.spec and places[name] not in seated:
                seated.append(places[name])
                break
    return msgspec.structs.replace(stored, agents=tuple(agents)), seated


def _numbered(name: str) -> Iterator[str]:
    """The name itself, and then the name with 2, 3 and so on."""
    yield name
    yield from (f"{name} ({number})" for number in count(2))
