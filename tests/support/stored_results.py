"""Tournaments that are really played into a store, in this process."""

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ludus.episode.finished import episode
from ludus.episode.record import Key
from ludus.run import runner
from ludus.run.runner import Progress
from ludus.store import Store
from ludus.tournaments.formats.format import Match
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.run_options import RunOptions
from ludus.tournaments.tournament import Entrant

FIELD = ("minimax:depth=2", "mc:iterations=20", "random")


def play(store: Store, game: str = "tic-tac-toe", agents: Sequence[str | Entrant] = FIELD, **content: Any) -> int:
    """Play a tournament to its end; its number in the store."""
    return runner.run(make_tournament(game, agents, **content), store, RunOptions(workers=0)).id


def begin(store: Store, game: str = "tic-tac-toe", agents: Sequence[str | Entrant] = FIELD, **content: Any) -> int:
    """Stop a tournament after its first eight episodes, as Ctrl-C does."""
    tournament = make_tournament(game, agents, **content)

    def watch(progress: Progress) -> None:
        if progress.done == 8:
            raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt), pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "_WRITE_AFTER", -1.0)  # each episode is stored at once, and told to the watcher
        runner.run(tournament, store, RunOptions(workers=0), watch=watch)
    return store.find(tournament.name)


def enter(store: Store, game: str = "tic-tac-toe", agents: Sequence[str | Entrant] = FIELD, **content: Any) -> int:
    """A tournament of which nothing has been played."""
    return store.enter(make_tournament(game, agents, **content), {}).id


def copy_part(source: Store, id: int, target: Store, kept: Callable[[Key], bool]) -> int:
    """Some of the episodes of a stored tournament in another store, as if it had been played only so far."""
    wholes = [whole for whole in source.wholes(id) if kept(whole.key)]
    matches = {(whole.key.repetition, whole.key.match) for whole in wholes}
    copied = target.enter(source.tournament(id), {}).id
    for repetition, match, turn, seats in source.matches(id).iter_rows():
        if (repetition, match) in matches:
            target.add_matches(copied, repetition, match, [Match(turn, tuple(seats))])
    target.add(copied, [episode(whole.record, whole.key, whole.wall) for whole in wholes])
    return copied
