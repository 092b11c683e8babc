"""A tournament as a folder that any store can import: everything, as JSON.

`tournament.json` has its content and the times of playing, `matches.jsonl` a line for each match, `records.jsonl` one
for each episode. Numbers count from 0, as in the records. JSON has no NaN and no infinity: in metrics they are the
texts "NaN", "Infinity" and "-Infinity", which the import turns back into numbers.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import astuple

from ludus.core.errors import InvalidError, LudusError
from ludus.core.paths import file_errors, refuse_endless
from ludus.core.text import refuse_foul
from ludus.core.user_file import names_files, trust_files
from ludus.episode.finished import Episode, episode
from ludus.episode.record import FORMAT as RECORD_FORMAT
from ludus.episode.record import Key, Move, Preparation, Record
from ludus.kernel.numbers import CHANCE
from ludus.store.differences import differing_versions
from ludus.store.entries import Entry, Sitting
from ludus.store.origin import hold_back_files
from ludus.store.resuming import imported
from ludus.store.server_games import is_loose
from ludus.store.store import Store
from ludus.tournaments.formats import Match
from ludus.tournaments.tournament import Tournament

FORMAT = 1
"""Version of the form, raised when old folders cannot be read without conversion."""

_AT_ONCE = 500
_NUMBERS = range(2**31)
"""Values of the store's number columns."""
_SIZES = range(2**63)
"""Values of times, sizes and courses."""
_SEEDS = range(-(2**63), 2**63)
_NO_JSON = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}

Matches = dict[int, list[Match]]
"""The matches of each repetition, in order."""

Watcher = Callable[[int], None]
"""A function called with the progress of the work."""


class Head(msgspec.Struct, kw_only=True):
    """The content of `tournament.json`."""

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
    """An imported tournament: numbers of its episodes and of those stored before, and files with another version."""

    id: int
    tournament: Tournament
    episodes: int
    before: int
    differing: Sequence[str] = ()


def export_folder(store: Store, id: int, folder: Path, watch: Watcher) -> None:
    """Write everything about a tournament; `watch` is called with the number of episodes."""
    summary = store.summary(id)
    (folder / "tournament.json").unlink(missing_ok=True)  # written last, to mark the end
    with (folder / "records.jsonl").open("wb") as file:
        for done, whole in enumerate(store.wholes(id), 1):
            head_of_line = msgspec.json.encode({"key": whole.key, "wall": whole.wall, "course": whole.course})
            for move in _moves(whole.record):
                move.metrics = spelled(move.metrics)
            # Record knows how to write metrics of any type.
            file.write(head_of_line[:-1] + b',"record":' + whole.record.to_json().encode() + b"}\n")
            if done % _AT_ONCE == 0:
                watch(done)
    # After the records, because matches may have been added meanwhile.
    with (folder / "matches.jsonl").open("wb") as file:
        for row in store.matches(id).iter_rows():
            file.write(msgspec.json.encode(SeatedMatch(*row)) + b"\n")
    head = Head(
        format=FORMAT,
        tournament=store.tournament(id),
        versions=store.versions(id),
        created=summary.created,
        finished=summary.finished,
        sittings=store.sittings(id),
    )
    (folder / "tournament.json").write_bytes(msgspec.json.format(msgspec.json.encode(head)) + b"\n")


def import_folder(store: Store, folder: Path, name: str | None, watch: Watcher, *, trust: bool = False) -> Imported:
    """Import a tournament, under another name if one is given; if it is stored, import only missing episodes.

    Without `trust`, Python files that it names are not loaded, now or later.

    After an interruption, everything imported so far is stored, as an unfinished tournament. `watch` is called with the
    number of bytes of `records.jsonl`.
    """
    head = _head(folder / "tournament.json")
    matches = _matches(folder / "matches.jsonl", head.tournament)
    specs = [head.tournament.game, *(entrant.spec for entrant in head.tournament.agents)]
    renamed = head.tournament.name if name is None else name
    given = msgspec.structs.replace(head.tournament, name=renamed, foreign=not trust and names_files(specs))
    if trust:
        trust_files(specs)
    else:
        hold_back_files(given)
    if is_loose(given):
        return _keep_all(store, given, head, matches, folder / "records.jsonl", watch)
    with store.entered(given, head.versions, imported) as entry:
        return _take_in(store, entry, given, head, matches, folder / "records.jsonl", watch)


def _take_in(
    store: Store, entry: Entry, given: Tournament, head: Head, matches: Matches, records: Path, watch: Watcher
) -> Imported:
    with store.lock(entry.id):
        _check_seats(store, entry, matches)
        stored = store.grow(entry.id, given, head.versions, imported)
        before = _stored(store, entry.id)
        store.adopt(entry.id, head.created, head.sittings)
        for repetition, found in matches.items():
            store.add_matches(entry.id, repetition, 0, found)
        added = 0
        episodes = _episodes(records, stored, matches, watch)
        while batch := list(islice(episodes, _AT_ONCE)):
            added += store.add(entry.id, batch)
        if head.finished is not None and _size(given) == _size(stored):
            store.finish(entry.id, head.finished)
    differing = differing_versions(store.versions(entry.id), head.versions) if before else ()
    return Imported(entry.id, stored, added, before, differing)


def _keep_all(store: Store, given: Tournament, head: Head, matches: Matches, records: Path, watch: Watcher) -> Imported:
    """Import a tournament that grows: its stored part may have grown differently."""
    kind = msgspec.structs.replace(given, agents=(), foreign=False)
    added, found = 0, 0
    for read in _episodes(records, given, matches, watch):
        seats = matches[read.key.repetition][read.key.match].seats
        kept = store.keep(kind, [given.agents[agent] for agent in seats], read)
        added, found = added + kept.new, found + 1
    if not found:
        raise InvalidError(f"{records} has no episodes.")
    store.adopt(kept.id, head.created, head.sittings)
    return Imported(kept.id, store.tournament(kept.id), added, _stored(store, kept.id) - added)


def _size(tournament: Tournament) -> tuple[int, int, int]:
    return len(tournament.agents), tournament.episodes, tournament.repetitions


def _stored(store: Store, id: int) -> int:
    """Number of stored episodes of a tournament."""
    return store.summary(id).episodes


def _check_seats(store: Store, entry: Entry, matches: Matches) -> None:
    """Refuse different matches: if rounds depend on results, and results on times, equal tournaments can diverge."""
    for repetition, number, round, seats in store.matches(entry.id).iter_rows():
        found = matches.get(repetition, [])
        if number < len(found) and found[number] != (round, tuple(seats)):
            raise InvalidError(
                f"The tournament '{entry.tournament.name}' is stored as {entry.id}, but with other agents in match "
                f"{number + 1}: import it into another store, or delete that one with 'ludus store delete {entry.id}'."
            )


def _head(file: Path) -> Head:
    refuse_endless(file)
    try:
        with file_errors(file, "read", "; give a folder written by 'ludus store export --json'"):
            data = file.read_bytes()
        version = msgspec.json.decode(data)["format"]
        if version > FORMAT:
            raise InvalidError(f"{file} was written by a newer Ludus: update Ludus.")
        head = msgspec.json.decode(data, type=Head)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, KeyError, TypeError) as error:
        raise InvalidError(f"{file} is not the head of an exported tournament: {error}.") from None
    if wrong := _wrong_in_head(head):
        raise InvalidError(f"{file} is not the head of an exported tournament: {wrong}.")
    return head


def _wrong_in_head(head: Head) -> str | None:
    tournament, sittings = head.tournament, head.sittings
    moments = [head.created, head.finished, *(moment for sitting in sittings for moment in sitting[:2])]
    if any(moment is not None and moment.tzinfo is None for moment in moments):
        return "a date has no zone"
    if not all(
        number - 1 in _NUMBERS for number in (tournament.episodes, tournament.repetitions, len(tournament.agents))
    ):
        return "the number of its episodes, repetitions or agents is 0 or too large"
    if not all(sitting.workers in _NUMBERS and sitting.cores in _NUMBERS for sitting in sittings):
        return "workers or cores are out of range"
    try:
        for text in itertools.chain((tournament.name, tournament.game), *map(astuple, tournament.agents)):
            refuse_foul(text)
    except LudusError as error:
        return str(error).rstrip(".")
    return None


def _matches(file: Path, tournament: Tournament) -> Matches:
    matches: Matches = {}
    seats = 0
    for place, line in _lines(file, SeatedMatch):
        found = matches.setdefault(line.repetition, [])
        seats = seats or len(line.seats)
        if not (
            line.repetition in range(tournament.repetitions)
            and line.match == len(found)
            and line.round in _NUMBERS
            and len(line.seats) == seats > 0
            and all(agent in range(len(tournament.agents)) for agent in line.seats)
        ):
            raise InvalidError(f"{place} is not the next match of this tournament.")
        found.append(Match(line.round, line.seats))
    return matches


def _episodes(file: Path, tournament: Tournament, matches: Matches, watch: Watcher) -> Iterator[Episode]:
    for place, line in _lines(file, Line, watch):
        if wrong := _wrong(line, tournament, matches):
            raise InvalidError(f"{place} is not an episode of this tournament: {wrong}.")
        for move in _moves(line.record):
            move.metrics = _unspelled(move.metrics)
        yield episode(line.record, line.key, line.wall, line.course)


def _wrong(line: Line, tournament: Tournament, matches: Matches) -> str | None:
    """The contradiction between the record and the tournament, or the reason why it cannot be stored."""
    record, (repetition, match, number) = line.record, line.key
    found = matches.get(repetition, [])
    if record.format > RECORD_FORMAT:
        return "it was written by a newer Ludus"
    if match not in range(len(found)) or number not in range(tournament.episodes):
        return "it has no such match or episode"
    entrants = [tournament.agents[agent] for agent in found[match].seats]
    if [(seat.name, seat.agent) for seat in record.seats] != [(entrant.name, entrant.spec) for entrant in entrants]:
        return "its agents differ from the match"
    if (record.game, record.limits) != (tournament.game, tournament.limits):
        return "its game or its limits differ from the tournament"
    if len(record.scores) != len(entrants) or not all(map(math.isfinite, record.scores)):
        return "its scores are not a number for each seat"
    if record.played.tzinfo is None:
        return "its date has no zone"
    if not all(record.steps):
        return "a step is empty"
    seats, moves = range(len(entrants)), _moves(record)
    named = [*record.by, *(out.seat for out in record.out), *(move.seat for move in moves if move.seat != CHANCE)]
    if not all(seat in seats for seat in named):
        return "it names a seat that the game does not have"
    if not all(-1 <= out.step < len(record.steps) for out in record.out):
        return "a player is disqualified at a step that does not exist"
    measured = [*moves, *(seat.preparation for seat in record.seats if seat.preparation)]
    if line.wall not in _SIZES or not all(
        getattr(one, name) in _SIZES for one in measured for name in _sizes(type(one))
    ):
        return "a time or a size is out of range"
    if line.course not in _SIZES or record.seed not in _SEEDS or record.opening.seed not in _SEEDS:
        return "its course or a seed is out of range"
    return None


@cache
def _sizes(kind: type[Move | Preparation]) -> list[str]:
    """Names of the fields with times and sizes."""
    return [field.name for field in msgspec.structs.fields(kind) if field.type is int and field.name != "seat"]


def _moves(record: Record) -> list[Move]:
    return [move for step in record.steps for move in step]


def spelled(value: Any) -> Any:
    """Metrics of a move, with texts for the numbers that JSON lacks."""
    if isinstance(value, dict):
        return {key: spelled(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [spelled(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _unspelled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _unspelled(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_unspelled(entry) for entry in value]
    return _NO_JSON.get(value, value) if isinstance(value, str) else value


def _lines(file: Path, kind: Any, watch: Watcher | None = None) -> Iterator[tuple[str, Any]]:
    """Each line, with its place for messages."""
    decoder = msgspec.json.Decoder(kind)
    refuse_endless(file)
    with file_errors(file, "read"), file.open("rb") as opened:
        for number, text in enumerate(opened, 1):
            place = f"Line {number} of {file}"
            try:
                yield place, decoder.decode(text)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, LudusError) as error:
                raise InvalidError(f"{place} cannot be read: {error}.") from None
            if watch is not None and number % _AT_ONCE == 0:
                watch(opened.tell())
