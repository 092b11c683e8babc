"""The user's defaults from `ludus.toml`: the store, colours, how tournaments run, and limits."""

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from ludus.core.errors import InvalidError, LudusError
from ludus.core.kinds import TEXT, Kind, choice, read_table
from ludus.core.paths import config_folder, data_folder, in_full, read_toml
from ludus.episode.limits import Limits, joined_limits, read_limits
from ludus.tournaments.run_options import RUN_OPTIONS

FILE_NAME = "ludus.toml"


class Colours(StrEnum):
    """The choice between coloured and plain output."""

    AUTO = "auto"  # on a terminal
    ALWAYS = "always"
    NEVER = "never"


class Config(NamedTuple):
    """Defaults for what neither an option nor the environment nor a tournament file sets."""

    store: str | None = None  # a path in full, or a URL
    colours: Colours | None = None  # by default on a terminal
    options: Mapping[str, Any] = {}  # run options by name
    limits: Mapping[str, Any] = {}  # limits by name


_KEYS: dict[str, Kind | type] = {
    "store": TEXT,
    "colours": choice(Colours),
    **{name: option.kind for name, option in RUN_OPTIONS.items() if option.in_config},
    "limits": dict,
}


def config() -> Config:
    """The user's defaults; those of the current folder replace those of the user's folder, key by key."""
    user, here = _read(config_folder() / FILE_NAME), _read(Path(FILE_NAME))
    limits = joined_limits(user.limits, here.limits)
    return Config(here.store or user.store, here.colours or user.colours, {**user.options, **here.options}, limits)


def default_store() -> str:
    """The store where none is given, a file or a URL: LUDUS_STORE, else as in ludus.toml, else in the data folder."""
    return os.environ.get("LUDUS_STORE") or config().store or str(data_folder() / "ludus.db")


def with_default_limits(limits: Mapping[str, Any]) -> dict[str, Any]:
    """Limits by name, and the user's defaults for the others."""
    return joined_limits(config().limits, limits)


def _read(file: Path) -> Config:
    """The defaults that a file sets."""
    if not file.is_file():
        return Config()
    content = read_toml(file)
    try:
        values = read_table(content, _KEYS, "")
        limits = read_limits(values.pop("limits", {}))
        Limits(**limits)  # which refuses those that contradict each other
        store = values.pop("store", None)
        if store is not None and "://" not in store:
            store = in_full(store, file.parent)
    except LudusError as error:
        raise InvalidError(f"{file}: {error}") from None
    return Config(store, values.pop("colours", None), values, limits)
