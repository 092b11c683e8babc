"""SGF: files of games on boards of cells, as version 4 of the format describes them (FF[4]).

The first player is Black. A game says how its cells and its special moves are called.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import ClassVar, NamedTuple

from ludus.core.spec import Spec
from ludus.core.version import __version__
from ludus.games.game import Game
from ludus.games.notation import Notation, NotationError, Transcript
from ludus.games.text_board import STONES

_COLOURS = ("B", "W")
_ADDED = ("AB", "AW")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_HOW = {"late": "T", "quit": "R", "illegal": "F", "failed": "F"}
"""Endings of records, as they stand after the winner's colour."""
_ENDINGS = {"T": "late", "R": "quit", "F": "failed"}
_WON = re.compile(r"([BW])\+(.?)", re.IGNORECASE)
_GIVEN_UP = ("resign", "forfeit")
_TWO_LETTERS = re.compile(r"([a-z])([a-z])", re.IGNORECASE)
_LETTER_AND_NUMBER = re.compile(r"([a-z])([1-9]\d?)", re.IGNORECASE)


class Special(NamedTuple):
    """A move that names no cell: its value in files, and the parameter with which the game allows it."""

    value: str
    parameter: str = ""


@dataclass(frozen=True)
class SgfNotation(Notation):
    """SGF of one game."""

    endings: ClassVar[Sequence[str]] = (".sgf",)
    written: ClassVar[str] = ".sgf"

    game: str
    number: int
    """The number of the game in the property GM."""
    size: int
    """The size of a board in a file that states none."""
    cell: Callable[[int, int], str]
    """The move to a column and a row from the top left, counted from 0."""
    as_named: bool = False
    """True if files name cells as in `a1`; otherwise by two letters, column and row."""
    reads_names: bool = False
    """True if cells as in `a1` can be read."""
    says_mover: bool = True
    """True if the text of a position ends with the player to move."""
    special: Mapping[str, Special] = field(default_factory=dict)
    """Other moves, by their texts."""

    def read(self, text: str, ending: str) -> Iterator[Transcript | NotationError]:
        try:
            trees = list(_trees(text))
        except NotationError as error:
            yield error
            return
        for nodes in trees:
            root = nodes[0]
            if root.first("GM", "1") == str(self.number):
                try:
                    yield self._transcript(nodes)
                except NotationError as error:
                    yield error

    def _transcript(self, nodes: "list[_Node]") -> Transcript:
        root = nodes[0]
        size = self._size(root)
        moves: list[tuple[int, str]] = []
        given_up = None
        parameters = {"size": str(size)} | _parameters(root.first("RU"))
        for node in nodes:
            if node is not root and any(added in node.values for added in _ADDED):
                raise NotationError(node.line, "stones are added after the start; only moves can follow it.")
            for seat, colour in enumerate(_COLOURS):
                for value in node.values.get(colour, ()):
                    if value.lower() in _GIVEN_UP:
                        given_up = given_up if given_up is not None else seat
                    elif given_up is not None:
                        raise NotationError(node.line, "a move follows after a player gave up.")
                    else:
                        moves.append((seat, self._move(value, size, node.line)))
        for _, move in moves:
            name, _, value = self.special.get(move, Special("")).parameter.partition("=")
            if name:
                parameters.setdefault(name, value)
        scores, ending = _result(root.first("RE"))
        if given_up is not None:
            scores, ending = [(1.0, -1.0), (-1.0, 1.0)][1 - given_up], "quit"
        return Transcript(
            game=Spec(self.game, (), parameters).text,
            moves=moves,
            position=self._position(root, size, moves),
            names=[root.first("PB"), root.first("PW")],
            scores=scores,
            ending=ending,
            played=_day(root.first("DT")),
            event=root.first("EV"),
            round=root.first("RO"),
            line=root.line,
        )

    def _size(self, root: "_Node") -> int:
        text = root.first("SZ", str(self.size))
        columns, _, rows = text.partition(":")
        if not columns.isdecimal() or (rows or columns) != columns:
            raise NotationError(root.line, f"SZ[{text}] is not the size of a square board.")
        return int(columns)

    def _move(self, value: str, size: int, line: int) -> str:
        for text, special in self.special.items():
            if value.lower() == special.value:
                return text
        return self.cell(*self._place(value, size, line))

    def _place(self, value: str, size: int, line: int) -> tuple[int, int]:
        """The column and the row of a cell."""
        column = row = size
        if found := _TWO_LETTERS.fullmatch(value):
            column, row = (_LETTERS.index(letter) for letter in found[0].lower())
        elif self.reads_names and (found := _LETTER_AND_NUMBER.fullmatch(value)):
            column, row = _LETTERS.index(found[1].lower()), int(found[2]) - 1
        if column >= size or row >= size:
            raise NotationError(line, f"[{value}] is not a cell of a board of size {size}.")
        return column, row

    def _position(self, root: "_Node", size: int, moves: Sequence[tuple[int, str]]) -> str | None:
        if not any(added in root.values for added in _ADDED):
            return None
        rows = [["."] * size for _ in range(size)]
        for added, stone in zip(_ADDED, STONES, strict=True):
            for value in root.values.get(added, ()):
                first, _, last = value.partition(":")
                left, top = self._place(first, size, root.line)
                right, bottom = self._place(last or first, size, root.line)
                for row in rows[top : bottom + 1]:
                    row[left : right + 1] = [stone] * (right + 1 - left)
        mover = _COLOURS.index(root.first("PL").upper()) if root.first("PL").upper() in _COLOURS else -1
        if mover < 0:
            mover = moves[0][0] if moves else 0
        return "/".join(map("".join, rows)) + (f" {STONES[mover]}" if self.says_mover else "")

    def write(self, game: Game, transcript: Transcript) -> str:
        size = game.size  # type: ignore[attr-defined]  # a board of cells has one
        options = {name: value for name, value in Spec.parse(game.spec()).options.items() if name != "size"}
        black, white = transcript.names
        root = {
            "FF": "4",
            "GM": str(self.number),
            "CA": "UTF-8",
            "AP": f"Ludus:{__version__}",
            "SZ": str(size),
            "RU": ",".join(f"{name}={value}" for name, value in options.items()),
            "EV": transcript.event,
            "RO": transcript.round,
            "DT": f"{transcript.played:%Y-%m-%d}" if transcript.played else "",
            "PB": black,
            "PW": white,
            "RE": _written_result(transcript),
        }
        text = "".join(f"{name}[{_escaped(value)}]" for name, value in root.items() if value)
        values = {self.cell(column, row): (column, row) for row in range(size) for column in range(size)}
        if transcript.position is not None:
            text += self._setup(transcript.position)
        moves = [f";{_COLOURS[seat]}[{self._value(move, values)}]" for seat, move in transcript.moves]
        lines = ["".join(moves[start : start + 10]) for start in range(0, len(moves), 10)]
        return "\n".join([f"(;{text}", *lines]) + ")\n\n"

    def _value(self, move: str, places: Mapping[str, tuple[int, int]]) -> str:
        return self.special[move].value if move in self.special else self._point(*places[move])

    def _point(self, column: int, row: int) -> str:
        return f"{_LETTERS[column]}{row + 1 if self.as_named else _LETTERS[row]}"

    def _setup(self, position: str) -> str:
        """The properties of a start position."""
        board, _, mover = position.partition(" ")
        cells = [(letter, x, y) for y, row in enumerate(board.split("/")) for x, letter in enumerate(row)]
        text = ""
        for added, stone in zip(_ADDED, STONES, strict=True):
            points = "".join(f"[{self._point(x, y)}]" for letter, x, y in cells if letter == stone)
            text += f"{added}{points}" if points else ""
        if not mover:  # the first player begins
            mover = STONES[sum(letter in STONES for letter, _, _ in cells) % 2]
        return f"{text}PL[{_COLOURS[STONES.index(mover)]}]"


# --- Values ---------------------------------------------------------------------------------------------------------


def _parameters(rules: str) -> dict[str, str]:
    """The parameters of a game in the property RU, if Ludus wrote it."""
    parts = [part.partition("=") for part in rules.split(",")]
    return {name: value for name, _, value in parts} if all(sign for _, sign, _ in parts) else {}


def _result(text: str) -> tuple[tuple[float, float] | None, str]:
    """The scores and the ending in the property RE."""
    if found := _WON.match(text):
        scores = (1.0, -1.0) if found[1].upper() == "B" else (-1.0, 1.0)
        return scores, _ENDINGS.get(found[2].upper(), "")
    if text.lower() in ("0", "draw"):
        return (0.0, 0.0), ""
    return None, "machine" if text.lower() == "void" else ""


def _written_result(transcript: Transcript) -> str:
    if transcript.scores is None:
        return "Void"
    first, second = transcript.scores
    if first == second:
        return "Draw"
    return f"{'B' if first > second else 'W'}+{_HOW.get(transcript.ending, '')}"


def _day(text: str) -> datetime | None:
    try:
        return datetime.strptime(text[:10], "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return None


def _escaped(text: str) -> str:
    return re.sub(r"([\\\]])", r"\\\1", " ".join(text.split()))


# --- Trees ----------------------------------------------------------------------------------------------------------


class _Node(NamedTuple):
    """The properties of a node, and its line."""

    values: dict[str, list[str]]
    line: int

    def first(self, name: str, default: str = "") -> str:
        """The first value of a property."""
        return self.values.get(name, [default])[0].strip()


_TOKEN = re.compile(
    r"(?P<mark>[();])|(?P<name>[A-Za-z]+)(?P<values>(?:\s*\[(?:[^\]\\]|\\[\s\S])*\])*)|\s+|(?P<other>.)"
)
_VALUE = re.compile(r"\[((?:[^\]\\]|\\[\s\S])*)\]")


def _trees(text: str) -> Iterator[list[_Node]]:
    """The main line of each game; text outside games is skipped."""
    line, depth, nodes, on_main_line = 1, 0, list[_Node](), True
    for token in _TOKEN.finditer(text):
        mark, name = token["mark"], token["name"]
        if mark == "(":
            depth += 1
        elif mark == ")" and depth:
            depth -= 1
            on_main_line = False  # what follows in this game are variations
            if depth == 0:
                if nodes:
                    yield nodes
                nodes, on_main_line = [], True
        elif mark == ";" and depth and on_main_line:
            nodes.append(_Node({}, line))
        elif depth and (token["other"] or (name and not token["values"])):
            raise NotationError(line, f"'{token[0]}' is not expected here: this is not SGF.")
        elif name and nodes and on_main_line:
            values = [re.sub(r"\\(\r\n|[\s\S])", _unescaped, value) for value in _VALUE.findall(token["values"])]
            nodes[-1].values.setdefault("".join(filter(str.isupper, name)), []).extend(values)
        line += token[0].count("\n")
    if depth:
        raise NotationError(line, "the file ends within a game.")


def _unescaped(found: re.Match[str]) -> str:
    return "" if found[1].isspace() and found[1] != " " else found[1]
