"""The packed form of a record: small, and without facts that its tournament knows.

A byte for the version and the compression of the rest, then a MessagePack array. Numbers of one kind stand together,
moves are one text, and rare content (faults, metrics, simultaneous moves, output of bots, waiting, memory) takes no
space unless present. Fields without a place in this array follow by name, so a new field needs no change here.
"""

import zlib
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from ludus.core.errors import InvalidError
from ludus.episode.limits import Limits
from ludus.episode.record import (
    FORMAT,
    FROM_THE_START,
    Ending,
    Fault,
    Move,
    Opening,
    Out,
    Preparation,
    Record,
    Seat,
    plain_value,
)

VERSION = 1
_WITH_MORE = 2  # the version in which fields follow by name; Ludus 0.1.0 would lose them
_NEWER = "This episode was stored by a newer Ludus: update Ludus."
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_COMPRESSED = 0x80  # added to the version
_WORTH_COMPRESSING = 400  # bytes; below, compression gains little and takes longer than everything else
_ALL_WHOLE = 2**53  # all floats from here on are whole, and soon too large for integers
_LONGEST_TEXT = 200  # of a metric that can only be stored as text
_ENDINGS, _FAULTS = list(Ending), list(Fault)  # packed as their indices
_ENDING_NUMBERS = {ending: number for number, ending in enumerate(_ENDINGS)}
_FAULT_NUMBERS = {fault: number for number, fault in enumerate(_FAULTS)}


class _Packed(msgspec.Struct, array_like=True):
    """The content of a record by kind; all moves are in one row, regardless of their steps."""

    ludus: str
    played: int
    seed: int
    opening: tuple[str | None, int, list[list[str]]] | None
    scores: list[float]  # whole numbers as integers, which are shorter
    ending: int
    by: list[int]
    out: list[tuple[int, int, int]]
    preparations: list[tuple[Any, ...] | None]  # wall, cpu minus wall, and fault and evidence if any
    movers: int | bytes  # the first if they take turns; otherwise each, plus 1
    sizes: list[int] | None  # number of moves of each step, unless all have one
    moves: str | list[str]  # joined if equally long, else lines, else a list
    walls: list[int]
    cpus: list[int]  # minus the walls
    faults: list[tuple[int, int | None, str]] | None
    metrics: tuple[list[list[str]], bytes | list[int], Any] | None  # see _packed_metrics


class _Extras(msgspec.Struct, array_like=True):
    """Content of few records: output of bots by seat, waiting and memory by move; empty if there is none."""

    logs: list[str]
    remarks: list[list[str]]
    waits: list[int]
    memories: list[int]  # minus the memory of that seat at its last move


class _PackedWithExtras(_Packed):
    """A packed record with a last field, which old records lack."""

    extras: _Extras | None = None


class _PackedWithMore(_PackedWithExtras):
    """A packed record with all fields that have no place above, as `STRUCT.FIELD`, unless they have their defaults.

    Each maps to a value for every struct of its kind or, by index, to only those that differ from the default.
    """

    more: dict[str, list[Any] | dict[int, Any]] = {}


_PLACED: dict[type[msgspec.Struct], str] = {
    Record: "format ludus played game seats seed limits opening scores ending by out steps",
    Seat: "agent name preparation log remarks",
    Preparation: "wall cpu fault evidence",
    Opening: "position seed moves",
    Out: "seat step fault",
    Move: "seat move wall cpu metrics fault evidence waited memory",
}
"""Fields that have a place above, or that the tournament knows."""


class _Followers(NamedTuple):
    """The fields of a struct that follow by name: types, defaults, and a function that reads them all."""

    types: dict[str, Any]
    defaults: tuple[Any, ...]
    values: Callable[[msgspec.Struct], tuple[Any, ...]]


def _followers(kind: type[msgspec.Struct]) -> _Followers | None:
    fields = [field for field in msgspec.structs.fields(kind) if field.name not in _PLACED[kind].split()]
    if not fields:
        return None
    defaults = [f.default if f.default_factory is msgspec.NODEFAULT else f.default_factory() for f in fields]
    get = attrgetter(*[field.name for field in fields])
    return _Followers(
        {field.name: field.type for field in fields},
        tuple(defaults),
        get if len(fields) > 1 else lambda struct: (get(struct),),
    )


_FOLLOWERS = {kind: found for kind in _PLACED if (found := _followers(kind)) is not None}
_STRUCTS: dict[type[msgspec.Struct], Callable[[Record, list[Move]], Sequence[msgspec.Struct]]] = {
    Record: lambda record, moves: [record],
    Seat: lambda record, moves: record.seats,
    Preparation: lambda record, moves: [seat.preparation for seat in record.seats if seat.preparation is not None],
    Opening: lambda record, moves: [record.opening],
    Out: lambda record, moves: record.out,
    Move: lambda record, moves: moves,
}


_encoder = msgspec.msgpack.Encoder(enc_hook=plain_value)
_decoder = msgspec.msgpack.Decoder(_PackedWithMore)


def pack(record: Record, moves: list[Move] | None = None) -> bytes:
    """The packed form of a record of a tournament; `moves` are those of all steps, if the caller has listed them."""
    opening, steps = record.opening, record.steps
    if moves is None:
        moves = [move for step in steps for move in step]
    walls = [move.wall for move in moves]
    fields = (
        record.ludus,
        microseconds(record.played),
        record.seed,
        None if opening == FROM_THE_START else (opening.position, opening.seed, opening.moves),
        [int(score) if score.is_integer() and abs(score) < _ALL_WHOLE else score for score in record.scores],
        _ENDING_NUMBERS[record.ending],
        record.by,
        [(out.seat, out.step, _FAULT_NUMBERS[out.fault]) for out in record.out],
        [_packed_preparation(seat.preparation) for seat in record.seats],
        _packed_movers([move.seat for move in moves], len(record.seats)),
        None if len(steps) == len(moves) and all(steps) else [len(step) for step in steps],
        _packed_texts([move.move for move in moves]),
        walls,
        [move.cpu - wall for move, wall in zip(moves, walls, strict=True)],
        _packed_faults(moves),
        _packed_metrics([move.metrics for move in moves]),
    )
    extras, more = _packed_extras(record.seats, moves), _packed_followers(record, moves)
    if more:
        return _compressed(_WITH_MORE, _encoder.encode(_PackedWithMore(*fields, extras, more)))
    return _compressed(
        VERSION, _encoder.encode(_Packed(*fields) if extras is None else _PackedWithExtras(*fields, extras))
    )


def _compressed(version: int, data: bytes) -> bytes:
    if len(data) < _WORTH_COMPRESSING:
        return bytes((version,)) + data
    return bytes((version | _COMPRESSED,)) + zlib.compress(data, 1)


def _number(fault: Fault | None) -> int | None:
    return None if fault is None else _FAULT_NUMBERS[fault]


def _packed_preparation(made: Preparation | None) -> tuple[Any, ...] | None:
    if made is None:
        return None
    if made.fault is None and not made.evidence:
        return made.wall, made.cpu - made.wall
    return made.wall, made.cpu - made.wall, _number(made.fault), _readable(made.evidence)


@cache
def _turns(seats: int) -> list[int]:
    return list(range(seats)) * (1 + 1000 // seats)


def _packed_movers(movers: list[int], seats: int) -> int | bytes:
    first = movers[0] if movers else 0
    if first >= 0 and movers == _turns(seats)[first : first + len(movers)]:
        return first
    return bytes([mover + 1 for mover in movers])


def _packed_texts(texts: list[str]) -> str | list[str]:
    lines = "\n".join(texts)
    if lines.count("\n") != max(len(texts) - 1, 0):
        return texts  # a move may have several lines
    return "".join(texts) if len(set(map(len, texts))) == 1 else lines


def _packed_faults(moves: list[Move]) -> list[tuple[int, int | None, str]] | None:
    faults = [(i, move) for i, move in enumerate(moves) if move.fault is not None or move.evidence]
    return [(i, _number(move.fault), _readable(move.evidence)) for i, move in faults] or None


def _packed_metrics(metrics: list[dict[str, Any]]) -> tuple[list[list[str]], bytes | list[int], msgspec.Raw] | None:
    """The different lists of keys, the index of each move's list, and all values in a row."""
    if not any(metrics):
        return None
    layouts: dict[tuple[str, ...], int] = {}
    chosen = [layouts.setdefault(tuple(entries), len(layouts)) for entries in metrics]
    values = [value for entries in metrics for value in entries.values()]
    keys = [[_readable(str(key)) for key in keys] for keys in layouts]
    return keys, bytes(chosen) if len(layouts) < 256 else chosen, _packed_values(values)


def _packed_extras(seats: list[Seat], moves: list[Move]) -> _Extras | None:
    present = [seat.log or seat.remarks for seat in seats]
    used = [move.waited or move.memory for move in moves]
    if not any(present) and not any(used):
        return None
    logs, remarks = [seat.log for seat in seats], [seat.remarks for seat in seats]
    waits, memories = [move.waited for move in moves], [move.memory for move in moves]
    held: dict[int, int] = {}
    for place, move in enumerate(moves):
        memories[place] -= held.get(move.seat, 0)
        held[move.seat] = move.memory
    return _Extras(
        [_readable(log) for log in logs] if any(logs) else [],
        [[_readable(remark) for remark in of_seat] for of_seat in remarks] if any(remarks) else [],
        waits if any(waits) else [],
        memories if any(memories) else [],
    )


def _packed_followers(record: Record, moves: list[Move]) -> dict[str, Any]:
    packed = {}
    for kind, (types, defaults, values) in _FOLLOWERS.items():
        rows = list(map(values, _STRUCTS[kind](record, moves)))
        if rows.count(defaults) == len(rows):
            continue
        for name, default, column in zip(types, defaults, zip(*rows, strict=True), strict=True):
            others = {place: value for place, value in enumerate(column) if value != default}
            if others:
                packed[f"{kind.__name__}.{name}"] = _readable_throughout(
                    column if len(others) == len(column) else others
                )
    return packed


def _packed_values(values: list[Any]) -> msgspec.Raw:
    """Pack values reported by agents, which may be anything: values without a packed form are stored as text."""
    try:
        return msgspec.Raw(_encoder.encode(values))
    except Exception:
        return msgspec.Raw(_encoder.encode([_storable(value) for value in values]))


def _storable(value: Any) -> Any:
    try:
        _encoder.encode(value)
    except Exception as error:
        try:
            return _readable(repr(value)[:_LONGEST_TEXT])
        except Exception:
            return f"{type(value).__name__}: {type(error).__name__}"
    return value


def _readable(text: str) -> str:
    """The text without lone surrogates, which no file can hold."""
    return text.encode("utf-8", "replace").decode()


def _readable_throughout(value: Any) -> Any:
    if isinstance(value, str):
        return _readable(value)
    if isinstance(value, dict):
        return {key: _readable_throughout(held) for key, held in value.items()}
    return [_readable_throughout(held) for held in value] if isinstance(value, list | tuple) else value


def unpack(data: bytes, game: str, limits: Limits, agents: Iterable[tuple[str, str]]) -> Record:
    """Restore the record of an episode of this game; `agents` has spec and name of the agent at each seat."""
    if data[0] & ~_COMPRESSED not in (VERSION, _WITH_MORE):
        raise InvalidError(_NEWER)
    p = _decoder.decode(zlib.decompress(data[1:]) if data[0] & _COMPRESSED else data[1:])
    seats = [Seat(spec, name) for spec, name in agents]
    movers = _turns(len(seats))[p.movers :] if isinstance(p.movers, int) else [mover - 1 for mover in p.movers]
    texts = _texts(p.moves, len(p.walls))
    moves = [
        Move(seat, text, wall=wall, cpu=wall + cpu)
        for seat, text, wall, cpu in zip(movers[: len(texts)], texts, p.walls, p.cpus, strict=True)
    ]
    for i, fault, evidence in p.faults or ():
        moves[i].fault, moves[i].evidence = None if fault is None else _FAULTS[fault], evidence
    if p.metrics:
        layouts, chosen, values = p.metrics
        next_value = iter(values)
        for move, layout in zip(moves, chosen, strict=True):
            move.metrics = {key: next(next_value) for key in layouts[layout]}
    for seat, packed in zip(seats, p.preparations, strict=True):
        seat.preparation = None if packed is None else _preparation(*packed)
    if p.extras:
        _restore_extras(p.extras, seats, moves)
    next_move = iter(moves)
    record = Record(
        format=FORMAT,
        ludus=p.ludus,
        played=moment(p.played),
        game=game,
        seats=seats,
        seed=p.seed,
        limits=limits,
        opening=Opening(*p.opening) if p.opening else FROM_THE_START,
        scores=[float(score) for score in p.scores],
        ending=_ENDINGS[p.ending],
        by=p.by,
        out=[Out(seat, step, _FAULTS[fault]) for seat, step, fault in p.out],
        steps=[[move] for move in moves] if p.sizes is None else [[next(next_move) for _ in range(n)] for n in p.sizes],
    )
    if p.more:
        _restore_followers(p.more, record, moves)
    return record


def _texts(packed: str | list[str], count: int) -> list[str]:
    if isinstance(packed, list):
        return packed
    if "\n" in packed:
        return packed.split("\n")
    width = len(packed) // count if count else 0
    return [packed[i * width : (i + 1) * width] for i in range(count)]


def _restore_extras(extras: _Extras, seats: list[Seat], moves: list[Move]) -> None:
    for seat, log in zip(seats, extras.logs, strict=False):
        seat.log = log
    for seat, remarks in zip(seats, extras.remarks, strict=False):
        seat.remarks = remarks
    for move, waited in zip(moves, extras.waits, strict=False):
        move.waited = waited
    held: dict[int, int] = {}
    for move, more in zip(moves, extras.memories, strict=False):
        move.memory = held[move.seat] = held.get(move.seat, 0) + more


def _restore_followers(packed: dict[str, list[Any] | dict[int, Any]], record: Record, moves: list[Move]) -> None:
    """Set the fields that follow by name; those of a newer Ludus are refused, because packing anew would lose them."""
    if packed.keys() - {f"{kind.__name__}.{name}" for kind, found in _FOLLOWERS.items() for name in found.types}:
        raise InvalidError(_NEWER)
    for kind, followers in _FOLLOWERS.items():
        structs = _STRUCTS[kind](record, moves)
        for name, type in followers.types.items():
            values = packed.get(f"{kind.__name__}.{name}", {})
            for place, value in values.items() if isinstance(values, dict) else enumerate(values):
                msgspec.structs.force_setattr(structs[place], name, msgspec.convert(value, type))


def _preparation(wall: int, cpu: int, fault: int | None = None, evidence: str = "") -> Preparation:
    return Preparation(None if fault is None else _FAULTS[fault], evidence, wall=wall, cpu=wall + cpu)


def microseconds(moment: datetime) -> int:
    """The stored form of a moment: microseconds since 1970, UTC."""
    return (moment - _EPOCH) // _MICROSECOND


def moment(microseconds: int) -> datetime:
    """The moment stored as this number."""
    return _EPOCH + microseconds * _MICROSECOND


def now() -> int:
    """The stored form of the present moment."""
    return microseconds(datetime.now(UTC))
