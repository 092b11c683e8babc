"""The store: tournaments and their episodes, in SQLite or PostgreSQL."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime
from types import TracebackType
from typing import Any, NoReturn, Self

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine, Row, and_, select, text, tuple_

from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.core.text import did_you_mean
from ludus.core.version import __version__
from ludus.episode.codec import microseconds, now
from ludus.episode.finished import Episode, episode
from ludus.episode.record import Key, Record
from ludus.store import entering, frames, schema, summaries
from ludus.store.connect import connect, live_folder, location, reaching, reading, shown, writing
from ludus.store.entering import check_name
from ludus.store.entries import Entry, Sitting, Stamp, Summary, Whole, episode_key, episode_name, stored_record
from ludus.store.lock import Lock, held
from ludus.store.origin import content_of
from ludus.store.resuming import Resuming, resumed
from ludus.store.server_games import Kept, keep_loose, loose_tournament
from ludus.store.write import add_episodes, join_outcomes, listed, numbers, upsert
from ludus.tournaments.formats import Match
from ludus.tournaments.tournament import Entrant, Tournament

_SHORTEST_IDENTITY = 4  # minimum letters of an identity in place of a name
_RECORDS_AT_ONCE = 1000
_SINGLY = 50  # cost of reading one record separately, relative to reading it in sequence


def open_store(url: str | None = None) -> "Store":
    """Open a store, creating it if necessary: a file, sqlite:///FILE or postgresql://…; by default the user's own."""
    return Store(connect(location(url)))


class Store:
    """An open store. Every method is one transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.url = shown(engine.url)
        self.live = live_folder(engine)
        """The folder of what is being played into this store."""

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # --- Playing ------------------------------------------------------------------------------------------------------

    def enter(self, tournament: Tournament, versions: Mapping[str, str], rule: Resuming = resumed) -> Entry:
        """Enter a tournament, or find the one that it continues: that of its name, with the same content.

        What is found does not grow yet.
        """
        with writing(self._engine) as connection:
            _lock_tournaments(connection)
            return entering.enter(connection, tournament, versions, rule)

    @contextmanager
    def entered(self, tournament: Tournament, versions: Mapping[str, str], rule: Resuming = resumed) -> Iterator[Entry]:
        """Enter or find a tournament; a new one is removed if the block fails and nothing was stored."""
        entry = self.enter(tournament, versions, rule)
        try:
            yield entry
        except BaseException:
            with suppress(LudusError):  # another process uses it by now, or the store cannot be reached
                if entry.new and not self.summary(entry.id).episodes:
                    self.delete(entry.id)
            raise

    def grow(
        self, id: int, tournament: Tournament, versions: Mapping[str, str], rule: Resuming = resumed
    ) -> Tournament:
        """Let a stored tournament grow to a given one, and return it; its caller holds the lock."""
        with writing(self._engine) as connection:
            _lock_tournaments(connection)
            return entering.grow(connection, self._row(connection, id, lock=True), tournament, versions, rule)

    def lock(self, id: int) -> AbstractContextManager[Lock]:
        """Keep other processes from playing or deleting this tournament; BusyError if one already does."""
        with reading(self._engine) as connection:
            row = self._row(connection, id)
        return held(self._engine, id, row.name)

    @contextmanager
    def sitting(self, id: int, workers: int, cores: int, timed: bool) -> Iterator[None]:
        """Store the start and the end of playing."""
        s = schema.sittings
        with writing(self._engine) as connection:
            values = {"tournament": id, "workers": workers, "cores": cores, "timed": timed, "ludus": __version__}
            made = connection.execute(s.insert().values(started=now(), **values)).inserted_primary_key
        try:
            yield
        finally:
            with writing(self._engine) as connection:
                connection.execute(s.update().where(s.c.id == made[0]).values(ended=now()))  # type: ignore[index]

    def finish(self, id: int, when: datetime | None = None) -> None:
        """Mark a tournament as finished, now or at the given time."""
        t = schema.tournaments
        finished = now() if when is None else microseconds(when)
        with writing(self._engine) as connection:
            update = t.update().where(t.c.id == id, t.c.finished.is_(None)).values(finished=finished)
            if connection.execute(update).rowcount:
                join_outcomes(connection, id)

    def add_matches(self, id: int, repetition: int, first: int, matches: Sequence[Match]) -> None:
        """Add matches with the numbers first, first + 1, …; existing ones are left unchanged."""
        rows = [
            {
                "tournament": id,
                "repetition": repetition,
                "match": number,
                "round": match.round,
                "seats": listed(match.seats),
            }
            for number, match in enumerate(matches, first)
        ]
        if rows:
            with writing(self._engine) as connection:
                connection.execute(upsert(connection, schema.matches).on_conflict_do_nothing(), rows)

    def stored(self, id: int, repetition: int, matches: range, numbers: range) -> dict[int, NDArray[np.int64]]:
        """The stored ones among these episodes of these matches: their numbers by match."""
        with reading(self._engine) as connection:
            return frames.numbers(connection, id, repetition, matches, numbers)

    def add(self, id: int, episodes: Sequence[Episode]) -> int:
        """Add episodes with all derived data, except those already stored; return the number added."""
        with writing(self._engine) as connection:
            self._row(connection, id, lock=True)
            return add_episodes(connection, id, episodes)

    def keep(self, kind: Tournament, seats: Sequence[Entrant], episode: Episode) -> Kept:
        """Add an episode outside any schedule to the tournament for such episodes, which assigns its key.

        `kind` has no agents; new ones are added to it.
        """
        check_name(kind.name)
        with writing(self._engine) as connection:
            _lock_tournaments(connection)
            return keep_loose(connection, kind, seats, episode)

    def keep_game(self, where: str, record: Record, wall: int) -> Kept:
        """Add a game played at a place such as `joined example.org`, which took `wall` nanoseconds.

        Games with the same number of players, spec and limits form one tournament, which is named after them. Players
        have the names of their seats.
        """
        return self.keep_games(where, [(record, wall)])[0]

    def keep_games(self, where: str, games: Iterable[tuple[Record, int]]) -> list[Kept]:
        """Add several such games at once."""
        kept = []
        with writing(self._engine) as connection:
            _lock_tournaments(connection)
            for record, wall in games:
                kind = loose_tournament(where, record)
                check_name(kind.name)
                seats = [Entrant(seat.name, seat.agent) for seat in record.seats]
                kept.append(keep_loose(connection, kind, seats, episode(record, Key(0, 0, 0), wall)))
        return kept

    def adopt(self, id: int, created: datetime, sittings: Iterable[Sitting]) -> None:
        """Store the times at which a tournament was played elsewhere."""
        t, s = schema.tournaments, schema.sittings
        with writing(self._engine) as connection:
            row = self._row(connection, id, lock=True)
            begun = min(row.created, microseconds(created))
            connection.execute(t.update().where(t.c.id == id).values(created=begun))
            known = set(connection.scalars(select(s.c.started).where(s.c.tournament == id)))
            for sitting in sittings:
                values = sitting._asdict() | {"started": microseconds(sitting.started), "tournament": id}
                values["ended"] = sitting.ended and microseconds(sitting.ended)
                if values["started"] not in known:
                    connection.execute(s.insert().values(values))

    def delete(self, id: int) -> None:
        """Delete a tournament and everything that belongs to it."""
        with self.lock(id):
            with writing(self._engine) as connection:
                for table in reversed(schema.metadata.sorted_tables):
                    column = table.c.id if table is schema.tournaments else table.c.tournament
                    connection.execute(table.delete().where(column == id))
            if self._engine.dialect.name == "sqlite":
                with reaching(self._engine), self._engine.connect() as connection:
                    # As a script, because a statement would perform only the first of many steps.
                    connection.connection.executescript("PRAGMA incremental_vacuum")

    def rename(self, id: int, name: str) -> None:
        """Give a tournament another name."""
        check_name(name)
        t = schema.tournaments
        with self.lock(id), writing(self._engine) as connection:
            _lock_tournaments(connection)
            row = self._row(connection, id, lock=True)
            known = connection.execute(select(t.c.id).where(t.c.name == name, t.c.id != id)).scalar()
            if known is not None:
                raise InvalidError(f"Tournament {known} is already called '{name}': choose another name.")
            content = msgspec.structs.replace(content_of(row.content), name=name).to_json()
            connection.execute(t.update().where(t.c.id == id).values(name=name, content=content))

    # --- Reading ------------------------------------------------------------------------------------------------------

    def tournaments(self) -> list[Summary]:
        """All tournaments, in the order of their creation."""
        with reading(self._engine) as connection:
            return summaries.tournaments(connection)

    def summary(self, id: int) -> Summary:
        """One tournament as in the list of all."""
        with reading(self._engine) as connection:
            return summaries.summary(connection, id) or self._missing(id)

    def stamp(self, id: int) -> Stamp:
        """The state of a tournament, in one small query; as long as it stays the same, so do all results."""
        with reading(self._engine) as connection:
            return summaries.stamp(connection, id) or self._missing(id)

    def find(self, text: str) -> int:
        """The number of a tournament, from that number, its name, or the start of its identity."""
        t = schema.tournaments
        with reading(self._engine) as connection:
            rows = connection.execute(select(t.c.id, t.c.name, t.c.identity).order_by(t.c.id)).all()
        for found in (
            [row.id for row in rows if text == str(row.id)],
            [row.id for row in rows if text == row.name],
            [row.id for row in rows if len(text) >= _SHORTEST_IDENTITY and row.identity.startswith(text)],
        ):
            if len(found) == 1:
                return found[0]
            if found:
                several = ", ".join(f"{row.name} ({row.identity})" for row in rows if row.id in found)
                raise InvalidError(f"'{text}' is ambiguous: several tournaments begin with it ({several}).")
        if not rows:
            raise NotFoundError(f"There is no tournament '{text}': the store {self.url} is empty.")
        near = did_you_mean(text, [row.name for row in rows])
        raise NotFoundError(
            f"There is no tournament '{text}' in the store{near}: 'ludus list tournaments' lists them all."
        )

    def find_episode(self, text: str) -> tuple[int, Key]:
        """The tournament and key of an episode, from a name such as `3/12.4` or `Hex cup/2.12.4`."""
        name, _, place = text.rpartition("/")
        id = self.find(name)
        return id, episode_key(text, place, self.tournament(id).repetitions)

    def tournament(self, id: int) -> Tournament:
        """The content of a tournament."""
        with reading(self._engine) as connection:
            return content_of(self._row(connection, id).content)

    def versions(self, id: int) -> dict[str, str]:
        """The versions with which it was first played."""
        with reading(self._engine) as connection:
            return msgspec.json.decode(self._row(connection, id).versions)

    def sittings(self, id: int) -> list[Sitting]:
        """The periods in which it was played, in order."""
        s = schema.sittings
        with reading(self._engine) as connection:
            rows = connection.execute(select(s).where(s.c.tournament == id).order_by(s.c.started, s.c.id)).all()
        return [Sitting.from_row(row) for row in rows]

    def tallies(self, id: int, repetition: int | None = None, first: int = 0, last: int | None = None) -> pl.DataFrame:
        """Number of episodes by result: a row for each match and result, of matches from `first` to before `last`.

        Columns: repetition, match, round, seats (agent numbers), scores, ending, by (seats), episodes, different (the
        number of different courses).
        """
        with reading(self._engine) as connection:
            return frames.tallies(connection, id, repetition, first, last)

    def timings(self, id: int) -> pl.DataFrame:
        """Times of moves: a row for each seat of a match, and one for its whole episodes (seat and agent −1).

        Columns: repetition, match, seat, agent, moves, total, fastest, slowest, faults, histogram.
        """
        with reading(self._engine) as connection:
            return frames.timings(connection, id)

    def episodes(self, id: int, columns: Sequence[str] = frames.EPISODE) -> pl.DataFrame:
        """A row for each episode, in the order of keys; fewer columns are read faster.

        Columns: repetition, match, number, played, wall, plies, scores, ending, by, course.
        """
        with reading(self._engine) as connection:
            return frames.episodes(connection, id, columns)

    def newest(
        self, id: int, below: Key | None = None, matches: Sequence[tuple[int, int]] | None = None, most: int = 1000
    ) -> pl.DataFrame:
        """At most that many episodes with keys below one, the highest first, of all matches or of these.

        Columns: repetition, match, number, played, wall, plies, scores, ending, by. Matches are numbers of repetitions
        and matches.
        """
        with reading(self._engine) as connection:
            return frames.newest(connection, id, below, matches, most)

    def matches(self, id: int, most: int | None = None) -> pl.DataFrame:
        """A row for each match, or for the first ones. Columns: repetition, match, round, seats (agent numbers)."""
        with reading(self._engine) as connection:
            return frames.matches(connection, id, most)

    def record(self, id: int, key: Key) -> Record:
        """The record of an episode."""
        found = next(self._wholes(id, key, 1), None)
        if found is None or found.key != key:
            name = episode_name(id, key, self.tournament(id).repetitions)
            raise NotFoundError(f"There is no episode {name} in the store.")
        return found.record

    def records(self, id: int, wanted: Sequence[Key] | None = None) -> Iterator[tuple[Key, Record]]:
        """All records, or the wanted ones, in the order of keys; read a few at a time."""
        if wanted is None:
            return ((whole.key, whole.record) for whole in self.wholes(id))
        if len(wanted) * _SINGLY < self.count(id):
            return ((key, self.record(id, key)) for key in sorted(wanted))
        among = set(wanted)
        return ((whole.key, whole.record) for whole in self.wholes(id) if whole.key in among)

    def records_from(self, id: int, first: Key) -> Iterator[tuple[Key, Record]]:
        """The records from a key on, in the order of keys; read a few at a time."""
        return ((whole.key, whole.record) for whole in self._wholes(id, first, _RECORDS_AT_ONCE))

    def wholes(self, id: int) -> Iterator[Whole]:
        """All episodes with their records, in the order of keys; read a few at a time."""
        return self._wholes(id, Key(0, 0, 0), _RECORDS_AT_ONCE)

    def _wholes(self, id: int, first: Key, at_once: int) -> Iterator[Whole]:
        """Episodes from a key on. No transaction stays open in between, because the caller may be slow."""
        r, e, m = schema.records, schema.episodes, schema.matches
        same = [r.c[name] == e.c[name] for name in ("tournament", "repetition", "match", "number")]
        query = select(e.c.repetition, e.c.match, e.c.number, e.c.wall, e.c.course, r.c.packed).join(r, and_(*same))
        query = query.where(e.c.tournament == id).order_by(e.c.repetition, e.c.match, e.c.number).limit(at_once)
        seatings = select(m.c.repetition, m.c.match, m.c.seats).where(m.c.tournament == id)
        key, of_match = tuple_(e.c.repetition, e.c.match, e.c.number), tuple_(m.c.repetition, m.c.match)
        condition = key >= first
        while True:
            with reading(self._engine) as connection:
                rows = connection.execute(query.where(condition)).all()
                if not rows:
                    return
                seating = seatings.where(of_match >= tuple(rows[0][:2]), of_match <= tuple(rows[-1][:2]))
                seats = {(repetition, match): numbers(text) for repetition, match, text in connection.execute(seating)}
                tournament = content_of(self._row(connection, id).content)  # it may have grown
            for repetition, match, number, wall, course, packed in rows:
                record = stored_record(packed, tournament, seats[repetition, match])
                yield Whole(Key(repetition, match, number), wall, course, record)
            condition = key > tuple(rows[-1][:3])

    def count(self, id: int) -> int:
        """The number of stored episodes of a tournament."""
        with reading(self._engine) as connection:
            return connection.scalar(select(summaries.counted(id))) or 0

    def _row(self, connection: Connection, id: int, lock: bool = False) -> Row[Any]:
        t = schema.tournaments
        query = select(t).where(t.c.id == id)
        row = connection.execute(query.with_for_update() if lock else query).one_or_none()
        if row is None:
            self._missing(id)
        return row

    def _missing(self, id: int) -> NoReturn:
        raise NotFoundError(f"There is no tournament {id} in the store {self.url}.")


def _lock_tournaments(connection: Connection) -> None:
    """Keep others from entering tournaments until the end of the transaction, as SQLite does for all writes."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("LOCK TABLE tournaments IN SHARE ROW EXCLUSIVE MODE"))
