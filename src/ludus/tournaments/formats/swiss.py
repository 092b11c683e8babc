"""Swiss system: round by round, agents with about equal scores meet."""

import logging
import math
from collections.abc import Sequence
from copy import copy
from typing import Any

from caissify_pairings import generate_pairings  # type: ignore[import-untyped]

from ludus.core.spec import param
from ludus.tournaments.formats.format import Format, Match, Pairing, Result, Rounds, shared_evenly
from ludus.tournaments.formats.lots import Lots
from ludus.tournaments.formats.pairing import FIELD, SEEDING, SeededFormat

# Without a handler, the library would print warnings about unavoidable byes.
logging.getLogger("caissify_pairings").addHandler(logging.NullHandler())

MOST_AGENTS = 200
"""Limit on the field: pairing one round of this many takes the library most of a minute, and far longer for more."""


class Swiss(SeededFormat):
    """Round by round, agents with about equal scores meet, never twice the same: the Dutch system of chess.

    A pairing gives 1 point, or ½ to each on a tie, whatever the number of its episodes. An agent without an opponent
    skips the round and gets 1 point: this happens to one agent per round if their number is odd, and to more if there
    are more rounds than half the number of agents.
    """

    name = "swiss"
    depends_on_results = True
    orders = ("points", "buchholz")
    rounds: int | None = param(
        None, "number of rounds; by default two more than needed for a winner, at most half the number of agents", low=1
    )
    swap: bool = param(False, "also play each pairing with the seats swapped")
    seeding: str = param(FIELD, f"order of agents with equal points: {SEEDING}")

    def unsuited(self, agents: int, seats: int) -> str | None:
        if reason := super().unsuited(agents, seats):
            return reason
        if agents > MOST_AGENTS:
            return f"takes too long to pair more than {MOST_AGENTS} agents, but there are {agents}: use variable"
        most = agents - 1 + agents % 2
        if self._turns(agents) > most:
            return f"has at most {most} rounds for {agents} agents, because no pair meets twice"
        return None

    def for_games(self, games: int, seats: int) -> tuple[Format, int]:
        """One game is played with one seating, more with all."""
        chosen = copy(self)
        chosen.swap = games > 1
        return chosen, shared_evenly(games, seats) if chosen.swap else 1

    def most_matches(self, agents: int, seats: int) -> int:
        return self._turns(agents) * (agents // 2) * (1 + self.swap)

    def _turns(self, agents: int) -> int:
        if self.rounds is not None:
            return self.rounds
        if agents == 3:
            return 3  # one has no opponent each time, and all should meet
        return max(1, min(math.ceil(math.log2(agents)) + 2, agents // 2))

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        lots = Lots(seed, self.name)
        field = self.seeds(agents, lots)
        colour = ("white", "black")[lots.below(2)]
        players = [_player(number) for number in range(1, agents + 1)]
        met: set[tuple[int, int]] = set()
        turns = self._turns(agents)
        for turn in range(turns):
            paired = generate_pairings("dutch", players, met, turn + 1, turns, initial_color=colour)
            byes = [players[pair["white_id"] - 1] for pair in paired if pair["black_id"] is None]
            pairs = [(pair["white_id"], pair["black_id"]) for pair in paired if pair["black_id"] is not None]
            if not pairs:  # all have met, or must not meet
                return
            seatings = pairs + [(black, white) for white, black in pairs] * self.swap
            results = yield [Match(turn, (field[white - 1], field[black - 1])) for white, black in seatings]
            leads = [result.points[0] - result.points[1] for result in results]
            for place, (white, black) in enumerate(pairs):
                back = leads[len(pairs) + place] if self.swap else 0.0
                _note(players[white - 1], players[black - 1], leads[place] - back)
                met.add((white, black))
            for player in byes:
                player["score"] += 1.0
                player["bye_count"] += 1
                player["color_hist"].append("none")
                player["float_history"].append("down")

    def pairings(self, agents: int, seed: int, results: Sequence[Result], *, ended: bool = True) -> list[Pairing]:
        """The rounds in order; agents without an opponent come last, once their round is over."""
        last = max((result.match.round for result in results), default=0)
        found = []
        for turn in range(last + 1):
            decided = turn < last or ended
            points: dict[frozenset[int], dict[int, float]] = {}
            for result in results:
                if result.match.round == turn:
                    met = points.setdefault(frozenset(result.match.seats), dict.fromkeys(result.match.seats, 0.0))
                    for agent, gained in zip(result.match.seats, result.points, strict=True):
                        met[agent] += gained
            for met in points.values():
                one, other = met.values()
                found.append(Pairing(turn, tuple(met), (one, other), _worth(one - other) if decided else ()))
            if points and decided:
                idle = sorted(set(range(agents)).difference(*points))
                found += [Pairing(turn, (agent,), (), (1.0,)) for agent in idle]
        return found

    def tallied(self, agents: int, pairings: Sequence[Pairing]) -> dict[str, list[float]]:
        """Points, then Buchholz: the sum of the points of all opponents; and the number of rounds without one."""
        points, byes = [0.0] * agents, [0.0] * agents
        for pairing in pairings:
            for agent, gained in zip(pairing.agents, pairing.gained, strict=False):
                points[agent] += gained
                byes[agent] += len(pairing.agents) == 1
        buchholz = [0.0] * agents
        for pairing in pairings:
            if len(pairing.agents) == 2:
                one, other = pairing.agents
                buchholz[one] += points[other]
                buchholz[other] += points[one]
        return {"points": points, "buchholz": buchholz, "byes": byes}


def _worth(lead: float) -> tuple[float, float]:
    """The value of a pairing for the one with this lead in points, and for the other."""
    mine = 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
    return mine, 1.0 - mine


def _player(number: int) -> dict[str, Any]:
    """A player in the form of the library."""
    return {
        "id": number,
        "name": "",
        "rating": 0,
        "starting_number": number,
        "pairing_number": number,
        "score": 0.0,
        "color_hist": [],
        "float_history": [],
        "bye_count": 0,
    }


def _note(white: dict[str, Any], black: dict[str, Any], ahead: float) -> None:
    """Record a game that white won if `ahead` is above 0."""
    above = white["score"] - black["score"]
    of_white, of_black = _worth(ahead)
    for player, colour, worth, floated in ((white, "white", of_white, above), (black, "black", of_black, -above)):
        player["color_hist"].append(colour)
        player["float_history"].append("down" if floated > 0 else "up" if floated < 0 else "none")
        player["score"] += worth
