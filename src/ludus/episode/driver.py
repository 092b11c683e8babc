"""The driver of one episode: it asks the referee who is to move, lets those players think, and brings their answers."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from ludus.bots.bot import Bot
from ludus.bots.bot_player import BotPlayer, think_together
from ludus.core.errors import InvalidError, LudusError
from ludus.episode.limits import UNLIMITED, Limits
from ludus.episode.opening import setting
from ludus.episode.player import Briefing, Player
from ludus.episode.record import FROM_THE_START, Fault, Opening, Preparation, Record, Seat
from ludus.episode.referee import Referee, Watcher
from ludus.episode.request import Answer, Request
from ludus.games.game import Game
from ludus.kernel.rng import seed_from
from ludus.net.remote_player import RemotePlayer, ask_together

_SEEDS = 2**31  # of bots: small enough for every language
_ENDING = 5 * 10**9  # nanoseconds that it may take to end a bot whose time is up, and all that it started


class Monitor(Protocol):
    """Is told who is thinking and what came of it, so that another process knows when this one hangs or dies."""

    def thinking(self, seat: int, granted: int | None) -> None:
        """This seat is asked, to get ready or for a move, and has so many nanoseconds."""

    def answered(self, move: Any, wall: int, cpu: int, waited: int, fault: Fault | None) -> None:
        """It answered with a move or a fault; with neither, it is ready."""


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
    told: Mapping[str, str] = MappingProxyType({}),
) -> Record:
    """Play one episode; players[i] sits at seat i.

    The agents' own randomness comes from `agents_seed`, if that is given, and all other from `seed`. Bots are told the
    `name` of the episode, which should be like no other's, and what is in `told`.
    """
    agents_seed = seed if agents_seed is None else agents_seed
    seats = [Seat(player.spec, player.name) for player in players]
    referee = Referee(game, seats, limits=limits, seed=seed, opening=opening, watch=watch)
    bots = [player for player in players if isinstance(player, BotPlayer)]
    for bot in bots:
        bot.others = [other for other in bots if other is not bot]
    with _start_board(game, players, referee, opening) as board:
        try:
            preparations: list[Preparation] = []
            for seat, player in enumerate(players):
                own_seed = seed_from(agents_seed, "seat", seat)
                briefing = Briefing(game, seat, own_seed, limits, referee.state, name, board, told)
                if isinstance(player, BotPlayer):
                    briefing = _for_bots(briefing)
                if monitor is not None:
                    granted = briefing.limits.preparation
                    more = _ENDING if isinstance(player, BotPlayer) else 0
                    monitor.thinking(seat, None if granted is None else granted + more)
                made = player.begin(briefing)
                preparations.append(made)
                if monitor is not None:
                    monitor.answered(None, made.wall, made.cpu, 0, made.fault)
            referee.begin(preparations)
            _play(referee, players, monitor)
            for player in players:
                if isinstance(player, RemotePlayer):
                    player.finish(referee.state, [seat.name for seat in seats])
        except BaseException:
            for player in players:
                player.close()
            raise
        _finish(referee.record, players)
    return referee.record


def _play(referee: Referee, players: Sequence[Player], monitor: Monitor | None) -> None:
    outside = [isinstance(player, BotPlayer | RemotePlayer) for player in players]
    remote = [(seat, player) for seat, player in enumerate(players) if isinstance(player, RemotePlayer)]
    while requests := referee.requests():
        if remote:
            _show_those_who_are_out(remote, requests)
        if len(requests) == 1 or not any(outside[request.seat] for request in requests):
            for request in requests:
                player = players[request.seat]
                if monitor is not None:
                    monitor.thinking(request.seat, _watched(player, request.clock.limit()))
                _answer(referee, request, player.think(request), monitor)
        else:
            _play_together(referee, players, requests, monitor)


def _play_together(
    referee: Referee, players: Sequence[Player], requests: Sequence[Request], monitor: Monitor | None
) -> None:
    """Bots and clients that move at once think at once, after the agents of this process, who would take their time."""
    answers: dict[int, Answer] = {}
    bots: list[tuple[BotPlayer, Request]] = []
    clients: list[tuple[RemotePlayer, Request]] = []
    for request in requests:
        player = players[request.seat]
        if isinstance(player, BotPlayer):
            bots.append((player, request))
        elif isinstance(player, RemotePlayer):
            clients.append((player, request))
        else:
            if monitor is not None:
                monitor.thinking(request.seat, request.clock.limit())
            answers[request.seat] = player.think(request)
    asked = ask_together(clients) if clients else None
    if monitor is not None and bots:
        slowest = max(_watched(player, request.clock.limit()) or 0 for player, request in bots)
        monitor.thinking(bots[0][1].seat, slowest)
    thought = think_together(bots)
    answers.update((request.seat, answer) for (_, request), answer in zip(bots, thought, strict=True))
    if asked is not None:
        answers.update((request.seat, answer) for (_, request), answer in zip(clients, asked.result(), strict=True))
    for request in requests:
        _answer(referee, request, answers[request.seat], monitor)


def _answer(referee: Referee, request: Request, answer: Answer, monitor: Monitor | None) -> None:
    if monitor is not None:
        monitor.answered(answer.move, answer.wall, answer.cpu, answer.waited, answer.fault)
    referee.answer(request.seat, answer)


def _show_those_who_are_out(remote: Sequence[tuple[int, RemotePlayer]], requests: Sequence[Request]) -> None:
    """Clients see the game to its end, as on a server."""
    asked = {request.seat for request in requests}
    for seat, player in remote:
        if seat not in asked:
            player.show(requests[0])


def _watched(player: Player, limit: int | None) -> int | None:
    """Nanoseconds that a monitor should know of: a bot is ended here when its time is up."""
    return player.longest(limit) + _ENDING if isinstance(player, BotPlayer) else limit


def _for_bots(briefing: Briefing) -> Briefing:
    return briefing._replace(
        seed=briefing.seed % _SEEDS,
        limits=briefing.limits.for_bots(),
        name=f"{briefing.name or 'episode'}-seat{briefing.seat}",
    )


@contextmanager
def _start_board(game: Game, players: Sequence[Player], referee: Referee, opening: Opening) -> Iterator[Path | None]:
    """A file with the start position, where there are bots and the start is not the usual one."""
    usual = opening.position is None and not opening.moves and setting(game).start is not None
    if usual or not any(isinstance(player.agent, Bot) for player in players):
        yield None
        return
    try:
        text = game.save(referee.state)
    except LudusError:
        raise InvalidError(
            f"Bots cannot be told how an episode of {game.name} begins, since it has no text form of a position: let "
            "episodes begin at the start."
        ) from None
    with tempfile.TemporaryDirectory(prefix="ludus-") as folder:
        board = Path(folder, "board.txt")
        board.write_text(f"{text}\n", encoding="utf-8")
        yield board


def _finish(record: Record, players: Sequence[Player]) -> None:
    """Let the bots go, and take down what they leave behind."""
    for number, (seat, player) in enumerate(zip(record.seats, players, strict=True)):
        if not isinstance(player, BotPlayer):
            continue
        made = [move for step in record.steps for move in step if move.seat == number and move.fault is None]
        for move, metrics in zip(made, player.finish(seat, [move.move for move in made]), strict=False):
            move.metrics = {**move.metrics, **metrics}
