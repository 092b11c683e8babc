"""Messages to spectators."""

import json
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError

from contests.speed.contest_server import contest, run

pytestmark = pytest.mark.slow


def test_spectators_see_the_list_of_games_and_the_states_of_one(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served, connect(served.url("/spectate")) as listing:
            nobody = json.loads(await listing.recv())
            assert nobody == {"games": [], "lobby": {"places": 2, "waiting": []}}
            anna = await served.join("a")
            assert json.loads(await listing.recv())["lobby"]["waiting"] == ["a"]
            bob = await served.join("b")
            while not (games := json.loads(await listing.recv())["games"]):
                pass
            (game,) = games
            assert game["round"] == 1
            assert [player["name"] for player in game["players"]] == ["a", "b"]
            state = await anna.state()
            async with connect(served.url(f"/spectate/{game['game']}"), compression=None) as looking_on:
                seen = json.loads(await looking_on.recv())
                assert state == seen | {"you": 1}
                assert list(seen) == [field for field in state if field != "you"]
                status, body = await served.fetch("/games")
                assert status == 200
                assert json.loads(body)["games"][0]["round"] == 1
                await anna.act("speed_up")
                await bob.state()
                await bob.act()
                assert json.loads(await looking_on.recv()) | {"you": 1} == await anna.state()
                await anna.act("slow_down")
                await bob.state()
                await bob.act("speed_up")
                assert json.loads(await looking_on.recv())["running"]
                await anna.state()
                await anna.act("slow_down")
                await bob.state()
                await bob.act()
                last = json.loads(await looking_on.recv())
                assert not last["running"]
                assert last["players"]["2"]["name"] == "b"
                with pytest.raises(ConnectionClosedError):
                    await looking_on.recv()
            while json.loads(await listing.recv())["games"]:
                pass

    run(test())


def test_spectator_of_a_game_that_is_not_there_is_told_so(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served, connect(served.url("/spectate/7")) as looking_on:
            with pytest.raises(ConnectionClosedError, match="there is no game 7"):
                await looking_on.recv()

    run(test())


def test_spectator_that_does_not_read_misses_states_and_holds_up_nobody(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path, width="1000", height="1000") as served:
            players = await served.join_all("ab")
            for player in players:
                await player.state()
            async with connect(served.url("/spectate/1"), compression=None, max_size=None) as looking_on:
                await looking_on.recv()
                looking_on.transport.pause_reading()
                (connection,) = served.host._spectators._of_game[1]
                for _ in range(20):  # 2 MB each
                    for player in players:
                        await player.act()
                    for player in players:
                        assert (await player.state())["running"]
                assert connection.transport.get_write_buffer_size() < 4 << 20
                looking_on.transport.abort()

    run(test())


def test_spectators_see_that_stopping_empties_the_lobby(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served, connect(served.url("/spectate")) as listing:
            anna, bob, carl = await served.join_all("abc")
            await anna.state()
            await bob.state()
            while json.loads(await listing.recv())["lobby"]["waiting"] != ["c"]:
                pass
            served.host.stop()
            await carl.is_closed()
            assert json.loads(await listing.recv())["lobby"]["waiting"] == []
            await anna.act("slow_down")
            await bob.act()
            await anna.end()

    run(test())
