"""Numbered steps of checks of games and bots: run in order, each with its verdict, or a problem and its fix."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Seen = tuple[list[str], dict[str, Any]]
"""Notes for the reader, and figures by name."""

MUST_PASS = "must pass first"
"""Ending of the reason for skipping a step after another has failed."""


class ProblemError(Exception):
    """A problem with its fix, and notes for the reader."""

    def __init__(self, what: str, remedy: str = "", *notes: str) -> None:
        super().__init__(what)
        self.what, self.remedy, self.notes = what, remedy, list(notes)


class NothingToCheckError(Exception):
    """The reason why a step has nothing to check."""


@dataclass(frozen=True)
class Step:
    """One step of a check: its verdict, the problem with its fix, or its findings."""

    number: int
    title: str
    verdict: Literal["passed", "failed", "skipped"]
    seconds: float
    problem: str = ""
    remedy: str = ""
    notes: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)


class Procedure(NamedTuple):
    """A step with its title, and the steps that must have passed before."""

    title: str
    run: Callable[[Any], Seen]
    needs: tuple[int, ...] = ()

    def skipped(self, number: int, reason: str) -> Step:
        """The step as skipped."""
        return Step(number, self.title, "skipped", 0.0, reason)

    def taken(self, number: int, subject: Callable[[], Any], explain: Callable[[Exception], ProblemError]) -> Step:
        """Run the step with this subject; `explain` turns an exception into a problem for the author."""
        begin = time.monotonic()
        try:
            notes, figures = self.run(subject())
        except NothingToCheckError as reason:
            return self.skipped(number, str(reason))
        except Exception as error:
            found = explain(error)
            spent = time.monotonic() - begin
            return Step(number, self.title, "failed", spent, found.what, found.remedy, found.notes)
        return Step(number, self.title, "passed", time.monotonic() - begin, notes=notes, figures=figures)


def in_order(procedures: Sequence[Procedure], take: Callable[[int], Step]) -> Iterator[Step]:
    """Yield the steps as they end, skipping those whose required step has failed."""
    to_blame: dict[int, int] = {}  # for each step without a result, the failed step
    for number, procedure in enumerate(procedures, 1):
        if blamed := next((to_blame[needed] for needed in procedure.needs if needed in to_blame), None):
            to_blame[number] = blamed
            yield procedure.skipped(number, f"step {blamed} {MUST_PASS}")
            continue
        step = take(number)
        if step.verdict == "failed":
            to_blame[number] = number
        yield step
