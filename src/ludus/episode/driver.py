"""The driver of one episode: passes the referee's requests to the players, and their answers to the referee."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

from ludus.core.seeds import seed_from
from ludus.episode.cost import Cost
from ludus.episode.exclusive import claim
from ludus.episode.limits import UNLIMITED, Limits, own_limits
from ludus.episode.player import Answers, Briefing, Player
from ludus.episode.record import FROM_THE_START, Fault, Opening, Preparation, Record, Seat
from ludus.episode.referee import Referee, Watcher
from ludus.episode.request import Answer, Request
from ludus.games.game import Game


class Monitor(Protocol):
    """A listener that knows which seat is thinking, so that another process notices if this one hangs or dies."""

    def thinking(self, seat: int, granted: int | None) -> None:
        """Note that a seat is asked to get ready or to move, within this many nanoseconds."""

    def answered(self, seat: int, move: Any, fault: Fault | None, cost: Cost) -> None:
        """Note that a seat answered with a move or a fault; with neither, the player is ready."""


def play_episode(
    game: Game,
    players: Sequence[Player],
    *,
    limits: Limits = UNLIMITED,
    seed: int = 0,
    opening: Opening = FROM_THE_START,
    watch: Watcher | None = None,
    monitor: Monitor | None = None,
    agents_seed: int | None = None,
    name: str = "",
    information: Mapping[str, str] = MappingProxyType({}),
) -> Record:
    """Play one episode; players[i] sits at seat i.

    The agents' own randomness comes from `agents_seed`, if given, and all other from `seed`. Bots receive the `name` of
    the episode, which should be unique, and `information`.
    """
    claim(players)
    agents_seed = seed if agents_seed is None else agents_seed
    seats = [Seat(player.spec, player.name, limits=own_limits(limits, player.agent.limits)) for player in players]
    try:
        referee = Referee(game, seats, limits=limits, seed=seed, opening=opening, watch=watch)
        preparations = []
        for seat, player in enumerate(players):
            own_seed = seed_from(agents_seed, "seat", seat)
            briefing = Briefing(
                game,
                seat,
                own_seed,
                seats[seat].limits or limits,
                referee.state,
                name,
                information=information,
                opening=opening,
                players=players,
            )
            preparations.append(_begin(player, briefing, monitor))
        referee.begin(preparations)
        _play(referee, players, monitor)
        for seat, player in enumerate(players):
            player.finish(referee.record, seat, referee.state)
    except BaseException:
        for player in players:
            player.close()
        raise
    return referee.record


def _begin(player: Player, briefing: Briefing, monitor: Monitor | None) -> Preparation:
    if monitor is not None:
        monitor.thinking(briefing.seat, player.longest_start(briefing.limits))
    made = player.begin(briefing)
    if monitor is not None:
        monitor.answered(briefing.seat, None, made.fault, made)
    return made


def _play(referee: Referee, players: Sequence[Player], monitor: Monitor | None) -> None:
    outside = [player.agent.outside for player in players]
    see_all = [seat for seat, player in enumerate(players) if player.sees_all]
    while requests := referee.requests():
        if see_all:
            asked = {request.seat for request in requests}
            for seat in see_all:
                if seat not in asked:
                    players[seat].show(requests[0])
        if len(requests) == 1 or not any(outside[request.seat] for request in requests):
            for request in requests:
                _answer(referee, request, _think(players[request.seat], request, monitor), monitor)
        else:
            _play_together(referee, players, requests, monitor)


def _play_together(
    referee: Referee, players: Sequence[Player], requests: Sequence[Request], monitor: Monitor | None
) -> None:
    """Play a turn in which players outside this process think at the same time.

    The agents of this process think before the others are asked, because nobody could note the others' answers
    meanwhile.
    """
    answers: dict[int, Answer] = {}
    groups: dict[Any, list[tuple[Player, Request]]] = {}  # by the function that asks them all
    for request in requests:
        player = players[request.seat]
        if player.agent.outside:
            groups.setdefault(player.ask_together, []).append((player, request))
        else:
            answers[request.seat] = _think(player, request, monitor)
    if monitor is not None:
        _watch_slowest([each for group in groups.values() for each in group], monitor)
    waiting: list[tuple[list[tuple[Player, Request]], Answers]] = [(group, ask(group)) for ask, group in groups.items()]
    for group, collect in waiting:
        answers.update((request.seat, answer) for (_, request), answer in zip(group, collect(), strict=True))
    for request in requests:
        _answer(referee, request, answers[request.seat], monitor)


def _think(player: Player, request: Request, monitor: Monitor | None) -> Answer:
    if monitor is not None:
        monitor.thinking(request.seat, player.longest(request.clock.limit()))
    return player.think(request)


def _watch_slowest(asked: Sequence[tuple[Player, Request]], monitor: Monitor) -> None:
    """Let the monitor watch players that think at the same time as one with the longest of their limits."""
    times = [player.longest(request.clock.limit()) for player, request in asked]
    known = [time for time in times if time is not None]
    monitor.thinking(asked[0][1].seat, max(known) if len(known) == len(times) else None)


def _answer(referee: Referee, request: Request, answer: Answer, monitor: Monitor | None) -> None:
    if monitor is not None:
        monitor.answered(request.seat, answer.move, answer.fault, answer.cost)
    referee.answer(request.seat, answer)
