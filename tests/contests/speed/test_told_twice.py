"""One game as its server and its players tell it."""

import asyncio
from pathlib import Path

import pytest

from contests.speed.contest_server import contest, run
from contests.speed.test_client import SPEED, Notes
from ludus.agents.agent import agent_from
from ludus.episode.local_player import player_for
from ludus.episode.record import Record
from ludus.net.client import Guest, door
from ludus.stats.win_rates import win_rates
from ludus.store import open_store

pytestmark = pytest.mark.slow

AGENTS = ("speed.basic", "speed.dont-hit")


def join(url: str, file: Path, agent: str) -> None:
    """Play a game with this agent, and store it."""
    with open_store(str(file)) as store:
        where = door(SPEED, url, f"key of {agent}")
        guest = Guest(
            SPEED,
            where,
            lambda: player_for(agent_from(agent), f"my {agent}"),
            lambda *game: store.keep_game("joined", *game).name,
            Notes(),
            lambda: None,
        )
        guest.play(1)


@pytest.mark.parametrize("joining", [1, 2])
def test_a_game_is_stored_once_whoever_tells_it(tmp_path: Path, joining: int) -> None:
    file, records = tmp_path / "ludus.db", list[Record]()

    async def test() -> None:
        fill = AGENTS[joining:]
        async with contest(tmp_path, width="16", height="16", deadline=2.0, lobby=0.5, fill=fill, games=1) as served:
            url = served.url("/spe_ed")
            await asyncio.gather(*(asyncio.to_thread(join, url, file, agent) for agent in AGENTS[:joining]))
            records.extend(await served.stored())

    run(test())
    with open_store(str(file)) as store:
        store.keep_game("hosted", records[0], 10**9)
        assert win_rates(store, game="speed").episodes == 1
        for agent in AGENTS:
            assert win_rates(store, agents=[agent]).episodes == 1
