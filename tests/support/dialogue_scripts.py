"""Dialogues as scripts: `> ` is a line that must be sent, `< ` one that the program says."""

import textwrap
from collections.abc import Generator
from pathlib import Path

import numpy as np

from ludus.agents.agent import Choice, Clock, View
from ludus.bots.dialogue import Dialogue
from ludus.episode.limits import UNLIMITED, Limits
from ludus.episode.player import Briefing
from ludus.episode.record import Move
from ludus.episode.request import Request
from ludus.games.game import Game
from ludus.kernel import rules
from ludus.kernel.rng import new_rng


class Table:
    """A game that two players play, one of them with a dialogue; its questions are those of a referee."""

    def __init__(self, game: Game, seat: int, limits: Limits = UNLIMITED, position: str | None = None) -> None:
        self.game = game
        self.limits = limits
        self.state = game.start(new_rng(0)) if position is None else game.load(position)
        board = None if position is None else Path("board.txt")
        self.briefing = Briefing(game, seat, 1, limits.for_bots(), self.state, "episode-seat0", board)
        self._steps: list[list[Move]] = []
        self._seen = 0

    def play(self, *texts: str) -> None:
        """Play moves, each by the player to move."""
        for text in texts:
            (mover,) = self.game.movers(self.state)
            move = self.game.parse(self.state, mover, text)
            if mover == self.briefing.seat:
                self._seen = len(self._steps)
            self._steps.append([Move(mover, self.game.format(self.state, mover, move))])
            rules.play(self.state, np.array([move]))

    def question(self, *left: int) -> Request:
        """Ask the player of the dialogue, with this much time left to each seat."""
        seat, limits = self.briefing.seat, self.limits
        assert self.game.movers(self.state) == [seat]
        clock = Clock(limits.move, left[seat] if left else None, limits.increment)
        return Request(seat, View(self.state, seat), clock, self._steps[self._seen :], list(left))


def prepare(dialogue: Dialogue, briefing: Briefing, script: str, end: str = "\n") -> None:
    """Get a dialogue ready for an episode; its messages and the lines it reads must match the script."""
    talk = dialogue.begin(briefing)
    unread = _texts(next(talk), end)
    lines = _lines(script)
    for place, line in enumerate(lines):
        if line.startswith("> "):
            assert unread, f"{line} is not sent"
            assert unread.pop(0) == line[2:]
            continue
        assert unread == [], f"sent before {line}"
        over, unread = _said(talk, line[2:], end)
        assert over == (place == len(lines) - 1)


def _said(talk: Generator[bytes, str, None], line: str, end: str) -> tuple[bool, list[str]]:
    try:
        return False, _texts(talk.send(line), end)
    except StopIteration:
        return True, []


def answer(dialogue: Dialogue, question: Request, script: str, end: str = "\n") -> Choice:
    """Ask for a move; it must be sent just what the script has, and the last line must be the answer."""
    lines = _lines(script)
    sent = [line[2:] for line in lines if line.startswith("> ")]
    said = [line[2:] for line in lines if line.startswith("< ")]
    assert _texts(dialogue.ask(question), end) == sent
    for line in said[:-1]:
        assert dialogue.receive(line) is None
    choice = dialogue.receive(said[-1])
    assert choice is not None, f"{said[-1]} is not taken for an answer"
    return choice


def _lines(script: str) -> list[str]:
    lines = textwrap.dedent(script).strip("\n").split("\n")
    assert all(line[:2] in ("> ", "< ") for line in lines)
    return lines


def _texts(message: bytes, end: str) -> list[str]:
    if not message:
        return []
    *texts, rest = message.decode().split(end)
    assert rest == ""
    assert not any("\n" in text or "\r" in text for text in texts)
    return texts
