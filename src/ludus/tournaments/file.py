"""Tournament files: TOML, checked, with one sentence for what is wrong and where."""

import json
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Any, NamedTuple

from ludus.core.errors import InvalidError, LudusError
from ludus.core.paths import read_toml
from ludus.core.text import did_you_mean, toml_text
from ludus.episode.limits import COUNT, LIMITS, MOST_COUNT, UNLIMITED, Limits, Policy
from ludus.tournaments.field import absolute
from ludus.tournaments.plan import field_of, make_tournament, whole_number
from ludus.tournaments.tournament import Tournament

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
_LIMITS = {name: _NUMBER if limit.kind is COUNT else _TEXT for name, limit in LIMITS.items()}


class Plan(NamedTuple):
    """A tournament, and how it is to be run."""

    tournament: Tournament
    workers: int | None
    timed: bool


def plan(*, workers: int | None = None, timed: bool = False, **content: Any) -> Plan:
    """A plan from what `make_tournament` takes, and how it is to be run."""
    if workers is not None:
        workers = whole_number("workers", workers, 0)
    return Plan(make_tournament(**content), workers, timed)


def read_tournament(path: str | Path, changes: Mapping[str, Any] | None = None) -> Plan:
    """The tournament that a file describes; `changes`, as `plan` takes them, replace what it says.

    Of the limits, those that are named are replaced.
    """
    path, changes = Path(path), dict(changes or {})
    content = read_toml(path)
    if "agents" in changes:
        changes["agents"] = field_of(changes["agents"])
    try:
        said = _said({"name": path.stem, **content}, path.parent, changes.keys())
        said["limits"] = _replaced(said["limits"], changes.pop("limits", {}))
        return plan(**(said | changes))
    except LudusError as error:
        raise InvalidError(f"{path}: {error}") from None


def _said(content: dict[str, Any], folder: Path, replaced: Set[str]) -> dict[str, Any]:
    """What a file says as `plan` takes it, with limits as a table, without what is replaced."""
    check(content, _KEYS, "")
    openings, limits = content.pop("openings", {}), content.pop("limits", {})
    check(openings, _OPENINGS, "openings.")
    if replaced.isdisjoint(("opening_plies", "openings", "board")):
        content |= {"opening_plies": openings["plies"]} if "plies" in openings else {}
        content |= {"openings": folder / openings["file"]} if "file" in openings else {}
    said = {key: value for key, value in content.items() if key not in replaced}
    for key, example in (("game", '"hex"'), ("agents", '["mcts:simulations=500", "random"]')):
        if key not in replaced and not said.get(key):
            raise InvalidError(f"'{key}' is missing: write {key} = {example}.")
    if "game" in said:
        said["game"] = absolute(said["game"], folder)
    if "agents" in said:
        said["agents"] = field_of(said["agents"], folder)
    return said | {"limits": _limits(limits)}


def _limits(content: dict[str, Any]) -> dict[str, Any]:
    """The limits of a file: times and sizes are texts with units."""
    check(content, _LIMITS, "limits.")
    return {key: _limit(key, value) for key, value in content.items()}


def _limit(key: str, value: Any) -> Any:
    kind = LIMITS[key].kind
    if kind is COUNT:
        return whole_number(f"limits.{key}", value, 1, MOST_COUNT)
    try:
        return kind.read(value)
    except ValueError:
        raise InvalidError(f'limits.{key} = "{value}" is not {kind.expects}.') from None


def _replaced(said: dict[str, Any], changes: Any) -> Any:
    """The limits of a file with changes to some of them, or else what is given instead of them all."""
    if not isinstance(changes, Mapping):
        return changes
    if changes.get("policy", Policy.SOFT) is not Policy.SOFT:
        said.pop("hard", None)  # it belongs to the policy that is replaced
    return Limits(**{**said, **changes})


def check(content: Mapping[str, Any], known: dict[str, str], where: str) -> None:
    """Refuse keys that are not known, and values that are not what `known` says of them."""
    for key, value in content.items():
        if key not in known:
            near = did_you_mean(key, known)
            raise InvalidError(f"'{where}{key}' is unknown{near}; there are {', '.join(known)}.")
        kind = _KINDS[known[key]]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            written = json.dumps(value, ensure_ascii=False, default=str)
            raise InvalidError(f"{where}{key} = {written} is not {known[key]}.")


# --- Writing -------------------------------------------------------------------------------------------------------


def to_toml(tournament: Tournament, openings: str = "") -> Iterator[str]:
    """The lines of a tournament file; `openings` is the file of its openings, where they were listed."""
    for key in ("name", "game", "format"):
        yield f"{key} = {toml_text(getattr(tournament, key))}"
    for key in ("episodes", "repetitions", "seed"):
        yield f"{key} = {getattr(tournament, key)}"
    yield "agents = ["
    for entrant in tournament.agents:
        named = f"{{ name = {toml_text(entrant.name)}, agent = {toml_text(entrant.spec)} }}"
        yield f"    {toml_text(entrant.spec) if entrant.name == entrant.spec else named},"
    yield "]"
    if tournament.openings.listed:
        yield from ("", "[openings]", f"file = {toml_text(openings)}")
    elif tournament.openings.plies:
        yield from ("", "[openings]", f"plies = {tournament.openings.plies}")
    if tournament.limits != UNLIMITED:
        yield from ("", "[limits]", *_limit_lines(tournament.limits))


def _limit_lines(limits: Limits) -> Iterator[str]:
    for key, limit in LIMITS.items():
        if (value := getattr(limits, key)) != getattr(UNLIMITED, key):
            yield f"{key} = {value if limit.kind is COUNT else toml_text(limit.kind.write(value))}"
