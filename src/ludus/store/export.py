"""A tournament as tables for other programs, CSV or Parquet.

Agents, matches, episodes, moves, metrics, preparations, timings: for people, so repetitions, matches, episodes, steps
and seats count from 1. Where values have a unit, the name of their column ends with it. All metrics of a move are JSON
in the table of moves, with texts for the numbers that JSON lacks: "NaN", "Infinity", "-Infinity"; numbers also have
rows of their own in the table of metrics.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, get_args

import msgspec
import polars as pl
from polars.io.plugins import register_io_source

from ludus.core.errors import FileError
from ludus.core.text import FORMULA, FOUL, NUMBER
from ludus.episode.finished import plies
from ludus.episode.record import Fault, Move, Preparation, text_keyed
from ludus.kernel.numbers import CHANCE
from ludus.store.entries import Whole
from ludus.store.portable import spelled
from ludus.store.store import Store
from ludus.store.timing import timing
from ludus.store.write import listed
from ludus.tournaments.determinism import deterministic_agents

PASSES = 4
"""Number of passes over all episodes in an export as tables."""

_AT_ONCE = 500  # episodes
_ROWS_AT_ONCE = 10_000

_Row = tuple[Any, ...]
_KEY: dict[str, Any] = dict.fromkeys(("repetition", "match", "episode"), pl.Int64)
_METRICS = _KEY | {
    "step": pl.Int64,
    "seat": pl.Int64,
    "agent": pl.String,
    "metric": pl.String,
    "value": pl.Float64,
}


def _none(value: Any) -> Any:
    """None instead of an empty or unmeasured value."""
    return value or None


def _json(value: Any) -> str | None:
    if not value:
        return None
    value = spelled(value)
    try:
        return msgspec.json.encode(value, enc_hook=str).decode()
    except TypeError:
        return msgspec.json.encode(text_keyed(value), enc_hook=str).decode()


def _from_one(numbers: Iterable[int]) -> list[int]:
    return [number + 1 for number in numbers]


_KINDS: dict[Any, Any] = {int: pl.Int64, float: pl.Float64, bool: pl.Boolean, str: pl.String, Fault: pl.String}
_CELLS: dict[str, Callable[[Any], Any]] = {
    "seat": lambda seat: None if seat == CHANCE else seat + 1,
    "fault": lambda fault: fault and fault.value,
    "evidence": _none,
    "memory": _none,
}
"""Cells whose values differ from the record's."""


class _Columns:
    """The columns of a struct, one for each field; compound values are JSON."""

    def __init__(self, kind: type[msgspec.Struct]) -> None:
        kinds = {field.name: _KINDS.get(_known(field.type)) for field in msgspec.structs.fields(kind)}
        self.types = {name: column or pl.String for name, column in kinds.items()}
        self._cells = [(name, _CELLS.get(name, None if column else _json)) for name, column in kinds.items()]

    def row(self, thing: msgspec.Struct) -> list[Any]:
        """The cells of one struct."""
        return [cell(getattr(thing, name)) if cell else getattr(thing, name) for name, cell in self._cells]


def _known(type: Any) -> Any:
    """The type of a field that may also be None."""
    return next(part for part in get_args(type) if part is not NoneType) if isinstance(type, UnionType) else type


_SPANS = ("fastest", "q1", "median", "q3", "mean", "slowest")
_TIMES = ("wall", "cpu", "waited", "total", *_SPANS, *(f"episode_{name}" for name in _SPANS))
_WITH_UNITS = {name: f"{name}_ns" for name in _TIMES} | {"memory": "memory_bytes"}
_MOVE, _PREPARATION = _Columns(Move), _Columns(Preparation)
_MOVES = _KEY | {"step": pl.Int64} | _MOVE.types
_PREPARATIONS = _KEY | {"seat": pl.Int64} | _PREPARATION.types | {"remarks": pl.String}


def export_tables(
    store: Store, id: int, folder: Path, kind: Literal["csv", "parquet"], watch: Callable[[int], None]
) -> None:
    """Write the tables; `watch` is called with the number of episodes processed, summed over all passes."""
    tournament = store.tournament(id)
    agents = tournament.agents
    names = [agent.name for agent in agents]
    deterministic = {names[number] for number in deterministic_agents(tournament)}
    matches = store.matches(id)
    seats = len(matches["seats"][0]) if len(matches) else 0
    done = 0

    def watched() -> Iterator[Whole]:
        nonlocal done
        for whole in store.wholes(id):
            yield whole
            done += 1
            if done % _AT_ONCE == 0:
                watch(done)

    tables = {
        "agents": pl.LazyFrame([(agent.name, agent.spec) for agent in agents], ["agent", "spec"], orient="row"),
        "matches": _matches(matches, names, seats),
        "episodes": _streamed(_episodes(watched(), deterministic), _episode_types(seats)),
        "moves": _streamed(_moves(watched()), _MOVES),
        "metrics": _streamed(_metrics(watched()), _METRICS),
        "preparations": _streamed(_preparations(watched()), _PREPARATIONS),
        "timings": _timings(store.timings(id), names),
    }
    for name, frame in tables.items():
        frame = frame.rename(_WITH_UNITS, strict=False)
        file = folder / f"{name}.{kind}"
        if kind == "csv":
            frame = for_spreadsheets(frame)
        try:
            frame.sink_csv(file) if kind == "csv" else frame.sink_parquet(file)
        except pl.exceptions.ComputeError as error:  # how Parquet says that a disk is full
            if "IO error" not in str(error):
                raise
            reason = str(error).rpartition(": ")[2].partition(" (os error")[0]
            raise FileError(f"{file.name} cannot be written: {reason}.", file) from None


def for_spreadsheets(frame: pl.LazyFrame) -> pl.LazyFrame:
    """The frame with texts that do no harm where it is opened: without control characters, and none is a formula."""
    text = pl.col(pl.String)
    clean = text.str.replace_all(f"[{FOUL}]", "�")
    is_formula = clean.str.contains(FORMULA) & ~clean.str.contains(NUMBER)
    return frame.with_columns(pl.when(is_formula.not_()).then(clean).otherwise("'" + clean))


def _matches(matches: pl.DataFrame, names: Sequence[str], seats: int) -> pl.LazyFrame:
    seated = [_named(pl.col("seats").list.get(seat), names).alias(f"agent_{seat + 1}") for seat in range(seats)]
    return matches.lazy().select(pl.col("repetition", "match", "round") + 1, *seated)


def _timings(timings: pl.DataFrame, names: Sequence[str]) -> pl.LazyFrame:
    key = ["repetition", "match", "seat"]
    frame = timing(timings, "match").join(timings.select(*key, "total"), on=key, maintain_order="left")
    rest = pl.exclude(*key, "agent", "moves", "total")
    return frame.lazy().select(pl.col(key) + 1, _named(pl.col("agent"), names), "moves", "total", rest)


def _named(agent: pl.Expr, names: Sequence[str]) -> pl.Expr:
    return agent.replace_strict(range(len(names)), names, return_dtype=pl.String)


def _episode_types(seats: int) -> dict[str, Any]:
    def for_seats(name: str, kind: Any) -> dict[str, Any]:
        return {f"{name}_{seat}": kind for seat in range(1, seats + 1)}

    types = _KEY | for_seats("agent", pl.String) | for_seats("score", pl.Float64)
    types |= {"ending": pl.String, "by": pl.String, "plies": pl.Int64, "fresh": pl.Boolean}
    types |= {"played": pl.Datetime("us", "UTC"), "wall": pl.Int64}
    return types | {"seed": pl.Int64, "position": pl.String, "opening": pl.String}


def _episodes(wholes: Iterable[Whole], deterministic: set[str]) -> Iterator[_Row]:
    known: defaultdict[tuple[str, ...], set[int]] = defaultdict(set)  # courses of each seating, over all matches
    for whole in wholes:
        seated = tuple([seat.name for seat in whole.record.seats])
        record, courses = whole.record, known[seated]
        fresh = whole.course not in courses or not deterministic.issuperset(seated)
        courses.add(whole.course)
        yield (
            *_from_one(whole.key),
            *(seat.name for seat in record.seats),
            *record.scores,
            record.ending.value,
            listed(_from_one(record.by)) or None,
            plies(record),
            fresh,
            record.played,
            whole.wall,
            record.seed,
            record.opening.position,
            _json(record.opening.moves),
        )


def _moves(wholes: Iterable[Whole]) -> Iterator[_Row]:
    for whole in wholes:
        key = _from_one(whole.key)
        for number, step in enumerate(whole.record.steps, 1):
            for move in step:
                yield *key, number, *_MOVE.row(move)


def _metrics(wholes: Iterable[Whole]) -> Iterator[_Row]:
    for whole in wholes:
        key = _from_one(whole.key)
        for number, step in enumerate(whole.record.steps, 1):
            for move in step:
                for metric, value in move.numbers():
                    yield *key, number, move.seat + 1, whole.record.seats[move.seat].name, metric, value


def _preparations(wholes: Iterable[Whole]) -> Iterator[_Row]:
    for whole in wholes:
        key = _from_one(whole.key)
        for number, seat in enumerate(whole.record.seats, 1):
            if seat.preparation is not None:
                yield *key, number, *_PREPARATION.row(seat.preparation), "\n".join(seat.remarks) or None


def _streamed(rows: Iterator[_Row], types: dict[str, Any]) -> pl.LazyFrame:
    """A frame of rows that is never in memory as a whole."""

    def pieces(*_: Any) -> Iterator[pl.DataFrame]:
        while piece := list(islice(rows, _ROWS_AT_ONCE)):
            columns = zip(types.items(), zip(*piece, strict=True), strict=True)
            yield pl.DataFrame([pl.Series(name, column, kind) for (name, kind), column in columns])

    return register_io_source(pieces, schema=types)
