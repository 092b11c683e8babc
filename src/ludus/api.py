"""Ludus in a notebook or a script: run a tournament or load a stored one, and get its results as Polars frames."""

import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.core.errors import InvalidError
from ludus.core.spec import Spec
from ludus.episode.limits import Limits
from ludus.run.runner import Watcher, run
from ludus.stats import results
from ludus.store import Store, open_store
from ludus.tournaments.file import plan, read_tournament

if TYPE_CHECKING:
    from ludus.views.charts.chart_list import Charts

__all__ = ["Results", "load", "tournament"]


class Results(results.Results):
    """The results of one tournament, with its charts."""

    @property
    def charts(self) -> "Charts":
        """The charts by name, as Altair objects."""
        from ludus.views.charts.chart_list import Charts  # Altair takes its time to import

        return Charts(self)


def load(which: int | str, store: str | Store | None = None) -> Results:
    """The results of a stored tournament, named by number, name or identity; without a store, that of the user."""
    opened = store if isinstance(store, Store) else open_store(store)
    return Results(opened, opened.find(str(which)))


def tournament(
    game: str | Path,
    agents: Iterable[str | Mapping[str, Any]] | None = None,
    *,
    name: str | None = None,
    format: str | None = None,
    episodes: int | None = None,
    repetitions: int | None = None,
    seed: int | None = None,
    opening_plies: int | None = None,
    openings: str | Path | None = None,
    position: str | Path | None = None,
    limits: Limits | None = None,
    workers: int | None = None,
    timed: bool | None = None,
    patience: int | None = None,
    store: str | None = None,
    watch: Watcher | None = None,
) -> Results:
    """Run a tournament, or go on with one that was stopped; what the user should know beforehand is warned of.

    `game` may be the path of a tournament file: what is given besides replaces what that says. `patience` is how many
    nanoseconds a player may think where no time is set.
    """
    given: dict[str, Any] = {
        "agents": agents,
        "name": name,
        "format": format,
        "episodes": episodes,
        "repetitions": repetitions,
        "seed": seed,
        "opening_plies": opening_plies,
        "openings": openings,
        "position": position,
        "limits": limits,
        "workers": workers,
        "timed": timed,
        "patience": patience,
    }
    given = {key: value for key, value in given.items() if value is not None}
    if _is_file(game):
        planned = read_tournament(game, given)
    elif agents is None:
        raise InvalidError(
            f"Agents are missing: write ludus.tournament('{game}', ['mcts', 'random']), or the path of a tournament "
            "file, which ends with .toml."
        )
    else:
        planned = plan(game=str(game), **given)
    with open_store(store) as opened:
        ran = run(
            planned.tournament,
            opened,
            planned.options,
            watch=watch,
            tell=lambda sentence: warnings.warn(sentence, stacklevel=4),
        )
    return load(ran.id, store)


def _is_file(game: str | Path) -> bool:
    """Whether this is the path of a tournament file and not a game, which may be a file too."""
    return str(game).endswith(".toml") or (isinstance(game, Path) and Spec.parse(str(game)).file is None)
