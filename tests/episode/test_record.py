from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from ludus import LudusError
from ludus.episode.limits import Limits, Policy
from ludus.episode.record import Ending, Fault, Move, Opening, Out, Preparation, Record, Seat
from support.filled import filled_record


def record_with(**changes: object) -> Record:
    fields: dict[str, object] = {
        "format": 1,
        "ludus": "0.1.0",
        "played": datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        "game": "nim:players=3",
        "seats": [Seat("random", "a", Preparation(wall=5, cpu=4)), Seat("mcts:time=1s", "b"), Seat("human", "c")],
        "seed": 2**62 + 1,
        "limits": Limits(move=100, total=1000, increment=5, grace=0, plies=9, policy=Policy.RANDOM),
        "opening": Opening("1/2 0", 3, [["1-1"]]),
        "scores": [1.0, -0.5, -0.5],
        "ending": Ending.LATE,
        "by": [1],
        "out": [Out(1, 2, Fault.LATE)],
        "steps": [
            [Move(-1, "6")],
            [
                Move(0, "1-1", {"value": 0.25, "depth": 3}, wall=12, cpu=11),
                Move(1, "2-1", {}, Fault.ILLEGAL, "9-9", wall=7, cpu=6),
            ],
        ],
    }
    return Record(**(fields | changes))  # type: ignore[arg-type]


def test_a_record_comes_back_from_json_as_it_was() -> None:
    record = record_with()
    assert Record.from_json(record.to_json()) == record


def test_every_field_of_every_struct_comes_back_from_json() -> None:
    record = filled_record()
    assert Record.from_json(record.to_json()) == record


def test_json_is_one_line_and_leaves_out_what_is_not_there() -> None:
    text = record_with().to_json()
    assert "\n" not in text
    assert '[{"seat":-1,"move":"6"}]' in text
    assert '"ending":"late","by":[1],"out":[{"seat":1,"step":2,"fault":"late"}]' in text


def test_metrics_may_hold_what_numpy_computes() -> None:
    metrics = {"value": np.float64(0.5), "nodes": np.int64(7), "visits": np.array([1, 2]), "line": ("a", "b")}
    text = record_with(steps=[[Move(0, "1-1", metrics=metrics)]]).to_json()
    assert '"metrics":{"value":0.5,"nodes":7,"visits":[1,2],"line":["a","b"]}' in text


def test_metrics_may_have_keys_that_json_lacks() -> None:
    metrics: dict[Any, Any] = {"seen": [{None: 1, (2, 3): np.array([4])}], np.int64(5): {True: 6}}
    text = record_with(steps=[[Move(0, "1-1", metrics=metrics)]]).to_json()
    assert '"metrics":{"seen":[{"None":1,"(2, 3)":[4]}],"5":{"True":6}}' in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not a record of an episode"),
        ("no json", "is not a record of an episode"),
        ("[1, 2]", "Expected `object`, got `array`"),
        ('{"name": "x"}', "missing required field `format`"),
        ('{"format": 1, "ludus": "0.1.0"}', "missing required field"),
        ('{"format": 99}', "is a record of format 99, and this Ludus reads up to 1: update Ludus"),
    ],
)
def test_a_bad_text_gets_one_sentence(text: str, said: str) -> None:
    with pytest.raises(LudusError) as caught:
        Record.from_json(text, "Line 3 of games.jsonl")
    assert str(caught.value).startswith("Line 3 of games.jsonl ")
    assert said in str(caught.value)


def test_a_wrong_value_is_named_with_its_place() -> None:
    text = record_with().to_json().replace('"ending":"late"', '"ending":"boredom"')
    with pytest.raises(LudusError, match=r"Invalid enum value 'boredom' - at `\$\.ending`"):
        Record.from_json(text)


@pytest.mark.parametrize("value", [True, None, "7", [1], {"a1": 3}])
def test_metrics_that_are_no_numbers_are_no_figures(value: object) -> None:
    assert list(Move(0, metrics={"odd": value, "depth": 3}).numbers()) == [("depth", 3.0)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b'{"format": 1, "ludus": "\xff"}', "not text in UTF-8"),
        (b"\xff\xfe", "byte 0"),
        (b'{"format": 1, "x": ' + b"[" * 100_000, "nested too deeply"),
        ('{"format": 1, "ludus": "\udc80"}', "not text in UTF-8"),
    ],
)
def test_bytes_that_cannot_be_decoded_get_one_sentence(text: str | bytes, why: str) -> None:
    with pytest.raises(LudusError, match=f"^Line 1 is not a record of an episode: .*{why}"):
        Record.from_json(text, "Line 1")
