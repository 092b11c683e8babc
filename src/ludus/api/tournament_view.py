"""Tournaments: run one or load a stored one, and see its results."""

import warnings
from collections.abc import Iterable
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Unpack

from ludus.api.arguments import AgentLike, GameLike, stored_field, stored_game
from ludus.api.episode_view import Episode
from ludus.api.keywords import Given, TournamentOptions, documented, given
from ludus.api.progress_note import progress_note
from ludus.core.errors import InvalidError
from ludus.core.spec import Spec
from ludus.run.runner import Progress, run
from ludus.stats import results
from ludus.store import Store, open_store
from ludus.tournaments.file import Plan, plan, read_tournament

if TYPE_CHECKING:
    from ludus.views.charts.chart_list import Charts

_MOST_ROWS = 100  # of a table in a notebook


class Results(results.Results):
    """The results of one tournament, as Polars frames, charts and episodes.

    A notebook shows the standings.
    """

    @property
    def charts(self) -> "Charts":
        """The charts by name, as Altair objects: `results.charts.ratings()`; `charts.suitable()` lists them."""
        from ludus.views.charts.chart_list import Charts  # Altair is slow to import

        return Charts(self)

    def episode(self, name: str) -> Episode:
        """Replay an episode by its place: `"3.1"` is the first episode of match 3, `"2.3.1"` that of repetition 2."""
        record = self._store.record(*self._store.find_episode(f"{self.id}/{name}"))
        return Episode(record, self.game, self._store.tournament(self.id).name)

    def __repr__(self) -> str:
        from ludus.views.facts import progress

        return f"<results of {self.tournament.name!r}: {progress(self)}>"

    def _repr_html_(self) -> str:
        from ludus.views.facts import progress
        from ludus.views.page.fragment import fragment
        from ludus.views.page.head import lead
        from ludus.views.page.html_tables import agents_of, table
        from ludus.views.result_tables import TABLES

        title = f"{self.tournament.name}: {self.tournament.game}"
        if not self.played:
            return fragment(title, "Nothing has been played yet.")
        unfinished = "" if self.summary.finished else f"Not finished: {progress(self)}."
        declared = TABLES["standings"]
        frame, columns = declared.frame(self), declared.columns(self)
        note = declared.note(self, frame)
        if len(frame) > _MOST_ROWS:
            note += f" The first {_MOST_ROWS} of {len(frame):,} agents."
        shown = table(frame.head(_MOST_ROWS), columns, agents_of(self.tournament.agents), note=note)
        return fragment(title, unfinished, *lead(self), shown)


def load(which: int | str, store: str | PathLike[str] | Store | None = None) -> Results:
    """Load the results of a stored tournament.

    Args:
        which: Its number, its name, or the start of its identity.
        store: The store: a file, a URL, or one that is open; without it, that of the user.

    Returns:
        The results, also while the tournament is still being played.

    Raises:
        NotFoundError: No tournament has that name.

    Example:
        >>> cup = ludus.tournament("nim", ["random", "mc:iterations=5"], name="Nim cup", workers=1)
        >>> ludus.load("Nim cup").played
        2
    """
    opened = store if isinstance(store, Store) else open_store(url_of(store))
    return Results(opened, opened.find(str(which)))


@documented(TournamentOptions)
def tournament(
    game: GameLike | PathLike[str],
    agents: Iterable[AgentLike] | None = None,
    *,
    format: str | None = None,
    episodes: int | None = None,
    repetitions: int | None = None,
    store: str | PathLike[str] | None = None,
    progress: bool | None = None,
    **options: Unpack[TournamentOptions],
) -> Results:
    """Run a tournament in worker processes and store it, or continue one that was stopped.

    A warning says what makes its times or its openings unreliable.

    Args:
        game: A spec such as `"hex:size=5"`; or the path of a tournament file, which ends with `.toml`: the other
            arguments replace what it says.
        agents: Specs such as `"mcts:time=1s"`, `"maxn:depth=[4,6]"` (two agents), `"my_agents.py:Greedy"`, `"./mybot"`
            or `"@NAME"` (a saved agent), and tables such as `{"agent": "mcts", "time": "1s", "name": "fast"}`.
        format: Who meets whom, such as `"swiss:rounds=5"`; by default a round robin.
        episodes: Episodes of each match.
        repetitions: How often the whole tournament is played, with different seeds.
        store: A file or a URL; without it, the store of the user.
        progress: Whether to show progress; by default a notebook and Python's prompt do, and a script does not.
        options: The name, the seed, how episodes start, the limits of the players and how to run it, as listed below.

    Returns:
        The results.

    Raises:
        LudusError: The game, an agent or an option cannot be used; the message says what to do.

    Example:
        >>> cup = ludus.tournament("tic-tac-toe", ["mcts:simulations=50", "random"], episodes=10, workers=1)
        >>> cup.standings()["agent"].to_list()
        ['mcts:simulations=50', 'random']
    """
    found = given(options, TournamentOptions)
    planned = planned_from(
        "ludus.tournament(", game, agents, found, format=format, episodes=episodes, repetitions=repetitions
    )
    return load(run_planned(planned, url_of(store), progress), store)


def planned_from(
    call: str, game: GameLike | PathLike[str], agents: Iterable[AgentLike] | None, found: Given, **content: Any
) -> Plan:
    """The plan of a tournament from a game and agents, or from a file; content that is None counts as not given.

    `call` is what the caller's user wrote before the game.
    """
    content = found.options | {key: value for key, value in content.items() if value is not None}
    if agents is not None:
        content["agents"] = stored_field(agents)
    if isinstance(game, str | PathLike) and _is_file(fspath(game), isinstance(game, PathLike)):
        return read_tournament(fspath(game), content | {"limits": found.limits})
    if agents is None:
        raise InvalidError(
            f"Agents are missing: write {call}'{game}', ['mcts', 'random']), or the path of a tournament file, which "
            "ends with .toml."
        )
    spec = fspath(game) if isinstance(game, PathLike) else stored_game(game)
    return plan(game=spec, limits=found.limits, **content)


def run_planned(planned: Plan, store: str | None, progress: bool | None) -> int:
    """Run a tournament for a function of the API, whose caller gets the warnings; its number in the store."""
    with open_store(store) as opened, progress_note(progress) as show:

        def watch(now: Progress) -> None:
            compiling = f", compiling {', '.join(now.compiling)}" if now.compiling else ""
            show(f"{now.done:,} of {now.total:,} episodes{compiling}", now.done / max(now.total, 1))

        def warn(sentence: str) -> None:
            warnings.warn(sentence, stacklevel=5)

        show("Starting …", 0)
        return run(planned.tournament, opened, planned.options, parts=planned.parts, watch=watch, tell=warn).id


def url_of(store: str | PathLike[str] | None) -> str | None:
    """The store as the database takes it."""
    return None if store is None else fspath(store)


def _is_file(text: str, is_path: bool) -> bool:
    """True if this is the path of a tournament file and not a game, which may be a file too."""
    return text.endswith(".toml") or (is_path and Spec.parse(text).file is None)
