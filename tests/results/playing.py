"""Tournaments that are really played into a store, in this process."""

import contextlib
from collections.abc import Sequence
from typing import Any

from ludus.runner.running import Progress, run
from ludus.store import Store
from ludus.tournaments.base import Entrant
from ludus.tournaments.making import make_tournament

FIELD = ("minimax:depth=2", "mc:iterations=20", "random")


def play(store: Store, game: str = "tic-tac-toe", agents: Sequence[str | Entrant] = FIELD, **content: Any) -> int:
    """Play a tournament to its end; its number in the store."""
    return run(make_tournament(game, agents, **content), store, workers=0).id


def begin(store: Store, game: str = "tic-tac-toe", agents: Sequence[str | Entrant] = FIELD, **content: Any) -> int:
    """Stop a tournament soon after its first episodes are stored, as Ctrl-C does."""
    tournament = make_tournament(game, agents, **content)

    def watch(progress: Progress) -> None:
        if progress.done:
            raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        run(tournament, store, workers=0, watch=watch)
    return store.find(tournament.name)


def enter(store: Store, game: str = "tic-tac-toe", agents: Sequence[str | Entrant] = FIELD, **content: Any) -> int:
    """A tournament of which nothing has been played."""
    return store.enter(make_tournament(game, agents, **content), {}).id
