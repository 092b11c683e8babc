from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.episode.codec import VERSION, pack, unpack
from ludus.episode.cost import Cost
from ludus.episode.finished import course, episode
from ludus.episode.record import Ending, Fault, Key, Move, Opening, Out, Preparation, Record, Seat
from ludus.episode.referee import Referee
from ludus.games.game import game_from
from support.filled import filled_record
from support.redeclared import printed_with, with_field
from support.samples import KINDS, left_behind, sample
from support.takeaway import write_game

replace = msgspec.structs.replace

WITHOUT_BOTS = bytes.fromhex(
    "01dc0010a5302e312e30cf00066055e7326507cf67da22cc8e852d13c09201ff02910191930103009292cd1aaecd1d4592cd079fcd020e00c0"
    "a962330a61310a63310a94ce0125468ace019a5313cd3d76cd838094d2ff4f0378d2ff3a2cdccd0621cd039a91930300a76233333333333493"
    "9391a5646570746891a47475726e90c40400010202920301"
)
"""An episode as it was stored before there were bots."""


def unpacked(data: bytes, record: Record) -> Record:
    """The packed form of a record, and the record without facts known from the tournament."""
    return unpack(data, record.game, record.limits, [(seat.agent, seat.name) for seat in record.seats])


def again(record: Record) -> Record:
    return unpacked(pack(record), record)


def test_every_field_of_every_struct_comes_back() -> None:
    record = filled_record()
    assert again(record) == record


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Record, Seat, Preparation, Opening, Out, Move, Cost])
def test_a_field_that_is_new_comes_back(kind: type) -> None:
    source = with_field(kind.__module__, kind.__name__, "novelty: list[str] = []")
    program = """
from ludus.episode.cost import Cost
from ludus.episode.codec import VERSION, pack, unpack
from ludus.episode.record import Record
from support.filled import filled_record

record = filled_record()
data = pack(record)
again = unpack(data, record.game, record.limits, [(seat.agent, seat.name) for seat in record.seats])
print(str(record).count("novelty=['"), again == record, Record.from_json(record.to_json()) == record, data[0] & 15)
"""
    times, *same, version = printed_with(kind.__module__, source, program).split()
    assert int(times) > 0
    assert same == ["True", "True"]
    assert int(version) > VERSION, "an older Ludus would lose the field"


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_comes_back_as_it_was(kind: str) -> None:
    found = sample(kind)
    for record in found.records:
        assert again(record) == record


def test_the_samples_show_every_kind_of_trouble() -> None:
    records = [record for kind in KINDS for record in sample(kind).records]
    assert {record.ending for record in records} > {Ending.ILLEGAL, Ending.LATE, Ending.FAILED, Ending.PLIES}
    moves = [move for record in records for step in record.steps for move in step]
    assert {move.fault for move in moves} >= {None, Fault.ILLEGAL, Fault.LATE, Fault.FAILED}
    assert any(move.metrics for move in moves)
    assert any(move.seat == -1 for move in moves)
    assert any(len(step) > 1 for record in records for step in record.steps)
    assert any(record.out and record.ending is Ending.RULES for record in records)


@pytest.mark.parametrize("texts", [["a", "bb"], ["a b", "c d"], ["a\nb", "c"], ["\n", "\n"], ["", ""], ["ß", "→"]])
def test_moves_come_back_whatever_their_text(texts: list[str]) -> None:
    found = sample("one mover at a time")
    record = replace(found.records[0], steps=[[Move(i, text)] for i, text in enumerate(texts)])
    assert again(record) == record


def test_an_episode_without_moves_comes_back() -> None:
    found = sample("one mover at a time")
    record = replace(found.records[0], steps=[], ending=Ending.MACHINE, scores=[0.0, 0.0])
    assert again(record) == record


def test_long_episodes_and_uneven_turns_come_back() -> None:
    found = sample("one mover at a time")
    for seats in ([0, 1] * 2000, [0, 0, 1], [1, 0, 1]):
        record = replace(found.records[0], steps=[[Move(seat, "x", wall=i, cpu=2 * i)] for i, seat in enumerate(seats)])
        assert again(record) == record


@pytest.mark.parametrize("kind", KINDS)
def test_what_bots_leave_behind_comes_back(kind: str) -> None:
    found = sample(kind)
    whole = left_behind(found.records[0])
    for record in (
        whole,
        replace(whole, steps=found.records[0].steps),
        replace(whole, seats=found.records[0].seats),
        replace(whole, seats=[replace(whole.seats[0], remarks=[]), *whole.seats[1:]]),
    ):
        assert again(record) == record


def test_evidence_of_several_lines_comes_back() -> None:
    found = sample("failed")
    record = changed(found.records[0], evidence="killed by signal 9\n> TURN 3\n< 4")
    assert again(record) == record


def test_what_bots_leave_behind_takes_no_room_where_there_is_none() -> None:
    record = sample("one mover at a time").records[0]
    fields = msgspec.msgpack.decode(pack(record)[1:])
    assert len(fields) == 16
    assert len(msgspec.msgpack.decode(pack(left_behind(record))[1:])) == 17


def test_an_episode_that_was_stored_before_there_were_bots_is_read() -> None:
    found = sample("illegal")
    record = unpacked(WITHOUT_BOTS, found.records[0])
    first, _, _, last = (move for [move] in record.steps)
    assert first == Move(0, "b3", {"depth": 3}, wall=19_220_106, cpu=7_621_122)
    assert last == Move(1, "", {}, Fault.ILLEGAL, "b333334", wall=33_664, cpu=34_586)
    assert [seat.log for seat in record.seats] == ["", ""]


def test_a_log_that_is_no_text_can_be_stored() -> None:
    found = sample("one mover at a time")
    record = replace(found.records[0], seats=[replace(seat, log="\ud800") for seat in found.records[0].seats])
    assert [seat.log for seat in again(record).seats] == ["?", "?"]


def test_scores_need_not_be_whole() -> None:
    found = sample("three players")
    record = replace(found.records[0], scores=[0.1, -1 / 3, 2.0])
    assert again(record) == record


def test_metrics_with_many_layouts_come_back() -> None:
    found = sample("one mover at a time")
    steps = [[Move(i % 2, "x", metrics={f"key {i}": i, "shared": [i, {"a": None}]})] for i in range(300)]
    record = replace(found.records[0], steps=steps)
    assert again(record) == record


def test_whatever_an_agent_reports_can_be_stored() -> None:
    class Odd:
        def __str__(self) -> str:
            raise ZeroDivisionError

        __repr__ = __str__

    loop: list[object] = []
    loop.append(loop)
    metrics: dict[Any, Any] = {"big": 2**70, "half": "\ud800", "loop": loop, "odd": Odd(), "array": np.arange(2), 7: 8}
    found = sample("one mover at a time")
    record = replace(found.records[0], steps=[[Move(0, "x", metrics=metrics, evidence="\ud800")]])
    [[move]] = again(record).steps
    assert move.evidence == "?"
    assert move.metrics == {
        "big": str(2**70),
        "half": "'\\ud800'",
        "loop": "[[...]]",
        "odd": "Odd: ZeroDivisionError",
        "array": [0, 1],
        "7": 8,
    }


def test_packed_is_less_than_a_fifth_of_the_json() -> None:
    for record in sample("one mover at a time").records:
        usual = [[replace(step[0], wall=3000 + n, cpu=2900 - n)] for n, step in enumerate(record.steps)]
        record = replace(record, steps=usual)  # long times take more room
        assert len(pack(record)) * 5 < len(record.to_json())


def test_an_episode_of_a_newer_ludus_is_refused() -> None:
    found = sample("one mover at a time")
    with pytest.raises(LudusError, match="newer Ludus"):
        unpacked(b"\x03" + pack(found.records[0])[1:], found.records[0])


@pytest.mark.slow
def test_a_field_of_a_newer_ludus_is_refused_and_not_lost() -> None:
    source = with_field("ludus.episode.record", "Move", "novelty: int = 0")
    program = """
from ludus.episode.codec import pack
from support.filled import filled_record
print(pack(filled_record()).hex())
"""
    data = bytes.fromhex(printed_with("ludus.episode.record", source, program))
    with pytest.raises(LudusError, match="newer Ludus"):
        unpacked(data, filled_record())


def changed(record: Record, **of_last_move: object) -> Record:
    last = replace(record.steps[-1][0], **of_last_move)
    return replace(record, steps=[*record.steps[:-1], [last]])


def test_times_metrics_and_seeds_leave_the_course_alone() -> None:
    record = sample("metrics").records[0]
    others = [
        changed(record, wall=1, cpu=2),
        changed(record, metrics={}),
        replace(record, seed=1),
        replace(record, opening=replace(record.opening, seed=12345)),
    ]
    assert {course(other) for other in others} == {course(record)}


def test_moves_faults_openings_and_endings_change_the_course() -> None:
    record = sample("metrics").records[0]
    others = [
        changed(record, move="8"),
        changed(record, seat=1 - record.steps[-1][0].seat),
        changed(record, fault=Fault.LATE),
        replace(record, ending=Ending.PLIES),
        replace(record, opening=Opening(moves=[["4"]])),
        replace(record, opening=Opening(position="x")),
        replace(record, out=[Out(0, 1, Fault.LATE)]),
        replace(record, steps=record.steps[:-1]),
    ]
    courses = {course(other) for other in [record, *others]}
    assert len(courses) == len(others) + 1
    assert all(0 <= number < 2**63 for number in courses)


def test_where_the_start_is_random_its_seed_changes_the_course(tmp_path: Path) -> None:
    file = write_game(
        tmp_path,
        ("import Array, Constant, rule", "import Array, Constant, rule\nfrom ludus.kernel.rng import below"),
        ("[self.size, 0]", "[self.size + below(rng, 3), 0]"),
    )
    record = replace(sample("one mover at a time").records[0], game=f"{file}:TakeAway")
    assert course(replace(record, opening=Opening(seed=1))) != course(replace(record, opening=Opening(seed=2)))


def test_an_episode_holds_what_tables_are_made_from() -> None:
    record = sample("metrics").records[0]
    found = episode(record, Key(1, 2, 3), 99)
    assert (found.key, found.wall, found.plies) == (Key(1, 2, 3), 99, len(record.steps))
    assert (found.scores, found.ending, found.by) == (tuple(record.scores), record.ending, ())
    assert found.walls == tuple([step[0].wall for step in record.steps[seat::2]] for seat in (0, 1))
    assert found.faults == (0, 0)
    assert found.played == round(record.played.timestamp() * 10**6)


def test_chance_has_no_times_and_is_no_ply() -> None:
    record = sample("one player, chance").records[0]
    found = episode(record, Key(0, 0, 0), 1)
    assert found.plies == len(found.walls[0]) == 30
    assert len(record.steps) > 30


def test_a_player_that_is_out_has_no_times_any_more() -> None:
    record = sample("out of three").records[0]
    found = episode(record, Key(0, 0, 0), 1)
    assert record.ending is Ending.RULES
    assert len(found.walls[1]) == 1
    assert sum(move.seat == 1 for step in record.steps for move in step) > 1
    assert found.faults == (0, 1, 0)
    assert found.plies == len(record.steps)


def test_who_was_not_heard_before_the_end_has_no_time() -> None:
    referee = Referee(game_from("goofspiel:cards=3"), [Seat("a", "a"), Seat("b", "b")])
    referee.begin()
    assert len(referee.requests()) == 2
    referee.abandon(1, Fault.FAILED, "killed", 5)
    found = episode(referee.record, Key(0, 0, 0), 1)
    assert (found.walls, found.faults, found.plies) == (([], [5]), (0, 1), 0)


def test_a_last_step_that_was_not_carried_out_is_no_ply() -> None:
    record = sample("illegal").records[0]
    assert episode(record, Key(0, 0, 0), 1).plies == len(record.steps) - 1


def test_a_preparation_at_fault_is_counted() -> None:
    found = episode(sample("failed while getting ready").records[0], Key(0, 0, 0), 1)
    assert (found.faults, found.by, found.plies) == ((1, 0), (0,), 0)
