"""`ludus results`: what is stored, the results of a tournament, and how far two of them differ."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from ludus.analysis.shifts import extent, rank_shifts
from ludus.cli.options import StoreOption
from ludus.cli.screen import output, print_json, table
from ludus.cli.standings import moved, parts
from ludus.cli.tables import Column, agents_table, folded, shared_out
from ludus.errors import LudusError
from ludus.record import UNLIMITED
from ludus.results import Results, load
from ludus.spec import format_duration, spoken_time
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
    as_json: Annotated[bool, typer.Option("--json", help="Write everything as JSON.")] = False,
    store: StoreOption = None,
) -> None:
    """List the tournaments that are stored, or show the results of one, or the rank shifts between two."""
    with open_store(store) as opened:
        if not which:
            _show_all(opened, as_json)
        elif shift:
            _show_shift(opened, which, by, as_json)
        else:
            for number, text in enumerate(which):
                if number and not as_json:
                    output().print()
                show_results(opened, text, by=by, by_match=matches, as_json=as_json)


# --- All ----------------------------------------------------------------------------------------------------------


def _show_all(store: Store, as_json: bool) -> None:
    found = store.tournaments()
    if as_json:
        print_json([summary._asdict() | {"planned": Results(store, summary.id).planned} for summary in found])
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
            game,
            str(summary.agents),
            f"{summary.episodes:,}",
            _date(summary.created)[: len(when)],
            _state(store, summary),
        )
    output().print(shown)
    output().print("\n[dim]'ludus results ID' shows one, by number or name.[/]")


def _width(text: str) -> int:
    return max(map(len, text.split("\n")))


def _state(store: Store, summary: Summary) -> Text:
    if summary.finished:
        return Text("finished", "green")
    return Text(_share(summary.episodes, Results(store, summary.id).planned), "yellow")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "0 %"


# --- One ----------------------------------------------------------------------------------------------------------


def show_results(
    store: Store, which: int | str, *, by: str | None = None, by_match: bool = False, as_json: bool = False
) -> None:
    """Print the results of a stored tournament."""
    found = load(which, store)
    if as_json:
        print_json(everything(found, by))
        return
    _show_head(found)
    if not found.played:
        output().print("\nNothing has been played yet.")
        return
    for heading, part in parts(found, by, by_match):
        output().print()
        output().print(Text(heading, "bold"))
        output().print()
        output().print(part)


def everything(found: Results, by: str | None = None) -> dict[str, Any]:
    """All results of a tournament as data."""
    content: dict[str, Any] = {
        **found.summary._asdict(),
        "tournament": found.tournament,
        "sittings": [sitting._asdict() for sitting in found.sittings],
        "matches": found.matches,
        "planned": found.planned,
        "duplicates": found.duplicates,
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
            "repetitions": found.repetitions(),
            "stability": found.stability(),
            "shifts": found.shifts(),
        }
    frames |= {
        "timing": found.timing(),
        "timing_by_match": found.timing("match"),
        "strength_speed": found.strength_speed(),
        "endings": found.endings(),
    }
    return content | {name: frame.to_dicts() for name, frame in frames.items()}


def _show_head(found: Results) -> None:
    title = Text.assemble((found.tournament.name, "bold cyan"), (f"  tournament {found.id}", "dim"))
    output().print(title)
    if not found.summary.finished:
        told = f"Not finished: {found.played:,} of {found.planned:,} episodes ({_share(found.played, found.planned)})."
        output().print(Text(f"{told} Run it again to go on.", "yellow"))
    output().print()
    shown = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    shown.add_column(no_wrap=True, style="dim")
    shown.add_column()
    for name, words in _head(found):
        shown.add_row(name, Text(words))
    output().print(shown)


def _head(found: Results) -> Iterator[tuple[str, str]]:
    tournament = found.tournament
    yield "game", tournament.game
    times = f", {tournament.repetitions} repetitions" if tournament.repetitions > 1 else ""
    yield "format", f"{tournament.format}, {_count(len(tournament.agents), 'agent')}{times}"
    yield "matches", f"{found.matches:,} of {_count(tournament.episodes, 'episode')}"
    again = f"; {found.duplicates:,} ({_share(found.duplicates, found.played)}) went as an earlier one"
    yield "episodes", f"{found.played:,}{f'{again}; ratings count these once' if found.duplicates else ''}"
    yield "openings", _openings(found)
    yield "limits", _limits(found)
    yield "when", _when(found)
    if found.sittings:
        yield "workers", "; ".join(dict.fromkeys(_workers(s.workers, s.cores, s.timed) for s in found.sittings))


def _openings(found: Results) -> str:
    openings = found.tournament.openings
    if openings.listed:
        return f"{_count(len(openings.listed), 'opening')} from a file"
    return f"{_count(openings.plies, 'random ply', 'random plies')}" if openings.plies else "none"


def _limits(found: Results) -> str:
    limits = found.tournament.limits
    if limits == UNLIMITED:
        return "none"
    times = ("preparation", "move", "total", "increment", "grace", "hard")
    words = [f"{name} {format_duration(getattr(limits, name))}" for name in times if getattr(limits, name)]
    if limits.plies is not None:
        words.append(f"{limits.plies:,} plies")
    if limits.memory is not None:
        words.append(f"memory {limits.memory / 2**20:,.0f} MiB")
    return ", ".join([*words, f"policy {limits.policy}"])


def _when(found: Results) -> str:
    ended = [(sitting.started, sitting.ended) for sitting in found.sittings if sitting.ended]
    if not ended:
        return _date(found.summary.created)
    spent = sum((end - start for start, end in ended), timedelta())
    times = "" if len(found.sittings) == 1 else f" in {len(found.sittings)} sittings"
    return f"{_date(found.sittings[0].started)}, {_length(spent)}{times}"


def _length(spent: timedelta) -> str:
    minutes, seconds = divmod(round(spent.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {seconds:02} s" if minutes else spoken_time(spent.total_seconds() * 1e9)


def _workers(workers: int, cores: int, timed: bool) -> str:
    if not workers:
        return "none: all in one process"
    words = f"{workers} on {_count(cores, 'core')}"
    return f"{words}, each on one of its own" if timed else f"{words}, {workers / cores:.2g} a core"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def _date(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


# --- Two ----------------------------------------------------------------------------------------------------------


def _show_shift(store: Store, which: list[str], by: str | None, as_json: bool) -> None:
    if len(which) != 2:
        raise LudusError(f"Rank shifts are between two tournaments, but {len(which)} are given.")
    before, after = (load(text, store) for text in which)
    orders = [found.standings(by=by)["agent"].to_list() for found in (before, after)]
    frame = rank_shifts(*orders)
    if frame.is_empty():
        raise LudusError(f"'{before.tournament.name}' and '{after.tournament.name}' have no agent of the same name.")
    shifts = extent(frame["shift"])
    only = [[name for name in order if name not in set(frame["agent"])] for order in orders]
    if as_json:
        print_json(
            {
                "before": before.id,
                "after": after.id,
                "moved": shifts.moved,
                "mean": shifts.mean,
                "agents": frame.to_dicts(),
                "only_before": only[0],
                "only_after": only[1],
            }
        )
        return
    arrows = [_arrow(shift) for shift in frame["shift"]]
    columns = [
        Column(f"#{before.id}", [str(rank) for rank in frame["before"]]),
        Column(f"#{after.id}", [str(rank) for rank in frame["after"]]),
        Column("shift", arrows),
    ]
    for found in (before, after):
        output().print(Text.assemble((f"#{found.id} ", "bold"), (found.tournament.name, "bold cyan")))
    output().print()
    output().print(agents_table([], frame["agent"].to_list(), columns))
    output().print(f"\n{moved(shifts, len(frame)).capitalize()}.")
    for found, names in zip((before, after), only, strict=True):
        if names:
            output().print(Text(f"Only in #{found.id}, and left out: {', '.join(names)}.", "dim"))


def _arrow(shift: int) -> Text:
    if not shift:
        return Text("·", "dim")
    return Text(f"↑ {shift}", "green") if shift > 0 else Text(f"↓ {-shift}", "red")
