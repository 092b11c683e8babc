"""`ludus results`: what is stored, the results of a tournament, and how far two of them differ."""

from collections import Counter
from collections.abc import Collection, Iterator
from datetime import timedelta
from typing import Annotated, Any

import typer
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from ludus.cli.options import StoreOption
from ludus.cli.screen import output, print_json, table
from ludus.cli.shifts import show_shifts
from ludus.cli.standings import parts
from ludus.cli.tables import folded, shared_out
from ludus.core.errors import InvalidError, LudusError
from ludus.core.text import percent, plural, spoken_moment, spoken_time
from ludus.stats import wording
from ludus.stats.results import Results, load
from ludus.store import Store, Summary, open_store

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
            show_shifts(load(which[0], opened), load(which[1], opened), by, as_json)
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
        print_json([summary._asdict() | {"planned": _planned(Results(store, summary.id))} for summary in found])
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
    planned = _planned(Results(store, summary.id))
    return Text("–" if planned is None else _share(summary.episodes, planned), "yellow")


def _planned(found: Results) -> int | None:
    """How many episodes there are to be; nothing where that cannot be told, since the file of the game is gone."""
    try:
        return found.planned
    except LudusError:
        return None


def _share(part: int, whole: int) -> str:
    return percent(part / whole if whole else 0, 0)


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
    frames = {"standings": found.standings(by=by)}
    if found.seats == 2:
        frames |= {"crosstable": found.crosstable(), "symmetry": found.symmetry()}
    else:
        frames |= {"ahead": found.ahead()}
    if found.seats > 1:
        frames |= {"by_seat": found.by_seat(), "course": found.course()}
    if found.seats > 2:
        frames |= {"places": found.places()}
    if found.tournament.repetitions > 1:
        frames |= {
            "repetitions": found.repetitions(),  # the complete ones
            "stability": found.stability(),
            "shifts": found.shifts(),
        }
    frames |= {
        "timing": found.timing(),
        "timing_by_match": found.timing("match"),
        "strength_speed": found.strength_speed(),
        "endings": found.endings(),
    }
    if "metrics" in more:
        frames |= {"metrics": found.metrics(), "usage": found.usage()}
    if "faults" in more:
        frames |= {"faults": found.faults(), "remarks": found.remarks()}
    return content | {name: frame.to_dicts() for name, frame in frames.items()}


def _show_head(found: Results) -> None:
    title = Text.assemble((found.tournament.name, "bold cyan"), (f"  tournament {found.id}", "dim"))
    output().print(title)
    if not found.summary.finished:
        output().print(Text(f"Not finished: {_progress(found)}. Run it again to go on.", "yellow"))
    output().print()
    shown = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    shown.add_column(no_wrap=True, style="dim")
    shown.add_column()
    for name, words in _head(found):
        shown.add_row(name, Text(words))
    output().print(shown)


def _progress(found: Results) -> str:
    planned = _planned(found)
    if planned is None:
        return f"{plural(found.played, 'episode')}; how many are planned only its game could tell, which is not found"
    return f"{found.played:,} of {plural(planned, 'episode')} ({_share(found.played, planned)})"


def _head(found: Results) -> Iterator[tuple[str, str]]:
    tournament = found.tournament
    yield "game", tournament.game
    times = f", {tournament.repetitions} repetitions" if tournament.repetitions > 1 else ""
    yield "format", f"{tournament.format}, {plural(len(tournament.agents), 'agent')}{times}"
    if winners := Counter(found.winners):
        yield "winner", wording.winner(winners, tournament.repetitions)
    yield "matches", _matches(found)
    again = ""
    if found.duplicates:
        again = f"; {found.duplicates:,} ({_share(found.duplicates, found.played)}) went as an earlier one"
        again += "; ratings leave these out" if found.seats > 1 else ""
    yield "episodes", f"{found.played:,}{again}"
    yield "openings", wording.openings(tournament.openings)
    yield "limits", wording.limits(tournament.limits, bots=found.has_bots)
    yield "when", _when(found)
    if found.sittings:
        yield "workers", "; ".join(dict.fromkeys(wording.workers(sitting) for sitting in found.sittings))


def _matches(found: Results) -> str:
    episodes = plural(found.tournament.episodes, "episode")
    if found.summary.finished:
        return f"{found.matches:,} of {'up to ' if found.is_cut_short else ''}{episodes}"
    planned = _planned(found)
    number = "–" if planned is None else f"{planned // found.tournament.episodes:,} planned"
    return f"{number}, of {episodes} each"


def _when(found: Results) -> str:
    ended = [(sitting.started, sitting.ended) for sitting in found.sittings if sitting.ended]
    if not ended:
        return spoken_moment(found.summary.created)
    spent = sum((end - start for start, end in ended), timedelta())
    times = "" if len(found.sittings) == 1 else f" in {len(found.sittings)} sittings"
    return f"{spoken_moment(found.sittings[0].started)}, {spoken_time(spent.total_seconds() * 1e9)}{times}"
