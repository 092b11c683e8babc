"""Sweeps over the parameters of an agent."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack

import polars as pl

from ludus.agents.agent import Agent
from ludus.api.arguments import GameLike, stored_agent, stored_game
from ludus.api.keywords import TournamentOptions, documented, given
from ludus.api.tournament_view import Results, load, run_planned, url_of
from ludus.core.errors import InvalidError
from ludus.run.sweep import plan_sweep
from ludus.run.sweep_results import Swept
from ludus.store import open_store
from ludus.tournaments.field import written
from ludus.views.verdicts import sweep_interval, sweep_notes, sweep_verdict, variants

if TYPE_CHECKING:
    from ludus.views.charts.chart_list import Drawn


@documented(TournamentOptions)
def sweep(
    game: GameLike,
    agent: str | Agent,
    parameters: Mapping[str, str | Iterable[Any]],
    *,
    against: Iterable[str | Agent] = (),
    episodes: int = 20,
    one_by_one: bool = False,
    store: str | PathLike[str] | None = None,
    progress: bool | None = None,
    **options: Unpack[TournamentOptions],
) -> "Sweep":
    """Play variants of an agent against the same opponents, and measure what each value of a parameter is worth.

    Unless `opening_plies`, `openings` or `position` say otherwise, episodes start with 4 random plies if the game
    itself always starts alike. A sweep is stored like a tournament: one that was stopped continues where it stopped.

    Args:
        game: A spec such as `"hex:size=4"`, or an instance.
        agent: The agent, with the parameters that stay: `"mcts:simulations=200"`.
        parameters: The values of each parameter: `{"depth": [2, 4, 6], "c": "0.5..2/4"}`, where the text is four
            values from 0.5 to 2.
        against: The opponents; in games of more than two players they fill the other seats in turn.
        episodes: Episodes of each variant, for each opponent and seat.
        one_by_one: Vary one parameter at a time instead of all combinations.
        store: A file or a URL; without it, the store of the user.
        progress: Whether to show progress; by default a notebook and Python's prompt do, and a script does not.
        options: The name, the seed, how episodes start, the limits of the players and how to run it, as listed below.

    Returns:
        The score of each variant, a chart, and the best.

    Raises:
        LudusError: The game, an agent or an option cannot be used; the message says what to do.

    Example:
        >>> swept = ludus.sweep(
        ...     "tic-tac-toe", "mcts:simulations=1", {"simulations": [50]}, against=["random"], episodes=10, workers=1
        ... )
        >>> swept.best()["agent"]
        'mcts:simulations=50'
    """
    found = given(options, TournamentOptions)
    if isinstance(against, str) or not isinstance(against, Iterable):
        raise InvalidError(f'against = {against!r} is not a list: write one such as ["random"].')
    if not isinstance(parameters, Mapping):
        raise InvalidError(f'parameters = {parameters!r} is not a table: write one such as {{"depth": [2, 4, 6]}}.')
    axes = [f"{name}={_values(name, values)}" for name, values in parameters.items()]
    opponents = [stored_agent(opponent) for opponent in against]
    planned = plan_sweep(stored_game(game), stored_agent(agent), axes, opponents, one_by_one=one_by_one)
    played = planned.tournament(episodes, limits=found.limits, **found.options)
    id = run_planned(played, url_of(store), progress)
    opened = open_store(url_of(store))
    return Sweep(load(id, opened), Swept(planned, opened, id))


def _values(name: str, values: Any) -> str:
    if isinstance(values, str):
        return values
    if not isinstance(values, Iterable):
        raise InvalidError(f"{name} = {values!r} is not a list of values: write one such as [2, 4, 6], or '0.5..2/4'.")
    return ",".join(map(written, values))


class Sweep:
    """The results of a sweep; a notebook shows the best variant, the table and the chart."""

    def __init__(self, results: Results, swept: Swept) -> None:
        self.results = results
        """The episodes, as a tournament of the variants against the opponents."""
        self._swept = swept

    @property
    def table(self) -> pl.DataFrame:
        """A row for each variant.

        The columns are variant (its number: 0 is the agent as given), agent, the parameters as texts, episodes, wins,
        ties, losses, score (1 for a win, ½ for a first place shared; with one player, the mean points), low and high
        (95 %), and better: the chance to be better than the agent as given.
        """
        return self._swept.table

    @property
    def by_opponent(self) -> pl.DataFrame:
        """Two players: variant, opponent, episodes, score, low, high."""
        if self._swept.seats != 2:
            raise InvalidError("Variants meet one opponent at a time only in games for two players.")
        return self._swept.by_opponent()

    def best(self) -> dict[str, Any]:
        """The row of the variant with the highest score."""
        found = self._swept.best()
        if found is None:
            raise InvalidError("Nothing has been played yet: run the same sweep again.")
        return found

    @property
    def sentence(self) -> str:
        """The best variant in words."""
        return sweep_verdict(self._swept)

    @property
    def notes(self) -> list[str]:
        """Sentences on how to read the table, on games that ended by faults, and on equal games."""
        return list(sweep_notes(self._swept))

    @cached_property
    def chart(self) -> "Drawn":
        """The scores over the values, as an Altair chart.

        It is a line for each parameter that varies alone, a heat map for each pair of those that vary together.
        """
        from ludus.views.charts.run_charts import sweep_chart

        return sweep_chart(self._swept)

    def __repr__(self) -> str:
        return f"<{self.sentence}>"

    def _repr_html_(self) -> str:
        from ludus.views.page.fragment import chart_picture, fragment
        from ludus.views.page.html_tables import table
        from ludus.views.run_columns import sweep as columns

        rows = variants(self._swept)
        for row in rows:
            row["interval"] = sweep_interval(self._swept, row["low"], row["high"])
        note = " ".join(self.notes)
        shown = table(pl.DataFrame(rows, infer_schema_length=None), columns(self._swept), {}, note=note)
        return fragment(self.sentence, shown, chart_picture(self.chart, self.sentence))
