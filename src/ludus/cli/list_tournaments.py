"""`ludus list tournaments`: stored tournaments, or one of them with its agents."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from ludus.cli.completion import complete_tournament
from ludus.cli.options import JsonOption, StoreOption
from ludus.cli.screen import output, print_json, table
from ludus.cli.tables import folded, shared_out
from ludus.core.spec import without_folder
from ludus.core.text import DASH, spoken_moment

if TYPE_CHECKING:
    from ludus.store import Store, Summary

TOURNAMENTS_EXAMPLE = "Example: ludus list tournaments"
_ROOMY = 110  # columns of a terminal that has room for the time of day too
_NARROW = 70  # columns of a terminal that lacks room for these:
_LEFT_OUT = ("agents", "begun")


def tournaments(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="ID", help="A tournament to describe, by number or name.", autocompletion=complete_tournament
        ),
    ] = None,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """List the stored tournaments, or describe one with its agents."""
    from ludus.store import open_store  # loading databases takes time that the other lists do not need

    with open_store(store) as opened:
        if name is None:
            _show_all(opened, as_json)
        else:
            _show_one(opened, name, as_json)


def _show_one(store: "Store", name: str, as_json: bool) -> None:
    from ludus.cli.results import show_head
    from ludus.stats.results import load

    found = load(name, store)
    if as_json:
        print_json({**found.summary._asdict(), "tournament": found.tournament, "planned": found.planned})
        return
    show_head(found)
    shown = table("#", "agent", "spec", right=["#"])
    for number, entrant in enumerate(found.tournament.agents, 1):
        shown.add_row(
            str(number), Text(entrant.name, "bold"), Text("" if entrant.spec == entrant.name else entrant.spec)
        )
    output().print()
    output().print(shown)


def _show_all(store: "Store", as_json: bool) -> None:
    from ludus.stats.results import Results
    from ludus.views.facts import planned

    found = store.tournaments()
    if as_json:
        print_json([summary._asdict() | {"planned": planned(Results(store, summary.id))} for summary in found])
        return
    if not found:
        output().print(f"The store {store.url} has no tournament yet: 'ludus run FILE' plays one.", markup=False)
        return
    roomy, narrow = output().width >= _ROOMY, output().width < _NARROW
    when = "2000-01-01 00:00" if roomy else "2000-01-01"
    between = " · " if roomy else "\n"
    texts = [[s.name, f"{without_folder(s.game)}{between}{s.format}"] for s in found]
    heads = ["#", "name", "game · format" if roomy else "game, format", "agents", "episodes", "begun", ""]
    facts = [str(found[-1].id), "agents", "episodes", when, "finished"]
    if narrow:
        heads, facts = [head for head in heads if head not in _LEFT_OUT], [facts[0], facts[2], facts[4]]
    taken = sum(map(len, facts)) + 2 * (len(heads) - 1)
    widest = [max(map(_width, column)) for column in zip(*texts, heads[1:3], strict=True)]
    widths = shared_out(output().width - taken, widest)
    shown = table(*heads, right=["#", "agents", "episodes"])
    for summary, words in zip(found, texts, strict=True):
        name, game = (
            "\n".join(part for line in text.split("\n") for part in folded(line, width))
            for text, width in zip(words, widths, strict=True)
        )
        cells: dict[str, RenderableType] = {
            "#": str(summary.id),
            "name": Text(name, "bold cyan"),
            "agents": str(summary.agents),
            "episodes": f"{summary.episodes:,}",
            "begun": spoken_moment(summary.created)[: len(when)],
            "": _state(store, summary),
        }
        shown.add_row(*(cells.get(head, Text(game)) for head in heads))
    output().print(shown)
    output().print("\n[dim]'ludus results ID' shows the results of one, by number or name.[/]")


def _width(text: str) -> int:
    return max(map(cell_len, text.split("\n")))


def _state(store: "Store", summary: "Summary") -> Text:
    from ludus.stats.results import Results
    from ludus.views.facts import planned, share_of

    if summary.finished:
        return Text("finished", "green")
    most = planned(Results(store, summary.id))
    return Text(DASH if most is None else share_of(summary.episodes, most), "yellow")
