"""The messages of spe_ed's servers and clients, as JSON, without input or output.

A server sends every player the state before each round, and finally the one at the end; a client answers with an
action. Players are numbered from 1 in messages and from 0 in a state here.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec
import numpy as np

from ludus.contests.speed.game import ACTIONS, CRASH, DIRECTIONS, TOP_SPEED, Speed, SpeedState, empty_board
from ludus.core.errors import InvalidError
from ludus.net.contest import NoAnswer
from ludus.net.sighting import Message

PATH, TIME_PATH = "/spe_ed", "/spe_ed_time"
"""Default paths of games and of the clock."""

_LONGEST_SIDE = max(parameter.high or 0 for parameter in Speed.parameters() if parameter.name == "width")
_LETTERS = np.frombuffer(b"0123456*", np.uint8)  # indexed by the value of a cell; CRASH is the last


# --- From the server --------------------------------------------------------------------------------------------------


class BoardText:
    """A state as text for all players, encoded once; `for_player` adds the reader.

    A state before a round has a deadline. The final one has none, but the names of the players.
    """

    def __init__(self, state: SpeedState, deadline: datetime | None = None, names: Sequence[str] | None = None) -> None:
        height, width = state.cells.shape
        self._before = b'{"width":%d,"height":%d,"cells":[%b],"players":{%b},"you":' % (
            width,
            height,
            _rows(state),
            _players(state, names),
        )
        if deadline is None:
            self._after = b',"running":false}\n'
        else:
            self._after = b',"running":true,"deadline":"%b"}\n' % spoken_moment(deadline).encode()

    def for_player(self, you: int) -> bytes:
        """The message to one player, counted from 0."""
        return b"%b%d%b" % (self._before, you + 1, self._after)

    def for_all(self) -> bytes:
        """The same message for spectators."""
        return self._before.removesuffix(b'"you":') + self._after.removeprefix(b",")


def spoken_moment(moment: datetime) -> str:
    """A moment as RFC 3339 in UTC, cut to the second."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _rows(state: SpeedState) -> bytes:
    height, width = state.cells.shape
    text = np.full((height, 2 * width + 2), ord(","), np.uint8)
    text[:, 0] = ord("[")
    text[:, 1:-2:2] = _LETTERS[state.cells]
    text[:, -2] = ord("]")
    return text.tobytes()[:-1].replace(b"*", b"%d" % CRASH)


def _players(state: SpeedState, names: Sequence[str] | None) -> bytes:
    texts = []
    for number, (x, y, direction, speed, fell) in enumerate(state.players.tolist()):
        name = b"" if names is None else b',"name":%b' % msgspec.json.encode(names[number])
        texts.append(
            b'"%d":{"x":%d,"y":%d,"direction":"%b","speed":%d,"active":%b%b}'
            % (number + 1, x, y, DIRECTIONS[direction].encode(), speed, b"false" if fell else b"true", name)
        )
    return b",".join(texts)


# --- Parsing by clients -----------------------------------------------------------------------------------------------

# Messages have neither the number of the round nor rounds of deaths: the state has round 1 for both.


class _Player(msgspec.Struct):
    x: int
    y: int
    direction: str
    speed: int
    active: bool
    name: str | None = None


class _State(msgspec.Struct):
    width: int
    height: int
    cells: list[list[int]]
    players: dict[str, _Player]
    you: int
    running: bool
    deadline: str | None = None


_state_decoder = msgspec.json.Decoder(_State)


def read_state(data: str | bytes) -> Message:
    """Parse a message."""
    try:
        return _message(_state_decoder.decode(data))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise InvalidError(f"This is not a state of a game of spe_ed: {str(error).rstrip('.')}.") from None


def _message(given: _State) -> Message:
    """The content of a message; ValueError with the reason if it is impossible."""
    width, height, n = given.width, given.height, len(given.players)
    if not (1 <= width <= _LONGEST_SIDE and 1 <= height <= _LONGEST_SIDE):
        raise ValueError(f"its board has {width}×{height} cells")
    if [len(row) for row in given.cells] != [width] * height:
        raise ValueError(f"its cells are not {height} rows of {width}")
    if not 2 <= n <= Speed.most_players or set(given.players) != {str(number) for number in range(1, n + 1)}:
        raise ValueError(f"its players are not numbered from 1, or not from 2 to {Speed.most_players}")
    if not 1 <= given.you <= n:
        raise ValueError(f"'you' is {given.you}, but there are {n} players")
    if min(map(min, given.cells)) < CRASH or max(map(max, given.cells)) > n:
        raise ValueError(f"a cell is neither empty nor a player's from 1 to {n}")
    present = [given.players[str(number)] for number in range(1, n + 1)]
    state = empty_board(width, height, [_place(given, number) for number in range(1, n + 1)])
    state.cells[:] = given.cells
    deadline = None if given.deadline is None else _moment(given.deadline)
    names = [_printable(player.name) for player in present if player.name is not None]
    return Message(state, given.you - 1, given.running, deadline, names if len(names) == n else None)


def _printable(name: str) -> str:
    """A name without control characters."""
    return "".join(letter if letter.isprintable() else "_" for letter in name)


def _place(given: _State, number: int) -> tuple[int, ...]:
    """A player in the form of a state; a dead one may be a step off the board, or have an impossible speed."""
    player = given.players[str(number)]
    outside = 0 if player.active else 1
    if player.direction not in DIRECTIONS or not (
        -outside <= player.x < given.width + outside
        and -outside <= player.y < given.height + outside
        and 1 - outside <= player.speed <= TOP_SPEED + outside
        and (outside or given.cells[player.y][player.x] == number)
    ):
        raise ValueError(f"player {number} has an impossible place or speed")
    return player.x, player.y, DIRECTIONS.index(player.direction), player.speed, outside


# --- From the client --------------------------------------------------------------------------------------------------


def read_action(data: str | bytes) -> int:
    """Parse the move in a client's message; NoAnswer if there is none. Other fields and upper case are ignored."""
    try:
        given = msgspec.json.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise NoAnswer("not JSON", is_last=True) from None
    action = {key.lower(): value for key, value in given.items()}.get("action") if isinstance(given, dict) else None
    name = action.lower() if isinstance(action, str) else None
    if name not in ACTIONS:
        raise NoAnswer(f"not one of the actions {', '.join(ACTIONS)}", is_last=False)
    return ACTIONS.index(name)


def write_action(move: int) -> str:
    """The message with a move, one of the five legal ones."""
    return f'{{"action":"{ACTIONS[move]}"}}'


# --- The time ---------------------------------------------------------------------------------------------------------


class _Time(msgspec.Struct):
    time: str
    milliseconds: int = 0


def time_message(now: datetime) -> bytes:
    """The content of a server's clock page."""
    return b'{"time":"%b","milliseconds":%d}' % (spoken_moment(now).encode(), now.microsecond // 1000)


def read_time(data: str | bytes) -> datetime:
    """Parse the time in a clock page."""
    try:
        given = msgspec.json.decode(data, type=_Time)
        if not 0 <= given.milliseconds < 1000:
            raise ValueError(f"{given.milliseconds} milliseconds are a second or more")
        return _moment(given.time) + timedelta(milliseconds=given.milliseconds)
    except (msgspec.MsgspecError, ValueError) as error:
        raise InvalidError(f"This is not a time of a server of spe_ed: {str(error).rstrip('.')}.") from None


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"'{text}' has no time zone")
    return moment
