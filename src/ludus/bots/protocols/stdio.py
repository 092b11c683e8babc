"""The stdio protocol: lines of text over standard input and output, for every game. docs/protocol.md describes it."""

import os
from collections.abc import Generator, Iterator
from typing import Any

from ludus.agents.agent import Choice
from ludus.bots.bot import Bot
from ludus.bots.dialogue import Dialogue, FoulError
from ludus.bots.metrics_file import LONGEST_TEXT, MOST_METRICS, number_or_text
from ludus.core.errors import LudusError
from ludus.episode.limits import LIMITS, UNLIMITED
from ludus.episode.player import Briefing
from ludus.episode.record import Fault
from ludus.episode.request import Request
from ludus.games.game import Game
from ludus.kernel.rules import CHANCE

CHANCE_NAME = "*"
"""Name of chance among the movers."""
BOARD = "initial_board"
"""Key of the file with a start position."""
_ARCHIVE = b"PK"
_MOST_REMARKS = 20  # at a time
_BESIDES = ("ERROR", "METRIC")  # other beginnings of lines than a move


class Stdio(Bot):
    """A program that reads START and TURN and answers each with a line that holds a move."""

    name = "stdio"

    def dialogue(self) -> "StdioDialogue":
        return StdioDialogue()

    def overlooks_openings(self) -> bool:
        """True if no source beside the bot's file mentions `initial_board`; archives cannot be searched."""
        sources = {source for file in self.named_files() for source in file.parent.glob(f"*{file.suffix}")}
        texts = [source.read_bytes() for source in sources if source.is_file() and os.access(source, os.R_OK)]
        return bool(texts) and not any(BOARD.encode() in text or text.startswith(_ARCHIVE) for text in texts)


class StdioDialogue(Dialogue):
    """One episode with one process."""

    def begin(self, briefing: Briefing) -> Generator[bytes, str, None]:
        self._game = briefing.game
        self._seat = briefing.seat
        self._plain = is_plain(briefing.game)
        self._first = True
        self._metrics: dict[str, Any] = {}
        self._said_too_much = False
        for key, value in information(briefing):
            line = yield f"INFO {key} {value}\n".encode()
            while (word := line.split(maxsplit=1)[0].upper() if line.strip() else "") != "OK":
                if word == "ERROR":
                    self._remark(f"answered INFO {key} with {line.strip()}")
                    break
                if word:
                    self._remark(f"wrote {line.strip()[:LONGEST_TEXT]!r} before OK")
                line = yield b""

    def ask(self, request: Request) -> bytes:
        self._state = request.view.state
        self._metrics = {}
        seat, steps = self._seat, request.steps
        if self._plain and not (steps and steps[0][0].seat == seat and steps[0][0].fault):
            texts = []
            for step in steps:  # a comprehension takes twice as long, and this runs for each move
                for move in step:
                    if move.seat != seat:
                        texts.append(move.move)
            words = ";".join(texts)
        else:
            moves = [move for step in steps for move in step]
            words = " ".join([f"{CHANCE_NAME if m.seat == CHANCE else m.seat}:{m.move}" for m in moves])
        is_first, self._first = self._first, False
        return b"START\n" if is_first and not words else f"TURN {words or '-'}\n".encode()

    def receive(self, line: str) -> Choice | None:
        text = line.strip()
        if not text:
            return None
        if text.startswith(_BESIDES):
            word = text.split(maxsplit=1)[0]
            if word == "ERROR":
                self._remark(f"sent {text}")
                return None
            if word == "METRIC":
                self._note(text)
                return None
        try:
            return Choice(self._game.parse(self._state, self._seat, text), self._metrics)
        except LudusError as error:
            raise FoulError(Fault.ILLEGAL, str(error)) from None
        except Exception as error:  # a user's game may not expect such a text
            evidence = f"sent {text[:LONGEST_TEXT]!r}, which {self._game.name} cannot read: {type(error).__name__}"
            raise FoulError(Fault.ILLEGAL, evidence) from None

    def _note(self, text: str) -> None:
        _, name, value, *_ = [*text.split(maxsplit=2), "", ""]
        if not name or not value:
            self._remark(f"sent {text[:LONGEST_TEXT]!r} instead of METRIC NAME VALUE")
            return
        name = name[:LONGEST_TEXT]
        if len(self._metrics) < MOST_METRICS or name in self._metrics:
            self._metrics[name] = number_or_text(value)
        elif not self._said_too_much:
            self._said_too_much = True
            self._remark(f"sent more than {MOST_METRICS} metrics before a move; only the first were kept")

    def _remark(self, words: str) -> None:
        """Keep the first unusual lines: a bot may write many."""
        if len(self.remarks) < _MOST_REMARKS:
            self.remarks.append(words[:LONGEST_TEXT])

    def end(self) -> bytes:
        return b"END\n"


def is_plain(game: Game) -> bool:
    """True if two players take turns and nothing else happens, so that a move says all."""
    return game.seats == 2 and not game.chance and not game.simultaneous


def information(briefing: Briefing) -> Iterator[tuple[str, str]]:
    """Everything that INFO sends, in order."""
    game, limits = briefing.game, briefing.limits
    yield "game", game.name
    yield "players", str(game.seats)
    yield "seat", str(briefing.seat)
    for parameter in game.parameters():
        if parameter.name != "players":
            yield parameter.name, parameter.write(getattr(game, parameter.name))
    for name, limit in LIMITS.items():
        value = getattr(limits, name)
        if limit.info is not None and value is not None and not value == getattr(UNLIMITED, name) == 0:
            yield limit.info, str(value // limit.one)
    yield "seed", str(briefing.seed)
    yield "match_name", briefing.name
    yield from briefing.information.items()
    if briefing.board is not None:
        yield BOARD, str(briefing.board)
