"""Tournament files: TOML, checked, with one sentence for what is wrong and where."""

from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Any, NamedTuple

from ludus.core.errors import InvalidError, LudusError
from ludus.core.kinds import FILE, TEXT, Kind, read_table
from ludus.core.paths import read_toml
from ludus.core.text import toml_text
from ludus.episode.limits import LIMITS, UNLIMITED, Limits, Policy
from ludus.tournaments.field import absolute
from ludus.tournaments.plan import EPISODES, REPETITIONS, field_of, make_tournament
from ludus.tournaments.run_options import RUN_OPTIONS, STARTS, RunOptions
from ludus.tournaments.tournament import Tournament

KEYS: dict[str, Kind | type] = {
    "game": TEXT,
    "format": TEXT,
    "episodes": EPISODES,
    "repetitions": REPETITIONS,
    **{name: option.kind for name, option in RUN_OPTIONS.items()},
    "agents": list,
    "limits": dict,
}
"""The keys of a tournament file and their kinds."""
_LIMITS = {limit.key: name for name, limit in LIMITS.items()}


class Plan(NamedTuple):
    """A tournament, and how to run it."""

    tournament: Tournament
    options: RunOptions


def plan(**content: Any) -> Plan:
    """Plan a run from what `make_tournament` takes and all run options."""
    options = RunOptions(**{name: content.pop(name) for name in RUN_OPTIONS if name in content})
    made = make_tournament(
        **content,
        name=options.name,
        seed=options.seed or 0,
        opening_plies=options.opening_plies or 0,
        openings=options.openings,
        position=options.position,
    )
    return Plan(made, options)


def read_tournament(path: str | Path, changes: Mapping[str, Any] | None = None) -> Plan:
    """Read a tournament file; `changes`, as `plan` takes them, replace what it says.

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
    read = read_table(content, KEYS, "")
    limits = read_table(read.pop("limits", {}), {key: LIMITS[name].kind for key, name in _LIMITS.items()}, "limits.")
    replaced = replaced if replaced.isdisjoint(STARTS) else replaced | STARTS
    said = {key: value for key, value in read.items() if key not in replaced}
    for key, example in (("game", '"hex"'), ("agents", '["mcts:simulations=500", "random"]')):
        if key not in replaced and not said.get(key):
            raise InvalidError(f"'{key}' is missing: write {key} = {example}.")
    if "game" in said:
        said["game"] = absolute(said["game"], folder)
    if "agents" in said:
        said["agents"] = field_of(said["agents"], folder)
    for key, option in RUN_OPTIONS.items():
        if key in said and (option.kind is FILE or (key == "position" and (folder / said[key]).is_file())):
            said[key] = str(folder / said[key])
    return said | {"limits": {_LIMITS[key]: value for key, value in limits.items()}}


def _replaced(said: dict[str, Any], changes: Any) -> Any:
    """The limits of a file with changes to some of them, or else what is given instead of them all."""
    if not isinstance(changes, Mapping):
        return changes
    if changes.get("policy", Policy.SOFT) is not Policy.SOFT:
        said.pop("hard", None)  # it belongs to the policy that is replaced
    return Limits(**{**said, **changes})


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
        yield f"openings = {toml_text(openings)}"
    elif tournament.openings.plies:
        yield f"opening_plies = {tournament.openings.plies}"
    if tournament.limits != UNLIMITED:
        yield from ("", "[limits]", *_limit_lines(tournament.limits))


def _limit_lines(limits: Limits) -> Iterator[str]:
    for name, limit in LIMITS.items():
        if (value := getattr(limits, name)) != getattr(UNLIMITED, name):
            text = limit.kind.write(value)
            yield f"{limit.key} = {toml_text(text) if limit.kind.written is str else text}"
