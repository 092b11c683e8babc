from typing import Any

import pytest

from ludus.run.compare import MOST_REPEATS, Pairs
from ludus.stats.ratings.sprt import Sprt
from ludus.views.verdicts import comparison_notes, comparison_verdict


def pairs(bin: int, count: int, **test: Any) -> Pairs:
    """A test of elo 0 against 50 after this many pairs of one kind."""
    found = Pairs(Sprt(0, 50, **test))
    for _ in range(count):
        found.test.add(bin)
    return found


@pytest.mark.parametrize(
    ("bin", "count", "options", "sentence"),
    [
        (4, 100, {}, "Yes: a is stronger than b (estimate +"),
        (0, 100, {}, "No evidence that a is stronger than b (+0 Elo accepted over +50)."),
        (
            0,
            100,
            {"model": "normalised"},
            "No evidence that a is stronger than b (+0 normalised Elo accepted over +50).",
        ),
        (2, 1, {}, "Undecided: the test needs more than 1 pair of a and b."),
    ],
)
def test_verdict_names_the_stronger_agent(bin: int, count: int, options: dict[str, Any], sentence: str) -> None:
    assert comparison_verdict(pairs(bin, count, **options), "a", "b").startswith(sentence)


def test_pairs_that_were_not_counted_are_noted() -> None:
    found = pairs(2, 5)
    assert list(comparison_notes(found)) == []
    found.repeated, found.void = 3, 1
    assert [note.split()[0] for note in comparison_notes(found)] == ["3", "1"]
    found._in_a_row = MOST_REPEATS
    assert next(comparison_notes(found)).startswith(f"The last {MOST_REPEATS} pairs")
