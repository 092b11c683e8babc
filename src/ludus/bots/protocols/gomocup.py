"""The protocol of the Gomocup, from the manager's side: for Gomoku programs called brains."""

import re
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, ClassVar, cast

from ludus.agents.agent import WITHOUT_LIMIT, Choice, Clock
from ludus.bots.bot import Bot
from ludus.bots.dialogue import AgainError, Dialogue, FoulError
from ludus.core.errors import LudusError
from ludus.episode.player import Briefing
from ludus.episode.record import Fault
from ludus.episode.request import Request
from ludus.games.game import Game

RULES = {"freestyle": 0, "standard": 1, "caro": 8, "exact-caro": 9}
"""The number of each rule of the game."""
AGAINST_A_BRAIN = 1
UNLIMITED = 2**31 - 1
"""Milliseconds without a limit; larger values of anything are sent as this, since brains read 32-bit numbers."""

_OVERHEAD = 32 << 20
"""Bytes of the limit that a brain is not told of, or an eighth if that is more, but at most half of it.

A brain fills what it is told with its table of positions, and needs memory for itself too.
"""
_MILLISECOND = 10**6
_MOST_MESSAGES = 10  # kept of an episode
_MOST_REMARKS = 20  # of all kinds, at a time
_LONGEST_REMARK = 200
_PLACE = re.compile(r"\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})(?![0-9])")


class Gomocup(Bot):
    """A brain of the Gomocup: a program that reads START, BEGIN, TURN and BOARD and writes moves `x,y`.

    Without any limit a brain gets a second for each move. It never plays two episodes at once, unless it is `safe`.
    """

    name = "gomocup"
    only_game = "gomoku"

    def unsuited(self, game: Game) -> str | None:
        if game.name == self.only_game:
            rule, length = getattr(game, "rule", ""), getattr(game, "length", 0)
            if rule not in RULES:
                return f"does not support the rule {rule}, only {', '.join(RULES)}"
            if length != 5:
                return f"plays for five in a row, not for {length}"
        return super().unsuited(game)

    def dialogue(self) -> "GomocupDialogue":
        return GomocupDialogue(self.working_directory())


class GomocupDialogue(Dialogue):
    """One brain, for one episode after the other if it knows RESTART."""

    stays: ClassVar[bool] = True

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._size = 0

    # --- Getting ready ----------------------------------------------------------------------------------------------

    def begin(self, briefing: Briefing) -> Generator[bytes, str, None]:
        self._game = game = cast(Any, briefing.game)  # gomoku
        self._seat = briefing.seat
        self._memory = briefing.limits.memory or 0
        self._stones = list(_start(briefing))  # as lines of BOARD
        self._in_step = not self._stones  # the brain has all stones up to its last answer
        self._answer: str | None = None
        self._first = True
        self._messages = 0
        again = self._size == game.size
        yield from self._start_board("RESTART" if again else f"START {game.size}", again=again)
        self._size = game.size

    def _start_board(self, command: str, *, again: bool) -> Generator[bytes, str, None]:
        line = yield f"{command}\r\n".encode()
        while (word := _first_word(line))[:2] != "OK":
            if word in ("ERROR", "UNKNOWN"):
                if again:
                    raise AgainError
                raise FoulError(Fault.FAILED, f"answered {command} with {line.strip()}")
            self._remark(line, word)
            line = yield b""

    # --- Moves ------------------------------------------------------------------------------------------------------

    def ask(self, request: Request) -> bytes:
        moves = [move for step in request.steps for move in step]
        places = [move.move.replace("-", ",") for move in moves]
        self._stones += [
            f"{place},{1 if move.seat == self._seat else 2}" for place, move in zip(places, moves, strict=True)
        ]
        lines = list(self._information(request.clock)) if self._first else []
        lines.append(f"INFO time_left {_milliseconds(request.clock.total)}")
        if not self._stones:
            lines.append("BEGIN")
        elif self._in_step and places[:-1] == ([] if self._answer is None else [self._answer]):
            lines.append(f"TURN {places[-1]}")
        else:
            lines += [*([] if self._first else ["RESTART"]), "BOARD", *self._stones, "DONE"]
        self._state = request.view.state
        self._first = False
        self._in_step = True
        self._answer = None
        return ("\r\n".join(lines) + "\r\n").encode()

    def _information(self, clock: Clock) -> Iterator[str]:
        turn = clock.limit()
        yield f"INFO timeout_turn {_milliseconds(WITHOUT_LIMIT if turn is None else turn)}"
        yield f"INFO timeout_match {0 if clock.total is None else _milliseconds(clock.total)}"
        yield f"INFO max_memory {min(_told(self._memory), UNLIMITED)}"
        yield f"INFO game_type {AGAINST_A_BRAIN}"
        yield f"INFO rule {RULES[self._game.rule]}"
        yield f"INFO folder {self._folder}"

    def receive(self, line: str) -> Choice | None:
        if match := _PLACE.match(line):
            return self._choice(match)
        word = _first_word(line)
        if word == "SUGGEST" and (match := _PLACE.match(line.strip()[len(word) :])):
            self._in_step = False  # it waits for a confirmation of this move
            return self._choice(match)
        if not word or word[:2] == "OK":
            return None
        if word not in ("MESSAGE", "DEBUG", "ERROR", "UNKNOWN"):
            raise FoulError(Fault.ILLEGAL, f"sent {line.strip()[:_LONGEST_REMARK]!r}, which is not a move x,y")
        self._remark(line, word)
        return None

    def _choice(self, match: re.Match[str]) -> Choice:
        column, row = int(match[1]), int(match[2])
        try:
            move = self._game.parse(self._state, self._seat, f"{column}-{row}")
        except LudusError:
            raise FoulError(Fault.ILLEGAL, f"played {column},{row}, which is taken or not on the board") from None
        self._answer = f"{column},{row}"
        return Choice(move)

    def _remark(self, line: str, word: str) -> None:
        """Keep the first lines besides moves: a brain may write many."""
        if word in ("MESSAGE", "DEBUG"):
            self._messages += 1
            if self._messages > _MOST_MESSAGES:
                return
        if word and len(self.remarks) < _MOST_REMARKS:
            self.remarks.append(f"sent {line.strip()[:_LONGEST_REMARK]}")

    def end(self) -> bytes:
        return b"END\r\n"


def _start(briefing: Briefing) -> Iterator[str]:
    """Stones of the start position as lines of BOARD, by turns, since their order is not known."""
    if briefing.board is None:
        return
    rows = briefing.game.save(briefing.start).split("/")
    places = {
        stone: [f"{x},{y}" for y, row in enumerate(rows) for x, here in enumerate(row) if here == stone]
        for stone in "xo"
    }
    for number in range(len(places["x"]) + len(places["o"])):
        player = number % 2
        yield f"{places['xo'[player]][number // 2]},{1 if player == briefing.seat else 2}"


def _told(memory: int) -> int:
    """The memory that a brain is told of, which is less than what is enforced."""
    return memory - min(max(_OVERHEAD, memory // 8), memory // 2)


def _first_word(line: str) -> str:
    words = line.split(maxsplit=1)
    return words[0].upper() if words else ""


def _milliseconds(nanoseconds: int | None) -> int:
    return UNLIMITED if nanoseconds is None else min(nanoseconds // _MILLISECOND, UNLIMITED)
