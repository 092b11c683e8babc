import msgspec
import pytest
from sqlalchemy import create_engine, text

from ludus.episode.record import Key
from ludus.store import open_store
from ludus.store.connect import location
from ludus.tournaments.formats.format import Match
from support.samples import KINDS, sample, stored

FIRST = "one mover at a time"
MANY = 12_000  # more than a migration reads at once


@pytest.fixture
def first_version(url: str) -> str:
    """A store with tables of the first version and episodes of all kinds; of the first tournament there are many."""
    with open_store(url) as store:
        id = stored(store, FIRST)
        for kind in KINDS:
            stored(store, kind)
        found = sample(FIRST)
        store.add_matches(id, 0, 1, [Match(0, found.seats)])
        store.add_matches(id, 1, 0, [Match(0, found.seats)])
        few = found.episodes(1) + found.episodes(0, 1)
        many = [msgspec.structs.replace(few[0], key=Key(0, 0, number), course=number // 2) for number in range(MANY)]
        store.add(id, [*few, *many])
    engine = create_engine(location(url))
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE outcomes"))
        connection.execute(text("UPDATE ludus_version SET version_num = '1'"))
    engine.dispose()
    return url


def test_outcomes_are_filled_from_the_episodes_that_are_stored(first_version: str) -> None:
    outcome = ["repetition", "match", "number", "scores", "ending", "by", "course", "fresh"]
    with open_store(first_version) as store:
        found = [summary.id for summary in store.tournaments()]
        assert len(found) == len(KINDS)
        for id in found:
            assert store.episodes(id, outcome).equals(store.episodes(id).select(outcome))
        assert len(store.episodes(found[0], outcome)) == MANY + 8
        assert store.episodes(found[0], outcome)["fresh"].sum() < MANY
