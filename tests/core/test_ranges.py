import pytest

from ludus.core.ranges import Range


@pytest.mark.parametrize("text", ["", "x", "2..", "..3", "nan", "inf", "1..2..3"])
def test_ranges_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        Range.parse(text)


@pytest.mark.parametrize("text", ["4", "2..6", "0.3", "0.1..0.25"])
def test_a_range_is_written_as_it_is_read(text: str) -> None:
    assert str(Range.parse(text)) == text


def test_whole_ends_draw_whole_numbers_and_both_of_them() -> None:
    assert {Range.parse("2..4").draw() for _ in range(200)} == {2, 3, 4}
    assert 0.1 <= Range.parse("0.1..0.2").draw() <= 0.2
