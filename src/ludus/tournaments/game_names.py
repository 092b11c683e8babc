"""Names of games: ROUND_MATCH_GAME, as in logs and in what bots are told."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import NamedTuple

from ludus.tournaments.tournament import Tournament

_LONGEST = 60


class NamedMatch(NamedTuple):
    """A match of certain players: the name of their first one, and the number of games that they played before."""

    name: str
    before: int

    def game(self, number: int) -> str:
        """The name of the game with this number in the match, which counts from 0."""
        return f"{self.name}_{self.before + number + 1}"


class MatchNames:
    """The matches of a tournament, added in their order.

    Matches of the same players are one meeting: it has the round of the first, and a number within that round. Its
    games are counted on, with any seats. With repetitions, the number of the repetition stands before the round.
    """

    def __init__(self, tournament: Tournament) -> None:
        self._episodes = tournament.episodes
        self._repeated = tournament.repetitions > 1
        self._names: dict[tuple[int, frozenset[Hashable]], str] = {}
        self._in_round: Counter[tuple[int, int]] = Counter()
        self._matches: Counter[str] = Counter()

    def add(self, repetition: int, round: int, players: Iterable[Hashable]) -> NamedMatch:
        """Add a match; repetition and round count from 0."""
        key = repetition, frozenset(players)
        if key not in self._names:
            self._in_round[repetition, round] += 1
            prefix = f"{repetition + 1}_" if self._repeated else ""
            self._names[key] = f"{prefix}{round + 1}_{self._in_round[repetition, round]}"
        name = self._names[key]
        self._matches[name] += 1
        return NamedMatch(name, (self._matches[name] - 1) * self._episodes)


def file_name(name: str) -> str:
    """The name of a tournament as part of file names."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.")[:_LONGEST] or "tournament"
