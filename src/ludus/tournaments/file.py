"""Tournament files: TOML, checked, with one sentence for each error and its place."""

import os
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import Any, NamedTuple

from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.core.kinds import FILE, TEXT, Kind, read_table
from ludus.core.paths import read_toml, shipped
from ludus.core.text import did_you_mean, toml_text
from ludus.episode.limits import LIMITS, UNLIMITED, Limits, joined_limits, read_limits
from ludus.games.game import Game
from ludus.tournaments.config import config, with_default_limits
from ludus.tournaments.field import Pick, absolute
from ludus.tournaments.formats import Format
from ludus.tournaments.plan import EPISODES, REPETITIONS, Parts, field_of, given_format, given_game, make_tournament
from ludus.tournaments.run_options import RUN_OPTIONS, STARTS, RunOptions
from ludus.tournaments.tournament import Entrant, Tournament

KEYS: dict[str, Kind | type] = {
    "game": TEXT,
    "format": TEXT,
    "episodes": EPISODES,
    "repetitions": REPETITIONS,
    **{name: option.kind for name, option in RUN_OPTIONS.items()},
    "agents": list,
    "limits": dict,
}


class Plan(NamedTuple):
    """A tournament, how to run it, and the objects that its specs name."""

    tournament: Tournament
    options: RunOptions
    parts: Parts


def plan(
    *,
    game: str | Game,
    agents: Iterable[str | Mapping[str, Any] | Entrant | Pick],
    format: str | Format | None = None,
    games: int | None = None,
    **content: Any,
) -> Plan:
    """Plan a run from the arguments of `make_tournament` and all run options, with defaults from the config file.

    Limits may be a mapping by name; the config file adds missing ones. The number of `games` of each pairing replaces
    that of episodes, and lets the format choose the seatings.
    """
    given = {name: content.pop(name) for name in RUN_OPTIONS if name in content}
    options = RunOptions(**{**config().options, **given})
    if isinstance(limits := content.get("limits", {}), Mapping):
        content["limits"] = Limits(**with_default_limits(limits))
    played, field = given_game(game), field_of(agents)
    chosen = given_format(format, played.seats)
    if games is not None:
        chosen, content["episodes"] = chosen.for_games(games, played.seats)
    made = make_tournament(
        played,
        field,
        format=chosen,
        **content,
        name=options.name,
        seed=options.seed,
        opening_plies=options.opening_plies or 0,
        openings=options.openings,
        position=options.position,
    )
    return Plan(made, options, Parts(played, [pick.agent for pick in field], chosen))


def read_tournament(path: str | Path, changes: Mapping[str, Any] | None = None) -> Plan:
    """Read a tournament file, also one that comes with Ludus; `changes`, in the form of `plan`, override values.

    Limits are overridden one by one.
    """
    path, changes = find_tournament(path), dict(changes or {})
    content = read_toml(path)
    if "agents" in changes:
        changes["agents"] = field_of(changes["agents"])
    config()  # report its errors before those of this file
    try:
        values = _file_content({"name": path.stem, **content}, path.parent, changes.keys())
        if isinstance(limits := changes.get("limits", {}), Mapping):
            changes["limits"] = joined_limits(values["limits"], limits)
        return plan(**(values | changes))
    except LudusError as error:
        raise InvalidError(f"{path}: {error}") from None


def find_tournament(path: str | Path) -> Path:
    """The tournament file of that path, or the one of that name that comes with Ludus."""
    if os.path.exists(path):
        return Path(path)
    known = {file.stem: file for file in shipped("examples/*.toml")}
    if str(path) in known:
        return known[str(path)]
    if str(path).endswith(".toml") or os.path.basename(path) != str(path):
        raise NotFoundError(f"There is no file {path}.")
    raise NotFoundError(
        f"There is no file {path}, nor a tournament of that name that comes with Ludus"
        f"{did_you_mean(str(path), known)}; these do: {', '.join(known)}."
    )


def _file_content(content: dict[str, Any], folder: Path, replaced: Set[str]) -> dict[str, Any]:
    """The content of a file in the form of `plan`, with limits as a table, without overridden keys."""
    read = read_table(content, KEYS, "")
    limits = read_limits(read.pop("limits", {}))
    replaced = replaced if replaced.isdisjoint(STARTS) else replaced | STARTS
    values = {key: value for key, value in read.items() if key not in replaced}
    for key, example in (("game", '"hex"'), ("agents", '["mcts:simulations=500", "random"]')):
        if key not in replaced and not values.get(key):
            raise InvalidError(f"'{key}' is missing: write {key} = {example}.")
    if "game" in values:
        values["game"] = absolute(values["game"], folder)
    if "agents" in values:
        values["agents"] = field_of(values["agents"], folder)
    for key, option in RUN_OPTIONS.items():
        if key in values and (option.kind is FILE or (key == "position" and (folder / values[key]).is_file())):
            values[key] = str(folder / values[key])
    return values | {"limits": limits}


# --- Writing -------------------------------------------------------------------------------------------------------


def to_toml(tournament: Tournament, openings: str = "") -> Iterator[str]:
    """The lines of a tournament file; `openings` is the file of its openings, if they were listed."""
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
