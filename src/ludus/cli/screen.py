"""The screen: two streams, tables, boards."""

import codecs
import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, TextIO

import msgspec
from rich import box
from rich.console import Console
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from ludus.core.errors import LudusError
from ludus.core.text import cleaned, escaped_json
from ludus.tournaments.config import Colours, config

if TYPE_CHECKING:  # Numba is slow to import
    from ludus.games.game import Game
    from ludus.kernel.rules import State
_PLAIN = {
    "−": "-",
    "–": "-",
    "—": "-",
    "…": "...",
    "±": "+/-",
    "≥": ">=",
    "≤": "<=",
    "×": "x",
    "·": ".",
    "µ": "u",
    "α": "alpha",
    "→": "->",
    "✓": "+",
    "✗": "x",
    "─": "-",
}
"""Spellings of letters that Ludus itself prints, for streams that lack them."""
_PIPED = 200  # columns where there is no terminal, so that names in tables stay whole


def translate_streams() -> None:
    """Let streams that lack a letter, such as those of the C locale, print another spelling and not fail."""
    codecs.register_error("ludus", _spelled_plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="ludus")


def _spelled_plainly(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(_PLAIN.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


@cache
def output() -> Console:
    """Standard output, for results."""
    piped = None if sys.stdout.isatty() or "COLUMNS" in os.environ else _PIPED
    try:
        wanted = config().colours
    except LudusError as error:  # commands that need more of the file refuse it; help does not
        warn(str(error))
        wanted = None
    return _Output(highlight=False, width=piped, **_colours(wanted))


def _colours(wanted: Colours | None) -> dict[str, Any]:
    """Settings of a console for colours; the environment overrides the config file."""
    if "NO_COLOR" in os.environ or "FORCE_COLOR" in os.environ or wanted in (None, Colours.AUTO):
        return {}
    return {"color_system": "256"} if wanted is Colours.ALWAYS else {"no_color": True}


class _Clean(Console):
    """A stream in which no letter of a name or a program moves the cursor or turns the direction of text."""

    def render(self, renderable: Any, options: Any = None) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(cleaned(segment.text), segment.style)


class _Output(_Clean):
    """Standard output; one sentence says that it cannot be written, as on a full disk."""

    def print(self, *objects: Any, **options: Any) -> None:
        with output_errors():
            super().print(*objects, **options)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # which ends the program quietly


@contextmanager
def output_errors() -> Iterator[None]:
    """Turn the system's error about standard output into one sentence, except for a reader that is gone."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        give_up(sys.stdout)
        raise LudusError(f"The output cannot be written: {error.strerror or error}.") from None


def give_up(stream: TextIO) -> None:
    """Send the rest of what a stream holds nowhere, or Python complains while it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class _Forgiving(_Clean):
    """Standard error; work goes on if its reader is gone."""

    def print(self, *objects: Any, **options: Any) -> None:
        try:
            super().print(*objects, **options)
        except OSError:
            self.on_broken_pipe()

    def on_broken_pipe(self) -> None:
        self.quiet = True
        give_up(sys.stderr)


@cache
def errors() -> Console:
    """Standard error, for progress, conversation and complaints."""
    try:
        wanted = config().colours
    except LudusError:  # perhaps the error that will be printed
        wanted = None
    return _Forgiving(stderr=True, highlight=False, **_colours(wanted))


def complain(sentence: str) -> None:
    """Print one line on standard error, however long."""
    errors().print(Text.assemble(("ludus: ", "red"), " ".join(sentence.split())), soft_wrap=True)


def warn(sentence: str) -> None:
    """Print a warning on standard error."""
    errors().print(Text.assemble(("Warning: ", "yellow"), sentence), soft_wrap=True)


def print_json(value: Any, *, indent: bool = True) -> None:
    """Print a value as JSON on standard output, without colours or folding."""
    text = msgspec.json.encode(value)
    print_utf8((msgspec.json.format(text) if indent else text).decode())


def print_utf8(line: str) -> None:
    """Print a line of JSON, which is UTF-8 whatever the encoding of the terminal."""
    line = escaped_json(line)
    with output_errors():
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.flush()
            sys.stdout.buffer.write(f"{line}\n".encode())
        else:
            print(line)


def table(*columns: str, right: Iterable[str] = ()) -> Table:
    """A table without lines but one below its head; columns named in `right` hold numbers."""
    made = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold", show_edge=False)
    for column in columns:
        if column in right:
            made.add_column(column, justify="right", no_wrap=True)
        else:
            made.add_column(column, overflow="fold")
    return made


def prose(text: str) -> Text:
    """Text from a docstring: lines flow within a paragraph, and what stands between backticks is set off."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    pieces = "\n\n".join(paragraphs).split("`")
    return Text.assemble(*((piece, "cyan" if i % 2 else "") for i, piece in enumerate(pieces)))


def print_board(game: "Game", state: "State", before: "State | None" = None, console: Console | None = None) -> None:
    """Print a position, set off from the text and never folded; where there are colours, with the last move marked.

    `before` is the position before that move.
    """
    console = console or output()
    if has_colours(console):
        from ludus.views.terminal import coloured  # pictures of boards are slow to import

        drawing = coloured(game, state, before)
    else:
        drawing = Text(game.draw(state))
    for line in drawing.split(allow_blank=True):
        console.print(Text("    ").append_text(line) if line else line, soft_wrap=True)


def has_colours(console: Console) -> bool:
    """True if the console shows colours: a terminal that can, without NO_COLOR."""
    return console.color_system is not None and not console.no_color
