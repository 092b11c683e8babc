import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest

from ludus.contests.speed.api import BoardText, read_action, read_state, read_time, time_message, write_action
from ludus.contests.speed.game import ACTIONS, CRASH, DIRECTIONS, FELL, Speed, empty_board
from ludus.core.errors import LudusError
from ludus.kernel.rng import new_rng
from ludus.net.contest import NoAnswer

NOON = datetime(2026, 11, 15, 12, 0, 3, 999_999, tzinfo=UTC)
STATE = empty_board(4, 2, [(3, 1, 2, 10, 0), (-1, 0, 3, 11, 7)])
STATE.cells[:] = [[2, CRASH, 0, 0], [0, 0, 1, 1]]

# --- From the server ----------------------------------------------------------------------------------------------


def test_a_state_is_compact_json_and_a_newline_with_the_deadline_cut_to_the_second() -> None:
    assert BoardText(STATE, NOON).for_player(1) == (
        b'{"width":4,"height":2,"cells":[[2,-1,0,0],[0,0,1,1]],"players":{'
        b'"1":{"x":3,"y":1,"direction":"down","speed":10,"active":true},'
        b'"2":{"x":-1,"y":0,"direction":"left","speed":11,"active":false}},'
        b'"you":2,"running":true,"deadline":"2026-11-15T12:00:03Z"}\n'
    )


def test_the_last_state_has_names_and_no_deadline() -> None:
    assert (
        BoardText(STATE, names=['Ann "A" Ö', ""])
        .for_player(0)
        .endswith(
            '"active":true,"name":"Ann \\"A\\" Ö"},'
            '"2":{"x":-1,"y":0,"direction":"left","speed":11,"active":false,"name":""}},'
            '"you":1,"running":false}\n'.encode()
        )
    )


def test_deadlines_are_written_in_utc() -> None:
    berlin = timezone(timedelta(hours=1))
    assert b'"2026-11-15T12:00:03Z"' in BoardText(STATE, NOON.astimezone(berlin)).for_player(0)


@pytest.mark.parametrize("seed", range(5))
def test_a_json_library_and_ludus_read_the_same_state(seed: int) -> None:
    rng = np.random.default_rng(seed)
    state = Speed(players=2 + seed).start(new_rng(seed))
    drawn = rng.integers(CRASH, 3 + seed, state.cells.shape)
    state.cells[:] = np.where(state.cells == 0, drawn, state.cells)
    state.players[1, FELL] = 1
    text = BoardText(state, NOON)
    for you in range(2 + seed):
        told = json.loads(text.for_player(you))
        assert told["cells"] == state.cells.tolist()
        assert (told["height"], told["width"], told["you"]) == (*state.cells.shape, you + 1)
        message = read_state(text.for_player(you))
        assert np.array_equal(message.state.cells, state.cells)
        assert np.array_equal(message.state.players, state.players)
        assert message[1:] == (you, True, NOON.replace(microsecond=0), None)


def told(**changes: Any) -> dict[str, Any]:
    """A state that can be read, with changes; those of players are named p1 and p2."""
    state = json.loads(BoardText(STATE, NOON).for_player(0))
    for number in ("1", "2"):
        state["players"][number] |= changes.pop(f"p{number}", {})
    return state | changes


def test_unknown_fields_and_another_order_of_players_are_read() -> None:
    players = dict(reversed(told(p1={"colour": "red"})["players"].items()))
    message = read_state(json.dumps(told(players=players, round=3)))
    assert np.array_equal(message.state.players[:, :FELL], STATE.players[:, :FELL])


def test_names_are_read_at_the_end() -> None:
    message = read_state(BoardText(STATE, names=["a", "b"]).for_player(1))
    assert (message.running, message.deadline, message.names) == (False, None, ["a", "b"])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (told(width=5), "not 2 rows of 5"),
        (told(width=0, height=0, cells=[]), "0×0"),
        (told(cells=[[0, 0, 0, 0], [0, 0, 1]]), "not 2 rows of 4"),
        (told(cells=[[0, 0, 0, 0], [0, 0, 3, 1]]), "from 1 to 2"),
        (told(cells=[[0, 0, 0, -2], [0, 0, 1, 1]]), "from 1 to 2"),
        (told(you=3), "'you' is 3"),
        (told(players={"1": told()["players"]["1"]}), "from 2 to 6"),
        (told(players={"1": told()["players"]["1"], "3": told()["players"]["2"]}), "numbered from 1"),
        (told(p1={"direction": "north"}), "player 1 has an impossible"),
        (told(p1={"x": 2**70}), "player 1 has an impossible"),
        (told(p1={"speed": 0}), "player 1 has an impossible"),
        (told(p1={"y": 0}), "player 1 has an impossible"),
        (told(p2={"x": -2}), "player 2 has an impossible"),
        (told(deadline="soon"), "soon"),
        (told(deadline="2026-11-15T12:00:03"), "zone"),
        (told(running="yes"), "running"),
        ([], "object"),
    ],
)
def test_impossible_state_gets_one_sentence(wrong: Any, said: str) -> None:
    with pytest.raises(LudusError, match=r"not a state of a game of spe_ed: .*\.$") as refused:
        read_state(json.dumps(wrong))
    assert said in str(refused.value)


@pytest.mark.parametrize("data", [b"", b"hello", b"\xff", b"[" * 100_000])
def test_text_that_is_not_json_is_refused(data: bytes) -> None:
    with pytest.raises(LudusError, match="not a state of a game"):
        read_state(data)


# --- From the client ----------------------------------------------------------------------------------------------


def _action(data: str | bytes) -> str | None:
    try:
        return ACTIONS[read_action(data)]
    except NoAnswer:
        return None


@pytest.mark.parametrize("move", range(5))
def test_an_action_is_read_as_it_is_written(move: int) -> None:
    assert write_action(move) == f'{{"action":"{ACTIONS[move]}"}}'
    assert read_action(write_action(move)) == read_action(write_action(move).encode()) == move


@pytest.mark.parametrize(
    ("data", "action"),
    [
        ('{"Action": "TURN_LEFT", "why": [1, {}]}', "turn_left"),
        (b' {"action":"speed_up"}\n', "speed_up"),
        ('{"action":"jump"}', None),
        ('{"action":""}', None),
        ('{"action":3}', None),
        ('{"action":null}', None),
        ("{}", None),
        ("[]", None),
        ('"turn_left"', None),
        ("turn_left", None),
        ("", None),
        (b"\xff\xfe", None),
        ("[" * 100_000, None),
    ],
)
def test_other_fields_and_upper_case_do_not_matter_and_nonsense_is_no_action(
    data: str | bytes, action: str | None
) -> None:
    assert _action(data) == action


# --- The time -----------------------------------------------------------------------------------------------------


def test_time_is_written_to_the_millisecond() -> None:
    assert time_message(NOON) == b'{"time":"2026-11-15T12:00:03Z","milliseconds":999}'
    assert read_time(time_message(NOON)) == NOON.replace(microsecond=999_000)
    assert read_time(b'{"time":"2026-11-15T13:00:03+01:00"}') == NOON.replace(microsecond=0)


@pytest.mark.parametrize(
    "data", [b"", b"{}", b'{"time":"noon"}', b'{"time":"2026-11-15T12:00:03Z","milliseconds":1000}']
)
def test_bad_time_is_refused(data: bytes) -> None:
    with pytest.raises(LudusError, match="not a time of a server"):
        read_time(data)


def test_directions_are_those_of_the_game() -> None:
    for number, direction in enumerate(DIRECTIONS):
        message = read_state(json.dumps(told(p1={"direction": direction})))
        assert message.state.players[0, 2] == number
