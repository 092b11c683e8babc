"""Sweeps that narrow the ranges of parameters around the best value, within a budget of episodes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import polars as pl

from ludus.core.errors import InvalidError
from ludus.core.text import plural
from ludus.run.sweep import Axis, SweepPlan, plan_sweep
from ludus.run.sweep_results import Swept
from ludus.stats.participants import Value, column_of
from ludus.tournaments.file import Plan

_LEAST = 3
"""Values of a range that can be narrowed: the best one needs neighbours."""
_DIGITS = 4
"""Digits of a value: a range that needs more is narrow enough."""


def refine(
    game: str,
    agent: str,
    parameters: Sequence[str],
    against: Sequence[str],
    *,
    episodes: int,
    budget: int,
    play: Callable[[SweepPlan, Plan], Swept],
    **content: Any,
) -> Iterator[Swept]:
    """Sweep ranges, then narrower ones around the best values, as long as `budget` episodes allow; yield each round.

    Each round has its own seed: the best value of a round must prove itself again in the next one. `play` plays a
    round; `content` is passed on to `SweepPlan.tournament`.
    """
    seed, left, number = content.pop("seed", None), budget, 0
    name = content.pop("name", None)
    while True:
        planned = plan_sweep(game, agent, parameters, against)
        if number == 0:
            _refuse_unordered(planned.axes)
        named = {} if name is None else {"name": f"{name}, round {number + 1}"}
        own = None if seed is None else seed + number
        tournament = planned.tournament(episodes, seed=own, **named, **content)
        left -= _episodes(tournament)
        if left < 0:
            if number == 0:
                wanted = plural(_episodes(tournament), "episode")
                raise InvalidError(f"The first round needs {wanted}, and the budget is {budget:,}: raise it.")
            return
        found = play(planned, tournament)
        yield found
        number += 1
        best = _best(found)
        narrower = [narrowed(axis, best[column_of(axis.parameter)]) for axis in planned.axes]
        if all(map(_all_tried, planned.axes, narrower)):
            return  # no value is left to try
        parameters = [
            f"{axis.parameter}={','.join(f'{number:.{_DIGITS}g}' for number in new)}"
            for axis, new in zip(planned.axes, narrower, strict=True)
        ]


def _best(found: Swept) -> dict[str, Any]:
    """The variant with the highest score, of those in the ranges; the agent as given may lie elsewhere."""
    asked_for = [number for number, variant in enumerate(found.sweep.variants) if variant.asked_for]
    table = found.table.filter(pl.col("variant").is_in(asked_for))
    return table.sort("score", descending=True, nulls_last=True, maintain_order=True).row(0, named=True)


def narrowed(axis: Axis, best: str) -> list[float]:
    """Values between the neighbours of the best one, as many as before; fewer if they are whole numbers.

    At the end of a range the best value is the last one.
    """
    numbers = [*map(_number, axis.values)]
    place = [value.text for value in axis.values].index(best)
    low, high = numbers[max(place - 1, 0)], numbers[min(place + 1, len(numbers) - 1)]
    at_start, at_end = place == 0, place == len(numbers) - 1
    steps = len(numbers) + 1 - at_start - at_end
    first = 0 if at_start else 1
    between = [low + (high - low) * step / max(steps, 1) for step in range(first, first + len(numbers))]
    return sorted({round(number) if axis.whole else float(f"{number:.{_DIGITS}g}") for number in between})


def _all_tried(axis: Axis, values: Sequence[float]) -> bool:
    return {value.number for value in axis.values}.issuperset(values)


def _number(value: Value) -> float:
    assert value.number is not None
    return value.number


def _episodes(tournament: Plan) -> int:
    """Number of episodes of a round."""
    content = tournament.tournament
    matches = tournament.parts.format.most_matches(len(content.agents), tournament.parts.game.seats)
    return matches * content.episodes * content.repetitions


def _refuse_unordered(axes: Sequence[Axis]) -> None:
    for axis in axes:
        if not axis.numeric or len(axis.values) < _LEAST:
            raise InvalidError(
                f"--refine narrows ranges of numbers with at least {_LEAST} values: write {axis.parameter}=LOW..HIGH/5."
            )
