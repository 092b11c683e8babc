"""Formats: generators of rounds of matches, found by name in the modules of this folder."""

from collections.abc import Generator, Sequence
from functools import cache
from typing import ClassVar, NamedTuple

from ludus.core.errors import InvalidError
from ludus.core.registry import find
from ludus.core.spec import Configurable, Spec
from ludus.core.text import plural


class Match(NamedTuple):
    """One seating: `seats[i]` is the number of the agent at seat i; `round` counts from 0."""

    round: int
    seats: tuple[int, ...]


class Result(NamedTuple):
    """The result of a match, as a format receives it.

    `points` has for each seat the sum over the episodes of `place_points`.
    """

    match: Match
    points: tuple[float, ...]


def place_points(scores: Sequence[float]) -> Sequence[float]:
    """Points for each seat: (k − r)/(k − 1) for place r of k, shared on ties; so 1, ½ and 0 between two.

    For a one-player game, the score itself.
    """
    others = len(scores) - 1
    if not others:
        return scores
    return [
        (sum(other < score for other in scores) + (sum(other == score for other in scores) - 1) / 2) / others
        for score in scores
    ]


class Pairing(NamedTuple):
    """Two agents that met in a round, or one without an opponent."""

    round: int
    agents: tuple[int, ...]
    points: tuple[float, ...]
    """Points over the episodes of all their matches in this round; empty without an opponent."""
    gained: tuple[float, ...]
    """The value of the pairing for each: 1, ½ or 0; empty as long as it is undecided."""

    @property
    def winner(self) -> int | None:
        """The agent that won the pairing."""
        return self.agents[self.gained.index(1.0)] if 1.0 in self.gained else None


class Departure(NamedTuple):
    """An agent that a format removed after a round, with its interim rating and the number of matches it had played."""

    round: int
    agent: int
    rating: float
    matches: int


def shared_evenly(games: int, seats: int) -> int:
    """The games per seating, if each pairing has this many; InvalidError if they do not share the seats evenly."""
    if games % seats:
        raise InvalidError(
            f"{plural(games, 'game')} of a pairing cannot share the seats evenly: give a multiple of {seats}."
        )
    return games // seats


Rounds = Generator[list[Match], list[Result], None]
"""Yields matches that can be played now, in any order and concurrently; receives their results in the order yielded."""


class Format(Configurable):
    """A schedule of matches. Agents are numbers from 0, in the order of the field; randomness comes from the seed."""

    noun: ClassVar[str] = "format"
    orders: ClassVar[tuple[str, ...]] = ()
    """Columns of `tallied`, which then rank the agents; a format without them leaves that to ratings."""
    depends_on_results: ClassVar[bool] = False
    """True if who meets whom depends on the results so far; then matches cannot be lengthened afterwards."""

    def unsuited(self, agents: int, seats: int) -> str | None:
        """The reason why it cannot serve this many agents and seats, as the end of a sentence after its name."""
        raise NotImplementedError

    def most_matches(self, agents: int, seats: int) -> int:
        """Number of matches; the maximum if it depends on results."""
        raise NotImplementedError

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        """Yield the matches. A format that needs no results yields them all at once."""
        raise NotImplementedError

    @property
    def can_grow(self) -> bool:
        """True if agents can join a tournament that was played without them, whatever the order of its field."""
        return False

    @property
    def named_places(self) -> slice:
        """The places in the field that its parameters name; joining agents must not take them."""
        return slice(0)

    def joining(self, agents: int, seats: int, before: Sequence[Match]) -> list[Match]:
        """The matches by which the last agent joins the others, after the matches that these have without it."""
        raise NotImplementedError

    def for_games(self, games: int, seats: int) -> tuple["Format", int]:
        """The format, and its episodes per match, with this many games of each pairing; seats alternate if possible."""
        return self, games

    @property
    def rotates_seats(self) -> bool:
        """True if seatings of more than two are chosen so that every agent has each seat equally often."""
        return False

    @property
    def seeded_by(self) -> str | None:
        """The stored tournament whose ratings order the field, if the format names one; a run looks it up."""
        return None

    def in_field_order(self) -> "Format":
        """The same format for a field that is in the order of its seeds."""
        return self

    def round_name(self, agents: int, round: int) -> str:
        """The name of a round."""
        return f"round {round + 1}"

    def pairings(self, agents: int, seed: int, results: Sequence[Result], *, ended: bool = True) -> list[Pairing]:
        """The pairings, round by round, of a format in which they depend on results; of others none.

        Without `ended`, more results are to come, and the last round is undecided.
        """
        return []

    def tallied(self, agents: int, pairings: Sequence[Pairing]) -> dict[str, list[float]]:
        """The columns that rank the agents by pairings: for each column, a value for each agent."""
        return {}

    def departures(self, agents: int, seed: int, results: Sequence[Result]) -> list[Departure]:
        """The agents that were removed early, in that order."""
        return []


@cache
def format_from(text: str) -> Format:
    """The format that a spec names. Formats have no state, so each is made once."""
    spec = Spec.parse(text)
    return find(Format, spec.file or spec.name).from_spec(spec)


def default_format(seats: int) -> str:
    """The default format for games of this many players."""
    return {1: "solo", 2: "double-round-robin"}.get(seats, "seatings")
