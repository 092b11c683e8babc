"""The progress of a run: on a terminal current standings and what is being played, elsewhere a line now and then."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from ludus.cli.screen import errors, table
from ludus.core.text import decimal, percent, plural, whole
from ludus.run.runner import Progress, Watcher

_MOST_ROWS = 12
_ROWS_BESIDE = 8  # of the screen: head, bar, what is played, and two rows of the shell
_NUMBERS = 26  # columns beside the names
_FIRST_LINE, _LONGEST_PAUSE = 10.0, 300.0  # seconds between two lines where there is no terminal
_LOOKS = 4  # a second


@contextmanager
def live_standings(seats: int) -> Iterator[Watcher]:
    """Show the progress of a run of a game with that many seats; after Ctrl-C, a line on how to go on."""
    last: Progress | None = None
    shown = _Screen(seats) if errors().is_terminal else _Lines(seats)

    def watch(progress: Progress) -> None:
        nonlocal last
        last = progress
        shown.show(progress)

    try:
        with shown:
            yield watch
    except KeyboardInterrupt:
        done = f"{last.done:,} of {last.total:,}" if last else "All played"
        errors().print(f"Stopped. {done} episodes are stored; run the same command again to continue.")
        raise


class _Lines:
    """A line after some seconds, and then after pauses that double."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._began = time.monotonic()
        self._pause = _FIRST_LINE
        self._due = self._began + self._pause
        self._first: int | None = None

    def __enter__(self) -> None: ...

    def __exit__(self, *exception: object) -> None: ...

    def show(self, progress: Progress) -> None:
        self._first = progress.done if self._first is None else self._first
        now = time.monotonic()
        if now < self._due or progress.done == progress.total:
            return
        errors().print(Text(self._line(progress, now - self._began)), soft_wrap=True)
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)
        self._due = now + self._pause

    def _line(self, progress: Progress, seconds: float) -> str:
        words = f"{progress.done:,} of {plural(progress.total, 'episode')}"
        if speed := (progress.done - (self._first or 0)) / seconds:
            words += f", {_rate(speed)}"
        if progress.compiling:
            words += f"; compiling {', '.join(progress.compiling)}"
        if order := ranked(progress):
            first = order[0]
            words += f"; first: {progress.names[first]} ({_mean(progress, first, self._seats)})"
        return f"{words}."


class _Screen:
    """A bar, the standings so far, and the matches that are being played, in one place that is drawn over."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._progress: Progress | None = None
        self._bar = Bar(
            BarColumn(20),
            MofNCompleteColumn(),
            TextColumn("episodes{task.fields[rate]}"),
            TimeRemainingColumn(compact=True),
            TextColumn("left"),
            console=errors(),
        )
        self._task = self._bar.add_task("", total=None, rate="")
        self._live = Live(
            get_renderable=self._drawn, console=errors(), transient=True, refresh_per_second=_LOOKS, screen=False
        )

    def __enter__(self) -> None:
        self._live.start()

    def __exit__(self, *exception: object) -> None:
        self._live.stop()

    def show(self, progress: Progress) -> None:
        speed = self._bar.tasks[0].speed
        rate = f", {_rate(speed)}" if speed else ""
        self._bar.update(self._task, completed=progress.done, total=progress.total, rate=rate)
        self._progress = progress

    def _drawn(self) -> RenderableType:
        if self._progress is None:
            return self._bar
        return drawn(self._progress, self._seats, self._bar, errors())


def drawn(progress: Progress, seats: int, bar: RenderableType, console: Console) -> RenderableType:
    """The bar, the standings of those who have played, as many as fit, and what is going on, each on one line."""
    rows = max(1, min(_MOST_ROWS, console.height - _ROWS_BESIDE))
    order = ranked(progress)
    parts: list[RenderableType] = [bar]
    if order:
        parts += [_standings(progress, order[:rows], seats, console.width)]
        if len(order) > rows:
            parts += [Text(f"and {plural(len(order) - rows, 'more agent')}", "dim")]
    if progress.compiling:
        parts += [_line("compiling", progress.compiling)]
    if progress.playing:
        parts += [_line("playing", [" – ".join(names) for names in progress.playing])]
    return Group(*parts)


def ranked(progress: Progress) -> list[int]:
    """The agents that have played, the one with the best mean score first."""
    means = progress.points / progress.played.clip(1)
    return [int(agent) for agent in (-means).argsort(kind="stable") if progress.played[agent]]


def _standings(progress: Progress, agents: Sequence[int], seats: int, width: int) -> Table:
    made, longest = table("#", right=["#"]), max(cell_len(name) for name in progress.names)
    # Widths that stay as the values change, so that nothing moves.
    made.add_column("agent", no_wrap=True, overflow="ellipsis", width=max(5, min(longest, width - _NUMBERS)))
    made.add_column("score" if seats > 1 else "mean", justify="right", no_wrap=True, min_width=7)
    made.add_column("episodes", justify="right", no_wrap=True, min_width=8)
    for place, agent in enumerate(agents, 1):
        name, played = Text(progress.names[agent], no_wrap=True), whole(progress.played[agent])
        made.add_row(str(place), name, _mean(progress, agent, seats), played)
    return made


def _mean(progress: Progress, agent: int, seats: int) -> str:
    mean = float(progress.points[agent] / progress.played[agent])
    return percent(mean) if seats > 1 else decimal(mean, 1)


def _line(what: str, names: Sequence[str]) -> Text:
    return Text.assemble((f"{what} ", "dim"), ", ".join(names), no_wrap=True, overflow="ellipsis")


def _rate(speed: float) -> str:
    return f"{speed:,.0f}/s" if speed >= 1 else f"{60 * speed:,.0f}/min"
