"""Suites of scenarios: TOML files, and those that come with Ludus, found by name."""

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.core.kinds import FILE, TEXT, Kind, read_table, whole
from ludus.core.paths import read_toml, shipped
from ludus.core.text import did_you_mean
from ludus.episode.opening import joined, read_position, start_state
from ludus.episode.record import Opening
from ludus.games.game import Game, game_from
from ludus.kernel.rules import CHANCE, State
from ludus.run.scenarios.scenario import KINDS, Alive, Points, Result, Scenario, Success, Suite, default_opponent
from ludus.tournaments.field import entrant_from
from ludus.tournaments.tournament import Entrant

_SUITE: dict[str, Kind | type] = {"note": TEXT, "game": TEXT, "opponents": TEXT, "scenario": list}
_SCENARIO: dict[str, Kind | type] = {
    "name": TEXT,
    "note": TEXT,
    "game": TEXT,
    "position": TEXT,
    "file": FILE,
    "seat": whole(1),
    "success": dict,
    "opponents": object,
}
_EXAMPLES = 'best = ["d"], avoid = ["d"], alive = 20, result = "win", result = "tie" or points = 2048'


def shipped_suites() -> dict[str, Path]:
    """Suites that come with Ludus, by name."""
    return {path.stem: path for path in shipped("examples/scenarios/*.toml")}


def find_suite(text: str) -> Suite:
    """Find the suite with that name, or read the file with that path."""
    suites = shipped_suites()
    if text in suites and not os.path.isfile(text):
        return read_suite(suites[text])
    if os.path.isfile(text) or text.endswith(".toml") or "/" in text:
        return read_suite(Path(text))
    raise NotFoundError(
        f"There is no suite '{text}'{did_you_mean(text, suites)}, and no such file; 'ludus scenario list' lists suites."
    )


def read_suite(path: Path, *, may_be_empty: bool = False) -> Suite:
    """Read the suite in a file; it may have no scenarios yet if `may_be_empty`. Paths are relative to the file."""
    content = read_toml(path)
    try:
        shared: dict[str, Any] = {key: content.pop(key) for key in ("game", "opponents") if key in content}
        read_table(content, _SUITE, "")
        tables = content.get("scenario", [])
        is_begun = may_be_empty and "scenario" not in content
        if not (tables or is_begun) or not all(isinstance(table, dict) for table in tables):
            raise InvalidError("the suite is empty: add a [[scenario]] table with name, position and success.")
        scenarios = tuple(_numbered(number, table, shared, path) for number, table in enumerate(tables, 1))
        _refuse_equal_names(scenarios)
    except LudusError as error:
        raise InvalidError(f"{path}: {error}") from None
    return Suite(path.stem, content.get("note", ""), scenarios)


def _refuse_equal_names(scenarios: tuple[Scenario, ...]) -> None:
    names = [scenario.name for scenario in scenarios]
    for name in names:
        if names.count(name) > 1:
            raise InvalidError(f"two scenarios are called '{name}': give them different names.")


def _numbered(number: int, table: dict[str, Any], shared: dict[str, Any], path: Path) -> Scenario:
    name = table.get("name", "")
    if "game" in shared and "game" in table:
        shared = {}  # the opponents belong to the suite's game
    try:
        return _scenario({**shared, **table}, path.parent)
    except LudusError as error:
        raise InvalidError(f"scenario {number}{f' ({name})' if name else ''}: {error}") from None


def _scenario(table: dict[str, Any], folder: Path) -> Scenario:
    opponents = table.pop("opponents", None)
    read_table(table, _SCENARIO, "")
    for key, example in (("name", '"a short name"'), ("game", '"connect-four"'), ("success", '{ result = "win" }')):
        if not table.get(key):
            raise InvalidError(f"'{key}' is missing: write {key} = {example}.")
    game = game_from(table["game"], base=folder)
    position = _position(table, game, folder)
    state = start_state(game, Opening(position))
    seat = _seat(table.get("seat"), game, state)
    return Scenario(
        name=table["name"],
        game=game.spec(),
        position=position,
        seat=seat,
        success=success_from(table["success"]).checked(game, state, seat),
        opponents=_opponents(opponents, game, folder),
        note=table.get("note", ""),
    )


def _position(table: Mapping[str, Any], game: Game, folder: Path) -> str:
    if ("position" in table) == ("file" in table):
        raise InvalidError("write either position = … or file = … with the position.")
    if "file" in table:
        return read_position(folder / table["file"], game)
    return game.save(start_state(game, Opening(joined(table["position"]))))


def _seat(given: int | None, game: Game, state: State) -> int:
    """The tested seat from 0, while a suite counts from 1; by default the seat that is to move."""
    movers = [player for player in game.movers(state) if player != CHANCE]
    if given is None and (game.seats == 1 or len(movers) == 1):
        return movers[0] if movers else 0
    if given is None:
        raise InvalidError("'seat' is missing: write the seat to test, as in seat = 1.")
    if not 1 <= given <= game.seats:
        raise InvalidError(f"seat = {given} does not exist: {game.spec()} has {game.seats}, counted from 1.")
    return given - 1


def success_from(table: Mapping[str, Any]) -> Success:
    """The condition for success in a table with one key."""
    if len(table) != 1 or (key := next(iter(table))) not in KINDS:
        raise InvalidError(f"success must be a table of one of these: {_EXAMPLES}.")
    value = table[key]
    kind: Any = KINDS[key]
    if kind is Result:
        fits = value in ("win", "tie")
    elif kind is Points:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    elif kind is Alive:
        fits = isinstance(value, int) and not isinstance(value, bool) and value > 0
    else:
        fits = isinstance(value, list | tuple) and bool(value) and all(isinstance(move, str) for move in value)
        value = tuple(value) if fits else value
    if not fits:
        raise InvalidError(f"success with {key} = {value!r} cannot be decided: write it as one of {_EXAMPLES}.")
    return kind(value)


def _opponents(given: Any, game: Game, folder: Path) -> tuple[Entrant, ...]:
    """The players of the other seats in order; a single text stands for all of them."""
    others = game.seats - 1
    if given is None:
        return (default_opponent(game),) * others
    texts = [given] * others if isinstance(given, str) else given
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InvalidError(f'opponents = {given!r} is neither an agent such as "random" nor a list of them.')
    if len(texts) != others:
        raise InvalidError(f"there are {len(texts)} opponents, but {game.spec()} has {others} other seats.")
    return tuple(entrant_from(text, folder) for text in texts)
