"""A tournament in the store: its content, its agents, and how far it has been played."""

from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from ludus.core.spec import protocols_for, split_command
from ludus.stats.endings import Faulty, faulty
from ludus.stats.evidence import Evidence
from ludus.stats.format_results import FormatResults
from ludus.store.server_games import is_loose
from ludus.tournaments.arrangement import most_matches
from ludus.tournaments.formats import format_from

if TYPE_CHECKING:
    from ludus.games.game import Game
    from ludus.store import Sitting, Store, Summary
    from ludus.tournaments.tournament import Tournament

_COUNTED = ("repetition", "match", "number", "seat", "round")


class StoredTournament:
    """One tournament, finished or not."""

    def __init__(self, store: "Store", id: int) -> None:
        self.id = id
        self._store = store

    @cached_property
    def tournament(self) -> "Tournament":
        """The content of the tournament."""
        return self._store.tournament(self.id)

    @cached_property
    def summary(self) -> "Summary":
        """Time of creation, state and number of stored episodes."""
        return self._store.summary(self.id)

    @cached_property
    def sittings(self) -> "list[Sitting]":
        """Times at which it was played, with the numbers of workers and cores."""
        return self._store.sittings(self.id)

    @cached_property
    def game(self) -> "Game":
        """The game."""
        from ludus.games.game import game_from  # imports the compiler, which is slow

        return game_from(self.tournament.game)

    @cached_property
    def seats(self) -> int:
        """Number of players of an episode; known from the matches even if the game is missing."""
        seated = self._store.matches(self.id, most=1)["seats"]
        return len(seated[0]) if len(seated) else self.game.seats

    @property
    def agents(self) -> list[str]:
        """The names of the agents, in the order of the field."""
        return [entrant.name for entrant in self.tournament.agents]

    @property
    def has_bots(self) -> bool:
        """True if bots take part."""
        specs = [entrant.spec for entrant in self.tournament.agents]
        return any(split_command(spec, protocols_for(spec))[1] is not None for spec in specs)

    @property
    def seats_rotate(self) -> bool:
        """True if the format gives every agent each seat equally often, with more than two players."""
        return not is_loose(self.tournament) and format_from(self.tournament.format).rotates_seats

    @property
    def matches(self) -> int:
        """Number of matches of all repetitions; before the end the maximum, if it depends on results."""
        if self.summary.finished:
            return len(self._evidence.seatings)
        most = most_matches(self.tournament, format_from(self.tournament.format), self.seats)
        return most * self.tournament.repetitions

    @property
    def planned(self) -> int:
        """Number of episodes in the end; before it the maximum, if it depends on results."""
        return self.played if self.summary.finished else self.matches * self.tournament.episodes

    @property
    def is_cut_short(self) -> bool:
        """True if it was finished before all episodes of its matches were played, as a comparison is."""
        return self.summary.finished is not None and self.played < self.matches * self.tournament.episodes

    @property
    def played(self) -> int:
        """Number of stored episodes."""
        return int(self._evidence.tallies["episodes"].sum())

    @property
    def duplicates(self) -> int:
        """Number of episodes that repeat an earlier one, with nothing random in them: ratings leave them out."""
        return self._evidence.duplicates

    @property
    def repeating(self) -> list[list[str]]:
        """The agents of pairings that count as random although all their games from one opening are equal."""
        return [[self.agents[number] for number in group] for group in self._evidence.repeating]

    @property
    def faulty(self) -> Faulty:
        """Number of episodes that ended by faults, in all and of each agent, and the command that lists the faults."""
        return faulty(self._evidence.tallies, self.agents, [self.id])

    @property
    def complete_repetitions(self) -> list[int]:
        """The complete repetitions."""
        return [number + 1 for number in self._evidence.complete()]

    @property
    def winners(self) -> list[str]:
        """The winner of each complete repetition, if the format has one, as a knockout does."""
        return [self.agents[winner] for winner in self.by_format.winners()]

    @cached_property
    def by_format(self) -> FormatResults:
        """The results by the rules of the format."""
        return FormatResults(self.tournament, self._evidence)

    @cached_property
    def _evidence(self) -> Evidence:
        return Evidence(self._store, self.id, finished=self.summary.finished is not None)

    def _named(self, frame: pl.DataFrame, *columns: str) -> pl.DataFrame:
        """The frame for people: these columns hold names, and counting starts at 1."""
        numbers, names = list(range(len(self.agents))), self.agents
        name = pl.element().replace_strict(numbers, names, return_dtype=pl.String)
        return frame.with_columns(
            *(
                pl.col(column).list.eval(name)
                if frame.schema[column] == pl.List
                else pl.col(column).replace_strict(numbers, names, return_dtype=pl.String)
                for column in columns
            ),
            *(pl.col(column) + 1 for column in _COUNTED if column in frame.columns),
        )
