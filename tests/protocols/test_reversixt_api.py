"""The messages of ReversiXT, byte for byte."""

import pytest

from ludus.errors import LudusError
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.maps import Map
from ludus.games.reversixt.rules import FOR_BOMB, FOR_OVERRIDE, SPECIALS
from ludus.protocols.reversixt_api import (
    FROM_CLIENTS,
    FROM_SERVERS,
    Buffer,
    Kind,
    Message,
    message,
    number,
    read_move,
    read_request,
    request,
    write_made,
    write_move,
)
from ludus.rng import new_rng

WIDE = ReversiXT(map=Map(2, 0, 1, 0, ("1" + "0" * 18 + "2", *["0" * 20] * 8, "0" * 12 + "b" + "0" * 7)).packed())
PHASE_1 = ReversiXT(map=Map(2, 0, 0, 0, ("0b21",)).packed())


def field(x: int, y: int) -> int:
    return WIDE.board.numbers[x, y]


def test_messages_are_those_that_were_seen() -> None:
    state = WIDE.start(new_rng(0))
    assert number(Kind.GROUP, 4) == bytes.fromhex("01 00000001 04")
    assert message(Kind.MAP, b"2\n0\n") == bytes.fromhex("02 00000004 32 0a 30 0a")
    assert number(Kind.NUMBER, 2) == bytes.fromhex("03 00000001 02")
    assert request(1000, 0) == bytes.fromhex("04 00000005 000003e8 00")
    assert write_move(state, field(4, 2) * SPECIALS) == bytes.fromhex("05 00000005 0004 0002 00")
    assert write_move(state, field(12, 9) * SPECIALS + FOR_OVERRIDE) == bytes.fromhex("05 00000005 000c 0009 15")
    assert write_made(state, field(4, 2) * SPECIALS, 0) == bytes.fromhex("06 00000006 0004 0002 00 01")
    assert number(Kind.DISQUALIFIED, 2) == bytes.fromhex("07 00000001 02")
    assert message(Kind.END_OF_PHASE) == bytes.fromhex("08 00000000")
    assert message(Kind.END_OF_GAME) == bytes.fromhex("09 00000000")


def test_messages_are_understood_however_they_are_cut() -> None:
    data = number(Kind.NUMBER, 2) + request(2000, 3) + message(Kind.END_OF_GAME)
    for size in (1, 2, 7, len(data)):
        buffer, found = Buffer(FROM_SERVERS), []
        for begin in range(0, len(data), size):
            buffer.add(data[begin : begin + size])
            while (said := buffer.next()) is not None:
                found.append(said)
        assert [said.kind for said in found] == [Kind.NUMBER, Kind.REQUEST, Kind.END_OF_GAME]
        assert read_request(found[1].payload) == (2000, 3)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("0a 00000000", "a message of type 10 came"),
        ("04 00000005 000003e8 00", "a message of type 4 came, which is none of 1, 5"),
        ("05 00000004 0004 0002", "a message of type 5 came with 4 bytes, which should be 5"),
        ("05 ffffffff", "a message of type 5 came with 4294967295 bytes"),
    ],
)
def test_what_clients_cannot_say_is_refused(data: str, told: str) -> None:
    buffer = Buffer(FROM_CLIENTS)
    buffer.add(bytes.fromhex(data))
    with pytest.raises(LudusError, match=told):
        buffer.next()


def test_a_map_of_any_size_is_refused() -> None:
    buffer = Buffer(FROM_SERVERS)
    buffer.add(bytes.fromhex("02 7fffffff"))
    with pytest.raises(LudusError, match="a message of type 2 came with 2147483647 bytes"):
        buffer.next()


@pytest.mark.parametrize(
    ("special", "chosen"),
    [(0, 0), (3, 3), (8, 8), (20, FOR_BOMB), (21, FOR_OVERRIDE), (9, None), (10, None), (22, None)],
)
def test_moves_are_read_with_what_was_chosen(special: int, chosen: int | None) -> None:
    state = PHASE_1.start(new_rng(0))
    move = read_move(PHASE_1, state, bytes([0, 1, 0, 0, special]))
    assert move == (None if chosen is None else SPECIALS + chosen)


def test_with_bombs_the_special_byte_is_ignored() -> None:
    assert read_move(WIDE, WIDE.start(new_rng(0)), bytes([0, 12, 0, 9, 77])) == field(12, 9) * SPECIALS


@pytest.mark.parametrize("payload", [(0, 99, 0, 9, 0), (1, 0, 0, 0, 0)])
def test_a_move_off_the_map_is_none(payload: tuple[int, ...]) -> None:
    assert read_move(WIDE, WIDE.start(new_rng(0)), bytes(payload)) is None


def test_a_group_is_a_message_of_one_number() -> None:
    assert Message(Kind.GROUP, b"\x07").number == 7
