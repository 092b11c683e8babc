"""Comparisons and sweeps in words: the verdict of each, and notes on it."""

from collections.abc import Iterator
from typing import Any

from ludus.core.text import DASH, MINUS, chance, decimal, figure, margin, plural, signed
from ludus.run.compare import MOST_REPEATS, Pairs
from ludus.run.sweep_results import AS_GIVEN, Swept
from ludus.stats.participants import column_of
from ludus.stats.ratings.comparison import Comparison
from ludus.stats.ratings.sprt import Sprt
from ludus.views.facts import cautions

# --- Comparisons ----------------------------------------------------------------------------------------------------


def comparison_verdict(pairs: Pairs, one: str, other: str) -> str:
    """One sentence on who is stronger, if that is known, and on how the test ended."""
    test, found = pairs.test, pairs.test.estimate
    surely = "stronger" if found.low > 0 else "weaker" if found.high < 0 else ""
    known = f"{one} is {surely} than {other} ({difference(found)})"
    if test.verdict is None:
        if not surely:
            return f"Undecided: the test needs more than {plural(len(test.path), 'pair')} of {one} and {other}."
        return f"{known.replace(' is ', ' is clearly ', 1)}; the test for {_points(test, test.elo1)} has not finished."
    if test.verdict == "H1":
        accepted = f"the test accepted {_points(test, test.elo1, test.elo0)}"
        if test.elo0 >= 0 or surely == "stronger":
            return f"Yes: {one} is stronger than {other} ({difference(found)})."
        return f"{known}, but {accepted}." if surely else f"No evidence that {one} is weaker than {other}: {accepted}."
    accepted = f"the test accepted {_points(test, test.elo0, test.elo1)}"
    if surely == "weaker":
        return f"No: {known}; {accepted}."
    return f"{known}, but {accepted}." if surely else f"No evidence that {one} is stronger than {other}: {accepted}."


def _points(test: Sprt, *hypotheses: float) -> str:
    """A hypothesis of the test in points, or one over the other."""
    points = " over ".join(f"{elo:+g}" for elo in hypotheses).replace("-", MINUS)
    return f"{points} normalised Elo" if test.model == "normalised" else points


def difference(found: Comparison) -> str:
    """The estimated difference in Elo points, with its 95 % interval."""
    digits = 0 if found.error >= 10 else 1
    return f"{signed(found.elo, digits)} {margin(found.error, digits)} Elo"


def estimate(found: Comparison) -> str:
    """The estimate in both kinds of points, the chance to be stronger, and whether it is corrected."""
    digits = 0 if found.normalised_error >= 10 else 1
    normalised = f"{signed(found.normalised, digits)} {margin(found.normalised_error, digits)} normalised Elo"
    words = f"{difference(found)}, {normalised}; stronger with a probability of {chance(found.chance)}"
    return f"{words}; corrected for stopping at a bound." if found.corrected else f"{words}."


def comparison_notes(pairs: Pairs) -> Iterator[str]:
    """Sentences on pairs that were not counted."""
    if pairs.stuck:
        yield (
            f"The last {MOST_REPEATS} pairs repeated earlier ones, move by move: more opening plies give the agents "
            "something new to play."
        )
    elif pairs.repeated:
        yield f"{pairs.repeated:,} pairs repeated earlier ones, move by move, and were not counted."
    if pairs.void:
        yield f"{pairs.void:,} pairs have no result because the machine failed, and were not counted."


# --- Sweeps ---------------------------------------------------------------------------------------------------------


def sweep_verdict(found: Swept) -> str:
    """One sentence on the best variant; empty as long as nothing is played."""
    best = found.best()
    if best is None:
        return ""
    if best["variant"] == AS_GIVEN:
        return f"Best: {best['agent']}, as given."
    settings = {axis.parameter: best[column_of(axis.parameter)] for axis in found.sweep.axes}
    values = ", ".join(f"{name}={value}" for name, value in settings.items() if value is not None)
    better = (
        f", better than the baseline with a probability of {chance(best['better'])}"
        if best["better"] is not None
        else ""
    )
    return f"Best: {values}{better}."


def sweep_notes(found: Swept) -> Iterator[str]:
    """Sentences on how to read the table of a sweep."""
    yield "* is the baseline: the agent as given. 'better' is the probability of beating it, episode by episode."
    if found.seats > 1:
        yield "score: 1 for a win, ½ for a first place shared."
    if len(found.sweep.variants) > 2:
        confirm = "'ludus compare'" if found.seats == 2 else "more episodes"
        variants = len(found.sweep.variants)
        yield f"The best of {variants} variants is partly luck: confirm it with {confirm}."
    yield from cautions(found)
    yield f"Stored as tournament {found.id}; 'ludus results {found.id}' shows everything."


def variants(found: Swept) -> list[dict[str, Any]]:
    """The rows of the table of a sweep, with the values of the parameters in words and the variant as given marked."""
    rows = found.table.to_dicts()
    for row in rows:
        mark = " *" if row["variant"] == AS_GIVEN else ""
        for axis in found.sweep.axes:
            column = column_of(axis.parameter)
            row[column] = f"{row[column] or 'default'}{mark}"
            mark = ""
    return rows


def sweep_score(found: Swept, value: float | None) -> str:
    """A score of a sweep in figures."""
    return DASH if value is None else figure(value) if found.seats == 1 else decimal(value)


def sweep_interval(found: Swept, low: float | None, high: float | None) -> str:
    """An interval of scores of a sweep in figures."""
    if low is None or high is None:
        return DASH
    return f"{figure(low)}–{figure(high)}" if found.seats == 1 else f"{decimal(low, 2)}–{decimal(high, 2)}"
