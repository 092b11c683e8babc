"""`ludus compare`: pairs of episodes between two agents until it is clear who is better."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.text import Text

from ludus.cli.chart import check_file, write_chart
from ludus.cli.completion import complete_agent, complete_game
from ludus.cli.options import JsonOption, StoreOption, number_option, with_options
from ludus.cli.screen import errors, output, print_json, table, warn
from ludus.core.text import whole
from ludus.run.compare import MOST_PAIRS, Compared, Pairs, comparison, play_pairs
from ludus.run.runner import Progress
from ludus.stats.ratings.sprt import Model, Sprt
from ludus.stats.results import Results, load
from ludus.store import open_store
from ludus.tournaments.tournament import Tournament
from ludus.views.facts import cautions
from ludus.views.verdicts import comparison_notes, comparison_verdict, difference, estimate

EXAMPLE = "Example: ludus compare mcts:simulations=200 mcts:simulations=100 --game connect-four --elo0 0 --elo1 50"
ROWS, COLUMNS = 11, 60


@with_options()
def compare(
    one: Annotated[
        str, typer.Argument(metavar="A", help="The agent that may be stronger.", autocompletion=complete_agent)
    ],
    other: Annotated[
        str, typer.Argument(metavar="B", help="The agent to compare it with.", autocompletion=complete_agent)
    ],
    game: Annotated[
        str, typer.Option(metavar="GAME", help="The game, such as 'hex:size=4'.", autocompletion=complete_game)
    ],
    elo0: Annotated[float, typer.Option(metavar="ELO", help="Null hypothesis: A is at most this much stronger.")] = 0.0,
    elo1: Annotated[float, typer.Option(metavar="ELO", help="Alternative: A is at least this much stronger.")] = 10.0,
    alpha: Annotated[float, typer.Option(metavar="P", help="False-positive rate.")] = 0.05,
    beta: Annotated[float, typer.Option(metavar="P", help="False-negative rate.")] = 0.05,
    model: Annotated[
        Model, typer.Option(help="Unit of elo0 and elo1: Elo points, or Elo points normalised by the spread of a game.")
    ] = "logistic",
    trinomial: Annotated[
        bool, typer.Option("--trinomial", help="Count single games (won, tied, lost) instead of pairs.")
    ] = False,
    most: Annotated[int, number_option("--most", "Stop after N pairs.", most=MOST_PAIRS, shown="10000")] = 10_000,
    store: StoreOption = None,
    as_json: JsonOption = False,
    file: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Also draw the test as PNG, SVG, PDF or HTML."),
    ] = None,
    *,
    options: dict[str, Any],
    limits: dict[str, Any],
) -> None:
    """Test whether one agent is stronger than another.

    Ludus plays pairs of episodes until a sequential test (SPRT) decides.

    The two episodes of a pair share an opening, and the agents swap seats. Without --opening-plies, --openings or
    --position, pairs start with 4 random plies.
    """
    if file is not None:
        check_file(file)
    test = Sprt(elo0, elo1, alpha, beta, model, trinomial=trinomial)
    planned = comparison(game, one, other, limits=limits, **options)
    tournament = planned.tournament
    with open_store(store) as opened, _status_line() as watch:
        found = play_pairs(
            tournament, opened, test, planned.options, parts=planned.parts, most=most, watch=watch, tell=warn
        )
        results = load(found.id, opened)
        if as_json:
            print_json(_everything(tournament, found, results))
        else:
            _show(tournament, found, results)
    if file is not None:
        from ludus.views.charts.run_charts import comparison_chart  # Altair is slow to import

        write_chart(comparison_chart(test), file)
        errors().print(str(file), markup=False, soft_wrap=True)


@contextmanager
def _status_line() -> Iterator[Callable[[Pairs, Progress], None]]:
    """Show the state of the test on one line, and after Ctrl-C how to continue."""
    status = errors().status("Playing …")

    def watch(pairs: Pairs, progress: Progress) -> None:
        if progress.compiling:
            status.update(f"Compiling {escape(', '.join(progress.compiling))} …")
            return
        test = pairs.test
        status.update(
            f"{len(test.path):,} pairs, log-likelihood ratio {test.llr:+.2f} [dim]({test.lower:.2f} to "
            f"{test.upper:.2f})[/], {difference(test.estimate)}"
        )

    try:
        with status:
            yield watch
    except KeyboardInterrupt:
        errors().print("Stopped. Played episodes are stored; run the same command again to continue.")
        raise


def _everything(tournament: Tournament, found: Compared, results: Results) -> dict[str, Any]:
    pairs, test = found.pairs, found.pairs.test
    return {
        "id": found.id,
        "name": tournament.name,
        "game": tournament.game,
        "agents": [agent.name for agent in tournament.agents],
        "verdict": test.verdict,
        "elo0": test.elo0,
        "elo1": test.elo1,
        "model": test.model,
        "trinomial": test.trinomial,
        "lower": test.lower,
        "upper": test.upper,
        "llr": test.llr,
        "pairs": len(test.path),
        "repeated": pairs.repeated,
        "void": pairs.void,
        "faults": results.faulty._asdict(),
        "repeating": results.repeating,
        "bins": test.bins,
        "wins": pairs.wins,
        "ties": pairs.ties,
        "losses": pairs.losses,
        **test.estimate._asdict(),
        "path": test.path,
    }


# --- On the screen --------------------------------------------------------------------------------------------------


def _show(tournament: Tournament, found: Compared, results: Results) -> None:
    pairs, test = found.pairs, found.pairs.test
    one, other = (agent.name for agent in tournament.agents)
    output().print(Text(comparison_verdict(pairs, one, other), "bold"))
    output().print(f"\n{estimate(test.estimate)}", markup=False)
    counted = {"pairs": len(test.path), **pairs.kinds, "won": pairs.wins, "tied": pairs.ties, "lost": pairs.losses}
    counts = table(*counted, right=counted)
    counts.add_row(*map(whole, counted.values()))
    output().print()
    output().print(counts)
    if test.path:
        output().print(f"\nlog-likelihood ratio over {len(test.path):,} pairs\n")
        for line in drawn_path(test.path, test.lower, test.upper):
            output().print(Text("  " + line), soft_wrap=True)
    for note in (*comparison_notes(pairs), *cautions(results)):
        output().print(f"\n{note}", markup=False)
    output().print(
        f"\n[dim]{escape(tournament.game)}, seed {tournament.seed}; stored as tournament {found.id}; "
        f"'ludus results {found.id}' shows everything.[/]"
    )


def drawn_path(path: list[float], lower: float, upper: float) -> list[str]:
    """The path of a test as lines of text, with the two bounds and 0."""
    top, bottom = max(upper, *path), min(lower, *path)

    def row(value: float) -> int:
        return round((top - value) / (top - bottom) * (ROWS - 1))

    lines = {row(value): value for value in (0.0, lower, upper)}
    grid = [["┄" if at in lines else " "] * COLUMNS for at in range(ROWS)]
    for column in range(COLUMNS):
        grid[row(path[column * (len(path) - 1) // (COLUMNS - 1)])][column] = "•"
    return [f"{f'{lines[at]:+.2f}' if at in lines else '':>6} {''.join(grid[at])}" for at in range(ROWS)]
