"""Tables of the store as Polars frames."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from sqlalchemy import Connection, Select, and_, or_, select, tuple_

from ludus.episode.record import Key
from ludus.store import schema
from ludus.store.timing import WHOLE_EPISODE
from ludus.store.write import Ints

_AT_ONCE = 500  # rows; with more, Python's garbage collection would take as long as the reading

_Types = dict[str, Any]
_MATCH = ("repetition", "match")
_MATCH_TYPES: _Types = dict.fromkeys(_MATCH, pl.Int64)


def tallies(
    connection: Connection, tournament: int, repetition: int | None, first: int, last: int | None
) -> pl.DataFrame:
    """Number of episodes by result: a row for each match and result."""
    t = schema.tallies
    query = select(t.c.repetition, t.c.match, t.c.result, t.c.episodes, t.c.fresh.label("different"))
    query = query.where(t.c.tournament == tournament, t.c.match >= first)
    if repetition is not None:
        query = query.where(t.c.repetition == repetition)
    if last is not None:
        query = query.where(t.c.match < last)
    frame = _frame(connection, query, dict.fromkeys((*_MATCH, "result", "episodes", "different"), pl.Int64))
    frame = frame.join(matches(connection, tournament), on=_MATCH).join(_results(connection, tournament), on="result")
    names = (*_MATCH, "round", "seats", "scores", "ending", "by", "episodes", "different")
    # Not by the numbers of the results, which depend on the order of arrival.
    return frame.select(names).sort(*_MATCH, "scores", "ending", "by")


def timings(connection: Connection, tournament: int) -> pl.DataFrame:
    """Times of moves: a row for each seat of a match, and one for its whole episodes."""
    t = schema.timings
    names = (*_MATCH, "seat", "moves", "total", "fastest", "slowest", "faults", "histogram")
    query = select(*(t.c[name] for name in names)).where(t.c.tournament == tournament)
    frame = _frame(connection, query, dict.fromkeys(names, pl.Int64) | {"histogram": pl.Binary})
    frame = frame.join(matches(connection, tournament), on=_MATCH)
    # Index 0 if there is none, because both sides are computed for all rows.
    seated = pl.col("seats").list.get(pl.col("seat").clip(0))
    agent = pl.when(pl.col("seat") == WHOLE_EPISODE).then(WHOLE_EPISODE).otherwise(seated)
    return frame.with_columns(agent=agent).select(*names[:3], "agent", *names[3:]).sort(*_MATCH, "seat")


EPISODE = (*_MATCH, "number", "played", "wall", "plies", "scores", "ending", "by", "course")
"""The columns of a frame of episodes."""

_PACKED: tuple[str, ...] = schema.OUTCOME.names or ()
_NEEDED = dict.fromkeys(("scores", "ending", "by"), ("result",))


def episodes(connection: Connection, tournament: int, columns: Sequence[str] = EPISODE) -> pl.DataFrame:
    """A row for each episode, in the order of keys; much faster if all columns are among the packed ones."""
    e = schema.episodes
    names = tuple(dict.fromkeys(needed for name in columns for needed in _NEEDED.get(name, (name,))))
    if {*_MATCH, *_PACKED}.issuperset(names):
        frame = _outcomes(connection, tournament)
    else:
        query = select(*(e.c[name] for name in names)).where(e.c.tournament == tournament)
        query = query.order_by(e.c.repetition, e.c.match, e.c.number)
        frame = _frame(connection, query, dict.fromkeys(names, pl.Int64))
    if "result" in names:
        frame = frame.join(_results(connection, tournament), on="result", how="left", maintain_order="left")
    if "played" in names:
        frame = frame.with_columns(pl.col("played").cast(pl.Datetime("us", "UTC")))
    return frame.select(columns)


def _outcomes(connection: Connection, tournament: int) -> pl.DataFrame:
    """Packed facts of each episode, in the order of keys: repetition, match, number, result, course."""
    o = schema.outcomes
    query = select(o.c.repetition, o.c.match, o.c.packed).where(o.c.tournament == tournament)
    parts = _frame(connection, query, _MATCH_TYPES | {"packed": pl.Binary})
    sizes = parts["packed"].bin.size().to_numpy() // schema.OUTCOME.itemsize
    packed = np.frombuffer(b"".join(parts["packed"]), schema.OUTCOME)
    columns = {name: np.repeat(parts[name].to_numpy(), sizes) for name in _MATCH}
    columns |= {name: packed[name].astype(np.int64) for name in _PACKED}
    return pl.DataFrame(columns).sort(*_MATCH, "number")


NEWEST = ("repetition", "match", "number", "played", "wall", "plies", "scores", "ending", "by")
"""The columns of a frame of the newest episodes."""


def newest(
    connection: Connection, tournament: int, below: Key | None, matches: Sequence[tuple[int, int]] | None, most: int
) -> pl.DataFrame:
    """At most that many episodes with keys below one, of some matches or all, the highest key first."""
    e = schema.episodes
    names = [name for name in NEWEST if name not in _NEEDED]
    query = select(*(e.c[name] for name in names), e.c.result).where(e.c.tournament == tournament)
    if below is not None:
        repetition, match, number = below
        # Not as one comparison of rows, for which PostgreSQL would read all episodes.
        query = query.where(e.c.repetition <= repetition).where(
            or_(
                e.c.repetition < repetition,
                e.c.match < match,
                and_(e.c.match == match, e.c.number < number),
            )
        )
    if matches is not None:
        query = query.where(tuple_(e.c.repetition, e.c.match).in_(matches))
    query = query.order_by(e.c.repetition.desc(), e.c.match.desc(), e.c.number.desc()).limit(most)
    frame = _frame(connection, query, dict.fromkeys((*names, "result"), pl.Int64))
    frame = frame.join(_results(connection, tournament), on="result", how="left", maintain_order="left")
    return frame.with_columns(pl.col("played").cast(pl.Datetime("us", "UTC"))).select(NEWEST)


def numbers(
    connection: Connection, tournament: int, repetition: int, matches: range, numbers: range
) -> dict[int, Ints]:
    """The stored ones among these episodes of these matches."""
    e = schema.episodes
    query = select(e.c.match, e.c.number).where(e.c.tournament == tournament, e.c.repetition == repetition)
    query = query.where(e.c.match >= matches.start, e.c.match < matches.stop)
    query = query.where(e.c.number >= numbers.start, e.c.number < numbers.stop).order_by(e.c.match, e.c.number)
    frame = _frame(connection, query, {"match": pl.Int64, "number": pl.Int64})
    found, starts = np.unique(frame["match"].to_numpy(), return_index=True)
    return dict(zip(found.tolist(), np.split(frame["number"].to_numpy(), starts[1:]), strict=False))


def matches(connection: Connection, tournament: int, most: int | None = None) -> pl.DataFrame:
    """A row for each match, or for the first ones."""
    m = schema.matches
    types = dict.fromkeys((*_MATCH, "round"), pl.Int64) | {"seats": pl.String}
    query = select(*(m.c[name] for name in types)).where(m.c.tournament == tournament)
    query = query.order_by(m.c.repetition, m.c.match).limit(most)
    return _frame(connection, query, types).with_columns(_listed("seats", pl.Int64))


def _results(connection: Connection, tournament: int) -> pl.DataFrame:
    r = schema.results
    types = {"result": pl.Int64, "scores": pl.String, "ending": pl.String, "by": pl.String}
    query = select(*(r.c[name] for name in types)).where(r.c.tournament == tournament)
    return _frame(connection, query, types).with_columns(_listed("scores", pl.Float64), _listed("by", pl.Int64))


def _frame(connection: Connection, query: Select[Any], types: _Types) -> pl.DataFrame:
    """The rows of a query, bypassing SQLAlchemy, whose rows would take three times as long."""
    sql = str(query.compile(connection.engine, compile_kwargs={"literal_binds": True}))
    raw = connection.connection
    cursor = raw.cursor() if connection.dialect.name == "sqlite" else raw.cursor(name="rows")  # a cursor on the server
    pieces = [pl.DataFrame(schema=types)]
    cursor.execute(sql)
    while rows := cursor.fetchmany(_AT_ONCE):
        columns = zip(types.items(), zip(*rows, strict=True), strict=True)
        pieces.append(pl.DataFrame([pl.Series(name, column, kind) for (name, kind), column in columns]))
    cursor.close()
    return pl.concat(pieces)


def _listed(name: str, kind: Any) -> pl.Expr:
    """A column of texts such as `1 -1` as lists of numbers."""
    parts = pl.col(name).str.split(" ").list.filter(pl.element() != "")
    return parts.cast(pl.List(kind)).alias(name)
