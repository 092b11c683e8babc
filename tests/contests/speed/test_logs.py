import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from contests.speed.records import RECORDED, as_move, recorded, shown
from contests.speed.scripted_server import board
from ludus.contests.speed.api import BoardText, read_state
from ludus.contests.speed.game import (
    ANSWERED_TWICE,
    CHANGE_NOTHING,
    FELL,
    NAMES,
    NO_ANSWER,
    SPEED_UP,
    TURN_LEFT,
    Speed,
    SpeedState,
)
from ludus.contests.speed.sighting import SpeedSighting
from ludus.core.errors import LudusError
from ludus.episode.importer import import_episode
from ludus.episode.record import Ending, Fault, Move
from ludus.episode.replay import replay
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import duplicate, over, play
from ludus.store import open_store
from support.mutants import Input, complaints

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


def messages_of(state: SpeedState, rounds: Sequence[Sequence[int]], you: int = 0) -> list[bytes]:
    """Messages of a server to a player while these moves are made."""
    state = duplicate(state)
    sent = []
    for number, moves in enumerate(rounds):
        sent.append(BoardText(state, NOON + timedelta(seconds=5 * number)).for_player(you))
        play(state, np.array(moves))
    names = [f"player {number}" for number in range(len(state.players))] if over(state) else None
    return [*sent, BoardText(state, names=names).for_player(you)]


def random_game(seed: int) -> tuple[SpeedState, list[list[int]]]:
    """A start and moves to the end, some of them faults, by players who see where they go."""
    rng = np.random.default_rng(seed)
    game = Speed(players=2 + seed % 5)
    start = game.start(new_rng(seed))
    state: SpeedState = duplicate(start)
    rounds = []
    while not over(state):
        moves = []
        for player in game.movers(state):
            tried: SpeedState = duplicate(state)
            tried.players[:, FELL] = 1
            tried.players[player, FELL] = 0
            for move in rng.permutation(5):
                after: SpeedState = duplicate(tried)
                play(after, np.array([move]))
                if after.players[player, FELL] == 0:
                    break
            moves.append(int(rng.integers(5, len(NAMES))) if rng.random() < 0.01 else int(move))
        rounds.append(moves)
        play(state, np.array(moves))
    return start, rounds


def log(folder: Path, messages: Sequence[bytes]) -> Path:
    """A file with these messages as a list."""
    file = folder / "log.json"
    file.write_bytes(b"[" + b",".join(messages) + b"]")
    return file


@pytest.mark.parametrize("seed", range(20))
def test_a_log_becomes_a_record_that_leads_through_the_same_states(seed: int, tmp_path: Path) -> None:
    start, rounds = random_game(seed)
    messages = messages_of(start, rounds, you=1)
    record, _ = import_episode(log(tmp_path, messages))
    again = messages_of(start, [[NAMES.index(move.move) for move in step] for step in record.steps], you=1)
    assert again == messages
    last = list(replay(record))[-1].state
    assert (record.ending, record.scores) == (Ending.RULES, Speed(players=len(start.players)).scores(last))
    assert [seat.name for seat in record.seats] == [f"player {number}" for number in range(len(start.players))]
    assert record.seats[1].remarks == []


@pytest.mark.parametrize("number", range(27))
def test_a_recorded_game_as_a_log_is_imported_and_replays_exactly(number: int, tmp_path: Path) -> None:
    if not RECORDED.exists():
        pytest.skip("the recorded games lie in ../shared/games, which is not here")
    game = recorded()[number]
    start = board(game["width"], game["height"], *(tuple(game["start"][key]) for key in sorted(game["start"])))
    state: SpeedState = duplicate(start)
    rounds = []
    for step in game["rounds"]:
        movers = Speed(players=len(start.players)).movers(state)
        rounds.append([as_move(step["sent"].get(str(player + 1), [])) for player in movers])
        play(state, np.array(rounds[-1]))
    messages = messages_of(start, rounds)
    with open_store(str(tmp_path / "ludus.db")) as store:
        kept = store.keep_game("recorded", *import_episode(log(tmp_path, messages)))
        record = store.record(kept.id, kept.key)
    assert record.seats[0].remarks == []
    states = [scene.state for scene in replay(record)]
    assert [shown(state) for state in states[1:]] == [step["after"] for step in game["rounds"]]
    assert Speed().save(states[-1]).split()[0].split("/") == game["cells"]
    again = [[NAMES.index(move.move) for move in step] for step in record.steps]
    assert messages_of(start, again) == messages


def test_player_with_no_answer_or_two_is_at_fault(tmp_path: Path) -> None:
    start = board(9, 9, (1, 1, "right"), (1, 4, "right"), (1, 7, "right"))
    rounds = [[CHANGE_NOTHING, NO_ANSWER, CHANGE_NOTHING], [CHANGE_NOTHING, ANSWERED_TWICE + TURN_LEFT]]
    record, _ = import_episode(log(tmp_path, messages_of(start, rounds)))
    faults = [[move.fault for move in step] for step in record.steps]
    assert faults == [[None, Fault.LATE, None], [None, Fault.ILLEGAL]]
    assert record.steps[1][1].move == "turn_left_void"
    assert record.scores == [1.0, -1.0, 0.0]


def test_log_within_an_object_is_found(tmp_path: Path) -> None:
    messages = [json.loads(message) for message in messages_of(*random_game(3))]
    file = tmp_path / "log.json"
    file.write_text(json.dumps({"config": {"depth": 4}, "names": ["me"], "game": messages, "place": 1}))
    assert len(import_episode(file)[0].steps) == len(messages) - 1


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kept", [0, 1])
def test_states_without_cells_are_filled_in_from_the_start_on(seed: int, kept: int, tmp_path: Path) -> None:
    messages = messages_of(*random_game(seed))
    whole, _ = import_episode(log(tmp_path, messages))
    dump = [json.loads(message) for message in messages]
    for state in dump[kept:]:
        del state["cells"]
    file = tmp_path / "dump.json"
    file.write_text(json.dumps({"tactic": "mine", "states": dump}))
    record, _ = import_episode(file)
    assert record == whole


@pytest.mark.parametrize(("missing", "said"), [(slice(0, 3), "message 1 .*start"), (slice(4, 5), "message 5 .*moves")])
def test_states_without_cells_that_do_not_follow_are_refused(missing: slice, said: str, tmp_path: Path) -> None:
    start = board(60, 60, (1, 1, "right"), (1, 30, "right"))
    rounds = [[SPEED_UP] * 2] * 3 + [[CHANGE_NOTHING] * 2] * 4 + [[NO_ANSWER, CHANGE_NOTHING]]
    dump = [json.loads(message) for message in messages_of(start, rounds)]
    for state in dump:
        del state["cells"]
    del dump[missing]
    file = tmp_path / "dump.json"
    file.write_text(json.dumps(dump))
    with pytest.raises(LudusError, match=said):
        import_episode(file)


@pytest.mark.parametrize("deadline", ["soon", "2026-11-15T12:00:05", 1795000000, {"$date": "2026-11-15T12:00:05Z"}])
def test_unreadable_deadlines_are_left_out(deadline: object, tmp_path: Path) -> None:
    messages = messages_of(*random_game(3))
    whole, _ = import_episode(log(tmp_path, messages))
    dump = [json.loads(message) for message in messages]
    for state in dump[1:-1]:
        state["deadline"] = deadline
    file = tmp_path / "dump.json"
    file.write_text(json.dumps(dump))
    assert import_episode(file) == (whole, 0)


def test_deadlines_give_date_and_duration(tmp_path: Path) -> None:
    start, rounds = random_game(1)
    record, wall = import_episode(log(tmp_path, messages_of(start, rounds)))
    assert record.played == NOON
    assert wall == (len(rounds) - 1) * 5 * 10**9


@pytest.mark.parametrize("missing", range(6, 14))
def test_jumps_number_the_rounds_of_a_log_without_its_start(missing: int, tmp_path: Path) -> None:
    start = board(60, 60, (1, 1, "right"), (1, 30, "right"))
    rounds = [[SPEED_UP] * 2] * 3 + [[CHANGE_NOTHING] * 2] * 11 + [[NO_ANSWER, CHANGE_NOTHING]]
    record, _ = import_episode(log(tmp_path, messages_of(start, rounds)[missing:]))
    assert record.opening.position is not None
    now = int(record.opening.position.split(" r ")[1].split()[0])
    assert now % 6 == (missing + 1) % 6 or missing >= 12  # after which there is no jump to tell
    assert (record.ending, record.scores) == (Ending.RULES, [-1.0, 1.0])
    assert "lacks the start" in record.seats[0].remarks[0]
    assert list(replay(record))[-1].state.players[0, FELL]


def test_a_log_that_lacks_the_end_has_no_result(tmp_path: Path) -> None:
    start, rounds = random_game(2)
    record, _ = import_episode(log(tmp_path, messages_of(start, rounds)[:-1]))
    assert (record.ending, set(record.scores)) == (Ending.MACHINE, {0.0})
    assert record.seats[0].remarks == ["the record ends before the game: the log goes no further"]
    assert {seat.name for seat in record.seats} == {"unknown"}
    assert len(list(replay(record))) == len(rounds)


def test_a_record_begins_anew_where_no_moves_lead_to_the_next_state(tmp_path: Path) -> None:
    start = board(20, 20, (1, 1, "right"), (1, 9, "right"))
    rounds = [[CHANGE_NOTHING, CHANGE_NOTHING]] * 5 + [[CHANGE_NOTHING, NO_ANSWER]]
    messages = messages_of(start, rounds)
    del messages[2]
    record, _ = import_episode(log(tmp_path, messages))
    assert record.seats[0].remarks == [
        "the record begins in round 3: no moves lead from the state before round 2 to the next one"
    ]
    assert (record.ending, record.scores, len(record.steps)) == (Ending.RULES, [1.0, -1.0], 3)
    assert list(replay(record))[-1].state.players[1, FELL] == 5


@pytest.mark.parametrize("missing", range(1, 6))
def test_states_that_are_missing_are_counted_by_the_jumps_that_follow(missing: int, tmp_path: Path) -> None:
    start = board(60, 60, (1, 1, "right"), (1, 50, "right"))
    rounds = [[SPEED_UP, SPEED_UP]] * 2 + [[CHANGE_NOTHING, CHANGE_NOTHING]] * 12 + [[CHANGE_NOTHING, NO_ANSWER]]
    messages = messages_of(start, rounds)
    del messages[4 : 4 + missing]
    record, _ = import_episode(log(tmp_path, messages))
    assert record.seats[0].remarks == [
        f"the record begins in round {5 + missing}: no moves lead from the state before round 4 to the next one"
    ]
    assert (record.scores, len(record.steps)) == ([1.0, -1.0], len(rounds) - 4 - missing)


def test_end_that_no_moves_reach_is_not_a_result(tmp_path: Path) -> None:
    start = board(20, 20, (1, 1, "right"), (1, 9, "right"))
    messages = messages_of(start, [[CHANGE_NOTHING, CHANGE_NOTHING]] * 4 + [[CHANGE_NOTHING, NO_ANSWER]])
    del messages[4]
    record, _ = import_episode(log(tmp_path, messages))
    assert (record.ending, len(record.steps)) == (Ending.MACHINE, 3)
    assert record.seats[0].remarks == [
        "the record ends before the game: no moves lead from the state before round 4 to the next one"
    ]
    assert list(replay(record))


def test_messages_after_the_end_give_only_names(tmp_path: Path) -> None:
    start, rounds = random_game(0)
    *messages, last = messages_of(start, rounds)
    end = json.loads(last) | {"running": True, "deadline": "2026-11-15T12:00:00Z"}
    for player in end["players"].values():
        del player["name"]
    record, _ = import_episode(log(tmp_path, [*messages, json.dumps(end).encode(), last]))
    assert (record.ending, len(record.steps), len(list(replay(record)))) == (Ending.RULES, len(rounds), len(rounds) + 1)
    assert [seat.name for seat in record.seats] == ["player 0", "player 1"]
    assert record.seats[0].remarks == []


def test_ignored_answer_is_a_fault_of_its_player() -> None:
    start = board(9, 9, (1, 1, "right"), (1, 4, "right"), (1, 7, "right"))
    first, second = messages_of(start, [[NO_ANSWER, CHANGE_NOTHING, CHANGE_NOTHING]])
    sighting = SpeedSighting(read_state(first))
    sighting.take(read_state(second), Move(0, "turn_left", {"depth": 3}, wall=5, cpu=4))
    evidence = "sent turn_left, which did not count"
    assert sighting.steps[0][0] == Move(0, "no_answer", {"depth": 3}, Fault.LATE, evidence, wall=5, cpu=4)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "not a log of spe_ed"),
        ("{}", "not a log of spe_ed"),
        ("[]", "not a log of spe_ed"),
        ('{"a": [1, 2]}', "message 1 of 2"),
        ('{"moves": 3}', "not a log of spe_ed"),
        ('[{"width": 3}]', "message 1 of 1"),
    ],
)
def test_other_file_gets_one_sentence(content: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "log.json"
    file.write_text(content)
    with pytest.raises(LudusError, match=f"{said}.*\\.$"):
        import_episode(file)


def test_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    file = log(tmp_path, messages_of(*random_game(0)))
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert import_episode(file)[0].ending is Ending.RULES


def test_log_of_two_games_or_of_no_round_is_refused(tmp_path: Path) -> None:
    one, other = messages_of(*random_game(0)), messages_of(*random_game(1))
    with pytest.raises(LudusError, match=r"log\.json .*another game"):
        import_episode(log(tmp_path, [*one, *other]))
    with pytest.raises(LudusError, match="without rounds"):
        import_episode(log(tmp_path, one[:1]))
    with pytest.raises(LudusError, match="without rounds"):
        import_episode(log(tmp_path, one[-1:] * 2))
    with pytest.raises(LudusError, match=r"nothing\.json"):
        import_episode(tmp_path / "nothing.json")


@pytest.mark.slow
def test_mutated_logs_are_refused_in_one_sentence(tmp_path: Path) -> None:
    messages = messages_of(*random_game(1))
    right = [
        Input("log", (b"[" + b",".join(messages) + b"]").decode(), ".json", import_episode),
        Input("log", json.dumps({"game": [json.loads(message) for message in messages]}), ".json", import_episode),
    ]
    assert complaints(right, 300, seed=1, folder=tmp_path) == []
