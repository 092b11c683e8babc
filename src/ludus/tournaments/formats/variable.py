"""A variable round robin: a fraction of the matches of a double one."""

import math

from ludus.core.spec import param
from ludus.tournaments.formats.format import Format, Match, Rounds, shared_evenly
from ludus.tournaments.formats.lots import Lots
from ludus.tournaments.formats.pairing import RANDOM, PairFormat
from ludus.tournaments.formats.round_robin import circle, double

BALANCED = "balanced"


class Variable(PairFormat):
    """A fraction of a double round robin.

    The balanced subset consists of pairings of two matches with the seats swapped, over the rounds of the circle
    method, with the agents in random order: after any match, all have met about equally many others, with each seat
    equally often, and results connect all agents. A random subset is drawn match by match, so that every agent plays at
    least once; ratings from it need more matches.
    """

    name = "variable"
    fraction: float = param(0.5, "share of the matches of a double round robin", low=0.0, high=1.0)
    subset: str = param(BALANCED, "which of its matches", choices=(BALANCED, RANDOM))

    def unsuited(self, agents: int, seats: int) -> str | None:
        if reason := super().unsuited(agents, seats):
            return reason
        # The number that connects all agents, or lets all play.
        needed = 2 * (agents - 1) if self.subset == BALANCED else math.ceil(agents / 2)
        if self.most_matches(agents, seats) >= needed:
            return None
        fraction = math.ceil(100 * needed / (agents * (agents - 1))) / 100
        purpose = "connect all agents" if self.subset == BALANCED else "let all agents play"
        return f"needs {needed} matches to {purpose} ({agents}): use fraction={fraction:g} or more"

    def for_games(self, games: int, seats: int) -> tuple[Format, int]:
        """Each pairing of the balanced subset is played with both seatings."""
        return self, games if self.subset == RANDOM else shared_evenly(games, seats)

    def most_matches(self, agents: int, seats: int) -> int:
        wanted = self.fraction * agents * (agents - 1)
        return round(wanted) if self.subset == RANDOM else 2 * math.ceil(round(wanted / 2, 6))

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        lots = Lots(seed, self.name)
        count = self.most_matches(agents, seats)
        yield _drawn(agents, count, lots) if self.subset == RANDOM else _dealt(agents, count, lots)


def _dealt(agents: int, count: int, lots: Lots) -> list[Match]:
    # Two consecutive rounds of the circle form one path through all agents, so n − 1 pairings connect them.
    places = lots.shuffled(range(agents))
    dealt = []
    for turn, pairs in enumerate(circle(agents)):
        for i, j in pairs:
            dealt += [Match(turn, (places[i], places[j])), Match(turn, (places[j], places[i]))]
    return dealt[:count]


def _drawn(agents: int, count: int, lots: Lots) -> list[Match]:
    every = double(agents)
    order = lots.shuffled(range(agents))
    if agents % 2:
        order.append(order[lots.below(agents - 1)])
    cover = {tuple(lots.shuffled(pair)) for pair in zip(order[::2], order[1::2], strict=True)}
    others = [match.seats for match in every if match.seats not in cover]
    chosen = cover.union(lots.shuffled(others, count - len(cover)))
    return [match for match in every if match.seats in chosen]
