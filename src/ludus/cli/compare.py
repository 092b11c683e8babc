"""`ludus compare`: pairs of episodes between two agents until it is clear who is better."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.text import Text

from ludus.cli.chart import check_file, write_chart
from ludus.cli.options import PatienceOption, StoreOption, with_limits
from ludus.cli.run import warn
from ludus.cli.screen import errors, output, print_json, table
from ludus.core.text import chance, margin, signed, whole
from ludus.episode.limits import Limits
from ludus.run.compare import MOST_PAIRS, MOST_REPEATS, Compared, Pairs, comparison, play_pairs
from ludus.run.pool import PATIENCE
from ludus.run.runner import Progress
from ludus.stats.ratings.comparison import Comparison, compared
from ludus.stats.ratings.sprt import Model, Sprt
from ludus.store import open_store
from ludus.tournaments.field import entrant_from
from ludus.tournaments.tournament import Tournament

EXAMPLE = "Example: ludus compare mcts:simulations=200 mcts:simulations=100 --game connect-four --elo0 0 --elo1 50"
OPENING_PLIES = 4
ROWS, COLUMNS = 11, 60


@with_limits
def compare(
    one: Annotated[str, typer.Argument(metavar="A", help="The agent that may be better, as in 'mcts:time=1s'.")],
    other: Annotated[str, typer.Argument(metavar="B", help="The agent to compare it with.")],
    game: Annotated[str, typer.Option(metavar="GAME", help="The game, as in 'hex:size=4'.")],
    elo0: Annotated[float, typer.Option(help="Elo points by which A is better if it is not worth having.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="Elo points by which A is better if it is.")] = 10.0,
    alpha: Annotated[float, typer.Option(help="Chance to find for elo1 where elo0 is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Chance to find for elo0 where elo1 is true.")] = 0.05,
    model: Annotated[
        Model, typer.Option(help="What elo0 and elo1 are: Elo points, or shares of the deviation of a game.")
    ] = "logistic",
    most: Annotated[int, typer.Option(min=1, max=MOST_PAIRS, help="Give up after so many pairs.")] = 10_000,
    opening_plies: Annotated[
        int | None,
        typer.Option(min=0, help="Begin each pair with so many random plies.", show_default=str(OPENING_PLIES)),
    ] = None,
    openings: Annotated[Path | None, typer.Option(metavar="FILE", help="Begin with the openings of a file.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Where all chance comes from.")] = 0,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="What it is called in the store.")] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=0, help="Worker processes; as many as there are cores if not given; 0: play in this process."),
    ] = None,
    timed: Annotated[bool, typer.Option("--timed", help="Give each episode a core of its own.")] = False,
    store: StoreOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the outcome and the path as JSON.")] = False,
    file: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Draw the path too: PNG, SVG, PDF or HTML by the ending."),
    ] = None,
    *,
    limits: dict[str, Any],
    patience: PatienceOption = PATIENCE,
) -> None:
    """Play pairs of episodes, with one opening and seats swapped, until it is clear whether A is better than B."""
    if file is not None:
        check_file(file)
    if opening_plies is None:
        opening_plies = OPENING_PLIES if openings is None else 0
    test = Sprt(elo0, elo1, alpha, beta, model)
    tournament = comparison(
        game,
        entrant_from(one),
        entrant_from(other),
        name=name,
        seed=seed,
        opening_plies=opening_plies,
        openings=openings,
        limits=Limits(**limits),
    )
    with open_store(store) as opened, _told() as watch:
        found = play_pairs(
            tournament,
            opened,
            test,
            most=most,
            workers=workers,
            timed=timed,
            patience=patience,
            watch=watch,
            tell=warn,
        )
    if as_json:
        print_json(_everything(tournament, found))
    else:
        _show(tournament, found)
    if file is not None:
        from ludus.views.charts.rating_charts import path
        from ludus.views.charts.theme import framed

        write_chart(framed(path(test.path, test.lower, test.upper, elo0, elo1)), file)
        errors().print(str(file), markup=False, soft_wrap=True)


@contextmanager
def _told() -> Iterator[Callable[[Pairs, Progress], None]]:
    """A line that tells how the test stands; when it is stopped, how to go on."""
    done = 0
    status = errors().status("Playing …")

    def watch(pairs: Pairs, progress: Progress) -> None:
        nonlocal done
        done = progress.done
        if progress.compiling:
            status.update(f"Compiling {escape(', '.join(progress.compiling))} …")
            return
        test = pairs.test
        status.update(
            f"{len(test.path):,} pairs, log-likelihood ratio {test.llr:+.2f} [dim]({test.lower:.2f} to "
            f"{test.upper:.2f})[/], {_elo(compared(test.bins))}"
        )

    try:
        with status:
            yield watch
    except KeyboardInterrupt:
        errors().print(f"Stopped. {done:,} episodes are stored; the same command goes on from there.")
        raise


def _elo(found: Comparison) -> str:
    return f"{signed(found.elo, 1)} {margin(found.error, 1)} Elo points"


def _everything(tournament: Tournament, found: Compared) -> dict[str, Any]:
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
        "lower": test.lower,
        "upper": test.upper,
        "llr": test.llr,
        "pairs": len(test.path),
        "repeated": pairs.repeated,
        "spoilt": pairs.spoilt,
        "bins": test.bins,
        "wins": pairs.wins,
        "ties": pairs.ties,
        "losses": pairs.losses,
        **compared(test.bins)._asdict(),
        "path": test.path,
    }


# --- On the screen --------------------------------------------------------------------------------------------------


def _show(tournament: Tournament, found: Compared) -> None:
    pairs, test = found.pairs, found.pairs.test
    one, other = (agent.name for agent in tournament.agents)
    difference = compared(test.bins)
    output().print(Text(_verdict(pairs, one, other), "bold"))
    output().print(f"\n{_elo(difference)}, better with a chance of {chance(difference.chance)}", markup=False)
    kinds = ["LL", "LD", "WL or DD", "WD", "WW"]
    counts = table("pairs", *kinds, "won", "tied", "lost", right=["pairs", *kinds, "won", "tied", "lost"])
    numbers = (len(test.path), *test.bins, pairs.wins, pairs.ties, pairs.losses)
    counts.add_row(*map(whole, numbers))
    output().print()
    output().print(counts)
    if test.path:
        output().print(f"\nlog-likelihood ratio over {len(test.path):,} pairs\n")
        for line in drawn_path(test.path, test.lower, test.upper):
            output().print(Text("  " + line), soft_wrap=True)
    for note in _notes(pairs):
        output().print(f"\n{note}")
    output().print(
        f"\n[dim]{escape(tournament.game)}, seed {tournament.seed}; stored as number {found.id}: "
        f"'ludus results {found.id}' shows all.[/]"
    )


def _verdict(pairs: Pairs, one: str, other: str) -> str:
    test = pairs.test
    points = "Elo points" if test.model == "logistic" else "normalised Elo points"
    if test.verdict == "H1":
        return f"Yes: {one} is better than {other} by {test.elo1:g} {points} rather than {test.elo0:g}."
    if test.verdict == "H0":
        return f"No: {one} is better than {other} by {test.elo0:g} {points} rather than {test.elo1:g}."
    return f"Undecided: the test needs more than {len(test.path):,} pairs of {one} and {other}."


def _notes(pairs: Pairs) -> Iterator[str]:
    if pairs.stuck:
        yield (
            f"The last {MOST_REPEATS} pairs repeated earlier ones, move by move: more opening plies give the agents "
            "something new to play."
        )
    elif pairs.repeated:
        yield f"{pairs.repeated:,} pairs repeated earlier ones, move by move, and were not counted."
    if pairs.spoilt:
        yield f"{pairs.spoilt:,} pairs have no result through the machine's fault, and were not counted."


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
