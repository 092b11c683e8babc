"""A column of a table: its name in a frame, its head, and how its values are written."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ludus.core.text import DASH, interval

if TYPE_CHECKING:  # slow to import, and not needed after `ludus play`
    import polars as pl


class Frame(Protocol):
    """Values by the name of their column: a frame of Polars, or a dict of lists."""

    def __contains__(self, name: str, /) -> bool: ...
    def __getitem__(self, name: str, /) -> Iterable[Any]: ...


@dataclass(frozen=True)
class Column:
    """The presentation of a column of a frame."""

    name: str
    """The name in the frame."""
    head: str
    """The head of the column; line breaks are for the terminal alone."""
    tip: str = ""
    """An explanation of the head, shown beside the pointer or below the table."""
    write: Callable[[Any], str] = str
    unknown: str = DASH
    """The text for an unknown value."""
    margin: str = ""
    """The column with the margin of error."""
    ends: tuple[str, str] = ("", "")
    """The columns with the low and the high end of its interval; an end that is unknown is open."""
    best: Literal["highest", "lowest", "none"] = "none"
    """The value to highlight."""
    words: bool = False
    """True for words, which are aligned left; figures are aligned right."""
    agents: bool = False
    """True if the values are names of agents."""
    episodes: bool = False
    """True if the values are names of episodes."""
    counted: tuple[str, ...] = ()
    """The columns that say which episodes a number counts."""
    aside: bool = False
    """True if it moves to a second table when the first has no room."""
    if_any: bool = False
    """True if it is omitted when all its values are 0."""
    of: "Callable[[], pl.Expr] | None" = None
    """Makes the expression that computes it for a frame without it."""
    unit: str = ""
    """The unit of the values in the frame, which exports add to its name: `ns`, `bytes`, `elo`."""
    drawn: bool = False
    """True if charts and exports use it, and tables do not show it."""

    def cells(self, frame: Frame, names: Mapping[str, str]) -> list[str]:
        """The values as texts, with aligned ± signs; `names` has the labels of agents."""
        if self.ends[0] and self.ends[0] in frame:
            return self._intervals(frame)
        write = names.__getitem__ if self.agents else self.write
        values = list(frame[self.name])
        texts = [self.unknown if value is None else write(value) for value in values]
        if not self.margin or self.margin not in frame:
            return texts
        margins = [DASH if value is None else self.write(value).removeprefix("+") for value in frame[self.margin]]
        width = max(map(len, margins), default=0)
        return [
            text if value is None else f"{text} ± {margin:>{width}}"
            for text, margin, value in zip(texts, margins, values, strict=True)
        ]

    def _intervals(self, frame: Frame) -> list[str]:
        found = [
            (self.unknown, "") if value is None else interval(value, low, high)
            for value, low, high in zip(*(frame[name] for name in (self.name, *self.ends)), strict=True)
        ]
        even = [reach.removeprefix("± ") for _, reach in found if reach.startswith("±")]
        digits = max(map(len, even), default=0)
        reaches = [f"± {reach[2:]:>{digits}}" if reach.startswith("±") else reach for _, reach in found]
        width = max(map(len, reaches), default=0)
        return [f"{text} {reach:<{width}}" if width else text for (text, _), reach in zip(found, reaches, strict=True)]

    @property
    def title(self) -> str:
        """The head on one line."""
        return self.head.replace("\n", " ")


def with_derived(frame: "pl.DataFrame", columns: Iterable[Column]) -> "pl.DataFrame":
    """The frame with the columns that are computed from others."""
    missing = [column for column in columns if column.name not in frame.columns]
    return frame.with_columns(**{column.name: column.of() for column in missing if column.of})


def shown(frame: Frame, columns: Iterable[Column]) -> list[Column]:
    """The columns that the frame has, without empty ones."""
    return [
        column
        for column in columns
        if column.name in frame and not column.drawn and not (column.if_any and not any(frame[column.name]))
    ]


def units(columns: Iterable[Column]) -> dict[str, str]:
    """The units of the columns, margins and ends of intervals included, by name."""
    return {
        name: column.unit
        for column in columns
        if column.unit
        for name in (column.name, column.margin, *column.ends)
        if name
    }


def exported(frame: "pl.DataFrame", columns: Iterable[Column]) -> "pl.DataFrame":
    """The frame as exports have it: values with a unit have that in their names."""
    return frame.rename({name: f"{name}_{unit}" for name, unit in units(columns).items()}, strict=False)


def explained(columns: Iterable[Column]) -> str:
    """The heads that need an explanation, with their meaning."""
    return "; ".join(f"{column.title}: {column.tip}" for column in columns if column.tip)
