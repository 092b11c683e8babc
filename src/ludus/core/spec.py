"""Specs: the one way to name a game or an agent with its parameters, as in `hex:size=4,swap=yes`.

A bot is `PROTOCOL[,key=value…]:COMMAND`, as in `uci,Hash=64:stockfish`; a path alone, `./mybot`, is a command too.

A class that derives from `Configurable` declares its parameters once, with `param`; the command line, tournament files
and web forms derive from that declaration.
"""

import dataclasses
import inspect
import re
import types
import typing
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NewType, Self

from ludus.core.errors import InvalidError
from ludus.core.kinds import refuse_technical
from ludus.core.ranges import Range
from ludus.core.registry import names
from ludus.core.text import bounds, did_you_mean, finite_float, format_duration, listing, parse_duration, refuse_foul

Duration = NewType("Duration", int)
"""Nanoseconds; written with a unit, as in `250ms` or `1.5s`."""

DEFAULT_PROTOCOL = "stdio"
"""Protocol of a command without one."""
RUNNERS = {".py": "python3", ".js": "node", ".jar": "java -jar"}
"""Programs for files that do not run by themselves, by ending."""
RUN_BY_OTHERS = {*RUNNERS, ".class", ".exe", ".jl", ".lua", ".mjs", ".php", ".pl", ".r", ".rb", ".sh", ".ts"}
"""Endings of files that a command may contain besides its program."""

_LIMIT = "limit."
_COMMAND_SPEC = re.compile(r"(?P<name>[a-z][\w-]*)(?:,(?P<options>[^:]*))?:(?P<command>.*)", re.DOTALL)
_FILE_SPEC = re.compile(r"(?P<file>.+?\.py)(?::(?P<cls>[A-Za-z_]\w*)(?=:|$))?(?::(?P<options>.*))?", re.DOTALL)


@dataclass(frozen=True)
class Spec:
    """A parsed spec: a name or a file with a class, the words without `=`, and the options as text; or a command."""

    name: str
    words: tuple[str, ...] = ()
    options: Mapping[str, str] = dataclasses.field(default_factory=dict)
    file: str | None = None
    command: str | None = None

    @classmethod
    def parse(cls, text: str, protocols: Collection[str] = ()) -> "Spec":
        """Parse `NAME[:key=value,…]`, `FILE.py[:CLASS][:key=value,…]` or, with these protocols, the spec of a bot."""
        refuse_foul(text, "spec")
        file = None
        head, command = split_command(text, protocols)
        if command is not None:
            name, _, rest = (head or DEFAULT_PROTOCOL).partition(",")
        elif match := _FILE_SPEC.fullmatch(text):
            file, name, rest = match["file"], match["cls"] or "", match["options"] or ""
        else:
            name, _, rest = text.partition(":")
        if not name and not file:
            raise InvalidError(f"'{text}' has no name: write NAME or NAME:key=value,key=value.")
        words, options = [], {}
        for part in filter(None, (p.strip() for p in rest.split(","))):
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals:
                words.append(part)
            elif key in options:
                raise InvalidError(f"'{text}' has '{key}' twice: keep one of them.")
            else:
                options[key] = value
        return cls(name, tuple(words), options, file, command)

    @property
    def text(self) -> str:
        """The spec as text, its words before its options."""
        parts = ",".join([*self.words, *(f"{key}={value}" for key, value in self.options.items())])
        if self.command is not None:
            return f"{','.join(filter(None, (self.name, parts)))}:{self.command}"
        return ":".join(filter(None, (self.file, self.name, parts)))


def parse_agent(text: str) -> Spec:
    """The parts of the spec of an agent or a bot."""
    return Spec.parse(text, protocols_for(text))


def protocols_for(text: str) -> Collection[str]:
    """The protocols that the spec of an agent may name; none if it cannot be the spec of a bot."""
    return names("protocol") if ":" in text or "/" in text else ()


def split_command(text: str, protocols: Collection[str]) -> tuple[str, str | None]:
    """Split the spec of a bot into the part before the colon and the command; for an agent, all of it and None."""
    if (match := _COMMAND_SPEC.fullmatch(text)) and match["name"] in protocols:
        return text[: match.start("command") - 1], match["command"].strip()
    if protocols and not _FILE_SPEC.fullmatch(text) and "/" in text.split(maxsplit=1)[0]:
        return "", text.strip()
    return text, None


def limit_texts(options: Mapping[str, str]) -> dict[str, str]:
    """The limits that the options of an agent's spec set for it alone, as in `limit.memory=1GiB`, by key as text."""
    return {key.removeprefix(_LIMIT): text for key, text in options.items() if key.startswith(_LIMIT)}


def limit_options(texts: Mapping[str, str]) -> dict[str, str]:
    """The options of a spec that set these limits."""
    return {f"{_LIMIT}{key}": text for key, text in texts.items()}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a game or an agent, as declared with `param`."""

    name: str
    kind: Any  # int, float, bool, str, Duration or Range: of whole numbers where `low` is one
    default: Any
    help: str
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    optional: bool
    required: bool

    def read(self, text: str) -> Any:
        """Parse a text as a value."""
        value = _READERS[self.kind](text)
        if self.choices and value not in self.choices:
            raise ValueError
        least, most = value if self.kind is Range else (value, value)
        if self.kind in (int, float):
            refuse_technical(value, self.high)
        if (self.low is not None and least < self.low) or (self.high is not None and most > self.high):
            raise ValueError
        if least > most or (self.kind is Range and isinstance(self.low, int) and not value.whole):
            raise ValueError
        return value

    def write(self, value: Any) -> str:
        """Format a value as text."""
        if self.kind is bool:
            return "yes" if value else "no"
        if value is None:
            return "none"
        if self.kind is float:
            return repr(float(value)).removesuffix(".0")
        return format_duration(value) if self.kind is Duration else str(value)

    @property
    def expects(self) -> str:
        """A description of its values."""
        if self.choices:
            return listing(self.choices, "or")
        if self.kind is Range:
            number = int if isinstance(self.low, int) else float
            return f"{dataclasses.replace(self, kind=number).expects}, or a range of such numbers, as in {self.default}"
        kind = {int: "a whole number", float: "a number", bool: "yes or no", str: "a text"}.get(self.kind, "a time")
        if self.kind is not Duration:
            return f"{kind}{bounds(self.low, self.high)}"
        low, high = (None if v is None else self.write(v) for v in (self.low, self.high))
        if not self.low and high is None:
            return f"{kind} such as 100ms or 1.5s"
        if low is not None and high is not None:
            return f"{kind} from {low} to {high}"
        return f"{kind} of at least {low}" if low is not None else f"{kind} of at most {high}"


def param(
    default: Any = dataclasses.MISSING,
    help: str = "",
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Iterable[str] = (),
) -> Any:
    """Declare a parameter: its default (without one it must be given), help text, and range or choices."""
    metadata = {"help": help, "low": low, "high": high, "choices": tuple(choices)}
    return dataclasses.field(default=default, metadata=metadata)


class Configurable:
    """A class with a name and declared parameters: each subclass becomes a dataclass of its parameters."""

    name: ClassVar[str] = ""
    noun: ClassVar[str] = "thing"

    if TYPE_CHECKING:

        def __init__(self, **parameters: Any) -> None: ...

    origin: ClassVar[str] = ""
    """Name used in specs instead of `name`: FILE.py:CLASS, for a class from a file."""

    def __init_subclass__(cls) -> None:
        dataclasses.dataclass(kw_only=True, eq=False, repr=False)(cls)

    @classmethod
    def parameters(cls) -> list[Parameter]:
        """The declared parameters, in order."""
        hints = typing.get_type_hints(cls)
        found = []
        for field in dataclasses.fields(cls):  # type: ignore[arg-type]
            if "help" not in field.metadata:
                continue
            hint = hints[field.name]
            options = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
            kind = next(option for option in options if option is not types.NoneType)
            if kind not in _READERS:
                raise InvalidError(
                    f"{cls.name}: its parameter {field.name} cannot be written in a spec: declare it as int, float, "
                    "bool, str, Duration or Range, with choices=(…) for few values."
                )
            found.append(
                Parameter(
                    name=field.name,
                    kind=kind,
                    default=None if field.default is dataclasses.MISSING else field.default,
                    optional=types.NoneType in options,
                    required=field.default is dataclasses.MISSING,
                    **field.metadata,
                )
            )
        return found

    @classmethod
    def summary(cls) -> str:
        """The first line of the docstring."""
        return (cls.__doc__ or "").strip().split("\n")[0]

    @classmethod
    def details(cls) -> str:
        """The rest of the docstring: the notation of moves and positions, and special points."""
        return inspect.cleandoc(cls.__doc__ or "").partition("\n")[2].strip()

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        """Create an object from the options of a spec; words fill the required parameters in order."""
        known = {p.name: p for p in cls.parameters()}
        texts = dict(spec.options)
        required = [p.name for p in known.values() if p.required]
        for word in spec.words:
            if not required:
                raise InvalidError(f"{cls.name}: '{word}' is not of the form key=value.")
            name = required.pop(0)
            if name in texts:
                raise InvalidError(f"{cls.name}: '{word}' and {name}={texts[name]} both set {name}: keep one of them.")
            texts[name] = word
        if missing := [name for name in required if name not in texts]:
            raise InvalidError(f"{cls.name} needs {listing(missing)}: write {cls.name}:{missing[0].upper()}.")
        return cls(**{key: cls._read(known, key, text) for key, text in texts.items()})

    @classmethod
    def _read(cls, known: Mapping[str, Parameter], key: str, text: str) -> Any:
        if key not in known:
            if not known:
                raise InvalidError(f"{cls.name} has no parameters, so '{key}' cannot be set.")
            raise InvalidError(
                f"{cls.name} has no parameter '{key}'{did_you_mean(key, known)}; it has {listing(known)}."
            )
        if known[key].optional and text == "none":
            return None
        try:
            return known[key].read(text)
        except ValueError:
            raise InvalidError(f"{cls.name}: {key}={text} is not {known[key].expects}.") from None

    def files(self) -> list[Path]:
        """The user's files that define this object."""
        return [Path(self.origin.rpartition(":")[0])] if self.origin else []

    def spec(self) -> str:
        """The shortest spec of an equal object."""
        parts = self._spec_parts()
        return (self.origin or self.name) + (":" + ",".join(parts) if parts else "")

    def _spec_parts(self) -> list[str]:
        """Options of the spec that differ from the defaults."""
        parts = []
        for p in self.parameters():
            value = getattr(self, p.name)
            if p.required:
                parts.append(p.write(value))
            elif value != p.default:
                parts.append(f"{p.name}={p.write(value)}")
        return parts

    def __repr__(self) -> str:
        return f"<{self.noun} {self.spec()}>"


def _read_bool(text: str) -> bool:
    if text.lower() in ("yes", "on", "true", "1"):
        return True
    if text.lower() in ("no", "off", "false", "0"):
        return False
    raise ValueError


_READERS: dict[Any, Any] = {
    int: int,
    float: finite_float,
    bool: _read_bool,
    str: str,
    Duration: parse_duration,
    Range: Range.parse,
}
