"""Progress of stored tournaments, as queries."""

from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, select

from ludus.store import schema
from ludus.store.entries import Stamp, Summary

if TYPE_CHECKING:
    from sqlalchemy import Label


def tournaments(connection: Connection) -> list[Summary]:
    """All tournaments, in the order of their creation."""
    t = schema.tournaments
    summed = select(schema.tallies.c.tournament, func.sum(schema.tallies.c.episodes).label("episodes"))
    sums = summed.group_by(schema.tallies.c.tournament).subquery()
    rows = connection.execute(
        select(t, func.coalesce(sums.c.episodes, 0).label("episodes"))
        .outerjoin(sums, sums.c.tournament == t.c.id)
        .order_by(t.c.id)
    ).all()
    return [Summary.from_row(row) for row in rows]


def summary(connection: Connection, id: int) -> Summary | None:
    """One of them, if it exists."""
    t = schema.tournaments
    row = connection.execute(select(t, counted(id)).where(t.c.id == id)).one_or_none()
    return None if row is None else Summary.from_row(row)


def stamp(connection: Connection, id: int) -> Stamp | None:
    """The state of a tournament, if it exists."""
    t, s = schema.tournaments, schema.sittings
    sittings = select(func.count()).where(s.c.tournament == id)
    query = select(
        t.c.name,
        func.length(t.c.content),
        t.c.finished,
        sittings.scalar_subquery(),
        sittings.where(s.c.ended.is_not(None)).scalar_subquery(),
        counted(id),
    )
    row = connection.execute(query.where(t.c.id == id)).one_or_none()
    return None if row is None else Stamp(*row)


def counted(id: int) -> "Label[int]":
    """The number of episodes of a tournament, as a part of a query."""
    t = schema.tallies
    total = select(func.sum(t.c.episodes)).where(t.c.tournament == id).scalar_subquery()
    return func.coalesce(total, 0).label("episodes")
