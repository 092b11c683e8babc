"""The tables. Moments are microseconds since 1970 in UTC, durations nanoseconds, lists of numbers texts: `1 -1`.

Episodes are identified by their key. Their records have a table of their own, and the few different results of a
tournament another one, so that reading all episodes stays fast. Outcomes, tallies and timings are updated with every
added episode, in the same transaction. Outcomes repeat the facts of each episode that results need, since a row for
each episode is slow to read: episodes of a match that were added together are one array, and in the end all episodes of
a match are.
"""

import numpy as np
from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, MetaData, Table, Text, UniqueConstraint

VERSION = 2
"""Version of the tables: the number of the last migration."""

metadata = MetaData()


def _key(name: str) -> "Column[int]":
    return Column(name, Integer, primary_key=True, autoincrement=False)


tournaments = Table(
    "tournaments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("identity", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False, unique=True),
    Column("content", Text, nullable=False),  # JSON, as the versions
    Column("versions", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("finished", BigInteger),
    sqlite_autoincrement=True,  # numbers of deleted tournaments are not reused
)

sittings = Table(
    "sittings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("tournament", Integer, nullable=False, index=True),
    Column("started", BigInteger, nullable=False),
    Column("ended", BigInteger),
    Column("workers", Integer, nullable=False),
    Column("cores", Integer, nullable=False),
    Column("timed", Boolean, nullable=False),
    Column("ludus", Text, nullable=False),
)

matches = Table(
    "matches",
    metadata,
    *map(_key, ("tournament", "repetition", "match")),
    Column("round", Integer, nullable=False),
    Column("seats", Text, nullable=False),
    sqlite_with_rowid=False,
)

results = Table(
    "results",
    metadata,
    *map(_key, ("tournament", "result")),
    Column("scores", Text, nullable=False),
    Column("ending", Text, nullable=False),
    Column("by", Text, nullable=False),
    UniqueConstraint("tournament", "scores", "ending", "by", name="different_results"),
    sqlite_with_rowid=False,
)

episodes = Table(
    "episodes",
    metadata,
    *map(_key, ("tournament", "repetition", "match", "number")),
    Column("played", BigInteger, nullable=False),
    Column("wall", BigInteger, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("result", Integer, nullable=False),
    Column("course", BigInteger, nullable=False),
    Index("courses", "tournament", "repetition", "match", "course"),
    sqlite_with_rowid=False,
)

OUTCOME = np.dtype([("number", "<u4"), ("result", "<u4"), ("course", "<i8")])
"""An episode in the array of outcomes."""

outcomes = Table(
    "outcomes",
    metadata,
    *map(_key, ("tournament", "repetition", "match", "part")),  # a part is identified by its lowest number
    Column("packed", LargeBinary, nullable=False),
    # With row numbers, like the records.
)

records = Table(
    "records",
    metadata,
    *map(_key, ("tournament", "repetition", "match", "number")),
    Column("packed", LargeBinary, nullable=False),
    # With row numbers: without them, SQLite would move records of over a quarter of a page to separate pages.
)

tallies = Table(
    "tallies",
    metadata,
    *map(_key, ("tournament", "repetition", "match", "result")),
    Column("episodes", Integer, nullable=False),
    Column("fresh", Integer, nullable=False),  # the first with their course in the match
    sqlite_with_rowid=False,
)

timings = Table(
    "timings",
    metadata,
    *map(_key, ("tournament", "repetition", "match", "seat")),  # seat −1 is the whole episode
    Column("moves", BigInteger, nullable=False),
    Column("total", BigInteger, nullable=False),
    Column("fastest", BigInteger, nullable=False),
    Column("slowest", BigInteger, nullable=False),
    Column("faults", BigInteger, nullable=False),
    Column("histogram", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
