"""The tables of a series of episodes on the screen."""

import statistics

from rich.console import Group, RenderableType
from rich.text import Text

from ludus.cli.screen import table
from ludus.core.text import balance, percent, spoken, spoken_time
from ludus.stats.tally import Line, Tally


def rendered(tally: Tally) -> RenderableType:
    """The tables: results and times, and results by seat where seats rotated."""
    agents = len(tally.lines)
    parts: list[RenderableType] = [_alone(tally) if agents == 1 else _together(tally)]
    if agents > 1 and tally.episodes >= agents:
        parts += ["", _seats(tally)]
    notes = [Text(tally.stopped())] if tally.stopped() else []
    notes += [Text(sentence, "yellow") for sentence in tally.faults()]
    return Group(*parts, *([""] if notes else []), *notes)


def _together(tally: Tally) -> RenderableType:
    columns = ["won", "tied", "lost", "score", "points", "moves", "mean", "slowest"]
    shown = table("agent", *columns, right=columns)
    found = tally.counts()
    results = zip(found.wins.sum(1), found.ties.sum(1), found.losses.sum(1), found.points.sum(1), strict=True)
    for line, (wins, ties, losses, points) in zip(tally.lines, results, strict=True):
        shown.add_row(
            Text(line.name, "bold"),
            f"{wins:,}",
            f"{ties:,}",
            f"{losses:,}",
            percent(points / tally.episodes),
            balance(sum(line.scores)),
            *_pace(line),
        )
    return shown


def _alone(tally: Tally) -> RenderableType:
    columns = ["mean points", "median", "best", "moves", "mean", "slowest"]
    shown = table("agent", *columns, right=columns)
    for line in tally.lines:
        points = [statistics.fmean(line.scores), statistics.median(line.scores), max(line.scores)]
        shown.add_row(Text(line.name, "bold"), *map(spoken, points), *_pace(line))
    return shown


def _seats(tally: Tally) -> RenderableType:
    seats = [f"as player {seat}" for seat in range(1, len(tally.lines) + 1)]
    shown = table("won–tied–lost", *seats, right=seats)
    found = tally.counts()
    for line, *results in zip(tally.lines, found.wins, found.ties, found.losses, strict=True):
        shown.add_row(Text(line.name, "bold"), *("–".join(map(str, seat)) for seat in zip(*results, strict=True)))
    return shown


def _pace(line: Line) -> tuple[str, str, str]:
    if not line.moves:
        return "0", "–", "–"
    return f"{line.moves:,}", spoken_time(line.wall / line.moves), spoken_time(line.slowest)
