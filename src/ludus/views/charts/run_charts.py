"""Charts of a comparison and of a sweep."""

import itertools
import textwrap
from typing import Any

import altair as alt

from ludus.core.text import listing
from ludus.run.sweep_results import AS_GIVEN, Swept
from ludus.stats.ratings.sprt import Sprt
from ludus.views.charts import rate_charts
from ludus.views.charts.chart_list import Drawn
from ludus.views.charts.rating_charts import path
from ludus.views.charts.theme import framed
from ludus.views.verdicts import sweep_interval, sweep_score

_LINE = 92  # letters below the title


def comparison_chart(test: Sprt) -> Drawn:
    """The path of the test between its bounds."""
    return framed(path(test.path, test.lower, test.upper, test.elo0, test.elo1))


def sweep_chart(found: Swept) -> Drawn:
    """A line for each parameter that varies alone, a heat map for each pair of those that vary together."""
    planned = found.sweep
    measure = rate_charts.POINTS if found.seats == 1 else rate_charts.SCORE
    if planned.one_by_one or len(planned.axes) == 1:
        charts = [
            rate_charts.along(found.along(axis), axis.parameter, measure, given=found.as_given(axis))
            for axis in planned.axes
        ]
    else:
        own = planned.variants[AS_GIVEN]
        charts = []
        for one, other in itertools.combinations(planned.axes, 2):
            across, down = ((axis.parameter, [value.text for value in axis.values]) for axis in (one, other))
            values = [own.values[axis.parameter] for axis in (one, other)]
            marked = tuple(value.text for value in values if value) if own.asked_for else ()
            charts.append(rate_charts.pairs(found.pair(one, other), across, down, measure, marked=marked))
    game = planned.game
    played = game.title + game.spec().removeprefix(game.origin or game.name)
    title = alt.Title(f"{planned.variants[AS_GIVEN].entrant.name} in {played}", subtitle=_subtitle(found))
    if len(charts) == 1:
        return framed(charts[0].properties(title=title))
    scales: Any = {"y": "shared"} if planned.one_by_one else {"color": "independent"}
    return framed(alt.vconcat(*charts).resolve_scale(**scales).properties(title=title))


def _subtitle(found: Swept) -> list[str]:
    planned = found.sweep
    names = list(dict.fromkeys(opponent.spec for opponent in planned.opponents))
    against = f", against {listing(names)}" if names else ""
    told = f"Varied: {', '.join(axis.parameter for axis in planned.axes)}{against}; with 95 % intervals"
    if not planned.one_by_one and len(planned.axes) > 1:
        told += "; framed: as given" if planned.variants[AS_GIVEN].asked_for else f"; as given: {_as_given(found)}"
    return textwrap.wrap(f"{told}.", _LINE)


def _as_given(found: Swept) -> str:
    ((score, low, high),) = found.table.filter(variant=AS_GIVEN).select("score", "low", "high").iter_rows()
    return f"{sweep_score(found, score)} ({sweep_interval(found, low, high)})"
