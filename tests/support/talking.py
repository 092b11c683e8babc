"""Managers: one that reads a script, one behind real pipes, and one that plays whole episodes."""

import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence

from ludus.bots.serve.service import Service
from ludus.episode.record import Move, Record, Seat
from ludus.episode.referee import Referee
from ludus.episode.request import Answer
from ludus.games.game import Game
from ludus.kernel.rules import CHANCE
from support.places import SUPPORT
from support.running import PROGRAM

AGENTS = SUPPORT / "served_agents.py"

Ask = Callable[[str], list[str]]
"""Send a line to a bot, and read its answer."""


def check(service: Service, script: str) -> None:
    """Say the lines after `>` and expect the lines after `<`; `< …` stands for any number of lines."""
    exchanges: list[tuple[str, list[str]]] = []
    for line in script.strip().splitlines():
        mark, _, text = line.strip().partition(" ")
        if mark == ">":
            exchanges.append((text, []))
        else:
            assert mark == "<", line
            exchanges[-1][1].append(text)
    for said, expected in exchanges:
        answer = list(service.answer(said))
        if expected[:1] == ["…"]:
            assert answer[len(answer) - len(expected) + 1 :] == expected[1:], said
        else:
            assert answer == expected, said


class Talk:
    """`ludus bot agent` as a process of its own, which is killed if it hangs."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [PROGRAM, "bot", "agent", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,  # so that nothing is left in a buffer at the end
        )
        assert self._process.stdin
        assert self._process.stdout
        self._input, self._output = self._process.stdin, self._process.stdout
        self._watchdog = threading.Timer(900, self._process.kill)
        self._watchdog.daemon = True
        self._watchdog.start()

    def say(self, *lines: str, end: str = "\n") -> None:
        """Write lines."""
        self._input.write("".join(line + end for line in lines).encode())
        self._input.flush()

    def read_line(self, *skipped: str) -> str:
        """The next line whose first word is none of these; nothing, if the bot is gone."""
        while True:
            line = self._output.readline().decode()
            if not line or line.split()[0] not in skipped:
                return line.rstrip("\n")

    def ask(self, line: str) -> list[str]:
        """Send a line of the stdio protocol and read the answer to its last word."""
        self.say(line)
        return [self.read_line("METRIC")]

    def end(self, *lines: str) -> tuple[int, str, str]:
        """Say the last lines: the exit status, and what was still written on either stream."""
        rest, errors = self._process.communicate("".join(f"{line}\n" for line in lines).encode())
        self._watchdog.cancel()
        return self._process.returncode, rest.decode(), errors.decode()


def informing(game: Game, seat: int) -> Iterator[str]:
    """Messages of a manager of Ludus before the first move."""
    yield f"INFO game {game.name}"
    yield f"INFO players {game.seats}"
    yield f"INFO seat {seat}"
    for parameter in game.parameters():
        if parameter.name != "players":
            yield f"INFO {parameter.name} {parameter.write(getattr(game, parameter.name))}"
    yield "INFO timeout_start 10000"
    yield "INFO timeout_turn 600000"
    yield "INFO seed 7"
    yield "INFO match_name cup-1-2"


def play_episode(game: Game, bots: Sequence[Ask], seed: int = 1) -> Record:
    """Play a whole episode in which every seat is a bot of the stdio protocol."""
    for seat, ask in enumerate(bots):
        for line in informing(game, seat):
            assert ask(line) == ["OK"], line
    steps: list[list[Move]] = []
    seats = [Seat("bot", f"bot {seat}") for seat in range(game.seats)]
    referee = Referee(game, seats, seed=seed, watch=lambda state, step: steps.append(step))
    referee.begin()
    plain = game.seats == 2 and not game.chance and not game.simultaneous
    told = [-1] * game.seats
    while requests := referee.requests():
        answers = {}
        for request in requests:
            seat, state = request.seat, request.view.state
            moves = [move for step in steps[max(0, told[seat]) :] for move in step]
            if plain:
                words = ";".join(move.move for move in moves if move.seat != seat)
            else:
                words = " ".join(f"{'*' if move.seat == CHANCE else move.seat}:{move.move}" for move in moves)
            line = "START" if told[seat] < 0 and not words else f"TURN {words or '-'}"
            told[seat] = len(steps)
            answers[seat] = game.parse(state, seat, bots[seat](line)[-1])
        for seat, move in answers.items():
            referee.answer(seat, Answer(move))
    return referee.record
