import json
from collections.abc import Callable
from typing import Any

import pytest

from ludus.core import text
from ludus.core.errors import InvalidError
from support.sentences import one_sentence


@pytest.mark.parametrize(
    ("write", "value", "expected"),
    [
        (text.whole, 3252.4, "3,252"),
        (text.whole, -0.4, "0"),
        (text.decimal, -0.0004, "0.000"),
        (text.rounded, 1512.4, "1512"),
        (text.signed, 141.6, "+142"),
        (text.signed, 0.4, "0"),
        (text.signed, -0.4, "0"),
        (text.signed, -41.6, "−42"),
        (text.margin, 12.3, "± 12"),
        (text.figure, 7.0, "7"),
        (text.figure, 7.125, "7.12"),
        (text.figure, 999.7, "1,000"),
        (text.figure, -1234567.8, "−1,234,568"),
        (text.figure, 1 / 3, "0.333"),
        (text.figure, float("inf"), "inf"),
        (text.percent, 0.5, "50.0 %"),
        (text.score, 1.0, "+1"),
        (text.score, -0.5, "−0.5"),
        (text.score, 12_345.0, "12,345"),
        (text.ordinal, 2, "2nd"),
        (text.ordinal, 12, "12th"),
        (text.ordinal, 23, "23rd"),
    ],
)
def test_numbers_are_worded_for_people(write: Callable[[float], str], value: float, expected: str) -> None:
    assert write(value) == expected


def test_ends_of_an_interval_are_worded_alike() -> None:
    assert [text.percent_range(0.123, 0.45), text.percent_range(0.123, 0.45, 1)] == ["12–45", "12.3–45.0"]


def test_no_chance_is_sure_but_a_share_of_what_was_counted_may_be_all() -> None:
    assert [text.chance(value) for value in (0.0, 0.5, 0.994, 0.996, 1.0)] == [
        "< 1 %",
        "50 %",
        "99 %",
        "> 99 %",
        "> 99 %",
    ]
    assert [text.counted_share(value) for value in (0.0, 0.5, 0.999, 1.0)] == ["0 %", "50 %", "> 99 %", "100 %"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(True, "yes"), (1234, "1,234"), (-0.25, "−0.25"), ({"a": 1.0, "b": [2, 3]}, "a 1, b 2 3"), ("word", "word")],
)
def test_whatever_an_agent_reports_has_words(value: Any, expected: str) -> None:
    assert text.spoken(value) == expected


@pytest.mark.parametrize(
    ("nanoseconds", "expected"),
    [
        (0, "0 ns"),
        (999, "999 ns"),
        (1500, "1.50 µs"),
        (2.5e7, "25.0 ms"),
        (4.2e8, "420 ms"),
        (59.9e9, "59.9 s"),
        (59.97e9, "1 min 00 s"),
        (65e9, "1 min 05 s"),
        (7380e9, "2 h 03 min"),
    ],
)
def test_times_are_told_in_the_unit_that_suits(nanoseconds: float, expected: str) -> None:
    assert text.spoken_time(nanoseconds) == expected


@pytest.mark.parametrize(
    ("size", "expected"),
    [(2**31, "2 GiB"), (3 << 19, "1.5 MiB"), (10**5, "97.7 KiB"), (1023 << 10, "1,023 KiB"), (12, "12 B")],
)
def test_sizes_are_told_in_the_unit_that_suits(size: int, expected: str) -> None:
    assert text.spoken_size(size) == expected


@pytest.mark.parametrize("written", ["2GiB", "512MB", "1kB", "12B", "3KiB"])
def test_sizes_are_read_as_they_are_written(written: str) -> None:
    assert text.format_size(text.parse_size(written)) == written


def test_nouns_follow_their_number() -> None:
    assert text.plural(1, "match", "matches") == "1 match"
    assert text.plural(2000, "core") == "2,000 cores"


def test_words_are_listed_as_in_a_sentence() -> None:
    assert text.listing([]) == ""
    assert text.listing(["a"]) == "a"
    assert text.listing(["a", "b", "c"], "or") == "a, b or c"


def test_evidence_in_short_is_its_first_line_without_commands_for_a_terminal() -> None:
    assert text.first_line("killed\x1b[2J.\n> TURN 3") == "killed�[2J"


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (1, 1247, " from 1 to 1,247"),
        (0.01, 86400.0, " from 0.01 to 86,400"),
        (1, None, " of at least 1"),
        (1, 10**15, " of at least 1"),
        (None, 5, " of at most 5"),
        (None, None, ""),
    ],
)
def test_limits_of_a_number_are_told_unless_they_are_those_of_the_machine(
    low: float | None, high: float | None, words: str
) -> None:
    assert text.bounds(low, high) == words


FOUL_NAMES = [
    "a\x1b[31mb",
    "a\nb",
    "a\tb",
    "a\x07",
    "a\x7fb",
    "a\x9bm",
    "user\u202egpj",
    "a\u2066",
    "a\u2028b",
    "\udcff",
]


@pytest.mark.parametrize("name", FOUL_NAMES)
def test_name_that_would_harm_a_terminal_is_refused_and_shown_harmlessly(name: str) -> None:
    with one_sentence("name control character"):
        text.refuse_foul(name)
    with pytest.raises(InvalidError) as caught:
        text.refuse_foul(name)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("name", ["Bücher", "名前", "a b", "a\u00a0b", "שלום", "👩‍💻", "mcts:c=0.5"])
def test_names_of_all_scripts_are_welcome(name: str) -> None:
    text.refuse_foul(name)
    assert text.cleaned(name) == name


def test_lines_stay_where_texts_are_cleaned() -> None:
    assert text.cleaned("one\n\ttwo\x1b[2J\u202e") == "one\n\ttwo�[2J�"


def test_json_keeps_its_meaning_without_raw_control_characters() -> None:
    raw = json.dumps({"name": "a\x7f\u202e\x9bü"}, ensure_ascii=False)
    assert json.loads(text.escaped_json(raw)) == json.loads(raw)
    assert text.escaped_json(raw).isprintable()


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-1+2", "'-1+2"),
        ("-", "'-"),
        ("@SUM(1)", "'@SUM(1)"),
        ("\t=1", "'\t=1"),
        ("-1.5", "-1.5"),
        ("+3", "+3"),
        ("-1e-5", "-1e-5"),
        ("a=1", "a=1"),
        ("", ""),
    ],
)
def test_cell_of_a_spreadsheet_is_no_formula(cell: str, expected: str) -> None:
    assert text.unformula(cell) == expected
