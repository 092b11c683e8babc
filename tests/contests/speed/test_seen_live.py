"""Games of spe_ed as they are seen while they are being played: simultaneous moves, forfeits, drawn boards."""

from pathlib import Path

import pytest

from ludus.contests.speed.server import SpeedContest
from ludus.core.ranges import Range
from ludus.episode.limits import Policy
from ludus.store import Store
from support.rebuilding import check_that_it_is_rebuilt, check_that_it_is_seen
from support.simple_agents import IllegalAt
from support.watched_games import check_that_a_game_is_seen

GAME = "speed:players=3,width=12,height=12"


@pytest.mark.slow
def test_hosted_and_joined_game_are_seen_as_they_are_stored(store: Store) -> None:
    size = Range(10, 12)
    check_that_a_game_is_seen(
        store, SpeedContest(players=Range(2, 2), width=size, height=size, deadline=Range(0.2, 0.2))
    )


@pytest.mark.parametrize("policy", [Policy.LOSE, Policy.RANDOM])
def test_forfeits_are_rebuilt(tmp_path: Path, policy: Policy) -> None:
    check_that_it_is_rebuilt(tmp_path, GAME, ["random", IllegalAt(turn=3), "random"], policy)


def test_moves_of_another_server_are_played_as_they_are(tmp_path: Path) -> None:
    check_that_it_is_seen(tmp_path, GAME, ["random"] * 3)
