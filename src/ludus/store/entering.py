"""Entering tournaments: a new row, or that of the stored tournament which a given one continues."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, Row, select

from ludus.core.errors import InvalidError
from ludus.core.text import refuse_foul
from ludus.episode.codec import now
from ludus.store import schema
from ludus.store.differences import changed_versions
from ludus.store.entries import Entry
from ludus.store.origin import content_of
from ludus.store.resuming import Resuming, imported
from ludus.tournaments.tournament import Tournament


def enter(connection: Connection, given: Tournament, versions: Mapping[str, str], rule: Resuming) -> Entry:
    """Enter a tournament, or find the one that it continues, as it will be when it has grown."""
    t = schema.tournaments
    row = _found(connection, given, rule)
    if row is not None:
        grown = rule(row.id, content_of(row.content), given)
        known = _versions(row, grown, versions)
        return Entry(row.id, grown, changed_versions(known, versions), new=False)
    check_name(given.name)
    made = _apart(connection, replace(given, drawn=False), None)
    key = connection.execute(
        t.insert().values(
            identity=made.identity,
            name=made.name,
            content=made.to_json(),
            versions=msgspec.json.encode(versions).decode(),
            created=now(),
        )
    ).inserted_primary_key
    return Entry(key[0], made, [], new=True)  # type: ignore[index]


def grow(
    connection: Connection, row: Row[Any], given: Tournament, versions: Mapping[str, str], rule: Resuming
) -> Tournament:
    """Let a stored tournament grow to what is given; then it is no longer finished."""
    t = schema.tournaments
    stored = content_of(row.content)
    grown = rule(row.id, stored, given)
    if grown == stored:
        return stored
    grown = _apart(connection, grown, row.id)
    known = msgspec.json.encode(_versions(row, grown, versions)).decode()
    values: dict[str, Any] = {"identity": grown.identity, "content": grown.to_json(), "versions": known}
    if grown.identity != stored.identity:
        values["finished"] = None
    connection.execute(t.update().where(t.c.id == row.id).values(values))
    return grown


def check_name(name: str) -> None:
    """Refuse a name by which nobody could ask for the tournament, or that would break a table."""
    if not name.strip():
        raise InvalidError("A tournament needs a name that is not empty.")
    refuse_foul(name)
    if name.isdecimal():
        raise InvalidError(
            f"A tournament cannot be called '{name}', because a number would be ambiguous: choose another name."
        )


def _found(connection: Connection, given: Tournament, rule: Resuming) -> Row[Any] | None:
    """The row of the tournament that the given one may continue.

    That is the one of its name. A tournament that nobody gave a name, and an imported one, may have another name here.
    """
    t = schema.tournaments
    by_name, by_identity = t.c.name == given.name, t.c.identity == given.identity
    conditions = [by_name]
    if rule is imported:
        conditions = [by_name & by_identity, by_identity, by_name]
    elif given.has_default_name:
        old = given.with_first_seed
        conditions.append((t.c.name == old.name) & (t.c.identity == old.identity) if given.drawn else by_identity)
    for condition in conditions:
        if (row := connection.execute(select(t).where(condition)).one_or_none()) is not None:
            return row
    return None


def _versions(row: Row[Any], grown: Tournament, versions: Mapping[str, str]) -> dict[str, str]:
    """The versions with which a tournament began, and those of the files of agents that join now."""
    known: dict[str, str] = msgspec.json.decode(row.versions)
    joins = len(grown.agents) > len(content_of(row.content).agents)
    return {**versions, **known} if joins else known


def _apart(connection: Connection, made: Tournament, id: int | None) -> Tournament:
    """The tournament, told apart by its name if another one has the same content."""
    t = schema.tournaments
    taken = connection.scalar(select(t.c.id).where(t.c.identity == made.identity))
    return made if taken in (None, id) else replace(made, apart=made.name)
