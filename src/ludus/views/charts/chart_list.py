"""The charts of a tournament by name, with the tournaments that they suit, each as an Altair chart."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol

import altair as alt
import polars as pl

from ludus.core.errors import InvalidError, NotFoundError
from ludus.core.text import did_you_mean, listing
from ludus.views.charts import boxes, brackets, matrices, rating_charts
from ludus.views.charts.theme import framed, titled
from ludus.views.columns import RATING_AXIS
from ludus.views.short_names import explained

Drawn = alt.Chart | alt.LayerChart | alt.VConcatChart
_P = ParamSpec("_P")


class Frames(Protocol):
    """The results of a tournament, as charts need them."""

    @property
    def tournament(self) -> Any: ...
    @property
    def seats(self) -> int: ...
    @property
    def agents(self) -> list[str]: ...
    @property
    def by_format(self) -> Any: ...
    def order(self, by: str | None = None) -> list[str]: ...
    def standings(self) -> pl.DataFrame: ...
    def crosstable(self) -> pl.DataFrame: ...
    def symmetry(self) -> pl.DataFrame: ...
    def timing(self) -> pl.DataFrame: ...
    def strength_speed(self) -> pl.DataFrame: ...
    def course(self) -> pl.DataFrame: ...
    def repetitions(self) -> pl.DataFrame: ...
    def ahead(self) -> pl.DataFrame: ...
    def rounds(self) -> pl.DataFrame: ...


class Kind(NamedTuple):
    """A kind of chart: its title, a one-sentence description, its requirements, and its options."""

    title: str
    sentence: str
    needs: str
    options: tuple[str, ...]


NEEDS: dict[str, Callable[[Frames], bool]] = {
    "any game": lambda frames: True,
    "one player": lambda frames: frames.seats == 1,
    "two players, and a format in which all can meet": lambda frames: frames.seats == 2 and not _by_rounds(frames),
    "a knockout": lambda frames: _by_rounds(frames) == ("place",),
    "two players or more": lambda frames: frames.seats >= 2,
    "three players or more": lambda frames: frames.seats >= 3,
    "one player, or three and more": lambda frames: frames.seats != 2,
    "repetitions": lambda frames: frames.tournament.repetitions > 1,
}


def _by_rounds(frames: Frames) -> tuple[str, ...]:
    """The columns by which the format ranks, if it does."""
    orders: tuple[str, ...] = frames.by_format.orders
    return orders


KINDS: dict[str, Kind] = {}
"""The charts in the order of the report."""


def names() -> dict[str, str]:
    """The name of each chart, with its one-sentence description."""
    return {name: kind.sentence for name, kind in KINDS.items()}


def _kind(
    title: str, needs: str
) -> Callable[[Callable[Concatenate["Charts", _P], Drawn]], Callable[Concatenate["Charts", _P], Drawn]]:
    """Register a method of `Charts` under its name; the first line of its docstring describes the chart."""
    assert needs in NEEDS

    def register(
        method: Callable[Concatenate["Charts", _P], Drawn],
    ) -> Callable[Concatenate["Charts", _P], Drawn]:
        sentence = (method.__doc__ or "").partition("\n")[0]
        options = tuple(inspect.signature(method).parameters)[1:]
        KINDS[method.__name__.replace("_", "-")] = Kind(title, sentence, needs, options)

        @functools.wraps(method)
        def drawn(self: "Charts", /, *arguments: _P.args, **options: _P.kwargs) -> Drawn:
            chart = method(self, *arguments, **options)
            meaning = explained(self._results.agents)
            return framed(titled(chart, title, sentence, f"Names are short for {meaning}." if meaning else ""))

        return drawn

    return register


class Charts:
    """The charts of one tournament, each a method; `ludus.load(ID).charts`."""

    def __init__(self, results: Frames) -> None:
        self._results = results

    def suitable(self) -> list[str]:
        """Names of the charts that suit this tournament."""
        return [name for name, kind in KINDS.items() if NEEDS[kind.needs](self._results)]

    def draw(self, name: str, **options: Any) -> Drawn:
        """The chart with a name, with options such as `log=True` if it has them."""
        found = name.replace("_", "-")
        if found not in KINDS:
            raise NotFoundError(
                f"There is no chart '{name}'{did_you_mean(found, KINDS)}: choose from {', '.join(self.suitable())}."
            )
        if found not in self.suitable():
            raise InvalidError(
                f"The chart '{found}' needs {KINDS[found].needs}: for this tournament choose from "
                f"{', '.join(self.suitable())}."
            )
        for option in options:
            if option not in KINDS[found].options:
                having = [name for name, kind in KINDS.items() if option in kind.options]
                raise InvalidError(
                    f"The chart '{found}' has no option '{option}'"
                    f"{': it belongs to ' + listing(having) if having else ''}."
                )
        return getattr(self, found.replace("-", "_"))(**options)

    @_kind("Ratings", "two players or more")
    def ratings(self) -> Drawn:
        """Ratings with their 95 % intervals."""
        return rating_charts.ratings(self._results.standings())

    @_kind("Bracket", "a knockout")
    def bracket(self) -> Drawn:
        """All pairings with their points; winners are bold, and of equals the better seed goes on."""
        return brackets.brackets(self._results.rounds())

    @_kind("Scores", "one player")
    def points(self) -> Drawn:
        """Spread of the scores: worst, quartiles, best, and the mean as a ring."""
        return boxes.points(self._results.standings())

    @_kind("Places", "three players or more")
    def places(self) -> Drawn:
        """Shares of first, second and other places of each agent."""
        return rating_charts.places(self._results.standings())

    @_kind("Score matrix", "two players, and a format in which all can meet")
    def scores(self, sorted: bool | str = False) -> Drawn:
        """The score of each row, which moves first, against each column; blue wins, orange loses."""
        order = self._results.order(None if sorted is True else sorted) if sorted else self._results.agents
        return matrices.scores(self._results.crosstable(), order)

    @_kind("Pairwise results", "one player, or three and more")
    def ahead(self) -> Drawn:
        """The share of episodes in which each row finished ahead of each column; the strongest are at the top."""
        return matrices.ahead(self._results.ahead(), self._results.order())

    @_kind("The seat decides", "two players, and a format in which all can meet")
    def first_mover(self) -> Drawn:
        """The difference between W_ab and W_ba: dark if the seat decides, whatever the agents."""
        return matrices.first_mover(self._results.symmetry(), self._results.order())

    @_kind("The agent decides", "two players, and a format in which all can meet")
    def same_agent(self) -> Drawn:
        """The difference between W_ab and 1 − W_ba: dark if the same agent wins from either seat."""
        return matrices.same_agent(self._results.symmetry(), self._results.order())

    @_kind("Seat or agent", "two players, and a format in which all can meet")
    def symmetry(self) -> Drawn:
        """Both relations: the seat above the diagonal, the agent below it, each dark if it decides."""
        return matrices.both_relations(self._results.symmetry(), self._results.order())

    @_kind("Strength and speed", "any game")
    def strength_speed(self, log: bool = False) -> Drawn:
        """Strength against thinking time in an episode: strong and fast is at the top left."""
        return rating_charts.strength_speed(self._results.strength_speed(), log=log, measure=self._measure)

    @_kind("Times of moves", "any game")
    def move_times(self) -> Drawn:
        """Thinking times: fastest, quartiles, slowest move, and the mean as a ring."""
        return boxes.move_times(self._results.timing())

    @_kind("The course of the tournament", "two players or more")
    def course(self) -> Drawn:
        """Ratings after each number of matches."""
        return rating_charts.course(self._results.course())

    @_kind("Repetitions", "repetitions")
    def repetitions(self) -> Drawn:
        """Differences between the repetitions of the tournament, each of them a dot."""
        return boxes.repetitions(self._results.repetitions(), measure=self._measure)

    @property
    def _measure(self) -> str:
        return "mean score" if self._results.seats == 1 else RATING_AXIS
