"""Trials of a bot: episodes against random moves, and processes without an episode, to see starts and ends."""

import itertools
import os
import secrets
import time
from typing import NamedTuple

import msgspec

from ludus.agents.random import Random
from ludus.bots.bot import Bot
from ludus.bots.bot_player import BotPlayer
from ludus.bots.dialogue import FoulError
from ludus.bots.process.process_io import ProcessIO
from ludus.episode.driver import play_episode
from ludus.episode.limits import UNLIMITED, Limits
from ludus.episode.local_player import LocalPlayer
from ludus.episode.opening import start_state
from ludus.episode.player import Briefing, Player
from ludus.episode.record import FROM_THE_START, Fault, Move, Opening, Preparation, Record
from ludus.games.game import Game

_FEWEST_MOVES = 10  # of the bot in a shortened episode
_MOST_MOVES = 5_000


class Played(NamedTuple):
    """An episode, and the bot's seat."""

    record: Record
    seat: int

    @property
    def moves(self) -> list[Move]:
        """The answers of the bot."""
        return [move for step in self.record.steps for move in step if move.seat == self.seat]

    @property
    def remarks(self) -> list[str]:
        """Notes on unusual behaviour of the bot."""
        return self.record.seats[self.seat].remarks

    @property
    def fault(self) -> tuple[Fault, str] | None:
        """The bot's first fault, with the evidence."""
        preparation = self.record.seats[self.seat].preparation
        answers: list[Preparation | Move] = [*([preparation] if preparation else []), *self.moves]
        return next(((each.fault, each.evidence) for each in answers if each.fault), None)


class Trial:
    """A bot, a game, and all their episodes so far.

    The grace is long: a late move is waited for and is not a fault, so that it hides no other problem.
    """

    def __init__(self, bot: Bot, game: Game, move_time: int, patience: int) -> None:
        self.bot = bot
        self.game = game
        self.move_time = move_time
        self.patience = patience
        self.player = BotPlayer(bot, bot.program())
        self.played: list[Played] = []
        self.again: tuple[Played, int, int] | None = None
        """An episode that can be played again, with its seed and its limit of plies."""
        self.remarks: list[str] = []
        """Notes on processes that played no episode."""
        self._name = f"check-{secrets.token_hex(4)}"  # files of earlier checks must not be taken for new ones
        self._numbers = itertools.count()
        self._limits = Limits(preparation=patience, move=move_time, grace=patience).for_bots()

    def greet(self, seat: int) -> Played:
        """Play an episode that ends before the first move, with the usual grace."""
        return self._play(seat, 0, FROM_THE_START, self._usual(plies=0))

    def play(self, seat: int, seed: int = 0, plies: int | None = None, opening: Opening = FROM_THE_START) -> Played:
        """Play an episode with the bot in this seat, and random moves in the others."""
        return self._play(seat, seed, opening, msgspec.structs.replace(self._limits, plies=plies))

    def _play(self, seat: int, seed: int, opening: Opening, limits: Limits) -> Played:
        players: list[Player] = [LocalPlayer(Random()) for _ in range(self.game.seats)]
        players[seat] = self.player
        record = play_episode(
            self.game, players, limits=limits, seed=seed, opening=opening, name=self._name_for_the_next()
        )
        self.played.append(Played(record, seat))
        return self.played[-1]

    def _usual(self, plies: int | None = None) -> Limits:
        return msgspec.structs.replace(self._limits, grace=UNLIMITED.grace, plies=plies)

    def slowest_start(self) -> int:
        """The longest time that the bot took to get ready, in nanoseconds."""
        made = [played.record.seats[played.seat].preparation for played in self.played]
        return max((each.wall for each in made if each is not None), default=0)

    def plies_within(self, seconds: float) -> int:
        """The number of plies that take about this time, judging by the bot's moves so far."""
        times = [move.wall for played in self.played for move in played.moves]
        usual = sum(times) / len(times) if times else 0
        return self.game.seats * max(_FEWEST_MOVES, min(_MOST_MOVES, int(seconds * 1e9 / max(usual, 1))))

    def files(self) -> list[str]:
        """Files that the bot wrote in its folder under the names of its episodes."""
        return sorted(name for name in os.listdir(self.bot.working_directory()) if name.startswith(self._name))

    def start(self) -> ProcessIO:
        """Start a new process without sending anything; FoulError or LudusError if that fails."""
        return ProcessIO(self.bot.program(), self._usual())

    def ready(self) -> BotPlayer:
        """Start a player with a new process that is ready for an episode."""
        player = BotPlayer(self.bot, self.bot.program())
        made = player.begin(self._briefing())
        if made.fault is not None:
            raise FoulError(made.fault, made.evidence)
        return player

    def exits(self, process: ProcessIO, seconds: float, *, asked: bool) -> str | None:
        """Ask a process to end, or else close its input; how it ended within that time, or None."""
        process.child.thaw()
        if asked:
            process.send(self.bot.dialogue().end())
        else:
            end_input(process)
        return watch(process, seconds)

    def speaks_when_input_ends(self, seconds: float) -> bool:
        """True if a new process sends something once its input has ended after the first message."""
        process = self.start()
        try:
            process.send(next(self.bot.dialogue().begin(self._briefing())))
            end_input(process)
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline:
                process.ready()
                process.forget()
                if process.unasked:
                    return True
        except FoulError:
            pass  # it ended without output
        finally:
            process.end(0)
        return False

    def _briefing(self) -> Briefing:
        return Briefing(self.game, 0, 0, self._usual(), start_state(self.game), self._name_for_the_next(), None)

    def _name_for_the_next(self) -> str:
        return f"{self._name}-{next(self._numbers)}"


def close(player: BotPlayer) -> list[str]:
    """End a bot for good, and return the notes on that."""
    known = len(player.remarks)
    player.close()
    return player.remarks[known:]


def watch(process: ProcessIO, seconds: float) -> str | None:
    """Discard the output of a process; how it ended within that time, or None."""
    deadline = time.monotonic() + seconds
    while process.child.status() is None and time.monotonic() < deadline:
        process.ready()
        process.drain()
    process.drain()
    return process.child.status()


def end_input(process: ProcessIO) -> None:
    """Close a bot's input, as if Ludus was gone; messages sent from now on are lost."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, process.child.stdin, inheritable=False)
    os.close(nowhere)
