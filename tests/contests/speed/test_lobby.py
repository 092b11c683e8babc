"""The lobby: whom it waits for, who takes the empty places, and what games it draws."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from contests.speed.contest_server import contest, run
from ludus.contests.speed.server import SpeedContest
from ludus.core.errors import LudusError
from ludus.core.spec import Spec
from ludus.episode.replay import replay
from ludus.store import open_store

pytestmark = pytest.mark.slow


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


def test_lobby_that_lacks_clients_when_its_time_is_up_says_so(tmp_path: Path) -> None:
    async def test() -> None:
        async with contest(tmp_path, 3, lobby=0.05) as served:
            await served.join("a")
            while not (said := [sentence for sentence in served.told if "--fill" in sentence]):
                await asyncio.sleep(0.01)
            assert "2 clients" in said[0]

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
    usual = SpeedContest()
    drawn = [(usual.places(), usual.width.draw(), usual.deadline.draw()) for _ in range(2000)]
    players, widths, deadlines = (set(column) for column in zip(*drawn, strict=True))
    assert players == set(range(2, 7))
    assert widths == set(range(41, 81))
    assert deadlines == set(range(5, 16))


@pytest.mark.parametrize(
    "settings",
    ["width=40.5", "players=2..7", "height=3", "deadline=0", "deadline=1e-12", "players=3..2"],
)
def test_what_cannot_be_played_is_refused(settings: str) -> None:
    with pytest.raises(LudusError, match="number from"):
        SpeedContest.from_spec(Spec.parse(f"speed:{settings}"))
    assert SpeedContest.from_spec(Spec.parse("speed:deadline=0.3")).deadline == (0.3, 0.3)
