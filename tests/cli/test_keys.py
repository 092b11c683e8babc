"""Keys on a real terminal."""

import os
import pty
import termios
import tty
from collections.abc import Iterator

import pytest

from ludus.cli.keys import Keys, reading_keys

PATIENCE = 10.0


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    """The end where keys are pressed, and the end where they are read."""
    master, slave = pty.openpty()
    yield master, slave
    os.close(master)
    os.close(slave)


def read(keys: Keys) -> list[str | None]:
    """All keys that were pressed, up to z."""
    found: list[str | None] = []
    while (key := keys.read(PATIENCE)) != "z":
        found.append(key)
    return found


@pytest.mark.parametrize(
    ("pressed", "named"),
    [
        ("an1:?", ["a", "n", "1", ":", "?"]),
        ("\x1b[C\x1b[D\x1b[A\x1b[B", ["right", "left", "up", "down"]),
        ("\x1bOC\x1bOD\x1bOH\x1bOF", ["right", "left", "home", "end"]),
        ("\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", ["home", "end"] * 3),
        ("\x1b[5~\x1b[6~", ["page up", "page down"]),
        ("\r\n \x7f\b", ["enter", "enter", " ", "backspace", "backspace"]),
        ("\x03\x04", ["interrupt", "interrupt"]),
        ("\x1b[1;5Cx", [None, "x"]),
        ("\x01x", [None, "x"]),
        ("é", ["é"]),
    ],
)
def test_keys_have_names(ends: tuple[int, int], pressed: str, named: list[str | None]) -> None:
    master, slave = ends
    with reading_keys(slave) as keys:
        os.write(master, f"{pressed}z".encode())
        assert read(keys) == named


def test_escape_alone_is_a_key(ends: tuple[int, int]) -> None:
    master, slave = ends
    with reading_keys(slave) as keys:
        os.write(master, b"\x1b")
        assert keys.read(PATIENCE) == "escape"
        assert keys.read(0.0) is None


def test_a_key_whose_code_arrives_in_parts_is_read_whole(ends: tuple[int, int]) -> None:
    master, slave = ends
    with reading_keys(slave) as keys:
        os.write(master, "é".encode()[:1])
        assert keys.read(0.1) is None
        os.write(master, "é".encode()[1:])
        assert keys.read(PATIENCE) == "é"


def test_the_terminal_is_as_before_afterwards(ends: tuple[int, int]) -> None:
    slave = ends[1]
    before = termios.tcgetattr(slave)

    def fail() -> None:
        with reading_keys(slave):
            assert not termios.tcgetattr(slave)[tty.LFLAG] & (termios.ECHO | termios.ICANON | termios.ISIG)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert termios.tcgetattr(slave) == before


def test_a_terminal_that_is_gone_ends_the_keys() -> None:
    inside, outside = os.pipe()
    os.close(outside)
    with pytest.raises(EOFError):
        Keys(inside).read(PATIENCE)
    os.close(inside)
