"""The driver knows the interface of players alone: made-up kinds take part in every turn."""

from collections.abc import Sequence
from typing import Any, ClassVar

import pytest

from ludus import Agent
from ludus.agents.random import Random
from ludus.episode.cost import Cost
from ludus.episode.driver import play_episode
from ludus.episode.local_player import LocalPlayer, player_for
from ludus.episode.player import Answers, Player
from ludus.episode.record import Fault, Record
from ludus.episode.request import Answer, Request
from ludus.games.game import game_from
from ludus.kernel.rules import State

AT_ONCE = "goofspiel:cards=2,players=3"


class Afar(Random):
    """Chooses at random, as if it were a program of its own."""

    name: ClassVar[str] = "afar"
    has_processes: ClassVar[bool] = True


class Told(LocalPlayer):
    """Writes down what happens to it."""

    log: list[str]

    def __init__(self, agent: Agent, name: str, log: list[str]) -> None:
        super().__init__(agent, name)
        self.log = log

    def think(self, request: Request) -> Answer:
        self.log.append(f"{self.name} thinks")
        return super().think(request)

    def show(self, request: Request) -> None:
        self.log.append(f"{self.name} sees {request.seat} asked")

    def finish(self, record: Record, seat: int, state: State) -> None:
        self.log.append(f"{self.name} finishes {record.ending}")

    def close(self) -> None:
        self.log.append(f"{self.name} is closed")

    def longest(self, limit: int | None) -> int:
        return len(self.name)


class Left(Told):
    @staticmethod
    def ask_together(asked: Sequence[tuple[Any, Request]]) -> Answers:
        return together("left", asked)


class Right(Told):
    @staticmethod
    def ask_together(asked: Sequence[tuple[Any, Request]]) -> Answers:
        return together("right", asked)


class Onlooker(Told):
    sees_all: ClassVar[bool] = True


def together(kind: str, asked: Sequence[tuple[Any, Request]]) -> Answers:
    log = asked[0][0].log
    log.append(f"{kind} asks {len(asked)}")

    def collect() -> list[Answer]:
        log.append(f"{kind} collects")
        return [player.think(request) for player, request in asked]

    return collect


class Watched:
    """A monitor that remembers whom it watches, and for how long."""

    def __init__(self) -> None:
        self.thinks: list[tuple[int, int | None]] = []

    def thinking(self, seat: int, granted: int | None) -> None:
        self.thinks.append((seat, granted))

    def answered(self, seat: int, move: Any, fault: Fault | None, cost: Cost) -> None:
        """Not of interest."""


def test_all_outside_are_asked_before_any_is_waited_for_and_after_those_inside_have_thought() -> None:
    log: list[str] = []
    players = [Left(Afar(), "a", log), Told(Random(), "b", log), Right(Afar(), "c", log)]
    play_episode(game_from(AT_ONCE), players)
    assert log[:7] == [
        "b thinks",
        "left asks 1",
        "right asks 1",
        "left collects",
        "a thinks",
        "right collects",
        "c thinks",
    ]


def test_players_that_share_how_they_are_asked_are_asked_by_one_call() -> None:
    class Younger(Left):
        pass

    log: list[str] = []
    play_episode(game_from(AT_ONCE), [Left(Afar(), "a", log), Younger(Afar(), "b", log), Told(Random(), "c", log)])
    assert log[:3] == ["c thinks", "left asks 2", "left collects"]


def test_player_that_sees_all_is_shown_the_turns_of_others() -> None:
    log: list[str] = []
    play_episode(game_from("tic-tac-toe"), [Told(Random(), "a", log), Onlooker(Random(), "b", log)])
    assert log[:4] == ["b sees 0 asked", "a thinks", "b thinks", "b sees 0 asked"]
    assert not [line for line in log if line.startswith("a sees")]


def test_all_players_finish_with_the_record() -> None:
    log: list[str] = []
    play_episode(game_from("tic-tac-toe"), [Told(Random(), name, log) for name in "ab"])
    assert log[-2:] == ["a finishes rules", "b finishes rules"]


def test_all_players_are_closed_if_one_breaks_the_driver() -> None:
    class Breaking(Told):
        def think(self, request: Request) -> Answer:
            raise RuntimeError("not the player's fault")

    log: list[str] = []
    with pytest.raises(RuntimeError):
        play_episode(game_from("tic-tac-toe"), [Told(Random(), "a", log), Breaking(Random(), "b", log)])
    assert log[-2:] == ["a is closed", "b is closed"]


def test_monitor_watches_the_slowest_of_those_that_think_at_once() -> None:
    log: list[str] = []
    players: list[Player] = [Left(Afar(), "slow", log), Left(Afar(), "slowest", log), player_for(Random())]
    watched = Watched()
    play_episode(game_from(AT_ONCE), players, monitor=watched)
    prepared, turn = watched.thinks[:3], watched.thinks[3:5]
    assert [seat for seat, _ in prepared] == [0, 1, 2]
    assert turn == [(2, None), (0, len("slowest"))]
