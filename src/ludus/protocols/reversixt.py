"""Clients of ReversiXT as bots: programs that connect to a server, from the server's side."""

from collections.abc import Generator, Sequence
from typing import ClassVar, cast

import numpy as np

from ludus import rules
from ludus.agents.base import Choice, Request
from ludus.agents.bot import Bot, Briefing, Dialogue, FoulError, Framing
from ludus.errors import LudusError
from ludus.games.base import Game
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.rules import BOMBING, OUT, ReversiXtState
from ludus.protocols.reversixt_api import (
    FROM_CLIENTS,
    Buffer,
    Kind,
    message,
    number,
    read_move,
    request,
    spoken_move,
    write_made,
)
from ludus.record import Fault, Move
from ludus.rules import duplicate
from ludus.spec import param

_HEAD = 5  # bytes before what a message holds
_MILLISECOND = 1_000_000


def _cut(data: bytes) -> tuple[list[bytes], bytes]:
    buffer = Buffer(FROM_CLIENTS)
    buffer.add(data)
    found, taken = [], 0
    try:
        while (said := buffer.next()) is not None:
            found.append(_spoken(message(said.kind, said.payload)))
            taken += _HEAD + len(said.payload)
    except LudusError as error:
        raise FoulError(Fault.ILLEGAL, str(error).removesuffix(".")) from None
    return found, data[taken:]


def _spoken(data: bytes) -> bytes:
    return data.hex(" ").encode()


class ReversiXtClient(Bot):
    """A client of ReversiXT: a program that connects to a server over TCP and speaks its protocol.

    It is started with the address and the port of a server of our own in place of {host} and {port} in its command.
    """

    name = "reversixt"
    framing: ClassVar[Framing] = Framing(_cut, _spoken)
    connects: ClassVar[bool] = True

    depth: int = param(0, "a depth that it is told; 0: none", low=0, high=255)

    def unsuited(self, game: Game) -> str | None:
        return super().unsuited(game) if isinstance(game, ReversiXT) else "plays reversixt alone"

    def dialogue(self) -> "ReversiXtDialogue":
        return ReversiXtDialogue(self.depth)


class ReversiXtDialogue(Dialogue):
    """One client, for one episode: it is told of all moves when it is its turn, and at the end."""

    def __init__(self, depth: int) -> None:
        super().__init__()
        self._depth = depth

    def begin(self, briefing: Briefing) -> Generator[bytes, str, None]:
        self._game = cast(ReversiXT, briefing.game)
        self._state: ReversiXtState = duplicate(briefing.start)
        self._told = 0
        self._said_end_of_phase = False
        if (yield b"").split()[0] != f"{Kind.GROUP:02x}":
            raise FoulError(Fault.ILLEGAL, "sent a move before its group")
        chart = self._game.chart._replace(rows=self._game.rows(self._state))  # an opening is told as the map
        start = message(Kind.MAP, chart.text().encode()) + number(Kind.NUMBER, briefing.seat + 1)
        self._unsent = start + self._end_of_phase()

    def _end_of_phase(self) -> bytes:
        if self._said_end_of_phase or not self._state.turn[BOMBING]:
            return b""
        self._said_end_of_phase = True
        return message(Kind.END_OF_PHASE)

    def _follow(self, steps: Sequence[Sequence[Move]]) -> bytes:
        """What tells of these steps, which have become the present."""
        told = b""
        for [made] in steps:
            if not made.move:
                continue  # the last step of an episode that ended by it
            move = self._game.parse(self._state, made.seat, made.move)
            told += (
                number(Kind.DISQUALIFIED, made.seat + 1) if move == OUT else write_made(self._state, move, made.seat)
            )
            rules.play(self._state, np.array([move]))
            self._told += 1
            told += self._end_of_phase()
        return told

    def ask(self, asked: Request) -> bytes:
        limit = asked.clock.limit()
        unsent, self._unsent = self._unsent, b""
        return (
            unsent
            + self._follow(asked.steps)
            + request(0 if limit is None else max(1, limit // _MILLISECOND), self._depth)
        )

    def hear(self, line: str) -> Choice | None:
        said = bytes.fromhex(line)
        if said[0] != Kind.MOVE:
            raise FoulError(Fault.ILLEGAL, "sent its group instead of a move")
        move = read_move(self._game, self._state, said[_HEAD:])
        if move is None:
            raise FoulError(Fault.ILLEGAL, spoken_move(said[_HEAD:]))
        return Choice(move)

    def conclude(self, steps: Sequence[Sequence[Move]]) -> bytes:
        told = self._unsent + self._follow(steps[self._told :])
        if not self._said_end_of_phase:
            told += message(Kind.END_OF_PHASE)
        return told + message(Kind.END_OF_GAME)
