"""Knockout: the loser of a pairing is eliminated."""

from collections.abc import Iterable, Sequence

from ludus.core.spec import param
from ludus.tournaments.formats.format import Match, Result, Rounds
from ludus.tournaments.formats.lots import Lots
from ludus.tournaments.formats.pairing import FIELD, SEEDING, PairFormat, seeded


class Knockout(PairFormat):
    """The loser of each pairing is eliminated, until one agent is left.

    The best seeds skip the first round if the field does not fill it, and the best two can meet only in the final. A
    tie is played again with the seats swapped; if it stays a tie, the better seed advances. The agent with fewer first
    moves so far moves first; equals are decided at random.
    """

    name = "knockout"
    swap: bool = param(False, "also play each pairing with the seats swapped, not only after a tie")
    seeding: str = param(FIELD, "seeding of the agents: in the order of the field, or at random", choices=SEEDING)

    def most_matches(self, agents: int, seats: int) -> int:
        return 2 * (agents - 1)

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        lots = Lots(seed, self.name)
        field = seeded(agents, self.seeding, lots)
        first_moves = [0] * agents
        standing = bracket(agents)
        turn = 0
        while len(standing) > 1:
            meetings = [(min(pair), max(pair)) for pair in zip(standing[::2], standing[1::2], strict=True)]
            legs = []
            for better, worse in meetings:
                if worse >= agents:
                    continue
                lead = first_moves[better] - first_moves[worse] or lots.below(2) * 2 - 1
                first, second = (better, worse) if lead < 0 else (worse, better)
                first_moves[first] += 1
                legs.append((first, second))
            back = [(second, first) for first, second in legs]
            points = [0.0] * agents
            _add(points, field, (yield _matches(turn, field, legs + back * self.swap)))
            tied = [] if self.swap else [(i, j) for i, j in back if points[i] == points[j]]
            if tied:
                for first, _ in tied:
                    first_moves[first] += 1
                _add(points, field, (yield _matches(turn, field, tied)))
            standing = [
                better if worse >= agents or points[better] >= points[worse] else worse for better, worse in meetings
            ]
            turn += 1

    def winner(self, agents: int, seed: int, last_round: Sequence[Result]) -> int:
        """The agent with more points in the final; of equals, the better seed."""
        seeds = seeded(agents, self.seeding, Lots(seed, self.name))
        points = [0.0] * agents
        _add(points, seeds, last_round)
        best = max(map(seeds.index, last_round[0].match.seats), key=lambda place: (points[place], -place))
        return seeds[best]


def bracket(agents: int) -> list[int]:
    """The seeds from 0 on, in the order in which neighbours meet; seeds beyond the agents are byes."""
    order = [0]
    while len(order) < agents:
        order = [seed for better in order for seed in (better, 2 * len(order) - 1 - better)]
    return order


def _matches(turn: int, field: Sequence[int], seatings: Iterable[tuple[int, int]]) -> list[Match]:
    return [Match(turn, (field[first], field[second])) for first, second in seatings]


def _add(points: list[float], field: Sequence[int], results: Iterable[Result]) -> None:
    """Add the points of the results to those of the seeds."""
    for result in results:
        for agent, gained in zip(result.match.seats, result.points, strict=True):
            points[field.index(agent)] += gained
