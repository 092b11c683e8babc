import pytest

from ludus.store import Store
from support.nim_contest import NimContest
from support.watched_games import check_that_a_game_is_seen


@pytest.mark.slow
def test_hosted_and_joined_game_are_seen_as_they_are_stored(store: Store) -> None:
    check_that_a_game_is_seen(store, NimContest())
