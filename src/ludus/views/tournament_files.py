"""A tournament as files for other programs: results and records in a folder, or its games in one file."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.stats.results import Results
from ludus.store import Store
from ludus.store.entries import episode_name
from ludus.store.export import PASSES, export_tables
from ludus.store.portable import export_folder
from ludus.views.table_files import Form, write_tables

if TYPE_CHECKING:
    from ludus.games.game import Game
    from ludus.games.notation import Notation


def passes(form: Form) -> int:
    """Number of times that writing reads all episodes."""
    return {"json": 1, "latex": 0}.get(form, PASSES)


def write_tournament(store: Store, id: int, folder: Path, form: Form, watch: Callable[[int], None]) -> None:
    """Write the results, and except for LaTeX the records; `watch` is called with the number of episodes read."""
    if form == "json":
        export_folder(store, id, folder, watch)
    elif form != "latex":
        export_tables(store, id, folder, form, watch)
    if store.summary(id).episodes:
        write_tables(Results(store, id), folder, form)


def games_of(store: Store, id: int, game: "Game", notation: "Notation") -> Iterator[str]:
    """Each game of a tournament as text, in the order of keys."""
    from ludus.episode.game_file import written  # games need the compiler

    tournament = store.tournament(id)
    for whole in store.wholes(id):
        _, _, round = episode_name(id, whole.key, tournament.repetitions).rpartition("/")
        yield written(whole.record, notation, game, tournament.name, round)
