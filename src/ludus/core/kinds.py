"""Kinds of values in options, files and messages: parsing, formatting and description."""

import json
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ludus.core.errors import InvalidError
from ludus.core.text import TECHNICAL, bounds, did_you_mean, format_duration, format_size, parse_duration, parse_size

MOST_COUNT = 10**15
"""More than anything that is counted, and few enough to be sent to a worker."""


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of values; `read` raises ValueError if a text is not one."""

    expects: str  # continues "is not"
    metavar: str  # in help
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str
    unit: int = 1  # unit of the values in messages to bots
    written: type = str  # type in a TOML file

    def checked(self, label: str, value: Any) -> Any:
        """Parse a value into this kind's type, for example a NumPy integer into an int; errors have the label."""
        try:
            return self.read(value if isinstance(value, str) and self.written is str else self.write(value))
        except InvalidError as error:
            raise InvalidError(f"{label}: {error}") from None
        except (TypeError, ValueError):
            raise InvalidError(f"{label} = {_written(value)} is not {self.expects}.") from None


def whole(least: int = 0, most: int | None = None) -> Kind:
    """Whole numbers of a range."""

    def read(text: str) -> int:
        number = int(text)
        refuse_technical(number, most)
        if number < least or (most is not None and number > most):
            raise ValueError
        return number

    def write(number: Any) -> str:
        if isinstance(number, bool | str):
            raise TypeError
        return str(operator.index(number))

    return Kind(f"a whole number{bounds(least, most)}", "N", read, write, written=int)


def whole_list(least: int, most: int) -> Kind:
    """Lists of whole numbers of a range, as a text with commas between them."""
    one = whole(least, most)
    expects = f"a list of whole numbers{bounds(least, most)}, such as {least},{least + 1}"
    return Kind(
        expects,
        "N,N",
        lambda text: tuple(map(one.read, text.split(","))),
        lambda numbers: ",".join(map(one.write, numbers)),
    )


def refuse_technical(number: float, most: float | None) -> None:
    """Refuse a number above an upper limit that descriptions leave out."""
    if most is not None and number > most >= TECHNICAL:
        raise InvalidError(f"{number} is too large: the limit is {most:,}.")


def choice(values: type[StrEnum]) -> Kind:
    """One of a few words."""
    return Kind(f"one of {', '.join(values)}", "|".join(values), values)


def _truth(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError
    return text == "true"


TIME = Kind("a time such as 250ms or 1.5s", "TIME", parse_duration, format_duration, 10**6)
SIZE = Kind("a size such as 512MB or 2GiB", "SIZE", parse_size, format_size, 10**6)
COUNT = whole(1, MOST_COUNT)
TEXT = Kind("a text", "TEXT", str)
NAME = Kind("a name", "NAME", str)
FILE = Kind("the path of a file", "FILE", str)
TRUTH = Kind("true or false", "", _truth, lambda value: str(value).lower(), written=bool)


# --- Tables of TOML files -----------------------------------------------------------------------------------------


def read_table(content: Mapping[str, Any], known: Mapping[str, Kind | type], where: str) -> dict[str, Any]:
    """The values of a TOML table by key; unknown keys, and values of another kind, are refused, all in one sentence.

    Keys in errors have the prefix `where`. Nested lists and tables are returned unchanged.
    """
    read, wrong = {}, []
    for key, value in content.items():
        try:
            read[key] = _value(f"{where}{key}", value, known[key])
        except KeyError:
            near = did_you_mean(key, known)
            wrong.append(f"'{where}{key}' is unknown{near}; valid keys are {', '.join(known)}.")
        except InvalidError as error:
            wrong.append(str(error))
    if wrong:
        raise InvalidError(f"{'; '.join(sentence.rstrip('.') for sentence in wrong)}.")
    return read


def _value(label: str, value: Any, kind: Kind | type) -> Any:
    """A value of a file: times and sizes are texts with units."""
    if isinstance(kind, Kind):
        if type(value) is not kind.written:
            raise InvalidError(f"{label} = {_written(value)} is not {kind.expects}.")
        return kind.checked(label, value)
    if not isinstance(value, kind):
        raise InvalidError(f"{label} = {_written(value)} is not a {'list' if kind is list else 'table'}.")
    return value


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
