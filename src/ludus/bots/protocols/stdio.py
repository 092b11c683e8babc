"""The stdio protocol: lines of text over standard input and output, for every game. docs/protocol.md describes it."""

import os
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from ludus.agents.agent import Choice
from ludus.bots.bot import Bot
from ludus.bots.dialogue import Dialogue, FoulError
from ludus.bots.metrics_file import LONGEST_TEXT, MOST_METRICS, number_or_text
from ludus.core.errors import LudusError
from ludus.core.spec import param
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
REPLACED = "replaced"
"""Key of the move that was played in place of the bot's last one, sent in a running game."""
_ARCHIVE = b"PK"
_MOST_SEARCHED = 200  # files, which are more than those of a bot
_LARGEST_SEARCHED = 64 << 20
_STORE = ".db"  # ending of the files of stores, in which evidence may mention anything
_MOST_REMARKS = 20  # at a time
_BESIDES = ("OK", "ERROR", "METRIC")  # other beginnings of lines than a move


class Stdio(Bot):
    """A program that reads START and TURN and answers each with a line that holds a move."""

    name = "stdio"

    boards: bool | None = param(None, "whether it reads start boards; by default, if a file beside it mentions them")

    def dialogue(self) -> "StdioDialogue":
        return StdioDialogue()

    def reads_openings(self) -> bool | None:
        """True if a file beside the bot's own mentions `initial_board`; what cannot be searched is trusted.

        A compiled program without that word is doubtful, because its texts may be packed.
        """
        if self.boards is not None:
            return self.boards
        own = self.named_files()
        files = list(islice(_beside(own), _MOST_SEARCHED + 1))
        if not files or any(map(_mentions_boards, {*own, *files})):
            return True
        return None if len(files) > _MOST_SEARCHED or any(map(_is_compiled, own)) else False


def _mentions_boards(file: Path) -> bool:
    """True if a program, a text or an archive knows of start boards, as far as can be seen."""
    if not os.access(file, os.R_OK):
        return False
    content = file.read_bytes()
    return content.startswith(_ARCHIVE) or BOARD.encode() in content


def _is_compiled(file: Path) -> bool:
    return not os.access(file, os.R_OK) or b"\0" in file.read_bytes()


def _beside(files: Iterable[Path]) -> Iterator[Path]:
    """All files in the folders of these and below, but no large ones."""
    for folder in {file.parent for file in files}:
        for place, _, names in os.walk(folder):
            for name in names:
                file = Path(place, name)
                if file.suffix != _STORE and file.is_file() and file.stat().st_size <= _LARGEST_SEARCHED:
                    yield file


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
        self._error = ""  # said in answer to this message, and not followed by anything yet
        self._repeated = False
        seat, steps = self._seat, request.steps
        before = ""
        if self._plain:
            if steps and steps[0][0].seat == seat and steps[0][0].fault:
                before = f"INFO {REPLACED} {steps[0][0].move}\n"
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
        self._informed = bool(before)
        self._asked = b"START\n" if is_first and not words else f"TURN {words or '-'}\n".encode()
        return before.encode() + self._asked if before else self._asked

    def receive(self, line: str) -> Choice | None:
        text = line.strip()
        if not text:
            return None
        if text.startswith(_BESIDES):
            word = text.split(maxsplit=1)[0]
            if word in ("OK", "ERROR") and self._informed:  # the answer to INFO, which a bot may also ignore
                self._informed = False
                return None
            if word == "ERROR":
                if self._repeated:
                    raise FoulError(Fault.FAILED, f"said {text[:LONGEST_TEXT]}")
                self._remark(f"sent {text}")
                self._error = text
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

    def again(self) -> bytes:
        """After the first ERROR in answer to a message: that message, because the bot now waits for another one."""
        if not self._error:
            return b""
        self._error = ""
        self._repeated = True
        return self._asked

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
