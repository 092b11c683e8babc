"""`ludus sweep`: one agent with many values of its parameters, all against the same opponents."""

import itertools
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from ludus.cli.chart import check_file, write_chart
from ludus.cli.completion import complete_agent, complete_game
from ludus.cli.options import JsonOption, StoreOption, number_option, with_options
from ludus.cli.run import play
from ludus.cli.screen import errors, output, print_json
from ludus.cli.tables import Cells, keyed_table, legend, letters
from ludus.core.text import DASH, chance, decimal, figure, listing, whole
from ludus.episode.limits import Limits
from ludus.run.sweep import plan_sweep
from ludus.run.sweep_results import AS_GIVEN, Swept
from ludus.stats.participants import Value, column_of, plain
from ludus.store import open_store

if TYPE_CHECKING:
    from ludus.views.charts.chart_list import Drawn

Rows = list[dict[str, Any]]

_LINE = 92  # letters below the title of a chart
EXAMPLE = (
    "Example: ludus sweep connect-four mcts:simulations=200 --param c=0.5..2/4 --param tree_depth=5,10,200 "
    "--against mcts:simulations=200 --against mc:iterations=50 --episodes 40 -o c.png"
)


@with_options()
def sweep(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="The game, such as 'hex:size=4'.", autocompletion=complete_game)
    ],
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT",
            help="The agent with its fixed parameters, such as 'mcts:simulations=200'.",
            autocompletion=complete_agent,
        ),
    ],
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--param",
            metavar="NAME=VALUES",
            help="A parameter and its values; repeat the option for more. c=0.5..2/4 is four values, depth=2,4,6 "
            "three.",
            show_default=False,
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help="An opponent; repeat the option for more. In games of more than two players they fill the other "
            "seats in turn.",
            show_default=False,
        ),
    ] = None,
    episodes: Annotated[
        int, number_option("--episodes -n", "Number of episodes of each variant, per opponent and seat.")
    ] = 20,
    one_by_one: Annotated[
        bool, typer.Option("--one-by-one", help="Vary one parameter at a time instead of all combinations.")
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
    file: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Also draw the results as PNG, SVG, PDF or HTML."),
    ] = None,
    *,
    options: dict[str, Any],
    limits: dict[str, Any],
) -> None:
    """Find good values for the parameters of an agent.

    Variants of the agent play the same opponents.

    Without --opening-plies, --openings or --position, episodes start with 4 random plies if the game itself always
    starts alike. A sweep that was stopped goes on where it stopped.
    """
    if file is not None:
        check_file(file)
    planned = plan_sweep(game, agent, parameters or (), against or (), one_by_one=one_by_one)
    tournament = planned.tournament(episodes, limits=Limits(**limits), **options)
    with open_store(store) as opened:
        found = Swept(planned, opened, play(tournament, opened))
    if as_json:
        print_json(_everything(found))
    else:
        _show(found)
    if file is not None:
        write_chart(_drawn(found), file)
        errors().print(str(file), markup=False, soft_wrap=True)


def _everything(found: Swept) -> dict[str, Any]:
    planned, best = found.sweep, found.best()

    def with_numbers(row: dict[str, Any]) -> dict[str, Any]:
        settings = planned.variants[row["variant"]].values.items()
        return plain(row) | {"parameters": {name: value and _plain(value) for name, value in settings}}

    content: dict[str, Any] = {
        "id": found.id,
        "game": planned.game.spec(),
        "agent": planned.variants[AS_GIVEN].entrant.name,
        "against": [{"agent": opponent.name, "spec": opponent.spec} for opponent in planned.opponents],
        "parameters": {axis.parameter: [*map(_plain, axis.values)] for axis in planned.axes},
        "one_by_one": planned.one_by_one,
        "variants": [with_numbers(row) for row in found.table.to_dicts()],
        "best": None if best is None else with_numbers(best),
    }
    return content | ({"by_opponent": found.by_opponent().to_dicts()} if found.seats == 2 else {})


def _plain(value: Value) -> float | str:
    return value.text if value.number is None else value.number


# --- On the screen --------------------------------------------------------------------------------------------------


def _show(found: Swept) -> None:
    rows, best = found.table.to_dicts(), found.best()
    values, (counts, scores) = _values(found, rows), _figures(found, rows, best)
    against = [Cells(head, [cells.get(row["variant"], "–") for row in rows]) for head, cells in _against(found).items()]
    groups = [counts, scores, *([column] for column in against)]
    output().print(keyed_table(values, *groups, right=[value.head for value in values]))
    output().print()
    if against:
        output().print(legend(_codes(found)))
        output().print()
    for sentence in _verdict(found, best):
        output().print(sentence, markup=False)
    for note in _notes(found):
        output().print(Text(note, "dim"))


def _values(found: Swept, rows: Rows) -> list[Cells]:
    """A column for each parameter; the variant as given is marked in the first."""
    first, *others = (
        Cells(axis.parameter, [row[column_of(axis.parameter)] or "default" for row in rows])
        for axis in found.sweep.axes
    )
    marks = [" *" if row["variant"] == AS_GIVEN else "" for row in rows]
    return [Cells(first.head, [f"{value}{mark}" for value, mark in zip(first.cells, marks, strict=True)]), *others]


def _figures(found: Swept, rows: Rows, best: dict[str, Any] | None) -> tuple[list[Cells], list[Cells]]:
    """How many episodes each variant played, and what it came to, the best set off."""
    names = {"episodes": "episodes"} if found.seats == 1 else {"episodes": "episodes", "won": "wins", "tied": "ties"}
    styles = ["bold green" if best is not None and row["variant"] == best["variant"] else "" for row in rows]
    scores = [Text(_figure(found, row["score"]), style) for row, style in zip(rows, styles, strict=True)]
    return [Cells(head, [whole(row[name]) for row in rows]) for head, name in names.items()], [
        Cells("mean points" if found.seats == 1 else "score", scores),
        Cells("95 %", [_interval(found, row["low"], row["high"]) for row in rows]),
        Cells("better", ["" if row["better"] is None else chance(row["better"]) for row in rows]),
    ]


def _figure(found: Swept, value: float | None) -> str:
    return DASH if value is None else figure(value) if found.seats == 1 else decimal(value)


def _interval(found: Swept, low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return DASH
    return f"{figure(low)}–{figure(high)}" if found.seats == 1 else f"{decimal(low, 2)}–{decimal(high, 2)}"


def _against(found: Swept) -> dict[str, dict[int, str]]:
    """The score of each variant against each opponent, where there are several and they are met one at a time."""
    if found.seats != 2 or len(found.sweep.opponents) == 1:
        return {}
    codes = _codes(found)
    cells: dict[str, dict[int, str]] = {f"vs {code}": {} for code in codes.values()}
    for variant, opponent, score in found.by_opponent().select("variant", "opponent", "score").iter_rows():
        cells[f"vs {codes[opponent]}"][variant] = decimal(score)
    return cells


def _codes(found: Swept) -> dict[str, str]:
    """Letters that stand for the opponents."""
    names = [opponent.name for opponent in found.sweep.opponents]
    return dict(zip(names, letters(len(names)), strict=True))


def _verdict(found: Swept, best: dict[str, Any] | None) -> Iterator[str]:
    if best is None:
        return
    if best["variant"] == AS_GIVEN:
        yield f"The best is {best['agent']} as it was given."
        return
    settings = {axis.parameter: best[column_of(axis.parameter)] for axis in found.sweep.axes}
    values = ", ".join(f"{name}={value}" for name, value in settings.items() if value is not None)
    better = f", better than as given with a chance of {chance(best['better'])}" if best["better"] is not None else ""
    yield f"The best is {values}{better}."


def _notes(found: Swept) -> Iterator[str]:
    yield "*: as given, with which all others are compared, episode by episode: better is the chance to be better."
    if found.seats > 1:
        yield "score: 1 for a win, ½ for a first place shared."
    if len(found.sweep.variants) > 2:
        settles = "'ludus compare' settles" if found.seats == 2 else "more episodes settle"
        variants = len(found.sweep.variants)
        yield f"The best of {variants} variants owes some of it to luck: {settles} whether it is better."
    yield f"Stored as number {found.id}: 'ludus results {found.id}' shows all."


# --- As a chart -----------------------------------------------------------------------------------------------------


def _drawn(found: Swept) -> "Drawn":
    """A line for each parameter that varies alone, a heat map for each pair of those that vary together."""
    import altair as alt

    from ludus.views.charts import rate_charts
    from ludus.views.charts.theme import framed

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
    return f"{_figure(found, score)} ({_interval(found, low, high)})"
