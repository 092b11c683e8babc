"""What commands show of work that takes its time."""

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
    tell = status.start if errors().is_terminal else lambda: errors().print(message, markup=False)
    timer = threading.Timer(1.0, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        status.stop()


@contextmanager
def progress(episodes: int, *, visible: bool) -> Iterator[Callable[[], None]]:
    """A bar on the terminal with the time left; the function given moves it on by an episode."""
    if not visible or episodes == 1 or not errors().is_terminal:
        yield lambda: None
        return
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("episodes,"), TimeRemainingColumn(), TextColumn("left"))
    with Progress(*columns, console=errors(), transient=True) as bar:
        task = bar.add_task("", total=episodes)
        done, shown_at = 0, time.monotonic()

        def advance() -> None:
            nonlocal done, shown_at
            done += 1
            if time.monotonic() - shown_at > 0.1:
                shown_at = time.monotonic()
                bar.update(task, completed=done)

        yield advance
