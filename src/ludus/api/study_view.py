"""Studies of a field: the effect of seats, openings, fewer matches and chance; and the clock of this machine."""

import itertools
from collections.abc import Iterable, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack

import polars as pl

from ludus.api.arguments import AgentLike, GameLike
from ludus.api.keywords import TournamentOptions, documented, given
from ludus.api.progress_note import progress_note
from ludus.api.tournament_view import Results, load, planned_from, run_planned, url_of
from ludus.core.errors import InvalidError
from ludus.core.paths import check_target, write_file
from ludus.run.study_plans import as_stored, plan_study
from ludus.store import open_store
from ludus.tournaments.tournament import Entrant
from ludus.views import study_views
from ludus.views.clock_study import clock_study
from ludus.views.study_views import measure, study_of

if TYPE_CHECKING:
    from ludus.views.charts.chart_list import Drawn

StudyKind = Literal["commutativity", "openings", "fraction", "repetition", "clock"]


@documented(TournamentOptions)
def study(
    kind: StudyKind,
    game: GameLike | PathLike[str] | None = None,
    agents: Iterable[AgentLike] | None = None,
    *,
    by: str | None = None,
    random_plies: Sequence[int] | None = None,
    shares: Sequence[int] | None = None,
    subset: Literal["random", "balanced"] | None = None,
    format: str | None = None,
    episodes: int | None = None,
    repetitions: int | None = None,
    store: str | PathLike[str] | None = None,
    progress: bool | None = None,
    **options: Unpack[TournamentOptions],
) -> "Study":
    """Study a field of agents; stored episodes are not played again.

    Args:
        kind: `"commutativity"` asks if the seat decides or the agent, `"openings"` what random plies change,
            `"fraction"` what fewer matches change, and `"repetition"` how far ratings spread. `"clock"` measures the
            shortest time that this machine times reliably, and needs no game.
        game: A game and agents, or a tournament file, as for `ludus.tournament`.
        agents: The agents.
        by: The rating to rank by: rating, or with two players also glicko, fide, uscf, wtl or points; with more points.
        random_plies: For `"openings"`: the numbers of random plies, first the reference; without it, 0, 1 and 2.
        shares: For `"fraction"`: per cent of the matches; without it, 100, 75, 50, 25, 12 and 6.
        subset: For `"fraction"`: which matches, by default at random.
        format: Who meets whom, such as `"swiss:rounds=5"`; by default a round robin.
        episodes: Episodes of each match.
        repetitions: Play each tournament at least so often; without it, as in the file, or 10 times if it has one.
        store: A file or a URL; without it, the store of the user.
        progress: Whether to show progress; by default a notebook and Python's prompt do, and a script does not.
        options: The name, the seed, how episodes start, the limits of the players and how to run it, as listed below.

    Returns:
        The findings, tables and charts.

    Raises:
        LudusError: The game, an agent, a file or an option cannot be used; the message says what to do.

    Example:
        >>> found = ludus.study("repetition", "nim", ["random", "mc:iterations=5"], repetitions=2, workers=0)
        >>> found.tables["stability"]["repetitions"].to_list()
        [2, 2]
    """
    if kind == "clock":
        if game is not None:
            raise InvalidError("The clock is measured without a game: write ludus.study('clock').")
        return _clock(progress)
    call = f"ludus.study('{kind}', "
    if game is None:
        raise InvalidError(f"The game is missing: write {call}'hex:size=4', ['mcts', 'random']).")
    base = planned_from(call, game, agents, given(options, TournamentOptions), format=format, episodes=episodes)
    settings = {"random_plies": random_plies, "shares": shares, "subset": subset}
    planned = plan_study(kind, base, repetitions=repetitions, **settings)
    by = measure(base.parts.game.seats, by)
    opened = open_store(url_of(store))
    played = []
    for part in planned.parts:
        id = run_planned(as_stored(part.plan, opened), url_of(store), progress)
        played.append(load(id, opened))
    made = planned.base.tournament
    return Study(study_of(planned, played, by), made.name, made.agents, played)


def _clock(progress: bool | None) -> "Study":
    from ludus.run.sorting import LENGTHS, measured_clock  # imports the compiler, which is slow
    from ludus.stats.clock import keep_clock

    done = itertools.count(1)
    with progress_note(progress) as show:
        measured = measured_clock(watch=lambda: show("Measuring the clock …", next(done) / len(LENGTHS)))
    keep_clock(measured)
    return Study(clock_study(measured), "", (), [])


class Study:
    """The results of a study; a notebook shows its findings, tables and first chart."""

    def __init__(
        self, found: study_views.Study, subject: str, field: Sequence[Entrant], results: Sequence[Results]
    ) -> None:
        self._found = found
        self._subject = subject
        self._field = field
        self.results = results
        """The tournaments of the study, one for each setting."""

    @property
    def sentences(self) -> list[str]:
        """The findings in words."""
        return list(self._found.found)

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """The tables by name."""
        return {table.name: table.frame for table in self._found.tables}

    @cached_property
    def charts(self) -> dict[str, "Drawn"]:
        """The charts by title, as Altair objects."""
        names = [entrant.name for entrant in self._field]
        return {figure.title: figure.titled(names) for figure in self._found.figures}

    def save(self, file: str | PathLike[str]) -> None:
        """Write tables and charts as one page that works offline; the name of the file ends with `.html`."""
        from ludus.views.page.study_page import render_study

        check_target(Path(file), [".html"])
        write_file(Path(file), render_study(self._found, self._subject, self._field).encode())

    def __repr__(self) -> str:
        return f"<{': '.join(filter(None, (self._found.title, self._subject)))}>"

    def _repr_html_(self) -> str:
        from ludus.views.column import with_derived
        from ludus.views.page.fragment import chart_picture, fragment
        from ludus.views.page.html_tables import agents_of, table

        agents = agents_of(self._field)
        shown = [
            table(with_derived(part.frame, part.columns), part.columns, agents, note=part.note)
            for part in self._found.tables
            if part.columns
        ]
        title, drawn = next(iter(self.charts.items()))
        return fragment(repr(self)[1:-1], *self.sentences, *shown, chart_picture(drawn, title))
