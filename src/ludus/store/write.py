"""Adding episodes: a batch at a time, with the derived outcomes, tallies and timings."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Table, func, select, tuple_
from sqlalchemy.dialects import sqlite

from ludus.episode.finished import Episode
from ludus.episode.record import Ending
from ludus.store import schema
from ludus.store.histogram import BUCKETS, ENTRY, buckets
from ludus.store.timing import WHOLE_EPISODE

_MOST_AT_ONCE = 1000  # rows per query


def add_episodes(connection: Connection, tournament: int, episodes: Sequence[Episode]) -> int:
    """Add the episodes whose keys are not stored yet; return their number."""
    added = 0
    for first in range(0, len(episodes), _MOST_AT_ONCE):
        new = _new(connection, tournament, episodes[first : first + _MOST_AT_ONCE])
        if new:
            results = _result_numbers(connection, tournament, [episode for episode, _ in new])
            _add_rows(connection, tournament, [episode for episode, _ in new], results)
            _add_outcomes(connection, tournament, [episode for episode, _ in new], results)
            _add_to_tallies(connection, tournament, new, results)
            _add_to_timings(connection, tournament, [e for e, _ in new if e.ending is not Ending.MACHINE])
        added += len(new)
    return added


def join_outcomes(connection: Connection, tournament: int) -> None:
    """Join the parts of each match into one, because few rows are read several times as fast."""
    o = schema.outcomes
    query = select(o.c.repetition, o.c.match, o.c.part, o.c.packed).where(o.c.tournament == tournament)
    parts = connection.execute(query.order_by(o.c.repetition, o.c.match, o.c.part)).all()
    rows = []
    for match, of_match in groupby(parts, lambda part: (part.repetition, part.match)):
        found = list(of_match)
        rows.append((tournament, *match, found[0].part, b"".join([part.packed for part in found])))
    if len(rows) < len(parts):
        connection.execute(o.delete().where(o.c.tournament == tournament))
        _insert(connection, o, rows)


def upsert(connection: Connection, table: Table) -> Any:
    """An INSERT that can also update an existing row; the two databases use the same syntax."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # slow to import

    return postgresql.insert(table)


def listed(numbers: Iterable[float]) -> str:
    """Numbers as one text."""
    return " ".join([repr(n).removesuffix(".0") for n in numbers])


def numbers(text: str) -> list[int]:
    """Parse whole numbers from such a text."""
    return [int(word) for word in text.split()]


def _new(connection: Connection, tournament: int, episodes: Sequence[Episode]) -> list[tuple[Episode, bool]]:
    """The episodes that are not stored yet, each with its freshness: true for the first with its course."""
    rows = ",".join([f"({i},{e.key[0]},{e.key[1]},{e.key[2]},{e.course})" for i, e in enumerate(episodes)])
    match = f"e.tournament = {tournament} AND e.repetition = v.column2 AND e.match = v.column3"
    # Not EXISTS, for which PostgreSQL would read all episodes.
    found = connection.exec_driver_sql(
        f"SELECT v.column1, (SELECT 1 FROM episodes e WHERE {match} AND e.number = v.column4 LIMIT 1) IS NOT NULL,"
        f" (SELECT 1 FROM episodes e WHERE {match} AND e.course = v.column5 LIMIT 1) IS NOT NULL FROM (VALUES {rows}) v"
    )
    stored = {place: exists for place, *exists in found}
    keys, courses = set(), set()
    new = []
    for place, episode in enumerate(episodes):
        key_stored, course_stored = stored[place]
        course = (*episode.key[:2], episode.course)
        if not key_stored and episode.key not in keys:
            new.append((episode, not course_stored and course not in courses))
            keys.add(episode.key)
            courses.add(course)
    return new


def _result_numbers(connection: Connection, tournament: int, episodes: Sequence[Episode]) -> list[int]:
    """The number of each episode's result; new results get the next numbers."""
    r = schema.results
    given = [(e.scores, e.ending, e.by) for e in episodes]
    texts = {result: (listed(result[0]), result[1].value, listed(result[2])) for result in dict.fromkeys(given)}
    query = select(r.c.scores, r.c.ending, r.c.by, r.c.result).where(r.c.tournament == tournament)
    among = tuple_(r.c.scores, r.c.ending, r.c.by).in_(texts.values())
    numbers = {tuple(text): number for *text, number in connection.execute(query.where(among))}
    missing = [text for text in texts.values() if text not in numbers]
    if missing:
        last = connection.scalar(select(func.max(r.c.result)).where(r.c.tournament == tournament))
        numbers |= {text: number for number, text in enumerate(missing, 0 if last is None else last + 1)}
        names = ("scores", "ending", "by")
        connection.execute(
            r.insert(),
            [
                {"tournament": tournament, "result": numbers[text], **dict(zip(names, text, strict=True))}
                for text in missing
            ],
        )
    return [numbers[texts[result]] for result in given]


def _add_rows(connection: Connection, tournament: int, episodes: Sequence[Episode], results: Sequence[int]) -> None:
    numbered = list(zip(episodes, results, strict=True))
    rows = [(tournament, *e.key, e.played, e.wall, e.plies, result, e.course) for e, result in numbered]
    _insert(connection, schema.episodes, rows)
    _insert(connection, schema.records, [(tournament, *e.key, e.packed) for e in episodes])


def _add_outcomes(connection: Connection, tournament: int, episodes: Sequence[Episode], results: Sequence[int]) -> None:
    parts: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for e, result in zip(episodes, results, strict=True):
        repetition, match, number = e.key
        parts.setdefault((repetition, match), []).append((number, result, e.course))
    packed = {(*match, min(part)[0]): np.array(part, schema.OUTCOME).tobytes() for match, part in parts.items()}
    _insert(connection, schema.outcomes, [(tournament, *key, data) for key, data in packed.items()])


def _insert(connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert many rows, bypassing SQLAlchemy: each database has its own way, which is several times as fast."""
    names = ", ".join(table.columns.keys())
    if connection.dialect.name == "sqlite":
        marks = ", ".join("?" * len(table.columns))
        connection.exec_driver_sql(f"INSERT INTO {table.name} ({names}) VALUES ({marks})", rows)
        return
    cursor: Any = connection.connection.cursor()
    with cursor, cursor.copy(f"COPY {table.name} ({names}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _add_to_tallies(
    connection: Connection, tournament: int, new: Sequence[tuple[Episode, bool]], results: Sequence[int]
) -> None:
    counts: dict[tuple[int, int, int], list[int]] = {}
    for (e, fresh), result in zip(new, results, strict=True):
        count = counts.setdefault((e.key[0], e.key[1], result), [0, 0])
        count[0] += 1
        count[1] += fresh
    insert = upsert(connection, schema.tallies)
    insert = insert.on_conflict_do_update(
        index_elements=list(schema.tallies.primary_key),
        set_={name: schema.tallies.c[name] + insert.excluded[name] for name in ("episodes", "fresh")},
    )
    connection.execute(
        insert,
        [
            {
                "tournament": tournament,
                "repetition": repetition,
                "match": match,
                "result": result,
                "episodes": episodes,
                "fresh": fresh,
            }
            for (repetition, match, result), (episodes, fresh) in counts.items()
        ],
    )


# --- Timings ----------------------------------------------------------------------------------------------------------

Ints = NDArray[np.int64]


def _add_to_timings(connection: Connection, tournament: int, episodes: Sequence[Episode]) -> None:
    """Add the times of all moves of a batch, for all groups (a seat of a match, or its whole episodes) at once."""
    groups: dict[tuple[int, int, int], int] = {}
    places: list[int] = []
    lengths: list[int] = []
    values: list[int] = []
    faults: list[int] = []
    for e in episodes:
        repetition, match, _ = e.key
        for seat, walls in enumerate(e.walls):
            places.append(groups.setdefault((repetition, match, seat), len(groups)))
            lengths.append(len(walls))
            values += walls
            faults.append(e.faults[seat])
        places.append(groups.setdefault((repetition, match, WHOLE_EPISODE), len(groups)))
        lengths.append(1)
        values.append(e.wall)
        faults.append(sum(e.faults))
    if not groups:
        return
    total, count, fault = (np.zeros(len(groups), np.int64) for _ in range(3))
    slowest = np.full(len(groups), -1, np.int64)
    fastest = np.full(len(groups), np.iinfo(np.int64).max)
    group = np.repeat(places, lengths)
    times = np.array(values, np.int64)
    np.add.at(total, group, times)
    np.add.at(count, places, lengths)
    np.add.at(fault, places, faults)
    np.minimum.at(fastest, group, times)
    np.maximum.at(slowest, group, times)
    codes = [group * BUCKETS + buckets(times)]
    amounts = [np.ones(len(times), np.int64)]

    for repetition, match, seat, *numbers, packed in _stored_timings(connection, tournament, groups):
        g = groups[repetition, match, seat]
        count[g] += numbers[0]
        total[g] += numbers[1]
        if numbers[0]:
            fastest[g] = min(fastest[g], numbers[2])
            slowest[g] = max(slowest[g], numbers[3])
        fault[g] += numbers[4]
        entries = np.frombuffer(packed, ENTRY)
        codes.append(g * BUCKETS + entries["bucket"].astype(np.int64))
        amounts.append(entries["count"].astype(np.int64))

    fastest[count == 0] = slowest[count == 0] = 0
    histograms = _packed(np.concatenate(codes), np.concatenate(amounts), len(groups))
    insert = upsert(connection, schema.timings)
    insert = insert.on_conflict_do_update(
        index_elements=list(schema.timings.primary_key),
        set_={c.name: insert.excluded[c.name] for c in schema.timings.c if not c.primary_key},
    )
    rows = zip(groups, count, total, fastest, slowest, fault, histograms, strict=True)
    connection.execute(
        insert,
        [
            {
                "tournament": tournament,
                "repetition": repetition,
                "match": match,
                "seat": seat,
                "moves": int(moves),
                "total": int(sum_),
                "fastest": int(low),
                "slowest": int(high),
                "faults": int(wrong),
                "histogram": histogram,
            }
            for (repetition, match, seat), moves, sum_, low, high, wrong, histogram in rows
        ],
    )


def _stored_timings(connection: Connection, tournament: int, groups: Iterable[tuple[int, int, int]]) -> Iterable[Any]:
    names = ("repetition", "match", "seat", "moves", "total", "fastest", "slowest", "faults", "histogram")
    rows = ",".join([f"({repetition},{match})" for repetition, match, seat in groups if seat == WHOLE_EPISODE])
    return connection.exec_driver_sql(
        f"SELECT {', '.join(f't.{name}' for name in names)} FROM (VALUES {rows}) v JOIN timings t"
        f" ON t.tournament = {tournament} AND t.repetition = v.column1 AND t.match = v.column2"
    )


def _packed(codes: Ints, amounts: Ints, groups: int) -> list[bytes]:
    """The packed histogram of each group, from entries that are group · BUCKETS + bucket."""
    distinct, place = np.unique(codes, return_inverse=True)
    sums = np.zeros(len(distinct), np.int64)
    np.add.at(sums, place, amounts)
    entries = np.empty(len(distinct), ENTRY)
    entries["bucket"], entries["count"] = distinct % BUCKETS, sums
    bounds = np.searchsorted(distinct, np.arange(groups + 1) * BUCKETS)
    return [entries[a:b].tobytes() for a, b in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)]
