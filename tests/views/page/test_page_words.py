from datetime import UTC, datetime, timedelta

import pytest

from ludus.views.page import page_words


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (page_words.signed(141.6), "+142"),
        (page_words.signed(-0.2), "0"),
        (page_words.signed(-41.6), "−42"),
        (page_words.percent(0.99999), "> 99.9 %"),
        (page_words.percent(0.5), "50.0 %"),
        (page_words.percent(0.0), "< 0.1 %"),
        (page_words.points(3252.4), "3,252"),
        (page_words.points(7.0), "7"),
        (page_words.points(7.125), "7.12"),
        (page_words.figure(1234567.8), "1,234,568"),
        (page_words.figure(-0.25), "−0.25"),
        (page_words.figure(1 / 3), "0.333"),
        (page_words.figure(12.0), "12"),
        (page_words.in_short("killed\n> TURN 3"), "killed"),
        (page_words.size(1_709_131), "1.7 MB"),
        (page_words.size(25_400), "25 kB"),
    ],
)
def test_figures_are_worded_for_people(said: str, expected: str) -> None:
    assert said == expected


def test_day_is_told_once_where_it_is_the_same() -> None:
    start = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    assert page_words.stretch(start, start + timedelta(minutes=5)).count("2026-03-01") == 1
    assert page_words.stretch(start, start + timedelta(days=2)).count("2026-03-") == 2
