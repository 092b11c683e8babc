"""`ludus sweep`: one agent with many values of its parameters, all against the same opponents."""

from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from ludus.cli.chart import check_file, numbered, write_chart
from ludus.cli.completion import complete_agent, complete_game
from ludus.cli.options import JsonOption, StoreOption, number_option, with_options
from ludus.cli.run import play
from ludus.cli.screen import errors, output, print_json
from ludus.cli.tables import Cells, keyed_table, legend, letters
from ludus.core.errors import InvalidError
from ludus.core.text import chance, whole
from ludus.run.refining import refine
from ludus.run.sweep import SweepPlan, plan_sweep
from ludus.run.sweep_results import AS_GIVEN, Swept
from ludus.stats.participants import Value, column_of, plain
from ludus.store import open_store
from ludus.tournaments.file import Plan
from ludus.views.verdicts import sweep_interval, sweep_notes, sweep_score, sweep_verdict, variants

Rows = list[dict[str, Any]]

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
            help="An opponent; repeat the option for more. In games for more than two players they fill the other "
            "seats in turn.",
            autocompletion=complete_agent,
            show_default=False,
        ),
    ] = None,
    episodes: Annotated[
        int, number_option("--episodes -n", "Number of episodes of each variant, per opponent and seat.", shown="20")
    ] = 20,
    one_by_one: Annotated[
        bool, typer.Option("--one-by-one", help="Vary one parameter at a time instead of all combinations.")
    ] = False,
    budget: Annotated[
        int | None,
        number_option("--refine", "Narrow the ranges around the best values, round by round, within N episodes."),
    ] = None,
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

    Without --opening-plies, --openings or --position, episodes start with 4 random plies if the game always
    starts from the same position. The same command continues a sweep that was stopped.
    """
    if file is not None:
        check_file(file)
    with ExitStack() as stack:
        opened = cache(lambda: stack.enter_context(open_store(store)))  # only once the plan is known to be valid

        def played(planned: SweepPlan, tournament: Plan) -> Swept:
            return Swept(planned, opened(), play(tournament, opened(), "sweep"))

        content = {"episodes": episodes, "limits": limits, **options}
        if budget is None:
            planned = plan_sweep(game, agent, parameters or (), against or (), one_by_one=one_by_one)
            rounds = [played(planned, planned.tournament(**content))]
        elif one_by_one:
            raise InvalidError("--refine narrows all parameters together: leave out --one-by-one.")
        else:
            rounds = [*refine(game, agent, parameters or (), against or (), budget=budget, play=played, **content)]
    if as_json:
        shown = [_everything(found) for found in rounds]
        print_json(shown[0] if budget is None else {"rounds": shown, "best": shown[-1]["best"]})
    else:
        for number, found in enumerate(rounds, 1):
            if budget is not None:
                output().print(Text(f"Round {number}\n", "bold"))
            _show(found, last=number == len(rounds))
    if file is not None:
        from ludus.views.charts.run_charts import sweep_chart  # Altair is slow to import

        for number, found in enumerate(rounds, 1):
            target = numbered(file, number)
            write_chart(sweep_chart(found), target)
            errors().print(str(target), markup=False, soft_wrap=True)


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
        "faults": found.faulty._asdict(),
        "repeating": found.repeating,
        "best": None if best is None else with_numbers(best),
    }
    return content | ({"by_opponent": found.by_opponent().to_dicts()} if found.seats == 2 else {})


def _plain(value: Value) -> float | str:
    return value.text if value.number is None else value.number


# --- On the screen --------------------------------------------------------------------------------------------------


def _show(found: Swept, *, last: bool = True) -> None:
    """Print the table of a sweep; notes only with the last one."""
    rows = variants(found)
    values = [Cells(axis.parameter, [row[column_of(axis.parameter)] for row in rows]) for axis in found.sweep.axes]
    counts, scores = _figures(found, rows)
    against = [Cells(head, [cells.get(row["variant"], "–") for row in rows]) for head, cells in _against(found).items()]
    groups = [counts, scores, *([column] for column in against)]
    output().print(keyed_table(values, *groups, right=[value.head for value in values]))
    output().print()
    if against:
        output().print(legend(_codes(found)))
        output().print()
    if verdict := sweep_verdict(found):
        output().print(verdict, markup=False)
    for note in sweep_notes(found) if last else [""]:
        output().print(Text(note, "dim"))


def _figures(found: Swept, rows: Rows) -> tuple[list[Cells], list[Cells]]:
    """Episodes and scores of each variant, the best in bold."""
    best = found.best()
    names = {"episodes": "episodes"} if found.seats == 1 else {"episodes": "episodes", "won": "wins", "tied": "ties"}
    styles = ["bold green" if best is not None and row["variant"] == best["variant"] else "" for row in rows]
    scores = [Text(sweep_score(found, row["score"]), style) for row, style in zip(rows, styles, strict=True)]
    return [Cells(head, [whole(row[name]) for row in rows]) for head, name in names.items()], [
        Cells("mean points" if found.seats == 1 else "score", scores),
        Cells("95 %", [sweep_interval(found, row["low"], row["high"]) for row in rows]),
        Cells("better", ["" if row["better"] is None else chance(row["better"]) for row in rows]),
    ]


def _against(found: Swept) -> dict[str, dict[int, str]]:
    """The score of each variant against each opponent, where there are several and they are met one at a time."""
    if found.seats != 2 or len(found.sweep.opponents) == 1:
        return {}
    codes = _codes(found)
    cells: dict[str, dict[int, str]] = {f"vs {code}": {} for code in codes.values()}
    for variant, opponent, score in found.by_opponent().select("variant", "opponent", "score").iter_rows():
        cells[f"vs {codes[opponent]}"][variant] = sweep_score(found, score)
    return cells


def _codes(found: Swept) -> dict[str, str]:
    """Letters that stand for the opponents."""
    names = [opponent.name for opponent in found.sweep.opponents]
    return dict(zip(names, letters(len(names)), strict=True))
