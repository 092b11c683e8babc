"""The matches of a tournament as its content determines them, agents that joined later included."""

from collections.abc import Sequence

from ludus.tournaments.formats import Format, Match, Rounds
from ludus.tournaments.tournament import Tournament


def arranged(tournament: Tournament, format: Format, seats: int, repetition: int) -> Rounds:
    """The rounds of a repetition: those of the agents that it began with, then the matches of each one that joined.

    Old matches keep their numbers, so that the keys of their episodes, and what derives from these, stay valid.
    """
    seed = tournament.format_seed(repetition)
    rounds = format.schedule(tournament.began_with, seats, seed)
    return rounds if tournament.founders is None else _grown(tournament, format, seats, next(rounds))


def most_matches(tournament: Tournament, format: Format, seats: int) -> int:
    """Number of matches of a repetition; the maximum if it depends on results."""
    if tournament.founders is None:
        return format.most_matches(len(tournament.agents), seats)
    return len(next(arranged(tournament, format, seats, 0)))


def _grown(tournament: Tournament, format: Format, seats: int, first: Sequence[Match]) -> Rounds:
    matches = list(first)
    for agents in range(tournament.began_with + 1, len(tournament.agents) + 1):
        matches += format.joining(agents, seats, matches)
    yield matches
