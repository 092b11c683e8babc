"""Progress of long work: bars and notes."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ludus.cli.screen import errors


@contextmanager
def told_if_slow(message: str) -> Iterator[None]:
    """Show the message while something takes longer than a second."""
    status = errors().status(message)
    show = status.start if errors().is_terminal else lambda: errors().print(message, markup=False)
    timer = threading.Timer(1.0, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        status.stop()


@contextmanager
def progress(total: int | None, noun: str = "episodes", *, visible: bool = True) -> Iterator[Callable[..., None]]:
    """A bar on the terminal with the time left.

    The function moves the bar by one, or to a number of done, perhaps of another total.
    """
    if not visible or total == 1 or not errors().is_terminal:
        yield lambda *_: None
        return
    columns = (BarColumn(20), MofNCompleteColumn(), TextColumn(f"{noun},"), TimeRemainingColumn(), TextColumn("left"))
    with Progress(*columns, console=errors(), transient=True) as bar:
        task = bar.add_task("", total=total)
        done, shown_at = 0, time.monotonic()

        def advance(so_far: int | None = None, of: int | None = None) -> None:
            nonlocal done, shown_at
            done = done + 1 if so_far is None else so_far
            if time.monotonic() - shown_at > 0.1:
                shown_at = time.monotonic()
                bar.update(task, completed=done, total=of)

        yield advance
