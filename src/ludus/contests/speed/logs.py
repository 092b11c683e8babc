"""A game of spe_ed from the states that one of its players was shown: who did what, as the record of an episode."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import numpy as np

from ludus.contests.speed.api import Message, read_state
from ludus.contests.speed.game import (
    ANSWERED_TWICE,
    CHANGE_NOTHING,
    DIRECTION,
    FELL,
    JUMP_EVERY,
    NO_ANSWER,
    SLOW_DOWN,
    SPEED,
    SPEED_UP,
    TOP_SPEED,
    TURN_LEFT,
    TURN_RIGHT,
    Speed,
    SpeedState,
    X,
    Y,
)
from ludus.core.errors import InvalidError, LudusError
from ludus.core.paths import file_errors
from ludus.core.version import __version__
from ludus.episode.opening import setting
from ludus.episode.record import FORMAT, Ending, Fault, Move, Opening, Record, Seat
from ludus.kernel.rules import duplicate, over, play
from ludus.net.remote import remote_spec
from ludus.store.keeping import UNKNOWN

_ACTIONS = {
    (3, 0): TURN_LEFT,
    (1, 0): TURN_RIGHT,
    (0, -1): SLOW_DOWN,
    (0, 1): SPEED_UP,
    (0, 0): CHANGE_NOTHING,
}
"""By the turn to the right, in quarters, and what the speed gained."""
_FAULTS = {
    True: (Fault.ILLEGAL, "its answer shows, but did not count"),
    False: (Fault.LATE, "gave no answer that counted"),
}
_IN_THE_MIDDLE = range(JUMP_EVERY + 1, 2 * JUMP_EVERY + 1)
"""Rounds at which a log may begin that lacks the start: they stand for all, since jumps come every so many rounds."""


class Sighting:
    """A game as one of its players sees it: states are taken in, and `record` tells what everybody did.

    Where nothing that players can do leads from one state to the next, the record begins anew with the later one.
    """

    def __init__(self, first: Message, now: int = 1) -> None:
        """The first state, before that round."""
        self.you = first.you
        self.game = Speed(players=len(first.state.players))
        self.names: list[str] | None = None
        self.remarks: list[str] = []
        self._cut_off = False
        self._begin(_dated(first.state, now))

    def _begin(self, state: SpeedState) -> None:
        self.state = state
        self.steps: list[list[Move]] = []
        self._position = self.game.save(state)

    def take(self, message: Message, own: Move | None = None, coming: Sequence[Message] = ()) -> list[int]:
        """The state after another round, in which the player itself sent that move; the moves of all, if known.

        Where states are missing, those that are `coming`, if they are known, tell how many.
        """
        before, after = self.state, message.state
        if not _are_of_one_game(before, after):
            raise InvalidError(f"The state after round {before.clock[0]} is one of another game.")
        self.names = message.names
        if over(before):
            return []  # there is nothing more to learn but names
        moves = moves_between(before, after)
        played = _after(before, moves)
        if not _look_alike(played, after):
            now = before.clock.item() + 1
            ways = [_dated(after, now + missing, before) for missing in range(JUMP_EVERY if coming else 1)]
            self._break(before, max(ways, key=lambda way: _explained(way, coming)))
            return []
        movers = self.game.movers(before)
        self.steps.append([self._move(player, move, own) for player, move in zip(movers, moves, strict=True)])
        self.state = played
        return moves

    def _move(self, player: int, move: int, own: Move | None) -> Move:
        text = self.game.format(self.state, player, move)
        made = own if own is not None and player == self.you else Move(player, text)
        if made.move != text:
            made.move, sent = text, made.move
            made.fault, made.evidence = Fault.LATE, f"sent {sent}, which did not count"
        elif move >= NO_ANSWER:
            made.fault, made.evidence = _FAULTS[move >= ANSWERED_TWICE]
        return made

    def _break(self, before: SpeedState, state: SpeedState) -> None:
        """Go on from a state to which no moves lead; an end cannot be gone on from."""
        now = state.clock.item()
        missing = f"no moves lead from the state before round {before.clock[0]} to the next one"
        if over(state):
            self._cut_off = True
            self.remarks.append(f"the record ends before the game did: {missing}")
        else:
            self.remarks.append(f"the record begins in round {now}: {missing}")
            self._begin(state)

    def record(self, seats: Sequence[Seat], played: datetime, why: str) -> Record:
        """The record, with remarks at the player's own seat; without a result if it ends early, and `why` it does."""
        ended = bool(over(self.state))
        if not ended and not self._cut_off:
            self.remarks.append(f"the record ends before the game did: {why}")
        seats[self.you].remarks = [*seats[self.you].remarks, *self.remarks]
        return Record(
            format=FORMAT,
            ludus=__version__,
            played=played,
            game=setting(self.game).spec,
            seats=list(seats),
            seed=0,
            opening=Opening(self._position),
            scores=[score + 0.0 for score in self.game.scores(self.state)] if ended else [0.0] * self.game.seats,
            ending=Ending.RULES if ended else Ending.MACHINE,
            steps=self.steps,
        )


def moves_between(before: SpeedState, after: SpeedState) -> list[int]:
    """What those who lived must have done, if there is anything that leads there."""
    moves = []
    for old, new in zip(before.players.tolist(), after.players.tolist(), strict=True):
        if old[FELL]:
            continue
        action = _ACTIONS.get(((new[DIRECTION] - old[DIRECTION]) % 4, new[SPEED] - old[SPEED]), NO_ANSWER)
        has_moved = (new[X], new[Y]) != (old[X], old[Y])
        if has_moved or not 1 <= new[SPEED] <= TOP_SPEED:
            moves.append(action)
        else:
            moves.append(NO_ANSWER if action in (CHANGE_NOTHING, NO_ANSWER) else ANSWERED_TWICE + action)
    return moves


def _after(before: SpeedState, moves: Sequence[int]) -> SpeedState:
    state: SpeedState = duplicate(before)
    play(state, np.array(moves, np.int64))
    return state


def _are_of_one_game(one: SpeedState, other: SpeedState) -> bool:
    return one.cells.shape == other.cells.shape and one.players.shape == other.players.shape


def _look_alike(played: SpeedState, shown: SpeedState) -> bool:
    """Whether two states agree in all that a server tells."""
    return bool(
        np.array_equal(played.cells, shown.cells)
        and np.array_equal(played.players[:, :FELL], shown.players[:, :FELL])
        and np.array_equal(played.players[:, FELL] > 0, shown.players[:, FELL] > 0)
    )


def _explained(state: SpeedState, coming: Sequence[Message]) -> int:
    """How many of the states that follow are such as moves lead to."""
    for number, message in enumerate(coming):
        if over(state) or not _are_of_one_game(state, message.state):
            return number
        played = _after(state, moves_between(state, message.state))
        if not _look_alike(played, message.state):
            return number
        state = played
    return len(coming)


def _dated(shown: SpeedState, now: int, before: SpeedState | None = None) -> SpeedState:
    """What a server shows, as the state before that round, with when players fell as far as that is known."""
    state: SpeedState = duplicate(shown)
    state.clock[0] = now
    if before is not None:
        fell = np.where(before.players[:, FELL] > 0, before.players[:, FELL], now - 1)
        state.players[:, FELL] = np.where(state.players[:, FELL] > 0, fell, 0)
    return state


# --- Logs of other clients --------------------------------------------------------------------------------------------


def read_log(file: Path) -> tuple[Record, int]:
    """The record of a log, and about how many nanoseconds the game took.

    A log is the list of the messages that a client was sent, or an object that has such a list among other things.
    """
    with file_errors(file, "read"):
        data, changed = file.read_bytes(), datetime.fromtimestamp(file.stat().st_mtime, UTC)
    messages = _messages(data.removeprefix(b"\xef\xbb\xbf"), file)
    if len(messages) < 2 or over(messages[0].state):
        raise InvalidError(f"{file} is the log of a game without a round, of which there is nothing to keep.")
    first, *coming = messages
    now = 1
    if not _is_start(first):
        now = max(_IN_THE_MIDDLE, key=lambda now: _explained(_dated(first.state, now), coming))
    try:
        seen = _seen(messages, now)
    except LudusError as error:
        raise InvalidError(f"{file} is no log of one game of spe_ed: {error}") from None
    if not _is_start(first):
        seen.remarks.insert(0, "the log lacks the start: rounds are counted so that jumps come every six rounds")
    seats = [Seat(remote_spec(name), name) for name in seen.names or [UNKNOWN] * seen.game.seats]
    moments = [message.deadline for message in messages if message.deadline is not None] or [changed]
    wall = max(0, (moments[-1] - moments[0]) // timedelta(microseconds=1)) * 1000
    return seen.record(seats, moments[0], "the log goes no further"), wall


def _messages(data: bytes, file: Path) -> list[Message]:
    listed: list[msgspec.Raw] = []
    with suppress(msgspec.MsgspecError, ValueError, RecursionError, IndexError):
        found = msgspec.json.decode(data, type=list[msgspec.Raw] | dict[str, msgspec.Raw])
        lists = [found] if isinstance(found, list) else [*filter(None, map(_list, found.values()))]
        listed = next((some for some in lists if b'"cells"' in bytes(some[0])), lists[0])
    if not listed:
        raise InvalidError(
            f"{file} is no log of spe_ed: it should be a JSON list of the states that a client was sent, or an object "
            "with such a list; of a tournament, give the folder that 'ludus export --json' wrote."
        )
    messages = []
    for number, raw in enumerate(listed, 1):
        try:
            messages.append(read_state(bytes(raw)))
        except LudusError as error:
            raise InvalidError(f"{file} is no log of spe_ed: message {number} of {len(listed)}: {error}") from None
    return messages


def _list(raw: msgspec.Raw) -> list[msgspec.Raw]:
    try:
        return msgspec.json.decode(raw, type=list[msgspec.Raw])
    except msgspec.MsgspecError:
        return []


def _is_start(first: Message) -> bool:
    players = first.state.players
    untouched = np.count_nonzero(first.state.cells) == len(players) and (players[:, SPEED] == 1).all()
    return bool(untouched and not players[:, FELL].any())


def _seen(messages: Sequence[Message], now: int) -> Sighting:
    sighting = Sighting(messages[0], now)
    for number, message in enumerate(messages[1:], 2):
        sighting.take(message, coming=messages[number:])
    return sighting
