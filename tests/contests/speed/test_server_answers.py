"""Every rule of answers, with real clients."""

import asyncio
import re
from pathlib import Path

import pytest

from contests.speed.contest_server import contest, run
from ludus.episode.record import Fault, Move, Record
from ludus.net.client_answers import LARGEST
from ludus.net.clients import Client

pytestmark = pytest.mark.slow


def faults(record: Record, seat: int) -> list[Move]:
    return [move for step in record.steps for move in step if move.seat == seat and move.fault is not None]


def test_round_ends_at_once_when_all_have_answered_and_the_last_state_has_names(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served:
            anna, bob = await served.join_all("ab")
            for number, player in enumerate((anna, bob), 1):
                state = await player.state()
                assert state["you"] == number
                assert state["running"]
                assert list(state) == ["width", "height", "cells", "players", "you", "running", "deadline"]
                assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", state["deadline"])
                assert "name" not in state["players"]["1"]
            await anna.act()
            await bob.act()
            before = anna.me
            assert (await anna.state())["players"]["1"] == before | {"y": before["y"] + 1}
            await bob.state()
            await anna.act("turn_left")
            await bob.act("slow_down")
            last = await anna.state()
            assert list(last) == ["width", "height", "cells", "players", "you", "running"]
            assert not last["running"]
            assert [player["name"] for player in last["players"].values()] == ["a", "b"]
            assert last["players"]["2"]["speed"] == 0
            assert last["players"]["1"]["active"]
            assert not last["players"]["2"]["active"]
            assert (await bob.state()) == last | {"you": 2}
            await anna.is_closed()
            await bob.is_closed()
            (record,) = await served.stored()
            assert record.scores == [1.0, -1.0]
            assert [[move.move for move in step] for step in record.steps] == [
                ["change_nothing", "change_nothing"],
                ["turn_left", "slow_down"],
            ]

    run(test())


def test_who_is_late_is_out_without_moving(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path, deadline=2.8, grace=0.2) as served:
            anna, bob = await served.join_all("ab")
            before = (await bob.state())["players"]["2"]
            await anna.state()
            await anna.act()
            last = await bob.state()
            assert last["players"]["2"] == before | {"active": False, "name": "b"}
            assert not last["running"]
            (record,) = await served.stored()
            (move,) = faults(record, 1)
            assert (move.move, move.fault) == ("no_answer", Fault.LATE)

    run(test())


def test_answer_in_the_time_of_grace_counts(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path, deadline=0.01, grace=300) as served:
            anna, bob = await served.join_all("ab")
            await anna.state()
            await anna.act()
            await asyncio.sleep(0.2)
            await bob.state()
            await bob.act()
            assert (await anna.state())["running"]
            assert (await bob.state())["players"]["2"]["active"]

    run(test())


def test_second_answer_while_the_round_runs_puts_out_and_the_first_shows(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path, 3) as served:
            anna, bob, carl = await served.join_all("abc")
            before = (await anna.state())["players"]["1"]
            turned = {"down": "right", "left": "down"}[before["direction"]]
            await anna.act("turn_left")
            await anna.act("turn_left")
            await anna.is_heard()
            for other in (bob, carl):
                await other.state()
                await other.act()
            state = await anna.state()
            assert state["players"]["1"] == before | {"direction": turned, "active": False}
            assert state["running"]
            for other in (bob, carl):
                await other.state()
            await bob.act("slow_down")
            await carl.act()
            assert not (await anna.state())["running"]
            (move,) = faults((await served.stored())[0], 0)
            assert (move.move, move.fault) == ("turn_left_void", Fault.ILLEGAL)

    run(test())


def test_second_answer_after_the_round_counts_for_the_next(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served:
            anna, bob = await served.join_all("ab")
            before = (await anna.state())["players"]["1"]
            await bob.state()
            await bob.act()
            await bob.is_heard()
            await anna.act("change_nothing")
            await anna.act("speed_up")
            await bob.state()
            await bob.act()
            state = await bob.state()
            assert state["players"]["1"] == before | {"y": before["y"] + 3, "speed": 2}

    run(test())


@pytest.mark.parametrize("size", [LARGEST + 1, 3 << 20])
@pytest.mark.parametrize("parts", [1, 7])
def test_message_that_is_too_large_puts_out_and_leaves_the_connection_open(
    tmp_path: Path, size: int, parts: int
) -> None:
    async def test() -> None:
        async with contest(tmp_path, 3) as served:
            anna, bob, carl = await served.join_all("abc")
            await anna.state()
            blanks = " " * (size // parts)
            await anna.connection.send(blanks + '{"action":"turn_left"}' if parts == 1 else [blanks] * parts + ["{}"])
            for _ in range(3):
                for other in (bob, carl):
                    await other.state()
                    await other.act()
                assert not (await anna.state())["players"]["1"]["active"]
            for other in (bob, carl):
                await other.state()
            await bob.act("slow_down")
            await carl.act()
            while (await anna.state())["running"]:
                pass
            await anna.is_closed()
            (move,) = faults((await served.stored())[0], 0)
            assert (move.move, move.fault) == ("no_answer", Fault.ILLEGAL)

    run(test())


def test_who_leaves_after_a_large_message_may_come_again_at_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served:
            anna = await served.join("a")
            await anna.connection.send(" " * (1 << 20))
            anna.connection.transport.abort()
            while served.host.lobby.clients:
                await asyncio.sleep(0.01)
            await served.join("a")

    run(test())


def test_who_sends_no_json_is_out_and_heard_no_more_but_sees_the_game_to_its_end(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path, 3) as served:
            anna, bob, carl = await served.join_all("abc")
            before = (await anna.state())["players"]["1"]
            await anna.connection.send("change_nothing")
            for _ in range(40):  # more than are kept for later
                await anna.act()
            for _ in range(5):
                for other in (bob, carl):
                    await other.state()
                    await other.act()
                assert (await anna.state())["players"]["1"] == before | {"active": False}
            await bob.state()
            await bob.act("slow_down")
            await carl.state()
            await carl.act()
            assert not (await anna.state())["running"]
            await anna.is_closed()
            (move,) = faults((await served.stored())[0], 0)
            assert move.fault is Fault.ILLEGAL
            assert "not JSON" in move.evidence

    run(test())


@pytest.mark.parametrize("said", ['{"action":"fly"}', '{"action":""}', "{}", '{"move":"turn_left"}', "[1]"])
def test_unknown_empty_or_missing_action_puts_out_at_once(tmp_path: Path, said: str) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served:
            anna, bob = await served.join_all("ab")
            before = (await anna.state())["players"]["1"]
            await anna.connection.send(said)
            await bob.state()
            await bob.act()
            assert (await anna.state())["players"]["1"] == before | {"active": False, "name": "a"}
            (move,) = faults((await served.stored())[0], 0)
            assert (move.move, move.fault) == ("no_answer", Fault.ILLEGAL)

    run(test())


def test_binary_frames_other_fields_and_any_case_are_accepted(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served:
            anna, bob = await served.join_all("ab")
            for said in (b'{"action":"speed_up"}', '{"why":{"so":1},"action":"speed_up"}', '{"Action":"SPEED_UP"}'):
                await anna.state()
                await anna.connection.send(said)
                await bob.state()
                await bob.act()
            assert (await anna.state())["players"]["1"]["speed"] == 4

    run(test())


def test_message_in_many_frames_is_one_answer(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path) as served:
            anna, bob = await served.join_all("ab")
            await anna.state()
            await anna.connection.send(['{"act', 'ion":"spe', 'ed_up"}'])
            await bob.state()
            await bob.act()
            assert (await anna.state())["players"]["1"]["speed"] == 2

    run(test())


@pytest.mark.parametrize("politely", [True, False])
def test_who_leaves_is_out_and_the_others_go_on(tmp_path: Path, politely: bool) -> None:
    async def test() -> None:
        async with contest(tmp_path, 3) as served:
            anna, bob, carl = await served.join_all("abc")
            before = (await anna.state())["players"]["1"]
            if politely:
                await anna.connection.close()
            else:
                anna.connection.transport.abort()
            for _ in range(3):
                for other in (bob, carl):
                    await other.state()
                    await other.act()
            assert (await bob.state())["players"]["1"] == before | {"active": False}
            await carl.state()
            await carl.act()
            await bob.act("slow_down")
            assert not (await carl.state())["running"]
            (move,) = faults((await served.stored())[0], 0)
            assert (move.move, move.fault) == ("no_answer", Fault.FAILED)

    run(test())


def test_the_dead_see_all_states_and_are_not_heard(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path, 3) as served:
            anna, bob, carl = await served.join_all("abc")
            for player in (anna, bob, carl):
                await player.state()
            await anna.act("slow_down")
            for _ in range(5):
                for other in (bob, carl):
                    await other.act()
                for player in (anna, bob, carl):
                    state = await player.state()
                assert not state["players"]["1"]["active"]
                for said in ("nonsense", '{"action":"speed_up"}', '{"action":"speed_up"}'):
                    await anna.connection.send(said)
            await bob.act("slow_down")
            await carl.act()
            assert not (await anna.state())["running"]
            await anna.is_closed()
            assert faults((await served.stored())[0], 0) == []

    run(test())


def test_client_that_does_not_read_holds_up_nobody(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path, 3, width="1000", height="1000") as served:
            anna, bob, carl = await served.join_all("abc")
            await anna.connection.send("{}")
            anna.connection.transport.pause_reading()
            (table,) = served.host.tables.values()
            unread = next(player for player in table.players if player.name == "a")
            assert isinstance(unread, Client)
            for _ in range(40):  # 2 MB each
                for other in (bob, carl):
                    await other.state()
                    await other.act()
                if not unread.present:
                    break
            assert (await bob.state())["players"]["2"]["active"]
            assert not unread.present, "what it does not take is not kept for ever"

    run(test())
