"""A gauntlet: one agent or several against all others, as in a sweep."""

from collections.abc import Sequence
from copy import copy

from ludus.core.spec import param
from ludus.tournaments.formats.format import Format, Match, Rounds, shared_evenly
from ludus.tournaments.formats.seatings import rotations


class Gauntlet(Format):
    """One agent, or several, against each of the others, which do not meet without one of them.

    With more than two seats the others fill the rest of them in turn, and every agent has each seat equally often.
    """

    name = "gauntlet"
    can_grow = True
    agent: int = param(1, "number of the agent that plays all others, from 1", low=1)
    runners: int = param(1, "number of agents that run it, from that one on; they do not meet each other", low=1)
    swap: bool = param(True, "play each pairing with all seatings; otherwise these alternate from pairing to pairing")

    def unsuited(self, agents: int, seats: int) -> str | None:
        if seats < 2:
            return "is for games of two players or more, but the game has one: use the format solo"
        if agents < seats:
            return f"needs at least {seats} agents, but there {'is' if agents == 1 else 'are'} {agents}"
        last = self.agent + self.runners - 1
        if last > agents:
            return f"lets agent {last} run it, and there are only {agents} agents"
        if agents - self.runners < seats - 1:
            return f"lets {self.runners} of {agents} agents run it, which leaves too few for the other seats: add some"
        return None

    def for_games(self, games: int, seats: int) -> tuple[Format, int]:
        """One game is played with one seating, more with all."""
        chosen = copy(self)
        chosen.swap = games > 1
        return chosen, shared_evenly(games, seats) if chosen.swap else 1

    @property
    def rotates_seats(self) -> bool:
        return self.swap

    def most_matches(self, agents: int, seats: int) -> int:
        return self.runners * len(self._meetings(agents, seats)) * (seats if self.swap else 1)

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        matches = []
        for turn, others in enumerate(self._meetings(agents, seats)):
            for runner in self._all_runners:
                matches += self._seated(turn, (runner, *others))
        yield matches

    def joining(self, agents: int, seats: int, before: Sequence[Match]) -> list[Match]:
        """Matches with each runner, as many as the others have, and these in turn on the other seats."""
        new, turn = agents - 1, before[-1].round + 1
        others = [agent for agent in range(new) if agent not in self._all_runners]
        matches = []
        for meeting in range(seats - 1):
            begin = meeting * (seats - 2)
            company = [others[(begin + place) % len(others)] for place in range(seats - 2)]
            for runner in self._all_runners:
                matches += self._seated(turn + meeting, (runner, new, *company))
        return matches

    def _seated(self, turn: int, field: tuple[int, ...]) -> list[Match]:
        """The matches of a pairing: with all seatings, or with the one whose turn it is."""
        seatings = rotations(field)
        return [Match(turn, seating) for seating in (seatings if self.swap else [seatings[turn % len(field)]])]

    @property
    def named_places(self) -> slice:
        return slice(self.agent - 1, self.agent - 1 + self.runners)

    @property
    def _all_runners(self) -> range:
        return range(self.agent - 1, self.agent - 1 + self.runners)

    def _meetings(self, agents: int, seats: int) -> list[tuple[int, ...]]:
        """The opponents of each runner in one match: the others in turn, beginning with each; all if they fit."""
        others = [agent for agent in range(agents) if agent not in self._all_runners]
        beginnings = range(1 if len(others) == seats - 1 else len(others))
        return [tuple(others[(first + place) % len(others)] for place in range(seats - 1)) for first in beginnings]
