"""Structs in which every field has a value that is not its default, found by their types."""

import types
from datetime import UTC, datetime, timedelta
from enum import Enum
from itertools import count
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import msgspec

from ludus.episode.limits import Limits
from ludus.episode.record import FORMAT, Move, Out, Record, Seat

S = TypeVar("S", bound=msgspec.Struct)


def filled(kind: type[S], **given: Any) -> S:
    """A struct of a kind with what is given, and in every other field something that is not the default."""
    numbers = count(10)
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        values[field.name] = given[field.name] if field.name in given else _value(field.type, next(numbers))
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        assert values[field.name] != default or field.name in given
    return kind(**values)


def _value(kind: Any, number: int) -> Any:
    """Something of a type that is none, nothing or empty."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _value(arguments[0], number)
    if origin in (Union, types.UnionType):
        return _value(next(each for each in arguments if each is not type(None)), number)
    if origin is list:
        return [_value(arguments[0], number), _value(arguments[0], number + 1)]
    if origin is dict:
        return {_value(arguments[0], number): _value(arguments[1], number)}
    if issubclass(kind, msgspec.Struct):
        return filled(kind)
    if issubclass(kind, Enum):
        return list(kind)[-1]
    if kind is datetime:
        return datetime(2026, 1, 2, tzinfo=UTC) + timedelta(microseconds=number)
    values: dict[Any, Any] = {int: number, float: number + 0.5, str: f"text {number}", bool: True, Any: number}
    return values[kind]


def filled_record() -> Record:
    """A record that agrees with itself, in which every field of every struct has something to say."""
    return filled(
        Record,
        format=FORMAT,
        game="nim",
        seats=[filled(Seat), filled(Seat, name="other")],
        limits=filled(Limits),
        scores=[0.25, -1.0],
        by=[1],
        out=[filled(Out, seat=1, step=0)],
        steps=[[filled(Move, seat=0, metrics={"value": 0.5}), filled(Move, seat=1, move="x")], [Move(-1, "6")]],
    )
