"""A tournament as a folder that any store can take in: everything, as JSON.

`tournament.json` has its content and when it was played, `matches.jsonl` a line for each match, `records.jsonl` one for
each episode. Numbers count from 0, as in the records.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ludus.errors import LudusError
from ludus.formats.base import Match
from ludus.record import Record
from ludus.rules import CHANCE
from ludus.store.base import Episode
from ludus.store.entries import Entry, Sitting
from ludus.store.packing import episode
from ludus.store.store import Store
from ludus.tournaments.base import Key, Tournament

FORMAT = 1
"""Raised when old folders could not be read as they are."""

_AT_ONCE = 500

Matches = dict[int, list[Match]]
"""The matches of each repetition, in order."""

Watcher = Callable[[int], None]
"""Is told how far the work is."""


class Head(msgspec.Struct, kw_only=True):
    """What `tournament.json` holds."""

    format: int
    tournament: Tournament
    versions: dict[str, str]
    created: datetime
    finished: datetime | None
    sittings: list[Sitting]


class SeatedMatch(msgspec.Struct):
    """A line of `matches.jsonl`."""

    repetition: int
    match: int
    round: int
    seats: tuple[int, ...]


class Line(msgspec.Struct):
    """A line of `records.jsonl`."""

    key: Key
    wall: int
    course: int
    record: Record


class Imported(NamedTuple):
    """A tournament that was taken in: how many of its episodes, and how many were there before."""

    id: int
    tournament: Tournament
    episodes: int
    before: int


def export_folder(store: Store, id: int, folder: Path, watch: Watcher) -> None:
    """Write everything about a tournament; `watch` is told the number of episodes."""
    summary = next(summary for summary in store.tournaments() if summary.id == id)
    head = Head(
        format=FORMAT,
        tournament=store.tournament(id),
        versions=store.versions(id),
        created=summary.created,
        finished=summary.finished,
        sittings=store.sittings(id),
    )
    (folder / "tournament.json").write_bytes(msgspec.json.format(msgspec.json.encode(head)) + b"\n")
    with (folder / "matches.jsonl").open("wb") as file:
        for row in store.matches(id).iter_rows():
            file.write(msgspec.json.encode(SeatedMatch(*row)) + b"\n")
    with (folder / "records.jsonl").open("wb") as file:
        for done, whole in enumerate(store.wholes(id), 1):
            head_of_line = msgspec.json.encode({"key": whole.key, "wall": whole.wall, "course": whole.course})
            # As Record writes itself, which knows what metrics may hold.
            file.write(head_of_line[:-1] + b',"record":' + whole.record.to_json().encode() + b"}\n")
            if done % _AT_ONCE == 0:
                watch(done)


def import_folder(store: Store, folder: Path, name: str | None, watch: Watcher) -> Imported:
    """Take in a tournament, under another name if one is given; of one that is stored, only what is missing.

    `watch` is told the number of bytes of `records.jsonl`.
    """
    head = _head(folder / "tournament.json")
    matches = _matches(folder / "matches.jsonl", len(head.tournament.agents))
    given = msgspec.structs.replace(head.tournament, name=name or head.tournament.name)
    entry = store.enter(given, head.versions)
    with store.lock(entry.id):
        _check_seats(store, entry, matches)
        before = sum(summary.episodes for summary in store.tournaments() if summary.id == entry.id)
        store.adopt(entry.id, head.created, head.finished, head.sittings)
        for repetition, found in matches.items():
            store.add_matches(entry.id, repetition, 0, found)
        added = 0
        episodes = _episodes(folder / "records.jsonl", entry.tournament, matches, watch)
        while batch := list(islice(episodes, _AT_ONCE)):
            added += store.add(entry.id, batch)
    return Imported(entry.id, entry.tournament, added, before)


def _check_seats(store: Store, entry: Entry, matches: Matches) -> None:
    """Where rounds follow from results and results from times, the same tournament can take another course."""
    for repetition, number, round, seats in store.matches(entry.id).iter_rows():
        found = matches.get(repetition, [])
        if number < len(found) and found[number] != (round, tuple(seats)):
            raise LudusError(
                f"The tournament '{entry.tournament.name}' is stored as {entry.id}, but other agents met in its match "
                f"{number + 1}: import it into another store, or remove that one with 'ludus delete {entry.id}'."
            )


def _head(file: Path) -> Head:
    try:
        data = file.read_bytes()
        version = msgspec.json.decode(data)["format"]
        if version > FORMAT:
            raise LudusError(f"{file} was written by a newer Ludus: update Ludus.")
        return msgspec.json.decode(data, type=Head)
    except OSError as error:
        raise LudusError(
            f"{file} cannot be read: {error.strerror}; give a folder that 'ludus export --json' wrote."
        ) from None
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise LudusError(f"{file} is not the head of an exported tournament: {error}.") from None


def _matches(file: Path, agents: int) -> Matches:
    matches: Matches = {}
    for place, line in _lines(file, SeatedMatch):
        found = matches.setdefault(line.repetition, [])
        if line.match != len(found) or not set(line.seats) <= set(range(agents)):
            raise LudusError(f"{place} is not the next match of this tournament.")
        found.append(Match(line.round, line.seats))
    return matches


def _episodes(file: Path, tournament: Tournament, matches: Matches, watch: Watcher) -> Iterator[Episode]:
    for place, line in _lines(file, Line, watch):
        if not _belongs(line, tournament, matches):
            raise LudusError(f"{place} is not an episode of this tournament.")
        yield episode(line.record, line.key, line.wall, line.course)


def _belongs(line: Line, tournament: Tournament, matches: Matches) -> bool:
    """Whether the record agrees with what the tournament knows of it, and its numbers can be stored."""
    record, (repetition, match, number) = line.record, line.key
    found = matches.get(repetition, [])
    if not (0 <= match < len(found) and 0 <= number < 2**31 and 0 <= line.wall < 2**63 and 0 <= line.course < 2**63):
        return False
    entrants = [tournament.agents[agent] for agent in found[match].seats]
    return (
        record.game == tournament.game
        and record.limits == tournament.limits
        and [(seat.name, seat.agent) for seat in record.seats] == [(entrant.name, entrant.spec) for entrant in entrants]
        and len(record.scores) == len(entrants)
        and all(CHANCE <= move.seat < len(entrants) for step in record.steps for move in step)
    )


def _lines(file: Path, kind: Any, watch: Watcher | None = None) -> Iterator[tuple[str, Any]]:
    """Each line, with what it is called in a sentence."""
    decoder = msgspec.json.Decoder(kind)
    try:
        with file.open("rb") as opened:
            for number, text in enumerate(opened, 1):
                place = f"Line {number} of {file}"
                try:
                    yield place, decoder.decode(text)
                except (msgspec.MsgspecError, UnicodeDecodeError, LudusError) as error:
                    raise LudusError(f"{place} cannot be read: {error}.") from None
                if watch is not None and number % _AT_ONCE == 0:
                    watch(opened.tell())
    except OSError as error:
        raise LudusError(f"{file} cannot be read: {error.strerror}.") from None
