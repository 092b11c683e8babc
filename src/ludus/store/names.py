"""Names of stored tournaments and episodes for completion in the shell, read without a database library."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

_MOST_EPISODES = 200


def tournament_names(store: str = "") -> dict[int, str]:
    """The names of the stored tournaments by number; none if the store cannot be read."""
    return dict(_rows(store, "SELECT id, name FROM tournaments ORDER BY id"))


def episode_names(tournament: str, store: str = "") -> list[str]:
    """The first episodes of a tournament as MATCH.EPISODE, or REPETITION.MATCH.EPISODE if it has repetitions."""
    found = tournament_names(store)
    ids = [id for id, name in found.items() if tournament in (str(id), name)]
    if not ids:
        return []
    rows = _rows(
        store,
        "SELECT repetition, match, number FROM episodes WHERE tournament = ? ORDER BY 1, 2, 3 LIMIT ?",
        ids[0],
        _MOST_EPISODES,
    )
    is_repeated = bool(_rows(store, "SELECT 1 FROM episodes WHERE tournament = ? AND repetition > 0 LIMIT 1", ids[0]))
    return [".".join(str(number + 1) for number in (row if is_repeated else row[1:])) for row in rows]


def _rows(store: str, query: str, *values: object) -> list[tuple[Any, ...]]:
    from ludus.tournaments.config import default_store  # which completion of other names does not need

    file = Path((store or default_store()).removeprefix("sqlite:///"))
    if not file.is_file():  # a server, or nothing yet
        return []
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=0.1)) as connection:
            return connection.execute(query, values).fetchall()
    except sqlite3.Error:
        return []
