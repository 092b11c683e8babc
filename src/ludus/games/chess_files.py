"""Files of chess games: PGN, and positions as EPD or FEN."""

import io
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, ClassVar

import chess
import chess.pgn

from ludus.games.game import Game
from ludus.games.notation import Notation, NotationError, Transcript

_ENDINGS = {
    "time forfeit": "late",
    "rules infraction": "illegal",
    "abandoned": "failed",
    "adjudication": "adjudicated",
    "unterminated": "machine",
}
"""Endings of records by the values of the tag `Termination`."""
_TERMINATIONS = {"plies": "adjudication"} | {ending: termination for termination, ending in _ENDINGS.items()}
_SCORES = {"1-0": (1.0, -1.0), "0-1": (-1.0, 1.0), "1/2-1/2": (0.0, 0.0)}
_SECOND = 10**9
_SHORTEST = _SECOND // 2000
"""Nanoseconds of the shortest move whose time is written: files have milliseconds."""


class ChessNotation(Notation):
    """PGN of orthodox chess; EPD and FEN are read, a position on each line."""

    endings: ClassVar[Sequence[str]] = (".pgn", ".epd", ".fen")
    written: ClassVar[str] = ".pgn"

    def read(self, text: str, ending: str) -> Iterator[Transcript | NotationError]:
        return _games(text) if ending == ".pgn" else _positions(text)

    def write(self, game: Game, transcript: Transcript) -> str:
        written = chess.pgn.Game()
        if transcript.position is not None:
            written.setup(chess.Board(transcript.position))
        result = next((text for text, scores in _SCORES.items() if scores == tuple(transcript.scores or ())), "*")
        white, black = transcript.names
        tags = {"Event": transcript.event, "Round": transcript.round, "White": white, "Black": black}
        if transcript.played is not None:
            moment = transcript.played.astimezone(UTC)
            tags |= {"Date": f"{moment:%Y.%m.%d}", "UTCDate": f"{moment:%Y.%m.%d}", "UTCTime": f"{moment:%H:%M:%S}"}
        tags |= {"Result": result, "Termination": _TERMINATIONS.get(transcript.ending, "normal")}
        for tag, value in tags.items():
            written.headers[tag] = _tag_value(value) or "?"
        node: chess.pgn.GameNode = written
        walls = transcript.walls or [0] * len(transcript.moves)
        for (_, move), wall in zip(transcript.moves, walls, strict=True):
            node = node.add_variation(chess.Move.from_uci(move))
            if wall >= _SHORTEST:
                node.set_emt(wall / _SECOND)
        return f"{written}\n\n"


def _tag_value(text: str) -> str:
    """A text as the value of a tag, which is one line."""
    return " ".join(text.split())


class _Lines(io.StringIO):
    """A text that counts the lines read from it."""

    number = 0

    def readline(self, *size: Any) -> Any:
        self.number += 1
        return super().readline(*size)


class _Reader(chess.pgn.GameBuilder[chess.pgn.Game]):
    """A builder of a game that notes the lines of its start and of its first error."""

    def __init__(self, lines: _Lines) -> None:
        super().__init__()
        self._lines = lines
        self.began = 1
        self.fault: NotationError | None = None

    def begin_game(self) -> None:
        self.began = self._lines.number
        super().begin_game()

    def end_variation(self) -> None:
        if len(self.variation_stack) > 1:
            super().end_variation()
        else:  # which the library does not expect
            self.handle_error(ValueError("a bracket closes a variation that was not opened"))

    def handle_error(self, error: Exception) -> None:
        self.fault = self.fault or NotationError(self._lines.number, f"{error}.".replace(" san:", " move"))


def _games(text: str) -> Iterator[Transcript | NotationError]:
    lines = _Lines(text)
    while True:
        reader = _Reader(lines)
        game = chess.pgn.read_game(lines, Visitor=partial(_same, reader))
        if game is None:
            return
        yield reader.fault or _transcript(game, reader.began)


def _same(reader: _Reader) -> _Reader:
    return reader


def _transcript(game: chess.pgn.Game, line: int) -> Transcript | NotationError:
    tags = game.headers
    board = game.board()
    if board.chess960 or type(board) is not chess.Board:
        return NotationError(line, f"a game of {tags.get('Variant', 'Chess960')}, which is not orthodox chess.")
    nodes = list(game.mainline())
    moves = [(0 if node.turn() == chess.BLACK else 1, node.move.uci()) for node in nodes]
    if not moves and "FEN" not in tags and tags.get("White", "?") == "?":
        return NotationError(line, "no game in PGN begins here.")
    return Transcript(
        game="chess",
        moves=moves,
        position=board.fen() if "FEN" in tags else None,
        names=[_known(tags.get(side, "")) for side in ("White", "Black")],
        scores=_SCORES.get(tags.get("Result", "*")),
        ending=_ENDINGS.get(tags.get("Termination", "").lower(), ""),
        played=_moment(tags),
        event=_known(tags.get("Event", "")),
        round=_known(tags.get("Round", "")),
        walls=[round((node.emt() or 0) * _SECOND) for node in nodes],
        line=line,
    )


def _known(value: str) -> str:
    return "" if value in ("?", "-") else value


def _moment(tags: chess.pgn.Headers) -> datetime | None:
    date, time = tags.get("UTCDate", tags.get("Date", "")), tags.get("UTCTime", "00:00:00")
    try:
        return datetime.strptime(f"{date} {time}", "%Y.%m.%d %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        return None


_FEN = re.compile(r"(?:\S+\s+){4}\d+\s+\d+")


def _positions(text: str) -> Iterator[Transcript | NotationError]:
    for number, line in enumerate(text.splitlines(), 1):
        if not (content := line.strip()) or content.startswith("#"):
            continue
        try:
            full = _FEN.match(content)
            board = chess.Board(full[0]) if full else chess.Board.from_epd(content)[0]
        except ValueError as error:
            yield NotationError(number, f"{error}.")
        else:
            yield Transcript(game="chess", position=board.fen(), line=number)
