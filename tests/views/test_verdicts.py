from typing import Any

import pytest

from ludus.run.compare import MOST_REPEATS, Pairs
from ludus.stats.ratings.sprt import Sprt
from ludus.views.verdicts import comparison_notes, comparison_verdict, estimate


def pairs(results: list[tuple[int, int]], elo0: float = 0, elo1: float = 50, **test: Any) -> Pairs:
    """A test after these pairs; games are lost (0), tied (1) or won (2)."""
    found = Pairs(Sprt(elo0, elo1, **test))
    for result in results:
        found.test.add(*result)
    return found


LOST, BEHIND, EVEN, AHEAD, WON = (0, 0), (0, 1), (1, 1), (1, 2), (2, 2)


@pytest.mark.parametrize(
    ("results", "options", "start", "end"),
    [
        ([WON] * 100, {}, "Yes: a is stronger than b (+", " Elo)."),
        ([LOST] * 100, {}, "No: a is weaker than b (−", " Elo); the test accepted +0 over +50."),
        ([WON, LOST] * 300, {}, "No evidence that a is stronger than b: ", "the test accepted +0 over +50."),
        (
            [WON, LOST] * 100,
            {"model": "normalised"},
            "No evidence that a is stronger than b: ",
            "the test accepted +0 over +50 normalised Elo.",
        ),
        (
            [*[EVEN] * 5, AHEAD, EVEN, AHEAD, EVEN, BEHIND] * 30,
            {"elo0": 20, "elo1": 40},
            "a is stronger than b (+",
            " Elo), but the test accepted +20 over +40.",
        ),
        (
            [WON, LOST] * 300,
            {"elo0": -50, "elo1": 0},
            "No evidence that a is weaker than b: ",
            "the test accepted +0 over −50.",
        ),
        ([LOST] * 10, {"elo1": 10}, "a is clearly weaker than b (−", " Elo); the test for +10 has not finished."),
        ([WON] * 10, {"elo1": 10}, "a is clearly stronger than b (+", " Elo); the test for +10 has not finished."),
        ([EVEN], {}, "Undecided: ", "the test needs more than 1 pair of a and b."),
    ],
)
def test_verdict_says_who_is_stronger(
    results: list[tuple[int, int]], options: dict[str, Any], start: str, end: str
) -> None:
    sentence = comparison_verdict(pairs(results, **options), "a", "b")
    assert sentence.startswith(start)
    assert sentence.endswith(end)


def test_estimate_says_whether_it_is_corrected() -> None:
    assert "normalised Elo" in estimate(pairs([WON, EVEN]).test.estimate)
    assert "corrected" not in estimate(pairs([WON, EVEN]).test.estimate)
    assert "corrected for stopping" in estimate(pairs([WON] * 100).test.estimate)


def test_pairs_that_were_not_counted_are_noted() -> None:
    found = pairs([EVEN] * 5)
    assert list(comparison_notes(found)) == []
    found.repeated, found.void = 3, 1
    assert [note.split()[0] for note in comparison_notes(found)] == ["3", "1"]
    found._in_a_row = MOST_REPEATS
    assert next(comparison_notes(found)).startswith(f"The last {MOST_REPEATS} pairs")
