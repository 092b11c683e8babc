"""Round robins: every pair of agents meets, dealt in rounds by the circle method."""

from ludus.tournaments.formats.format import Match, Rounds
from ludus.tournaments.formats.pairing import PairFormat


class SingleRoundRobin(PairFormat):
    """Every pair of agents meets once.

    The first move is shared evenly: the numbers of first and second moves of an agent differ by at most one.
    """

    name = "single-round-robin"

    def most_matches(self, agents: int, seats: int) -> int:
        return agents * (agents - 1) // 2

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        yield single(agents)


class DoubleRoundRobin(PairFormat):
    """Every pair of agents meets twice, once with each seating."""

    name = "double-round-robin"

    def most_matches(self, agents: int, seats: int) -> int:
        return agents * (agents - 1)

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        yield double(agents)


def circle(agents: int) -> list[list[tuple[int, int]]]:
    """The rounds of the circle method, each a list of pairs (first mover, other); no agent is twice in a round.

    With an odd number of agents, one of them has no opponent in each round.
    """
    size = agents - 1 + agents % 2
    last = agents - 1
    rounds = []
    for turn in range(size):
        pairs = []
        for i in range(size):
            j = (turn - i) % size
            if 1 <= (j - i) % size <= (size - 1) // 2:
                pairs.append((i, j))
            elif i == j and agents % 2 == 0:
                pairs.append((i, last) if turn % 2 == 0 else (last, i))
        rounds.append(pairs)
    return rounds


def single(agents: int) -> list[Match]:
    """The matches of a single round robin."""
    return [Match(turn, pair) for turn, pairs in enumerate(circle(agents)) for pair in pairs]


def double(agents: int) -> list[Match]:
    """The matches of a double round robin: the single one, then every match again with the seats swapped."""
    there = single(agents)
    turns = there[-1].round + 1
    return there + [Match(turns + match.round, match.seats[::-1]) for match in there]
