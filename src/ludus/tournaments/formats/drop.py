"""A double round robin that agents leave early, by interim ratings."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.core.spec import param
from ludus.tournaments.formats.format import Departure, Format, Match, Result, Rounds, shared_evenly
from ludus.tournaments.formats.lots import Lots
from ludus.tournaments.formats.pairing import PairFormat
from ludus.tournaments.formats.round_robin import circle

_ELO = 400 / np.log(10)
_MOST_STEPS = 1000
_PRECISION = 1e-9
_DIGITS = 4
"""Decimals of ratings that count: later ones depend on the processor."""


class Drop(PairFormat):
    """A double round robin from which the weakest agent leaves every few rounds.

    Agents meet over the rounds of the circle method, in random order, each pair with both seatings. After the first
    rounds and then after every few, the agent with the lowest interim rating leaves, and its other matches are not
    played. Interim ratings are those of Bradley and Terry over all matches so far, in Elo points around 0.
    """

    name = "drop"
    depends_on_results = True
    every: int = param(2, "number of rounds after which the next agent leaves", low=1)
    start: int = param(2, "number of rounds before the first one leaves", low=1)
    keep: int = param(2, "number of agents that stay to the end", low=2)

    def unsuited(self, agents: int, seats: int) -> str | None:
        if reason := super().unsuited(agents, seats):
            return reason
        if self.keep > agents:
            return f"keeps {self.keep} agents, and there are only {agents}: nobody would leave"
        if self.keep < agents and self.start >= len(circle(agents)):
            return (
                f"has {len(circle(agents))} rounds for {agents} agents, and nobody leaves after the last: lower start"
            )
        return None

    def for_games(self, games: int, seats: int) -> tuple[Format, int]:
        """Each pairing is played with both seatings."""
        return self, shared_evenly(games, seats)

    def most_matches(self, agents: int, seats: int) -> int:
        return agents * (agents - 1)

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        staying, interim = set(range(agents)), _Interim(agents)
        for turn, matches in enumerate(self._rounds(agents, seed)):
            if wanted := [match for match in matches if staying.issuperset(match.seats)]:
                interim.add((yield wanted))
            if self._parts_after(turn, agents, len(staying)):
                staying.remove(interim.weakest(staying)[0])

    def departures(self, agents: int, seed: int, results: Sequence[Result]) -> list[Departure]:
        rounds: dict[int, list[Result]] = {}
        for result in results:
            rounds.setdefault(result.match.round, []).append(result)
        staying, interim = set(range(agents)), _Interim(agents)
        found = []
        for turn in range(max(rounds, default=0)):  # after the last one, nobody leaves
            interim.add(rounds.get(turn, ()))
            if self._parts_after(turn, agents, len(staying)):
                gone, rating = interim.weakest(staying)
                staying.remove(gone)
                found.append(Departure(turn, gone, rating, int(interim.matches[gone])))
        return found

    def _rounds(self, agents: int, seed: int) -> Iterable[list[Match]]:
        places = Lots(seed, self.name).shuffled(range(agents))
        for turn, pairs in enumerate(circle(agents)):
            seated = [(places[i], places[j]) for i, j in pairs]
            yield [Match(turn, seats) for pair in seated for seats in (pair, pair[::-1])]

    def _parts_after(self, turn: int, agents: int, staying: int) -> bool:
        """True if an agent leaves after this round."""
        rounds = turn + 1 - self.start
        return staying > self.keep and rounds >= 0 and rounds % self.every == 0 and turn + 1 < len(circle(agents))


class _Interim:
    """Ratings of the results so far."""

    def __init__(self, agents: int) -> None:
        # Each agent has one tie with an average one, so that the ratings of all-winners are finite.
        self._points = np.full(agents, 0.5)
        self._games = np.zeros((agents, agents))
        self.matches = np.zeros(agents, np.int64)

    def add(self, results: Iterable[Result]) -> None:
        """Add the results of matches."""
        for match, gained in results:
            seats = list(match.seats)
            self._points[seats] += gained
            self._games[seats, seats[::-1]] += sum(gained)
            self.matches[seats] += 1

    def ratings(self) -> NDArray[np.float64]:
        """Ratings by Bradley and Terry in Elo points around 0; seats do not matter."""
        strengths = np.ones(len(self._points))
        for _ in range(_MOST_STEPS):  # Zermelo's iteration
            expected = (self._games / (strengths[:, None] + strengths)).sum(1) + 1 / (strengths + 1)
            before, strengths = strengths, self._points / expected
            if np.allclose(strengths, before, rtol=_PRECISION, atol=0):
                break
        ratings: NDArray[np.float64] = _ELO * np.log(strengths)
        return ratings - ratings.mean()

    def weakest(self, staying: Iterable[int]) -> tuple[int, float]:
        """The agent with the lowest rating, and that; of equals, the last in the field."""
        ratings = self.ratings()
        agent = min(staying, key=lambda agent: (round(float(ratings[agent]), _DIGITS), -agent))
        return agent, float(ratings[agent])
