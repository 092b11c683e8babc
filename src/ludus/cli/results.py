"""`ludus results`: what is stored, the results of a tournament, and how far two of them differ."""

from collections.abc import Collection
from typing import Annotated, Any

import typer
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from ludus.cli.options import StoreOption
from ludus.cli.result_parts import parts
from ludus.cli.screen import output, print_json, table
from ludus.cli.tables import folded, frame_table, shared_out
from ludus.core.errors import InvalidError
from ludus.core.text import DASH, decimal, spoken_moment
from ludus.stats.rank_shifts import extent, shifts_between
from ludus.stats.results import Results, load
from ludus.store import Store, Summary, open_store
from ludus.views.columns import rank_shifts
from ludus.views.facts import facts, planned, progress, share_of
from ludus.views.result_tables import TABLES

_ROOMY = 110  # columns of a terminal from which on the time of day finds room
EXAMPLE = "Example: ludus results 3, or: ludus results 3 5 --shift"


def results(
    which: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID", help="Tournaments by number, name or identity; without, all are listed."),
    ] = None,
    shift: Annotated[bool, typer.Option("--shift", help="Compare the ranks of two tournaments.")] = False,
    by: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Order standings by rating, wtl, glicko, fide, uscf, points, mean …"),
    ] = None,
    matches: Annotated[bool, typer.Option("--matches", help="Show times match by match too.")] = False,
    metrics: Annotated[
        bool, typer.Option("--metrics", help="Show what agents reported of their moves too, and what bots took.")
    ] = False,
    faults: Annotated[bool, typer.Option("--faults", help="List every fault too, and remarks on bots.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write everything as JSON.")] = False,
    store: StoreOption = None,
) -> None:
    """List the tournaments that are stored, or show the results of one, or the rank shifts between two."""
    with open_store(store) as opened:
        if not which:
            _show_all(opened, as_json)
        elif shift:
            if len(which) != 2:
                raise InvalidError(f"Rank shifts are between two tournaments, but {len(which)} are given.")
            _show_shifts(load(which[0], opened), load(which[1], opened), by, as_json)
        else:
            found = [load(text, opened) for text in which]
            asked = {"matches": matches, "metrics": metrics, "faults": faults}
            more = [name for name, wanted in asked.items() if wanted]
            if as_json:
                told = [everything(one, by, more) for one in found]
                print_json(told if len(told) > 1 else told[0])
                return
            for number, one in enumerate(found):
                if number:
                    output().print()
                _show(one, by, more)


# --- All ----------------------------------------------------------------------------------------------------------


def _show_all(store: Store, as_json: bool) -> None:
    found = store.tournaments()
    if as_json:
        print_json([summary._asdict() | {"planned": planned(Results(store, summary.id))} for summary in found])
        return
    if not found:
        output().print(f"No tournament is stored in {store.url} yet: 'ludus run FILE' plays one.", markup=False)
        return
    roomy = output().width >= _ROOMY
    when = "2000-01-01 00:00" if roomy else "2000-01-01"
    texts = [[s.name, f"{s.game} · {s.format}" if roomy else f"{s.game}\n{s.format}"] for s in found]
    heads = ["#", "name", "game · format" if roomy else "game, format", "agents", "episodes", "begun", ""]
    taken = sum(map(len, (str(found[-1].id), "agents", "episodes", when, "finished"))) + 2 * (len(heads) - 1)
    widest = [max(map(_width, column)) for column in zip(*texts, heads[1:3], strict=True)]
    widths = shared_out(output().width - taken, widest)
    shown = table(*heads, right=["#", "agents", "episodes"])
    for summary, words in zip(found, texts, strict=True):
        name, game = (
            "\n".join(part for line in text.split("\n") for part in folded(line, width))
            for text, width in zip(words, widths, strict=True)
        )
        shown.add_row(
            str(summary.id),
            Text(name, "bold cyan"),
            Text(game),
            str(summary.agents),
            f"{summary.episodes:,}",
            spoken_moment(summary.created)[: len(when)],
            _state(store, summary),
        )
    output().print(shown)
    output().print("\n[dim]'ludus results ID' shows one, by number or name.[/]")


def _width(text: str) -> int:
    return max(map(cell_len, text.split("\n")))


def _state(store: Store, summary: Summary) -> Text:
    if summary.finished:
        return Text("finished", "green")
    most = planned(Results(store, summary.id))
    return Text(DASH if most is None else share_of(summary.episodes, most), "yellow")


# --- One ----------------------------------------------------------------------------------------------------------


def show_results(store: Store, which: int | str, *, as_json: bool = False) -> None:
    """Print the results of a stored tournament."""
    found = load(which, store)
    if as_json:
        print_json(everything(found))
    else:
        _show(found, None, ())


def _show(found: Results, by: str | None, more: Collection[str]) -> None:
    if found.played:
        found.standings(by=by)  # an order that there is not is refused before anything is printed
    _show_head(found)
    if not found.played:
        output().print("\nNothing has been played yet.")
        return
    for heading, part in parts(found, by, more):
        output().print()
        output().print(Text(heading, "bold"))
        output().print()
        output().print(part)


def everything(found: Results, by: str | None = None, more: Collection[str] = ()) -> dict[str, Any]:
    """All results of a tournament as data; with more, if that is asked for: `metrics`, `faults`."""
    content: dict[str, Any] = {
        **found.summary._asdict(),
        "tournament": found.tournament,
        "sittings": [sitting._asdict() for sitting in found.sittings],
        "matches": found.matches,
        "planned": found.planned,
        "duplicates": found.duplicates,
        "winners": found.winners,
    }
    for name, declared in TABLES.items():
        if declared.suits(found) and (not declared.from_records or declared.option in more):
            frame = declared.frame(found, by=by) if name == "standings" else declared.frame(found)
            content[name] = frame.to_dicts()
    return content


def _show_head(found: Results) -> None:
    title = Text.assemble((found.tournament.name, "bold cyan"), (f"  tournament {found.id}", "dim"))
    output().print(title)
    if not found.summary.finished:
        output().print(Text(f"Not finished: {progress(found)}. Run it again to go on.", "yellow"))
    output().print()
    shown = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    shown.add_column(no_wrap=True, style="dim")
    shown.add_column()
    for name, words in facts(found):
        shown.add_row(name, Text(words))
    output().print(shown)


# --- Two ----------------------------------------------------------------------------------------------------------


def _show_shifts(before: Results, after: Results, by: str | None, as_json: bool) -> None:
    """Print the ranks of both, and what must be known to read them."""
    found = shifts_between(before, after, by)
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
