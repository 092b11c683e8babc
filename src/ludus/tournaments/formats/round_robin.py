"""Round robins: every pair of agents meets, dealt in rounds by the circle method."""

from collections.abc import Sequence

from ludus.tournaments.formats.format import Format, Match, Rounds, shared_evenly
from ludus.tournaments.formats.pairing import PairFormat


class SingleRoundRobin(PairFormat):
    """Every pair of agents meets once.

    The first move is shared evenly: the numbers of first and second moves of an agent differ by at most one.
    """

    name = "single-round-robin"
    can_grow = True

    def for_games(self, games: int, seats: int) -> tuple[Format, int]:
        """One game is that of a single round robin; more are shared by both seatings."""
        return (SingleRoundRobin(), 1) if games == 1 else (DoubleRoundRobin(), shared_evenly(games, seats))

    def most_matches(self, agents: int, seats: int) -> int:
        return agents * (agents - 1) // 2

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        yield single(agents)

    def joining(self, agents: int, seats: int, before: Sequence[Match]) -> list[Match]:
        """One match with each of the others: those with more first moves so far move second, and equals in turn."""
        new, turn = agents - 1, before[-1].round + 1
        matches: list[Match] = []
        firsts = 0
        for other in range(new):
            lead = sum((match.seats[0] == other) - (match.seats[1] == other) for match in before)
            moves_first = lead > 0 or (lead == 0 and 2 * firsts <= len(matches))
            firsts += moves_first
            matches.append(Match(turn + other, (new, other) if moves_first else (other, new)))
        return matches


class DoubleRoundRobin(PairFormat):
    """Every pair of agents meets twice, once with each seating."""

    name = "double-round-robin"
    can_grow = True

    def for_games(self, games: int, seats: int) -> tuple[Format, int]:
        """One game is that of a single round robin; more are shared by both seatings."""
        return (SingleRoundRobin(), 1) if games == 1 else (DoubleRoundRobin(), shared_evenly(games, seats))

    def most_matches(self, agents: int, seats: int) -> int:
        return agents * (agents - 1)

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        yield double(agents)

    def joining(self, agents: int, seats: int, before: Sequence[Match]) -> list[Match]:
        """Two matches with each of the others, with both seatings."""
        new, turn = agents - 1, before[-1].round + 1
        there = [Match(turn + other, (other, new)) for other in range(new)]
        return there + [Match(turn + new + other, (new, other)) for other in range(new)]


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
