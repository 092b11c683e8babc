from typing import ClassVar, Literal

import pytest

from ludus import Duration, LudusError, param
from ludus.core.spec import Configurable, Spec, without_folder
from ludus.core.text import format_duration, parse_duration, parse_size
from support.sentences import one_sentence


class Kettle(Configurable):
    """Boils water.

    A second line that says more,
    and more.
    """

    name: ClassVar[str] = "kettle"
    noun: ClassVar[str] = "device"

    litres: int = param(2, "how much it holds", low=1, high=5)
    heat: float = param(0.5, "how hot it gets", low=0)
    whistle: bool = param(True, "whether it whistles")
    colour: str = param("red", "of the lid", choices=["red", "blue"])
    wait: Duration | None = param(None, "before it starts")


class Cup(Configurable):
    """Holds what a kettle boils."""

    name: ClassVar[str] = "cup"

    owner: str = param(help="whose it is")


def kettle(text: str) -> Kettle:
    return Kettle.from_spec(Spec.parse(text))


# --- Reading ------------------------------------------------------------------------------------------------------


def test_a_spec_is_a_name_words_and_options() -> None:
    assert Spec.parse("hex") == Spec("hex")
    assert Spec.parse("hex: size=4 , swap = yes") == Spec("hex", (), {"size": "4", "swap": "yes"})
    assert Spec.parse("openspiel:mnk,m=5") == Spec("openspiel", ("mnk",), {"m": "5"})


def test_a_spec_may_name_a_file_and_a_class_in_it() -> None:
    assert Spec.parse("my/game.py") == Spec("", file="my/game.py")
    assert Spec.parse("my/game.py:Mine") == Spec("Mine", file="my/game.py")
    assert Spec.parse("my/game.py:size=3") == Spec("", (), {"size": "3"}, "my/game.py")
    assert Spec.parse("my/game.py:Mine:size=3") == Spec("Mine", (), {"size": "3"}, "my/game.py")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'' NAME:key=value"),
        (":a=1", "':a=1' NAME:key=value"),
        ("hex:size=3,size=4", "'hex:size=3,size=4' 'size' twice"),
    ],
)
def test_a_text_that_is_no_spec_gets_one_sentence(text: str, words: str) -> None:
    with one_sentence(words):
        Spec.parse(text)


def test_values_are_read_by_their_declared_type() -> None:
    made = kettle("kettle:litres=5,heat=1e-3,whistle=no,colour=blue,wait=1.5s")
    assert (made.litres, made.heat, made.whistle, made.colour) == (5, 0.001, False, "blue")
    assert made.wait == 1_500_000_000
    assert kettle("kettle:wait=none").wait is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kettle:litres=6", "kettle litres=6 1 5"),
        ("kettle:litres=many", "kettle litres=many 1 5"),
        ("kettle:heat=-1", "kettle heat=-1 0"),
        ("kettle:heat=nan", "kettle heat=nan 0"),
        ("kettle:whistle=perhaps", "kettle whistle=perhaps yes no"),
        ("kettle:colour=green", "kettle colour=green red blue"),
        ("kettle:wait=5", "kettle wait=5 100ms"),
        ("kettle:liters=3", "kettle 'liters' 'litres' heat, whistle, colour wait"),
        ("kettle:big", "kettle 'big' key=value"),
    ],
)
def test_a_wrong_value_gets_one_sentence(text: str, words: str) -> None:
    with one_sentence(words):
        kettle(text)


def test_a_parameter_without_default_must_be_given() -> None:
    assert Cup.from_spec(Spec.parse("cup:ada")).owner == "ada"
    assert Cup.from_spec(Spec.parse("cup:owner=ada")).owner == "ada"
    with pytest.raises(LudusError, match="cup needs owner: write cup:OWNER"):
        Cup.from_spec(Spec.parse("cup"))


# --- Writing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("kettle", "kettle"),
        ("kettle:litres=2,whistle=yes", "kettle"),
        ("kettle:wait=90s,litres=3", "kettle:litres=3,wait=90s"),
        ("kettle:heat=0.1234567,whistle=off", "kettle:heat=0.1234567,whistle=no"),
    ],
)
def test_the_spec_of_a_thing_is_the_shortest_that_makes_it_again(text: str, shortest: str) -> None:
    assert kettle(text).spec() == shortest
    assert kettle(shortest).spec() == shortest


def test_summary_and_details_come_from_the_docstring() -> None:
    assert Kettle.summary() == "Boils water."
    assert Kettle.details() == "A second line that says more,\nand more."
    assert Cup.details() == ""


@pytest.mark.parametrize(
    ("text", "nanoseconds"),
    [("0s", 0), ("1ns", 1), ("250us", 250_000), ("1.5ms", 1_500_000), ("2m", 120 * 10**9), ("1h", 3600 * 10**9)],
)
def test_durations_are_read_and_written(text: str, nanoseconds: int) -> None:
    assert parse_duration(text) == nanoseconds
    assert parse_duration(format_duration(nanoseconds)) == nanoseconds


@pytest.mark.parametrize("digits", [9, 400, 5000])
def test_what_is_more_than_there_can_be_is_refused(digits: int) -> None:
    with pytest.raises(ValueError, match="longer than a year"):
        parse_duration(f"{'9' * digits}h")
    with pytest.raises(ValueError, match="larger than any memory"):
        parse_size(f"{'9' * digits}99GiB")


def test_a_kind_that_no_spec_can_hold_is_told() -> None:
    class Urn(Configurable):
        name: ClassVar[str] = "urn"
        mode: Literal["a", "b"] = param("a", "how")

    with pytest.raises(
        LudusError, match=r"^urn: its parameter mode cannot be written in a spec: declare it as int, float"
    ):
        Urn.parameters()


@pytest.mark.parametrize("text", ["", "5", "ms", "-1s", "1,5s", "1 s", "1d"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a time"):
        parse_duration(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/home/me/games/mine.py:Mine:size=3", "mine.py:Mine:size=3"),
        ("../mine.py", "mine.py"),
        ("mine.py:Mine", "mine.py:Mine"),
        ("hex:size=4", "hex:size=4"),
    ],
)
def test_spec_for_people_leaves_out_the_folder(text: str, shown: str) -> None:
    assert without_folder(text) == shown
