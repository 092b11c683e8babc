"""Logs of clients of spe_ed as records of episodes."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import numpy as np

from ludus.contests.speed.api import read_state
from ludus.contests.speed.game import FELL, JUMP_EVERY, LARGEST_GIVEN, SPEED, SpeedState
from ludus.contests.speed.sighting import (
    SpeedSighting,
    after_moves,
    are_of_one_game,
    dated,
    explained,
    look_alike,
    moves_between,
)
from ludus.core.errors import InvalidError, LudusError
from ludus.episode.importer import Importer
from ludus.episode.record import Record
from ludus.kernel.rules import over
from ludus.kernel.state import Array
from ludus.net.remote import remote_seats
from ludus.net.sighting import Message

_IN_THE_MIDDLE = range(JUMP_EVERY + 1, 2 * JUMP_EVERY + 1)
"""Rounds at which a log without a start may begin; six are enough because jumps come every six rounds."""


class SpeedLogs(Importer):
    """The messages received by a client."""

    name: ClassVar[str] = "speed"
    files: ClassVar[str] = "log of spe_ed"
    form: ClassVar[str] = "a JSON list of the states that a client received, or an object with such a list"

    def read(self, file: Path, data: bytes) -> tuple[Record, int] | None:
        listed = _listed(data.removeprefix(b"\xef\xbb\xbf"))
        return _record(file, listed) if listed else None


def _record(file: Path, listed: Sequence[msgspec.Raw]) -> tuple[Record, int]:
    messages = _messages(listed, file)
    if len(messages) < 2 or over(messages[0].state):
        raise InvalidError(f"{file} is the log of a game without rounds.")
    first, *coming = messages
    now = 1
    if not _is_start(first):
        now = max(_IN_THE_MIDDLE, key=lambda now: explained(dated(first.state, now), coming))
    try:
        seen = _seen(messages, now)
    except LudusError as error:
        raise InvalidError(f"{file} is not a log of one game of spe_ed: {error}") from None
    if not _is_start(first):
        seen.remarks.insert(0, "the log lacks the start: rounds are numbered to match the jumps")
    seats = remote_seats(seen.names, seen.game.seats)
    moments = [message.deadline for message in messages if message.deadline is not None]
    moments = moments or [datetime.fromtimestamp(file.stat().st_mtime, UTC)]
    wall = max(0, (moments[-1] - moments[0]) // timedelta(microseconds=1)) * 1000
    return seen.record(seats, moments[0], "the log goes no further"), wall


def _listed(data: bytes) -> list[msgspec.Raw]:
    """The messages of a log; none if the file is not a log."""
    with suppress(msgspec.MsgspecError, ValueError, RecursionError, IndexError):
        found = msgspec.json.decode(data, type=list[msgspec.Raw] | dict[str, msgspec.Raw])
        lists = [found] if isinstance(found, list) else [*filter(None, map(_list, found.values()))]
        return next((some for some in lists if b'"players"' in bytes(some[0])), lists[0])
    return []


def _messages(listed: Sequence[msgspec.Raw], file: Path) -> list[Message]:
    messages, reader = [], _Reader()
    for number, raw in enumerate(listed, 1):
        try:
            messages.append(reader.read(raw, number))
        except LudusError as error:
            raise InvalidError(f"{file} is not a log of spe_ed: message {number} of {len(listed)}: {error}") from None
    return messages


class _Reader:
    """Reads the messages of a log one after the other, also those without cells or with an unreadable deadline."""

    def __init__(self) -> None:
        self._last: SpeedState | None = None
        """The state of the last message, if all messages from the start on are known."""

    def read(self, raw: msgspec.Raw, number: int) -> Message:
        """Read the message with this number, counted from 1; cells that it lacks follow from the one before."""
        given = msgspec.json.decode(raw)
        has_cells = not isinstance(given, dict) or "cells" in given
        message = _state(given if has_cells else given | {"cells": _only_heads(given)})
        if not has_cells:
            message.state.cells[:] = self._cells(message, number)
        is_known = _is_start(message) if number == 1 else self._follows(message)
        self._last = dated(message.state, number, self._last) if is_known else None
        return message

    def _follows(self, message: Message) -> bool:
        return self._last is not None and are_of_one_game(self._last, message.state)

    def _cells(self, message: Message, number: int) -> Array:
        if number == 1 and _is_start(message):
            return message.state.cells
        if self._last is None or not self._follows(message):
            raise InvalidError("It has no cells, and the log does not begin at the start of the game.")
        if over(self._last):
            return self._last.cells
        played = after_moves(self._last, moves_between(self._last, message.state))
        message.state.cells[:] = played.cells
        if not look_alike(played, message.state):
            raise InvalidError("It has no cells, and no moves lead to it from the message before.")
        return played.cells


def _state(given: Any) -> Message:
    """A state, without its deadline if that is unreadable."""
    try:
        return read_state(msgspec.json.encode(given))
    except LudusError:
        if not isinstance(given, dict) or given.get("deadline") is None:
            raise
        return read_state(msgspec.json.encode(given | {"deadline": None}))


def _only_heads(given: dict[str, Any]) -> list[list[int]]:
    """A board with the heads of the living; anything if the state is invalid, which is reported when it is read."""
    cells: list[list[int]] = []
    with suppress(KeyError, TypeError, ValueError, IndexError, AttributeError):
        width, height = given["width"], given["height"]
        if width <= LARGEST_GIVEN and height <= LARGEST_GIVEN:
            cells = [[0] * width for _ in range(height)]
            for name, player in given["players"].items():
                if player["active"]:
                    cells[player["y"]][player["x"]] = int(name)
    return cells


def _list(raw: msgspec.Raw) -> list[msgspec.Raw]:
    try:
        return msgspec.json.decode(raw, type=list[msgspec.Raw])
    except (msgspec.MsgspecError, RecursionError):
        return []


def _is_start(first: Message) -> bool:
    players = first.state.players
    untouched = np.count_nonzero(first.state.cells) == len(players) and (players[:, SPEED] == 1).all()
    return bool(untouched and not players[:, FELL].any())


def _seen(messages: Sequence[Message], now: int) -> SpeedSighting:
    sighting = SpeedSighting(messages[0], now)
    for number, message in enumerate(messages[1:], 2):
        sighting.take(message, coming=messages[number:])
    return sighting
