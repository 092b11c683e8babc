"""Comparisons of two agents by a sequential test."""

import warnings
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Unpack

import polars as pl

from ludus.agents.agent import Agent
from ludus.api.arguments import GameLike, stored_agent, stored_game
from ludus.api.keywords import TournamentOptions, documented, given
from ludus.api.progress_note import progress_note
from ludus.api.tournament_view import Results, load, url_of
from ludus.core.errors import InvalidError
from ludus.core.kinds import whole
from ludus.run.compare import MOST_PAIRS, Pairs, comparison, play_pairs
from ludus.run.runner import Progress
from ludus.stats.ratings import comparison as estimates
from ludus.stats.ratings.sprt import Model, Sprt, Verdict
from ludus.store import open_store
from ludus.views.facts import cautions
from ludus.views.verdicts import comparison_notes, comparison_verdict, estimate

if TYPE_CHECKING:
    from ludus.views.charts.chart_list import Drawn


@documented(TournamentOptions)
def compare(
    game: GameLike,
    one: str | Agent,
    other: str | Agent,
    *,
    elo0: float = 0.0,
    elo1: float = 10.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: Model = "logistic",
    trinomial: bool = False,
    most: int = 10_000,
    store: str | PathLike[str] | None = None,
    progress: bool | None = None,
    **options: Unpack[TournamentOptions],
) -> "Comparison":
    """Play pairs of episodes until a sequential test decides whether one agent is stronger than another.

    The two episodes of a pair share an opening, and the agents swap seats. Unless `opening_plies`, `openings` or
    `position` say otherwise, pairs start with 4 random plies. A comparison is stored like a tournament: the same call
    continues it, also with other hypotheses.

    Args:
        game: A game of two players.
        one: The agent that may be stronger.
        other: The agent to compare it with.
        elo0: Null hypothesis: `one` is at most this much stronger.
        elo1: Alternative: `one` is at least this much stronger.
        alpha: False-positive rate.
        beta: False-negative rate.
        model: The unit of `elo0` and `elo1`: `"logistic"` for Elo points, `"normalised"` for Elo points normalised by
            the spread of a game.
        trinomial: Whether to count single games (won, tied, lost) and not pairs.
        most: Stop after this many pairs.
        store: A file or a URL; without it, the store of the user.
        progress: Whether to show progress; by default a notebook and Python's prompt do, and a script does not.
        options: The name, the seed, how episodes start, the limits of the players and how to run it, as listed below.

    Returns:
        The verdict, the estimated difference, and the path of the test.

    Raises:
        LudusError: The game, an agent or an option cannot be used; the message says what to do.

    Example:
        >>> found = ludus.compare("tic-tac-toe", "mcts:simulations=50", "random", elo1=100, workers=1)
        >>> found.verdict
        'H1'
    """
    found = given(options, TournamentOptions)
    if model not in ("logistic", "normalised"):
        raise InvalidError(f"model = {model!r} is not one of logistic, normalised.")
    test = Sprt(elo0, elo1, alpha, beta, model, trinomial=trinomial)
    planned = comparison(
        stored_game(game), stored_agent(one), stored_agent(other), limits=found.limits, **found.options
    )
    most = whole(1, MOST_PAIRS).checked("most", most)
    with open_store(url_of(store)) as opened, progress_note(progress) as show:

        def watch(pairs: Pairs, now: Progress) -> None:
            text = f"{len(test.path):,} pairs, log-likelihood ratio {test.llr:+.2f}"
            show(f"{text} ({test.lower:.2f} to {test.upper:.2f})", len(test.path) / most)

        def warn(sentence: str) -> None:
            warnings.warn(sentence, stacklevel=4)

        show("Starting …", 0)
        played = play_pairs(
            planned.tournament, opened, test, planned.options, parts=planned.parts, most=most, watch=watch, tell=warn
        )
    return Comparison(load(played.id, store), played.pairs)


class Comparison:
    """A comparison of two agents; a notebook shows the verdict, the figures and the path of the test."""

    def __init__(self, results: Results, pairs: Pairs) -> None:
        self.results = results
        """The episodes, as a tournament of the two agents."""
        self._pairs = pairs

    @property
    def agents(self) -> list[str]:
        """The names of the two agents."""
        return self.results.agents

    @property
    def verdict(self) -> Verdict | None:
        """The hypothesis that the test accepted: `"H1"`, the first agent is stronger; `"H0"`; None is undecided."""
        return self._pairs.test.verdict

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        return comparison_verdict(self._pairs, *self.agents)

    @property
    def notes(self) -> list[str]:
        """Sentences on pairs that were not counted, on games that ended by faults, and on equal games."""
        return [*comparison_notes(self._pairs), *cautions(self.results)]

    @cached_property
    def estimate(self) -> estimates.Comparison:
        """Elo points of the first agent above the second: elo, low and high (95 %), error, and chance to be better.

        Then `normalised` and `normalised_error` in normalised Elo. All are corrected for stopping if the test has a
        verdict, and `corrected` says so.
        """
        return self._pairs.test.estimate

    @cached_property
    def table(self) -> pl.DataFrame:
        """One row: pairs, how many of each kind (LL, LD, WL or DD, WD, WW), and wins, ties, losses of episodes.

        A trinomial test has no kinds of pairs.
        """
        outcomes = {"wins": self._pairs.wins, "ties": self._pairs.ties, "losses": self._pairs.losses}
        return pl.DataFrame([{"pairs": len(self.path), **self._pairs.kinds, **outcomes}])

    @property
    def path(self) -> list[float]:
        """The log-likelihood ratio after each pair."""
        return self._pairs.test.path

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test accepts H0 and H1."""
        return self._pairs.test.lower, self._pairs.test.upper

    @property
    def chart(self) -> "Drawn":
        """The path of the test between its bounds, as an Altair chart."""
        from ludus.views.charts.run_charts import comparison_chart

        return comparison_chart(self._pairs.test)

    def __repr__(self) -> str:
        return f"<{self.sentence}>"

    def _repr_html_(self) -> str:
        from ludus.views.page.fragment import chart_picture, fragment
        from ludus.views.page.html_tables import table
        from ludus.views.run_columns import COMPARED

        picture = [chart_picture(self.chart, self.sentence)] if self.path else []
        return fragment(self.sentence, estimate(self.estimate), table(self.table, COMPARED, {}), *self.notes, *picture)
