"""A tournament without a game: results drawn from strengths."""

import random
from collections import Counter
from collections.abc import Callable
from itertools import combinations

from ludus.tournaments.formats import format_from
from ludus.tournaments.formats.format import Match, Result

Outcome = Callable[[Match], tuple[float, ...]]


def by_strength(agents: int, seed: int = 0, episodes: int = 1) -> Outcome:
    """Agent 0 is the strongest, and the others follow; luck decides single episodes, and some are ties."""
    draw = random.Random(seed)

    def outcome(match: Match) -> tuple[float, ...]:
        points = [0.0] * len(match.seats)
        for _ in range(episodes):
            form = [round(draw.gauss(-4 * agent / agents, 1)) for agent in match.seats]
            for seat, mine in enumerate(form):
                others = form[:seat] + form[seat + 1 :]
                points[seat] += sum((mine > other) + (mine == other) / 2 for other in others) / max(1, len(others))
        return tuple(points)

    return outcome


def stronger_wins(match: Match) -> tuple[float, ...]:
    """The agent with the smaller number wins, whatever the seats."""
    return tuple(float(agent == min(match.seats)) for agent in match.seats)


def always_tied(match: Match) -> tuple[float, ...]:
    return tuple(0.5 for _ in match.seats)


def rounds_of(
    text: str, agents: int, seats: int = 2, seed: int = 0, outcome: Outcome = stronger_wins
) -> list[list[Result]]:
    """Matches of a format, after it has received the results of earlier ones."""
    rounds = format_from(text).schedule(agents, seats, seed)
    played: list[list[Result]] = []
    matches = next(rounds)
    while True:
        played.append([Result(match, outcome(match)) for match in matches])
        try:
            matches = rounds.send(played[-1])
        except StopIteration:
            return played


def matches_of(text: str, agents: int, seats: int = 2, seed: int = 0, outcome: Outcome = stronger_wins) -> list[Match]:
    """All matches of a format, in order."""
    return [result.match for results in rounds_of(text, agents, seats, seed, outcome) for result in results]


def meetings(matches: list[Match]) -> Counter[tuple[int, int]]:
    """The number of meetings of each pair, the smaller number first."""
    return Counter(pair for match in matches for pair in combinations(sorted(match.seats), 2))


def seat_counts(matches: list[Match]) -> Counter[tuple[int, int]]:
    """The number of matches of each (agent, seat)."""
    return Counter((agent, seat) for match in matches for seat, agent in enumerate(match.seats))


def connected(agents: int, matches: list[Match]) -> bool:
    """True if the matches connect all agents."""
    group = list(range(agents))
    for match in matches:
        joined, other = group[match.seats[0]], group[match.seats[1]]
        group = [joined if g == other else g for g in group]
    return len(set(group)) == 1
