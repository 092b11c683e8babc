"""Knockout: the loser of a pairing is eliminated."""

from collections.abc import Iterable, Sequence
from copy import copy

from ludus.core.spec import param
from ludus.tournaments.formats.format import Format, Match, Pairing, Result, Rounds, shared_evenly
from ludus.tournaments.formats.lots import Lots
from ludus.tournaments.formats.pairing import FIELD, SEEDING, SeededFormat


class Knockout(SeededFormat):
    """The loser of each pairing is eliminated, until one agent is left.

    The best seeds skip the first round if the field does not fill it, and the best two can meet only in the final. A
    tie is played again with the seats swapped; if it stays a tie, the better seed advances. The agent with fewer first
    moves so far moves first; equals are decided at random.
    """

    name = "knockout"
    depends_on_results = True
    orders = ("place",)
    swap: bool = param(False, "also play each pairing with the seats swapped, not only after a tie")
    seeding: str = param(FIELD, f"seeds from the best to the last: {SEEDING}")

    def for_games(self, games: int, seats: int) -> tuple[Format, int]:
        """One game is played with one seating, more with all."""
        chosen = copy(self)
        chosen.swap = games > 1
        return chosen, shared_evenly(games, seats) if chosen.swap else 1

    def most_matches(self, agents: int, seats: int) -> int:
        return 2 * (agents - 1)

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        lots = Lots(seed, self.name)
        field = self.seeds(agents, lots)
        first_moves = [0] * agents
        standing = bracket(agents)
        turn = 0
        while len(standing) > 1:
            meetings = _meetings(standing)
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
            standing = _advancing(meetings, points)
            turn += 1

    def round_name(self, agents: int, round: int) -> str:
        pairings = len(bracket(agents)) >> (round + 1)
        named = {1: "final", 2: "semi-finals", 4: "quarter-finals"}
        return named.get(pairings, f"round of {2 * pairings}")

    def pairings(self, agents: int, seed: int, results: Sequence[Result], *, ended: bool = True) -> list[Pairing]:
        """The bracket from the first round on, in each round from top to bottom."""
        field = self.seeds(agents, Lots(seed, self.name))
        last = max((result.match.round for result in results), default=0)
        standing = bracket(agents)
        found = []
        for turn in range(last + 1):
            points = [0.0] * agents
            _add(points, field, (result for result in results if result.match.round == turn))
            meetings = _meetings(standing)
            standing = _advancing(meetings, points)
            for (better, worse), winner in zip(meetings, standing, strict=True):
                gained = (float(winner == better), float(winner == worse)) if turn < last or ended else ()
                if worse >= agents:
                    found.append(Pairing(turn, (field[better],), (), (1.0,)))
                else:
                    of_both = (points[better], points[worse])
                    found.append(Pairing(turn, (field[better], field[worse]), of_both, gained))
        return found

    def tallied(self, agents: int, pairings: Sequence[Pairing]) -> dict[str, list[float]]:
        """The best place that is certain: 1 for the winner, 2 for the other finalist, 3 in the semi-finals, 5 …"""
        places = [1.0] * agents
        for round, met, _, gained in pairings:
            below = (len(bracket(agents)) >> (round + 1)) + 1.0
            for agent, value in zip(met, gained or (0.0,) * len(met), strict=True):
                places[agent] = 1.0 if value else below
        return {"place": places}


def bracket(agents: int) -> list[int]:
    """The seeds from 0 on, in the order in which neighbours meet; seeds beyond the agents are byes."""
    order = [0]
    while len(order) < agents:
        order = [seed for better in order for seed in (better, 2 * len(order) - 1 - better)]
    return order


def _meetings(standing: Sequence[int]) -> list[tuple[int, int]]:
    """The seeds that meet next, the better one first."""
    return [(min(pair), max(pair)) for pair in zip(standing[::2], standing[1::2], strict=True)]


def _advancing(meetings: Iterable[tuple[int, int]], points: Sequence[float]) -> list[int]:
    """The seed of each meeting that goes on: the one with more points, of equals the better; seeds alone go on too."""
    return [better if worse >= len(points) or points[better] >= points[worse] else worse for better, worse in meetings]


def _matches(turn: int, field: Sequence[int], seatings: Iterable[tuple[int, int]]) -> list[Match]:
    return [Match(turn, (field[first], field[second])) for first, second in seatings]


def _add(points: list[float], field: Sequence[int], results: Iterable[Result]) -> None:
    """Add the points of the results to those of the seeds."""
    for result in results:
        for agent, gained in zip(result.match.seats, result.points, strict=True):
            points[field.index(agent)] += gained
