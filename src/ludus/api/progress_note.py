"""Progress where a person watches: one line that changes, in a notebook or on a terminal."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

Show = Callable[[str, float], None]
"""Shows a text, and which share of the work is done."""

_PAUSE = 0.2  # seconds between two texts


@contextmanager
def progress_note(wanted: bool | None) -> Iterator[Show]:
    """A line that is shown while work goes on, and then removed.

    Without a wish, a notebook and Python's prompt show it, and a script does not.
    """
    shell = _shell()
    if not (wanted if wanted is not None else shell is not None or hasattr(sys, "ps1")):
        yield lambda text, share: None
    elif hasattr(shell, "kernel"):
        with _in_notebook() as show:
            yield _slowly(show)
    else:
        with _on_terminal() as show:
            yield _slowly(show)


def _shell() -> Any:
    """The shell of IPython that this process runs, or None."""
    ipython = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()


def _slowly(show: Show) -> Show:
    """The same, but only as often as a person can read."""
    due = 0.0

    def show_if_due(text: str, share: float) -> None:
        nonlocal due
        if (now := time.monotonic()) >= due:
            due = now + _PAUSE
            show(text, share)

    return show_if_due


@contextmanager
def _in_notebook() -> Iterator[Show]:
    display: Any = sys.modules["IPython"].display
    handle: Any = None

    def show(text: str, share: float) -> None:
        nonlocal handle
        content = display.HTML(f'<progress value="{share:.4f}"></progress> {escape(text)}')
        if handle is None:
            handle = display.display(content, display_id=True)
        else:
            handle.update(content)

    try:
        yield show
    finally:
        if handle is not None:
            handle.update(display.HTML(""))


@contextmanager
def _on_terminal() -> Iterator[Show]:
    from rich.console import Console
    from rich.markup import escape as escape_markup

    with Console(stderr=True, highlight=False).status("") as status:
        status.stop()

        def show(text: str, share: float) -> None:
            status.update(f"{share:4.0%} {escape_markup(text)}")
            status.start()

        yield show
