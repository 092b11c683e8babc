"""Ludus in a notebook or a script: run a tournament or load a stored one, and get its results as Polars frames."""

from collections.abc import Sequence
from pathlib import Path

from ludus.record import UNLIMITED, Limits
from ludus.results import Results, load
from ludus.runner.running import Watcher, run
from ludus.store import open_store
from ludus.tournaments.files import read_tournament
from ludus.tournaments.making import make_tournament

__all__ = ["load", "tournament"]


def tournament(
    game: str | Path,
    agents: Sequence[str] = (),
    *,
    name: str = "",
    format: str = "",
    episodes: int = 1,
    repetitions: int = 1,
    seed: int = 0,
    opening_plies: int = 0,
    openings: str | Path | None = None,
    limits: Limits = UNLIMITED,
    workers: int | None = None,
    timed: bool = False,
    store: str | None = None,
    watch: Watcher | None = None,
) -> Results:
    """Run a tournament, or go on with one that was stopped; `game` alone may be the path of a tournament file."""
    if not agents:
        file = read_tournament(game)
        planned, workers, timed = file.tournament, file.workers if workers is None else workers, timed or file.timed
    else:
        planned = make_tournament(
            str(game),
            agents,
            name=name,
            format=format,
            episodes=episodes,
            repetitions=repetitions,
            seed=seed,
            opening_plies=opening_plies,
            openings=openings,
            limits=limits,
        )
    with open_store(store) as opened:
        ran = run(planned, opened, workers=workers, timed=timed, watch=watch)
    return load(ran.id, store)
