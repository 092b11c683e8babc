"""The history of the store: single episodes of all tournaments, found by what is known of them.

The newest tournament comes first, and in it the episode with the highest key. Names of episodes count from 1.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from ludus.core.errors import InvalidError
from ludus.episode.record import Ending, Key
from ludus.stats.participants import is_game, kind_of
from ludus.store.entries import episode_name

if TYPE_CHECKING:
    from ludus.store import Store, Summary
    from ludus.tournaments.tournament import Tournament

RESULTS = ("won", "tied", "lost")
_AT_ONCE = 1000
_MATCHES_AT_ONCE = 500
_MATCH = ("repetition", "match")


class Wanted(NamedTuple):
    """Facts of the episodes that are looked for; an empty one leaves it open.

    An agent is named by its name, its spec, or the kind of its spec. `result` is that of the agent, `first` the agent
    at the first seat. Times are UTC; `shortest` and `longest` are numbers of plies.
    """

    tournament: int | None = None
    game: str = ""
    agent: str = ""
    opponent: str = ""
    first: str = ""
    result: str = ""
    ending: str = ""
    since: datetime | None = None
    until: datetime | None = None
    shortest: int | None = None
    longest: int | None = None

    def check(self) -> None:
        """Refuse what no episode can have."""
        if self.result and self.result not in RESULTS:
            raise InvalidError(f"'{self.result}' is not a result: write {', '.join(RESULTS)}.")
        if self.result and not self.agent:
            raise InvalidError("Results are filtered for one agent: name the agent too.")
        if self.ending and self.ending not in list(Ending):
            raise InvalidError(f"'{self.ending}' is not an ending: write one of {', '.join(Ending)}.")


class Found(NamedTuple):
    """An episode in the history."""

    tournament: int
    tournament_name: str
    game: str
    key: Key
    episode: str
    """The name that `ludus replay` takes."""
    seats: list[str]
    """Names, seat by seat."""
    scores: list[float]
    ending: Ending
    by: list[int]
    plies: int
    wall: int
    played: datetime


class HistoryPlace(NamedTuple):
    """The place of an episode in the history, after which the next part begins."""

    tournament: int
    key: Key

    def __str__(self) -> str:
        return ".".join(map(str, (self.tournament, *self.key)))

    @classmethod
    def from_text(cls, text: str) -> "HistoryPlace":
        """Read a place as `str` writes it."""
        numbers = [int(part) for part in text.split(".") if part.isdecimal() and len(part) < 10]
        if len(numbers) != 4 or text.count(".") != 3:
            raise InvalidError(f"'{text}' is not a place in the history: leave it out.")
        return cls(numbers[0], Key(*numbers[1:]))


def history(store: "Store", wanted: Wanted, after: HistoryPlace | None = None, most: int = 50) -> list[Found]:
    """At most that many wanted episodes after a place, the newest first."""
    wanted.check()
    found: list[Found] = []
    for summary in reversed(store.tournaments()):
        if not summary.episodes or (after is not None and summary.id > after.tournament):
            continue
        if wanted.tournament not in (None, summary.id) or (wanted.game and not is_game(summary.game, wanted.game)):
            continue
        below = after.key if after is not None and after.tournament == summary.id else None
        for episode in _of_tournament(store, summary, wanted, below):
            found.append(episode)
            if len(found) == most:
                return found
    return found


def _of_tournament(store: "Store", summary: "Summary", wanted: Wanted, below: Key | None) -> Iterator[Found]:
    tournament = store.tournament(summary.id)
    agent, opponent, first = (_numbers(tournament, text) for text in (wanted.agent, wanted.opponent, wanted.first))
    if [] in (agent, opponent, first):
        return
    matches = store.matches(summary.id)
    condition = _condition(wanted, agent, opponent, first)
    parts: Iterator[Sequence[tuple[int, int]] | None] = iter([None])
    if agent or opponent or first or wanted.ending:
        parts = _parts(store.tallies(summary.id).filter(condition), below)
    for part in parts:
        place = below
        while not (read := store.newest(summary.id, place, part, _AT_ONCE)).is_empty():
            place = Key(*read.select(*_MATCH, "number").row(-1))
            seated = read.join(matches.select(*_MATCH, "seats"), on=_MATCH, maintain_order="left")
            for row in seated.filter(condition & _in_range(wanted)).iter_rows(named=True):
                yield _found(summary, tournament, row)
            if len(read) < _AT_ONCE:
                break


def _numbers(tournament: "Tournament", text: str) -> list[int] | None:
    """The agents of a tournament that a text names; None if it names nobody in particular."""
    if not text:
        return None
    return [
        number
        for number, entrant in enumerate(tournament.agents)
        if text in (entrant.name, entrant.spec) or text == kind_of(entrant.spec)
    ]


def _parts(tallies: pl.DataFrame, below: Key | None) -> Iterator[Sequence[tuple[int, int]]]:
    """The matches of some tallies, the last first, a number of them at once."""
    found = tallies.select(_MATCH).unique().sort(_MATCH, descending=True)
    if below is not None:
        found = found.filter(
            (pl.col("repetition") < below.repetition)
            | ((pl.col("repetition") == below.repetition) & (pl.col("match") <= below.match))
        )
    rows = found.rows()
    for begin in range(0, len(rows), _MATCHES_AT_ONCE):
        yield rows[begin : begin + _MATCHES_AT_ONCE]


def _condition(wanted: Wanted, agent: list[int] | None, opponent: list[int] | None, first: list[int] | None) -> pl.Expr:
    """The wanted facts that tallies have too, for frames with seats, scores and ending."""
    seats, scores = pl.col("seats"), pl.col("scores")
    found = pl.lit(True)
    if agent is not None:
        found &= seats.list.eval(pl.element().is_in(agent)).list.any()
    if opponent is not None:
        # An agent with two seats meets itself only if both are asked for.
        found &= seats.list.eval(pl.element().is_in(opponent)).list.any()
        if agent is not None:
            both = list({*agent, *opponent})
            found &= seats.list.eval(pl.element().is_in(both)).list.sum() > 1
    if first is not None:
        found &= seats.list.first().is_in(first)
    if wanted.ending:
        found &= pl.col("ending") == wanted.ending
    if wanted.result and agent is not None:
        own = scores.list.gather(seats.list.eval(pl.element().is_in(agent).arg_true())).list.max()
        alone = scores.list.eval(pl.element() == pl.element().max()).list.sum() == 1
        first_place = own == scores.list.max()
        found &= {"won": first_place & alone, "tied": first_place & ~alone, "lost": ~first_place}[wanted.result]
        found &= pl.col("ending") != Ending.MACHINE
    return found


def _in_range(wanted: Wanted) -> pl.Expr:
    """The wanted facts that only episodes have."""
    found = pl.lit(True)
    if wanted.since is not None:
        found &= pl.col("played") >= wanted.since
    if wanted.until is not None:
        found &= pl.col("played") < wanted.until
    if wanted.shortest is not None:
        found &= pl.col("plies") >= wanted.shortest
    if wanted.longest is not None:
        found &= pl.col("plies") <= wanted.longest
    return found


def _found(summary: "Summary", tournament: "Tournament", row: dict[str, Any]) -> Found:
    key = Key(*(row.pop(name) for name in Key._fields))
    row["seats"] = [tournament.agents[number].name for number in row["seats"]]
    row["ending"] = Ending(row["ending"])
    name = episode_name(summary.id, key, tournament.repetitions)
    return Found(summary.id, summary.name, summary.game, key, name, **row)
