"""Formats: generators of rounds of matches, found by name in the modules of this folder."""

from collections.abc import Generator, Sequence
from typing import ClassVar, NamedTuple

from ludus.core.registry import find
from ludus.core.spec import Configurable, Spec


class Match(NamedTuple):
    """One seating: `seats[i]` is the number of the agent at seat i; `round` counts from 0."""

    round: int
    seats: tuple[int, ...]


class Result(NamedTuple):
    """What a format learns of a match that was played.

    `points` has for each seat the sum over the episodes of what `place_points` gives.
    """

    match: Match
    points: tuple[float, ...]


def place_points(scores: Sequence[float]) -> Sequence[float]:
    """Points for each seat: (k − r)/(k − 1) for place r of k, shared on ties; so 1, ½ and 0 between two.

    Of a one-player game, the score itself.
    """
    others = len(scores) - 1
    if not others:
        return scores
    return [
        (sum(other < score for other in scores) + (sum(other == score for other in scores) - 1) / 2) / others
        for score in scores
    ]


Rounds = Generator[list[Match], list[Result], None]
"""Yields matches that can be played now, in any order and at once; is sent their results in the order yielded."""


class Format(Configurable):
    """Who meets whom. Agents are numbers from 0, in the order of the field; nothing is drawn but from the seed."""

    noun: ClassVar[str] = "format"

    def unsuited(self, agents: int, seats: int) -> str | None:
        """Why it cannot serve so many agents and seats, as the end of a sentence that starts with its name."""
        raise NotImplementedError

    def most_matches(self, agents: int, seats: int) -> int:
        """How many matches there will be; the most, where that depends on results."""
        raise NotImplementedError

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        """The matches. A format that needs no results yields them all at once."""
        raise NotImplementedError

    @property
    def rotates_seats(self) -> bool:
        """Whether seatings of more than two are chosen so that everybody has each seat equally often."""
        return False

    def winner(self, agents: int, seed: int, last_round: Sequence[Result]) -> int | None:
        """The agent that won by the results of the last round; none where standings alone tell."""
        return None


def format_from(text: str) -> Format:
    """The format that a spec names."""
    spec = Spec.parse(text)
    return find(Format, spec.file or spec.name).from_spec(spec)


def default_format(seats: int) -> str:
    """The format that suits games of so many players best."""
    return {1: "solo", 2: "double-round-robin"}.get(seats, "seatings")
