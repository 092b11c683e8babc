"""Tournaments in formats whose pairings depend on results, played once for all tests that look at them."""

from collections.abc import Iterator

import pytest

from ludus.stats.results import Results, load
from ludus.store import Store, open_store
from support.stored_results import play

FIELD = ("mc:iterations=1", "mc:iterations=2", "mc:iterations=20", "random", "minimax:depth=2")


@pytest.fixture(scope="session")
def format_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The store of these tournaments."""
    with open_store(str(tmp_path_factory.mktemp("formats") / "ludus.db")) as opened:
        yield opened


@pytest.fixture(scope="session")
def knockout(format_store: Store) -> Results:
    """A knockout of five agents."""
    return load(play(format_store, agents=FIELD, format="knockout", episodes=2, name="Knockout"), format_store)


@pytest.fixture(scope="session")
def swiss(format_store: Store) -> Results:
    """A Swiss tournament of five agents, twice."""
    played = play(format_store, agents=FIELD, format="swiss", episodes=2, repetitions=2, name="Swiss")
    return load(played, format_store)


@pytest.fixture(scope="session")
def drop(format_store: Store) -> Results:
    """A round robin that an agent leaves after each round, twice."""
    played = play(format_store, agents=FIELD, format="drop:every=1,start=1", episodes=2, repetitions=2, name="Drop")
    return load(played, format_store)
