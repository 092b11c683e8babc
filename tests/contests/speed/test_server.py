"""A server as its clients see it: who is let in, many games, agents, and the store."""

import asyncio
import json
import signal
import socket
import ssl
from datetime import UTC, datetime
from pathlib import Path

import pytest
import trustme
from websockets.exceptions import InvalidStatus

from contests.speed.contest_server import LONG, Contest, Contestant, contest, run
from ludus.contests.speed.api import read_time
from ludus.contests.speed.game import Speed
from ludus.contests.speed.server import SpeedContest
from ludus.core.errors import LudusError
from ludus.episode.record import Fault
from ludus.episode.replay import replay
from ludus.net.crowd import Brake
from ludus.net.listener import Keys, tls
from ludus.net.server import check_fill
from ludus.store import open_store

pytestmark = pytest.mark.slow

AGENTS = Path(__file__).with_name("server_agents.py")


async def refused(served: Contest, key: str) -> int:
    with pytest.raises(InvalidStatus) as error:
        await served.join(key)
    return error.value.response.status_code


# --- Who is let in ----------------------------------------------------------------------------------------------------


def test_unknown_or_empty_keys_get_403(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path, keys=Keys({"s3cret": "Anna"})) as served:
            assert await refused(served, "other") == 403
            assert await refused(served, "") == 403
            assert await refused(served, "Anna") == 403
            assert (await served.fetch("/spe_ed"))[0] == 403
            await served.join("s3cret")

    run(test())


def test_answers_to_wrong_keys_are_delayed_and_those_to_right_ones_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slowed: list[str] = []

    def delay(self: Brake, address: str) -> float:
        slowed.append(address)
        return 0.01

    monkeypatch.setattr(Brake, "delay", delay)

    async def test() -> None:
        async with contest(tmp_path, keys=Keys({"s3cret": "Anna", "other": "Bob"})) as served:
            for key in ("wrong", "guess"):
                assert await refused(served, key) == 403
            assert len(slowed) == 2
            await served.join("s3cret")
            assert await refused(served, "s3cret") == 429
            assert len(slowed) == 2

    run(test())
    assert len(set(slowed)) == 1


def test_key_that_waits_or_plays_gets_429_and_may_come_again_afterwards(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served:
            for _ in range(3):
                anna = await served.join("a")
                assert await refused(served, "a") == 429
                bob = await served.join("b")
                await anna.state()
                await bob.state()
                assert await refused(served, "a") == 429
                await anna.act("slow_down")
                await bob.act()
                await anna.end()
                await bob.end()

    run(test())


def test_plain_http_gets_400_and_other_paths_404(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served:
            assert (await served.fetch("/spe_ed?key=a"))[0] == 400
            assert (await served.fetch("/spectate"))[0] == 400
            assert (await served.fetch("/elsewhere?key=a"))[0] == 404
            assert (await served.fetch("/spectate7"))[0] == 404
            assert (await served.fetch("//[x/spe_ed?key=a"))[0] == 400
            # Somebody who breaks off in the middle blocks no key.
            assert (await served.fetch("/spe_ed?key=a", "Connection: Upgrade", "Upgrade: websocket"))[0] == 400
            await served.join("a")

    run(test())


def test_time_is_told_with_milliseconds(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served:
            before = datetime.now(UTC)
            status, body = await served.fetch("/spe_ed_time")
            assert status == 200
            assert set(json.loads(body)) == {"time", "milliseconds"}
            told = read_time(body)
            assert before.replace(microsecond=before.microsecond // 1000 * 1000) <= told <= datetime.now(UTC)

    run(test())


def test_wss_with_a_certificate(tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(str(tmp_path / "server.pem"))
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)

    async def test() -> None:
        async with contest(tmp_path, security=tls(tmp_path / "server.pem", None)) as served:
            for _ in range(2):
                anna, bob = [await served.join(key, ssl=trusting) for key in "ab"]
                await anna.state()
                await bob.state()
                await anna.act("slow_down")
                await bob.act()
                assert (await anna.end())["players"]["2"]["active"]
                await bob.end()

    run(test())


# --- Games ------------------------------------------------------------------------------------------------------------


def test_only_agents_of_ludus_that_suit_fill_places() -> None:
    assert check_fill(SpeedContest(), ["random", "mcts:simulations=10"]) == ("random", "mcts:simulations=10")
    for spec in ("human", "remote:anna", "stdio:cat"):
        with pytest.raises(LudusError, match="cannot fill a place"):
            check_fill(SpeedContest(), [spec])
    with pytest.raises(LudusError, match="no agent 'nobody'"):
        check_fill(SpeedContest(), ["nobody"])


def test_many_games_at_once_do_not_disturb_each_other_and_all_are_stored(tmp_path: Path) -> None:
    async def play(player: Contestant) -> int:
        """Turn all the time, in a circle that ends in the own trail; how many states there were."""
        states = 0
        while (await player.state())["running"]:
            states += 1
            if player.me["active"]:
                await player.act("turn_left")
        await player.is_closed()
        return states

    async def test() -> None:
        async with contest(tmp_path) as served:
            players = await served.join_all("abcdefghijkl")
            await asyncio.gather(*(play(player) for player in players))
            records = await served.stored(6)
            assert sorted(seat.name for record in records for seat in record.seats) == list("abcdefghijkl")

    run(test())
    with open_store(str(tmp_path / "store.db")) as store:
        (summary,) = store.tournaments()
        assert summary.episodes == 6
        records = [record for _, record in store.records(summary.id)]
        assert all(record.game == Speed(width=400, height=100).spec() for record in records)
        for record in records:
            *_, last = replay(record)
            assert last.state.clock[0] == len(record.steps) + 1


@pytest.mark.parametrize(
    ("name", "fault", "grace"),
    [
        ("Fatal", Fault.FAILED, LONG),
        ("Sleepy", Fault.LATE, 4),
        ("Talkative", Fault.ILLEGAL, LONG),
        ("Boundless", Fault.FAILED, LONG),
    ],
)
def test_agent_that_dies_hangs_or_answers_nonsense_is_out_and_the_server_goes_on(
    tmp_path: Path, name: str, fault: Fault, grace: float
) -> None:
    async def test() -> None:
        async with contest(tmp_path, lobby=0.01, fill=(f"{AGENTS}:{name}",), deadline=0.5, grace=grace) as served:
            for _ in range(2):
                anna = await served.join("a")
                last = await anna.end()
                assert last["players"]["1"]["active"]
            for record in await served.stored(2):
                assert [move.fault for step in record.steps for move in step if move.seat == 1] == [None, fault]
            if name == "Sleepy":
                ended = [process._popen.wait(60) for process in served.host._agents._processes]
                assert ended == [-signal.SIGKILL], "it does not sleep on after its game"

    run(test())


def test_clients_are_let_go_when_no_table_can_be_laid_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served:
            monkeypatch.setattr("ludus.net.server.Table", None)
            anna, bob = await served.join_all("ab")
            await anna.is_closed()
            await bob.is_closed()
            assert any("please report it: TypeError" in sentence for sentence in served.told)
            monkeypatch.undo()
            anna, _ = await served.join_all("ab")
            assert (await anna.state())["running"]

    run(test())


def test_clients_that_are_gone_without_a_word_are_noticed(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served:
            await (await served.join("a")).is_heard()
            (client,) = served.host.lobby.clients
            connected = client._connection.transport.get_extra_info("socket")
            assert connected.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            for option, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3)):
                if hasattr(socket, option):
                    assert connected.getsockopt(socket.IPPROTO_TCP, getattr(socket, option)) == value

    run(test())


# --- The end ----------------------------------------------------------------------------------------------------------


def test_stopping_lets_games_end_and_nobody_in(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served:
            anna, bob, carl = await served.join_all("abc")
            await anna.state()
            await carl.is_heard()
            served.host.stop()
            await carl.is_closed()
            assert json.loads((await served.fetch("/games"))[1])["lobby"]["waiting"] == []
            assert await refused(served, "d") == 503
            await bob.state()
            await anna.act("slow_down")
            await bob.act()
            assert (await anna.end())["players"]["2"]["active"]
            await served.stored()

    run(test())


def test_stopping_after_the_last_game_has_begun_lets_it_end_too(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path, games=1) as served:
            anna, bob = await served.join_all("ab")
            await anna.state()
            await bob.state()
            served.host.stop()
            await anna.act("slow_down")
            await bob.act()
            assert (await anna.end())["players"]["2"]["active"]

    run(test())
    with open_store(str(tmp_path / "store.db")) as store:
        assert [summary.episodes for summary in store.tournaments()] == [1]


def test_stopping_twice_ends_games_without_storing_them(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served:
            anna, _ = await served.join_all("ab")
            await anna.state()
            served.host.stop()
            served.host.stop()
            await anna.is_closed()
            served.host.stop()
            assert served.host._cut_off, "a third time changes nothing"

    run(test())
    with open_store(str(tmp_path / "store.db")) as store:
        assert store.tournaments() == []


def test_server_ends_after_so_many_games(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path, games=2) as served:
            players = await served.join_all("abcd")
            assert await refused(served, "e") == 503
            for player in players:
                await player.state()
                await player.act("slow_down")
            for player in players:
                await player.end()
            await served.stored(2)

    run(test())
