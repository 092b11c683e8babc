"""`ludus results`: the results of a tournament as tables, and as a report, a chart or a new tournament file."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from ludus.cli.chart import LIST, check_file, draw_results, list_charts
from ludus.cli.completion import complete_tournament
from ludus.cli.options import JsonOption, StoreOption, number_option
from ludus.cli.result_parts import parts
from ludus.cli.screen import output, print_json
from ludus.cli.tables import frame_table
from ludus.core.errors import InvalidError, NotFoundError
from ludus.core.paths import write_file
from ludus.core.text import decimal, did_you_mean, listing, spoken_size
from ludus.stats.clock import shortest_reliable
from ludus.stats.rank_shifts import extent, shifts_between
from ludus.stats.results import Results, load, orders
from ludus.stats.selection import Among
from ludus.store import Store, open_store
from ludus.views.columns import rank_shifts
from ludus.views.facts import equal_games, facts, progress
from ludus.views.result_tables import TABLES

EXAMPLE = "Example: ludus results 3 --faults, or: ludus results 3 --html report.html"
_ORDERS = "; ".join(
    f"{players}: {', '.join(orders(seats))}" for seats, players in enumerate(("One player", "two", "more"), 1)
)
_CHARTS, _NEW = "Report and charts", "A new tournament from the best agents"


def results(
    which: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID",
            help="Tournaments by number or name. Default: the latest one.",
            autocompletion=complete_tournament,
            show_default=False,
        ),
    ] = None,
    sort: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help=f"Sort standings. {_ORDERS}. Knockout: also place. Swiss: also buchholz."),
    ] = None,
    agent: Annotated[str | None, typer.Option(metavar="NAME", help="Show only this agent.")] = None,
    faults: Annotated[
        bool, typer.Option("--faults", help="Show only faults and remarks, each with its episode.")
    ] = False,
    matches: Annotated[bool, typer.Option("--matches", help="Show only the times, match by match.")] = False,
    metrics: Annotated[
        bool, typer.Option("--metrics", help="Show only what agents reported, and memory and CPU time of bots.")
    ] = False,
    nash: Annotated[
        bool,
        typer.Option(
            "--nash", help="Show only Nash averaging and α-rank, for agents that beat each other in a circle."
        ),
    ] = False,
    shift: Annotated[bool, typer.Option("--shift", help="Show how ranks differ between two tournaments.")] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE", help="Write a report as one page that works offline.", rich_help_panel=_CHARTS
        ),
    ] = None,
    chart: Annotated[
        str | None,
        typer.Option(
            "--chart", metavar="NAME", help="Write a chart to -o FILE; 'list' shows the names.", rich_help_panel=_CHARTS
        ),
    ] = None,
    log_scale: Annotated[
        bool, typer.Option("--log-scale", help="Draw times on a logarithmic axis.", rich_help_panel=_CHARTS)
    ] = False,
    best: Annotated[
        int | None, number_option("--best", "Write a tournament file with the N best agents to -o FILE.", panel=_NEW)
    ] = None,
    by: Annotated[
        Among | None,
        typer.Option(
            metavar="type|all",
            help="Take the best of each type (mcts, maxn …), or of all agents.",
            rich_help_panel=_NEW,
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the new tournament.", rich_help_panel=_NEW)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.", rich_help_panel=_NEW)] = False,
    file: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="File for --chart (PNG, SVG, PDF or HTML) or --best."),
    ] = None,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Show the results of a tournament as tables, a report or a chart."""
    ways = {"--shift": shift, "--html": html, "--chart": chart, "--best": best, "--json": as_json and not shift}
    _refuse_both([way for way, wanted in ways.items() if wanted not in (None, False)])
    if file is not None and chart is None and best is None:
        raise InvalidError("-o FILE goes with --chart or --best; a report is written by --html FILE.")
    if best is None and (by or name or force):
        raise InvalidError("--by, --name and --force go with --best.")
    if html is not None:
        check_file(html, [".html"])
    with open_store(store) as opened:
        found = [load(text, opened) for text in which or [latest(opened)]]
        if shift:
            if len(found) != 2:
                raise InvalidError(f"--shift compares two tournaments, not {len(found)}.")
            _show_shifts(found[0], found[1], sort, as_json)
        elif best is not None:
            from ludus.cli.best import write_best  # openings need the compiler

            write_best(found, best, by or Among.ALL, file, name, force)
        elif html is not None:
            _write_report(_only(found, "--html"), html)
        elif chart == LIST:
            list_charts(_only(found, "--chart"))
        elif chart is not None:
            written = draw_results(_only(found, "--chart"), chart, file, sort, log_scale)
            output().print(str(written), markup=False, soft_wrap=True)
        else:
            asked = {"matches": matches, "metrics": metrics, "nash": nash, "faults": faults}
            only = [name for name, wanted in asked.items() if wanted]
            if nash:
                for one in found:
                    one.nash()  # refuses other numbers of players
            if as_json:
                contents = [everything(one, sort, only) for one in found]
                print_json(contents if len(contents) > 1 else contents[0])
                return
            for number, one in enumerate(found):
                if number:
                    output().print()
                _show(one, sort, only, agent and _agent_of(one, agent))


def _refuse_both(ways: Sequence[str]) -> None:
    if len(ways) > 1:
        raise InvalidError(f"{listing(ways)} cannot be combined: use one of them.")


def _only(found: Sequence[Results], option: str) -> Results:
    if len(found) != 1:
        raise InvalidError(f"{option} needs one tournament, not {len(found)}.")
    return found[0]


def _write_report(found: Results, file: Path) -> None:
    from ludus.views.page.page import render

    page = render(found).encode()
    write_file(file, page)
    output().print(f"{file}: {spoken_size(len(page))}", markup=False, soft_wrap=True)


def latest(store: Store) -> str:
    """The number of the tournament that was stored last."""
    found = store.tournaments()
    if not found:
        raise NotFoundError(f"The store {store.url} has no tournament yet: 'ludus run FILE' plays one.")
    return str(found[-1].id)


def _agent_of(results: Results, text: str) -> str:
    """The name of the agent that has this name or spec."""
    for entrant in results.tournament.agents:
        if text in (entrant.name, entrant.spec):
            return entrant.name
    raise NotFoundError(
        f"'{results.tournament.name}' has no agent '{text}'{did_you_mean(text, results.agents)}; its agents are "
        f"{', '.join(results.agents)}."
    )


# --- One ----------------------------------------------------------------------------------------------------------


def show_results(store: Store, which: int | str, *, as_json: bool = False) -> None:
    """Print the results of a stored tournament."""
    found = load(which, store)
    if as_json:
        print_json(everything(found))
    else:
        _show(found, None, (), None)


def _show(found: Results, sort: str | None, only: Collection[str], agent: str | None) -> None:
    if found.played:
        found.standings(by=sort)  # refuse an unknown column before anything is printed
    show_head(found)
    if not found.played:
        output().print("\nNothing has been played yet.")
        return
    for heading, part in parts(found, sort, only, agent):
        output().print()
        output().print(Text(heading, "bold"))
        output().print()
        output().print(part)


def everything(found: Results, sort: str | None = None, more: Collection[str] = ()) -> dict[str, Any]:
    """All results of a tournament as data; slow tables, `metrics`, `faults` and `nash`, only if asked for."""
    content: dict[str, Any] = {
        **found.summary._asdict(),
        "tournament": found.tournament,
        "sittings": [sitting._asdict() for sitting in found.sittings],
        "matches": found.matches,
        "planned": found.planned,
        "duplicates": found.duplicates,
        "repeating": found.repeating,
        "winners": found.winners,
        "shortest_reliable_time": shortest_reliable() or None,
    }
    for name, declared in TABLES.items():
        if declared.suits(found) and (not declared.on_request or declared.option in more):
            frame = declared.frame(found, by=sort) if name == "standings" else declared.frame(found)
            content[name] = frame.to_dicts()
    return content


def show_head(found: Results) -> None:
    """Print what was played, when and how."""
    title = Text.assemble((found.tournament.name, "bold cyan"), (f"  tournament {found.id}", "dim"))
    output().print(title)
    if not found.summary.finished:
        output().print(Text(f"Not finished: {progress(found)}. Run it again to continue.", "yellow"))
    output().print()
    shown = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    shown.add_column(no_wrap=True, style="dim")
    shown.add_column()
    for name, words in facts(found):
        shown.add_row(name, Text(words))
    output().print(shown)
    if found.played:
        for sentence in equal_games(found.repeating):
            output().print(Text(f"\n{sentence}", "yellow"))


# --- Two ----------------------------------------------------------------------------------------------------------


def _show_shifts(before: Results, after: Results, sort: str | None, as_json: bool) -> None:
    """Print the ranks of two tournaments, and warnings that matter for reading them."""
    found = shifts_between(before, after, sort)
    shifts = extent(found.ranks["shift"])
    if as_json:
        print_json(
            {
                "before": before.id,
                "after": after.id,
                "moved": shifts.moved,
                "mean": shifts.mean,
                "agents": found.ranks.to_dicts(),
                "only_before": found.only_before,
                "only_after": found.only_after,
                "unrated": found.unrated,
                "warnings": found.warnings,
            }
        )
        return
    for side in (before, after):
        output().print(Text.assemble((f"#{side.id} ", "bold"), (side.tournament.name, "bold cyan")))
    for warning in found.warnings:
        output().print(Text(warning, "yellow"))
    output().print()
    names = {name: name for name in found.ranks["agent"]}
    output().print(frame_table(found.ranks, rank_shifts(before.id, after.id), names))
    moved = f"{shifts.moved} of {len(names)} ranks shifted, by {decimal(shifts.mean, 2)} on average"
    output().print(f"\n{moved if shifts.moved else 'No rank shifted'}.")
    for words, left_out in (
        (f"Only in #{before.id}", found.only_before),
        (f"Only in #{after.id}", found.only_after),
        ("Without a result in one of the two", found.unrated),
    ):
        if left_out:
            output().print(Text(f"{words}, and left out: {', '.join(left_out)}.", "dim"))
