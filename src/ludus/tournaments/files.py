"""Tournament files: TOML, checked, with one sentence for what is wrong and where."""

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from ludus.errors import LudusError
from ludus.record import UNLIMITED, Limits, Policy
from ludus.spec import did_you_mean, parse_duration, parse_size
from ludus.tournaments.base import Entrant, Tournament
from ludus.tournaments.making import make_tournament
from ludus.tournaments.saved import entrants

_TEXT, _NUMBER, _TRUTH = "a text", "a whole number", "true or false"
_KINDS: dict[str, Any] = {_TEXT: str, _NUMBER: int, _TRUTH: bool, "a list": list, "a table": dict}
_KEYS = {
    "name": _TEXT,
    "game": _TEXT,
    "format": _TEXT,
    "episodes": _NUMBER,
    "repetitions": _NUMBER,
    "seed": _NUMBER,
    "agents": "a list",
    "openings": "a table",
    "limits": "a table",
    "workers": _NUMBER,
    "timed": _TRUTH,
}
_OPENINGS = {"plies": _NUMBER, "file": _TEXT}
_TIMES = ("preparation", "move", "total", "increment", "grace", "hard")
_LIMITS = {**dict.fromkeys(_TIMES, _TEXT), "memory": _TEXT, "plies": _NUMBER, "policy": _TEXT}


class TournamentFile(NamedTuple):
    """A tournament, and how its file wants it to be run."""

    tournament: Tournament
    workers: int | None
    timed: bool


def read_tournament(path: str | Path, changes: dict[str, Any] | None = None) -> TournamentFile:
    """The tournament that a file describes; `changes` are entries that replace those of the file."""
    path = Path(path)
    try:
        content = tomllib.loads(path.read_text())
    except FileNotFoundError:
        raise LudusError(f"There is no file {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise LudusError(f"{path} cannot be read: {error}.") from None
    except tomllib.TOMLDecodeError as error:
        raise LudusError(f"{path} is not TOML: {error}.") from None
    try:
        return _tournament({"name": path.stem, **content, **(changes or {})}, path.parent)
    except LudusError as error:
        raise LudusError(f"{path}: {error}") from None


def _tournament(content: dict[str, Any], folder: Path) -> TournamentFile:
    _check(content, _KEYS, "")
    for key, example in (("game", '"hex"'), ("agents", '["mcts:simulations=500", "random"]')):
        if not content.get(key):
            raise LudusError(f"'{key}' is missing: write {key} = {example}.")
    openings = content.get("openings", {})
    _check(openings, _OPENINGS, "openings.")
    if content.get("workers", 0) < 0:
        raise LudusError("workers = 0 plays in this process, and fewer make no sense.")
    made = make_tournament(
        content["game"],
        [entrant for entry in content["agents"] for entrant in _entrants(entry, folder)],
        name=content["name"],
        format=content.get("format", ""),
        episodes=content.get("episodes", 1),
        repetitions=content.get("repetitions", 1),
        seed=content.get("seed", 0),
        opening_plies=openings.get("plies", 0),
        openings=openings.get("file"),
        limits=read_limits(content.get("limits", {})),
        folder=folder,
    )
    return TournamentFile(made, content.get("workers"), content.get("timed", False))


def read_limits(content: dict[str, Any]) -> Limits:
    """Limits from the table of a file: times and sizes as texts with units."""
    _check(content, _LIMITS, "limits.")
    values: dict[str, Any] = dict(content)
    for key, text in content.items():
        try:
            if key in _TIMES:
                values[key] = parse_duration(text)
            elif key == "memory":
                values[key] = parse_size(text)
            elif key == "policy":
                values[key] = Policy(text)
        except ValueError:
            wanted = {"memory": "a size such as 512MB", "policy": f"one of {', '.join(Policy)}"}
            expected = wanted.get(key, "a time such as 250ms or 1.5s")
            raise LudusError(f'limits.{key} = "{text}" is not {expected}.') from None
    if values.get("plies", 1) < 1:
        raise LudusError("limits.plies must be at least 1.")
    return Limits(**values) if values else UNLIMITED


def _entrants(entry: Any, folder: Path) -> list[Entrant]:
    """An entry of `agents`: a text, or a table with `agent`, perhaps `name`, and parameters."""
    if isinstance(entry, Entrant):
        return [entry]
    if isinstance(entry, str):
        return entrants(entry, folder)
    if not isinstance(entry, dict) or not isinstance(entry.get("agent"), str):
        raise LudusError(
            f"agents has the entry {entry!r}: write a text such as \"mcts:time=1s\", or a table with 'agent'."
        )
    parameters = {key: value for key, value in entry.items() if key not in ("agent", "name")}
    text = entry["agent"]
    if parameters:
        joint = "," if "=" in text.rpartition(":")[2] else ":"
        text += joint + ",".join(f"{key}={_written(value)}" for key, value in parameters.items())
    found = entrants(text, folder)
    if "name" not in entry:
        return found
    if len(found) > 1:
        raise LudusError(f"The name '{entry['name']}' is for one agent, but {text} makes {len(found)}: leave it out.")
    return [Entrant(str(entry["name"]), found[0].spec)]


def _written(value: Any) -> str:
    if isinstance(value, list):
        return f"[{','.join(map(_written, value))}]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _check(content: Any, known: dict[str, str], where: str) -> None:
    for key, value in content.items():
        if key not in known:
            near = did_you_mean(key, known)
            raise LudusError(f"'{where}{key}' is unknown{near}; there are {', '.join(known)}.")
        kind = _KINDS[known[key]]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise LudusError(f"{where}{key} = {_written(value)} is not {known[key]}.")
