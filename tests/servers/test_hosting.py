"""A server as its clients and spectators see it: who is let in, the lobby, many games, agents, and the store."""

import asyncio
import json
import signal
import socket
import ssl
from datetime import UTC, datetime
from pathlib import Path

import pytest
import trustme
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from ludus.errors import LudusError
from ludus.games.speed import Speed
from ludus.players.entrance import Keys, tls
from ludus.protocols.speed_api import read_time
from ludus.record import Fault
from ludus.replay import replay
from ludus.servers.hosting import check_fill
from ludus.servers.lobby import Plan, Span
from ludus.store import open_store
from servers.contest import LONG, Contest, Contestant, contest, run

AGENTS = Path(__file__).with_name("agents.py")


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


# --- The lobby --------------------------------------------------------------------------------------------------------


def test_nothing_is_sent_before_the_start_and_who_leaves_gives_up_its_place(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served:
            anna = await served.join("a")
            await anna.connection.close()
            bob = await served.join("b")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(bob.state(), 0.2)
            await served.join("c")
            assert (await bob.state())["you"] == 1

    run(test())


def test_agents_take_the_empty_places_in_turn_after_the_time_of_the_lobby(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path, 4, lobby=0.05, fill=("random", "mc:iterations=5")) as served:
            anna = await served.join("a")
            last = await anna.end()
            names = [player["name"] for player in last["players"].values()]
            assert names == ["a", "random", "mc:iterations=5", "random"]
            (record,) = await served.stored()
            assert [seat.agent for seat in record.seats] == ["remote:a", "random", "mc:iterations=5", "random"]
            assert all(move.fault is None for step in record.steps for move in step)
            assert any(move.metrics for step in record.steps for move in step if move.seat == 2)
            last = await (await served.join("a")).end()
            assert [player["name"] for player in last["players"].values()][1] == "mc:iterations=5"

    run(test())


def test_without_agents_the_game_begins_late_with_those_who_came_if_they_are_enough(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path, (2, 6), lobby=0.05) as served:
            while served.host.lobby.places == 2:  # a draw that would be full at once
                for player in await served.join_all("ab"):
                    await player.connection.close()
            anna = await served.join("a")
            await asyncio.sleep(0.2)
            bob = await served.join("b")
            assert len((await anna.state())["players"]) == 2
            await bob.state()

    run(test())


def test_sizes_are_drawn_from_a_range_and_kept_in_one_tournament(tmp_path: Path) -> None:
    async def test() -> None:
        sizes = set()
        async with contest(tmp_path, width="30..33", height="20") as served:
            for _ in range(12):
                anna, bob = await served.join_all("ab")
                state = await anna.state()
                sizes.add((state["width"], state["height"]))
                await bob.state()
                await anna.act("slow_down")
                await bob.act()
                await anna.end()
                await bob.end()
        assert len(sizes) > 1
        assert {height for _, height in sizes} == {20}
        assert {width for width, _ in sizes} <= {30, 31, 32, 33}

    run(test())
    with open_store(str(tmp_path / "store.db")) as store:
        (summary,) = store.tournaments()
        assert summary.episodes == 12
        for _, record in store.records(summary.id):
            *_, last = replay(record)
            assert last.state.cells.shape[0] == 20


def test_deadlines_are_drawn_for_each_round_and_kept_in_one_tournament(tmp_path: Path) -> None:
    async def test() -> None:
        deadlines = set()
        async with contest(tmp_path, deadline=(100.0, 50_000.0)) as served:
            for _ in range(2):
                anna, bob = await served.join_all("ab")
                for action in ["change_nothing"] * 5 + ["slow_down"]:
                    state = await anna.state()
                    left = datetime.fromisoformat(state["deadline"]) - datetime.now(UTC)
                    deadlines.add(round(left.total_seconds() / 20))
                    await bob.state()
                    await anna.act(action)
                    await bob.act()
                await anna.end()
                await bob.end()
            for record in await served.stored(2):
                assert record.limits.move is None
        assert len(deadlines) > 2

    run(test())
    with open_store(str(tmp_path / "store.db")) as store:
        assert [(summary.name, summary.episodes) for summary in store.tournaments()] == [("hosted, 2 players", 2)]


def test_usual_games_are_as_the_organisers_draw_them() -> None:
    plan = Plan()
    drawn = [(plan.players.draw(), plan.width.draw(), plan.deadline.draw()) for _ in range(2000)]
    players, widths, deadlines = (set(column) for column in zip(*drawn, strict=True))
    assert players == set(range(2, 7))
    assert widths == set(range(41, 81))
    assert deadlines == set(range(5, 16))


@pytest.mark.parametrize("text", ["", "x", "2..", "..3", "nan", "inf", "1..2..3"])
def test_spans_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        Span.parse(text)


def test_fractions_of_a_second_are_deadlines_but_no_sizes() -> None:
    assert Span.parse("0.3") == (0.3, 0.3)
    assert 0.1 <= Span.parse("0.1..0.2").draw() <= 0.2
    Plan(deadline=Span.parse("0.3")).check()
    for plan in (Plan(width=Span.parse("40.5")), Plan(players=Span.parse("2..7")), Plan(height=Span.parse("3"))):
        with pytest.raises(LudusError, match="is not a whole number"):
            plan.check()
    for text in ("0", "-1", "1e12", "1e-12"):
        with pytest.raises(LudusError, match=r"is not a number of seconds from 0\.01 to 86400, or a range"):
            Plan(deadline=Span.parse(text)).check()
    with pytest.raises(LudusError, match=r"--players 3..2 goes from more to less: write 2..3\."):
        Plan(players=Span.parse("3..2")).check()


def test_only_agents_of_ludus_that_suit_fill_places() -> None:
    assert check_fill(["random", "mcts:simulations=10"], Span(2.0, 6.0)) == ("random", "mcts:simulations=10")
    for spec in ("human", "remote:anna", "stdio:cat"):
        with pytest.raises(LudusError, match="cannot fill a place"):
            check_fill([spec], Span(2.0, 6.0))
    with pytest.raises(LudusError, match="no agent 'nobody'"):
        check_fill(["nobody"], Span(2.0, 6.0))


# --- Games ------------------------------------------------------------------------------------------------------------


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
                ended = [process._popen.wait(60) for process in served.host._minds._processes]
                assert ended == [-signal.SIGKILL], "it does not sleep on after its game"

    run(test())


def test_clients_are_let_go_when_no_table_can_be_laid_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served:
            monkeypatch.setattr("ludus.servers.hosting.Table", None)
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


# --- Spectators -------------------------------------------------------------------------------------------------------


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
