"""Series of episodes between the same agents."""

import statistics
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, overload

from ludus.api.arguments import AgentLike, GameLike, field_here, game_of, refuse_awaited
from ludus.api.episode_view import Episode
from ludus.api.keywords import PlayOptions, documented, given
from ludus.api.progress_note import progress_note
from ludus.core.paths import write_file
from ludus.episode.record import Record
from ludus.run.series import Series, about
from ludus.stats.tally import Tally
from ludus.tournaments.plan import EPISODES
from ludus.tournaments.run_options import RunOptions

if TYPE_CHECKING:
    import polars as pl


@documented(PlayOptions)
def play(
    game: GameLike,
    agents: Iterable[AgentLike],
    *,
    episodes: int = 1,
    progress: bool | None = None,
    **options: Unpack[PlayOptions],
) -> "Episodes":
    """Play episodes between agents in this process, without storing them.

    The agents take turns in the seats. The episodes of one such rotation share an opening.

    Args:
        game: A spec such as `"hex:size=5"`, or an instance of a game, also of a class defined in a notebook.
        agents: One for each seat: specs such as `"mcts:time=1s"` or `"./mybot"`, and instances, also of classes
            defined in a notebook.
        episodes: How many episodes to play.
        progress: Whether to show progress; by default a notebook and Python's prompt do, and a script does not.
        options: The seed, how episodes start, and the limits of the players, as listed below.

    Returns:
        The episodes, with their records, tables and boards.

    Raises:
        LudusError: The game, an agent or an option cannot be used; the message says what to do.

    Example:
        >>> games = ludus.play("tic-tac-toe", ["mcts:simulations=50", "random"], episodes=10, seed=1)
        >>> len(games)
        10
        >>> games[0].agents
        ['mcts:simulations=50', 'random']
    """
    found = given(options, PlayOptions)
    field = field_here(agents)
    refuse_awaited(field)
    count = EPISODES.checked("episodes", episodes)
    series = Series(game_of(game, len(field)), field, found.limits, RunOptions(**found.options))
    records = []
    with progress_note(progress) as show, series.seated():
        show(f"Compiling {series.game.spec()} and its agents …", 0)
        series.prepare()
        for number in range(count):
            records.append(series.play(number))
            show(f"{number + 1:,} of {count:,} episodes", (number + 1) / count)
    return Episodes(series, records)


class Episodes(Sequence[Episode]):
    """The episodes of one series, in the order in which they were played.

    A notebook shows how each agent did, and the end of the last episode.
    """

    def __init__(self, series: Series, records: Sequence[Record]) -> None:
        self.game = series.game
        """The game."""
        self.agents = series.names
        """The names of the agents, in the order in which they were given."""
        self.seed = series.seed
        """The seed: with it, the same call plays the same episodes, if the agents think the same."""
        self.records = list(records)
        """The records of the episodes."""
        self._seatings = [series.seating(number) for number in range(len(self.records))]

    @cached_property
    def table(self) -> "pl.DataFrame":
        """The results of each agent, with times in nanoseconds.

        The columns are agent, episodes, wins, ties, losses, score (wins and half the ties; with several players the
        share of the points for places), points (the sum of its scores in the game), moves, time (mean) and slowest. A
        game of one player has agent, episodes, points (mean), median, best, moves, time and slowest.
        """
        import polars as pl

        counts = self._tally.counts()
        columns: dict[str, list[Any]] = {"agent": self.agents, "episodes": [len(self)] * len(self.agents)}
        scores = [line.scores for line in self._tally.lines]
        if len(self.agents) > 1:
            for name in ("wins", "ties", "losses"):
                columns[name] = getattr(counts, name).sum(1).tolist()
            columns["score"] = (counts.points.sum(1) / len(self)).tolist()
        columns["points"] = [*map(sum if len(self.agents) > 1 else statistics.fmean, scores)]
        if len(self.agents) == 1:
            columns |= {"median": [*map(statistics.median, scores)], "best": [*map(max, scores)]}
        columns["moves"] = [line.moves for line in self._tally.lines]
        columns["time"] = [line.wall / line.moves if line.moves else None for line in self._tally.lines]
        columns["slowest"] = [line.slowest if line.moves else None for line in self._tally.lines]
        return pl.DataFrame(columns, schema_overrides={"time": pl.Float64, "slowest": pl.Int64})

    @cached_property
    def by_seat(self) -> "pl.DataFrame":
        """The results of each agent from each seat: agent, seat (from 1), episodes, wins, ties, losses."""
        import polars as pl

        counts, seats = self._tally.counts(), range(self.game.seats)
        names = ("episodes", "wins", "ties", "losses")
        rows = [
            (agent, seat + 1, *(int(getattr(counts, name)[number, seat]) for name in names))
            for number, agent in enumerate(self.agents)
            for seat in seats
        ]
        types = {"agent": pl.String, "seat": pl.Int64, **dict.fromkeys(names, pl.Int64)}
        return pl.DataFrame(rows, types, orient="row")

    def save(self, file: str | PathLike[str]) -> None:
        """Write the records, one line of JSON each: `ludus.replay(file, number=2)` reads the second one."""
        write_file(Path(file), "".join(f"{record.to_json()}\n" for record in self.records))

    @cached_property
    def _tally(self) -> Tally:
        tally = Tally(self.agents)
        for record, seating in zip(self.records, self._seatings, strict=True):
            tally.add(record, seating)
        return tally

    def __len__(self) -> int:
        return len(self.records)

    @overload
    def __getitem__(self, place: int) -> Episode: ...
    @overload
    def __getitem__(self, place: slice) -> list[Episode]: ...
    def __getitem__(self, place: int | slice) -> Episode | list[Episode]:
        if isinstance(place, slice):
            return [Episode(record, self.game) for record in self.records[place]]
        if not -len(self) <= place < len(self):
            raise IndexError(f"There is no episode {place}: there are {len(self)}, from 0 to {len(self) - 1}.")
        return Episode(self.records[place], self.game)

    def __iter__(self) -> Iterator[Episode]:
        return (Episode(record, self.game) for record in self.records)

    def __repr__(self) -> str:
        return f"<{about(self.game, len(self), self.seed)} Agents: {', '.join(self.agents)}>"

    def _repr_html_(self) -> str:
        from ludus.views.page.fragment import Folded, fragment
        from ludus.views.page.html_tables import Shown, table
        from ludus.views.run_columns import BY_SEAT
        from ludus.views.run_columns import series as columns

        agents = {name: Shown(name, "") for name in self.agents}
        parts: list[Any] = [table(self.table, columns(len(self.agents)), agents)]
        if 1 < len(self.agents) <= len(self):
            parts.append(Folded("By seat", table(self.by_seat, BY_SEAT, agents)))
        last = self[-1]
        ended = f"The last episode: {last.outcome}" if len(self) > 1 else last.outcome
        notes = [note for note in (self._tally.stopped(), *self._tally.faults()) if note]
        return fragment(about(self.game, len(self), self.seed), *parts, *notes, ended, last[-1].picture())
