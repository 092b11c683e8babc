"""The messages of ReversiXT's servers and clients, as bytes, without input or output.

A message is a byte that says what it is, four bytes with the length of what follows, and that; numbers are big endian.
Players are numbered from 1 there and from 0 in a state here.
"""

import struct
from enum import IntEnum
from typing import NamedTuple

from ludus.errors import LudusError
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.rules import BOMBING, FOR_BOMB, FOR_OVERRIDE, SPECIALS, ReversiXtState

PORT = 7777
"""Where servers listen, unless they say otherwise."""
MOST_MILLISECONDS = 2**32 - 1

_HEAD = struct.Struct(">BI")
_REQUEST = struct.Struct(">IB")
_MOVE = struct.Struct(">HHB")
_MADE = struct.Struct(">HHBB")
_SPECIALS = {FOR_BOMB: 20, FOR_OVERRIDE: 21}
_CHOSEN = {byte: special for special, byte in _SPECIALS.items()}


class Kind(IntEnum):
    """What a message is."""

    GROUP = 1
    MAP = 2
    NUMBER = 3
    REQUEST = 4
    MOVE = 5
    MADE = 6
    DISQUALIFIED = 7
    END_OF_PHASE = 8
    END_OF_GAME = 9


_LENGTHS = {
    Kind.GROUP: 1,
    Kind.NUMBER: 1,
    Kind.REQUEST: _REQUEST.size,
    Kind.MOVE: _MOVE.size,
    Kind.MADE: _MADE.size,
    Kind.DISQUALIFIED: 1,
    Kind.END_OF_PHASE: 0,
    Kind.END_OF_GAME: 0,
}
_LONGEST_MAP = 1 << 22
FROM_CLIENTS = (Kind.GROUP, Kind.MOVE)
FROM_SERVERS = tuple(kind for kind in Kind if kind not in FROM_CLIENTS)


class Message(NamedTuple):
    """What was said."""

    kind: Kind
    payload: bytes

    @property
    def number(self) -> int:
        """The number of a group or of a player, as it was sent."""
        return self.payload[0]


def message(kind: Kind, payload: bytes = b"") -> bytes:
    """A message as bytes."""
    return _HEAD.pack(kind, len(payload)) + payload


def number(kind: Kind, value: int) -> bytes:
    """A message that is one number: a group, or a player counted from 1."""
    return message(kind, bytes([value]))


def request(milliseconds: int, depth: int) -> bytes:
    """What asks for a move; without a limit of time, 0 milliseconds and a depth."""
    return message(Kind.REQUEST, _REQUEST.pack(min(milliseconds, MOST_MILLISECONDS), depth))


def read_request(payload: bytes) -> tuple[int, int]:
    """The milliseconds and the depth of a request."""
    milliseconds, depth = _REQUEST.unpack(payload)
    return milliseconds, depth


class Buffer:
    """Bytes as they come, cut into messages."""

    def __init__(self, expected: tuple[Kind, ...]) -> None:
        """`expected` are the kinds of messages that the other side may send."""
        self._expected = expected
        self._data = bytearray()

    def add(self, data: bytes) -> None:
        """More bytes have come."""
        self._data += data

    def next(self) -> Message | None:
        """The next message that is complete; LudusError if what comes can be none."""
        if len(self._data) < _HEAD.size:
            return None
        kind, length = _HEAD.unpack_from(self._data)
        if kind not in self._expected:
            raise LudusError(f"a message of type {kind} came, which is none of {', '.join(map(str, self._expected))}.")
        right = _LENGTHS.get(Kind(kind))
        if length != right if right is not None else length > _LONGEST_MAP:
            raise LudusError(f"a message of type {kind} came with {length} bytes, which should be {right or 'fewer'}.")
        end = _HEAD.size + length
        if len(self._data) < end:
            return None
        payload = bytes(self._data[_HEAD.size : end])
        del self._data[:end]
        return Message(Kind(kind), payload)


def write_move(state: ReversiXtState, move: int) -> bytes:
    """The move of a client."""
    return message(Kind.MOVE, _MOVE.pack(*_sent(state, move)))


def write_made(state: ReversiXtState, move: int, player: int) -> bytes:
    """What a server tells of a move in this state."""
    return message(Kind.MADE, _MADE.pack(*_sent(state, move), player + 1))


def _sent(state: ReversiXtState, move: int) -> tuple[int, int, int]:
    x, y = state.places[move // SPECIALS].tolist()
    special = move % SPECIALS
    return x, y, _SPECIALS.get(special, special)


def read_move(game: ReversiXT, state: ReversiXtState, payload: bytes) -> int | None:
    """The number of a move that a client sent, legal or not; None if there can be no such move.

    It begins with the move itself, as what a server tells of a move does.
    """
    x, y, special = _MOVE.unpack_from(payload)
    field = game.board.numbers.get((x, y))
    chosen = 0 if state.turn[BOMBING] else _CHOSEN.get(special, special)
    if field is None or chosen >= SPECIALS or (chosen in _SPECIALS and special < 20):
        return None
    return field * SPECIALS + chosen


def spoken_move(payload: bytes) -> str:
    """A move as it was sent, for people."""
    return "x {}, y {}, special {}".format(*_MOVE.unpack_from(payload))
