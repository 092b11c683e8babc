"""An episode on a terminal, step by step with keys."""

import sys
import time
from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.console import Console
from rich.control import Control
from rich.screen import Screen
from rich.text import Text

from ludus.agents.layers import MEANINGS
from ludus.cli.keys import ESCAPE, Keys, reading_keys
from ludus.cli.screen import has_colours, output
from ludus.cli.show import line_of, metrics_of
from ludus.core.spec import without_folder
from ludus.core.text import first_line, printable, spoken_time
from ludus.episode.record import Move
from ludus.run.stopping import interruptible
from ludus.views.boards.painter import Layer
from ludus.views.boards.painters import painter_for
from ludus.views.boards.seen_layers import recorded
from ludus.views.boards.text_cells import is_prose
from ludus.views.boards.timeline import Timeline
from ludus.views.terminal import coloured, seat_style

HELP = """\
→ space enter n   next position
← backspace p     previous position
PgDn PgUp         ten positions on, or back
Home g, End G     start, end
12 enter          go to move 12
a                 play by itself, or stop
f                 next fault
m                 metrics, or none
l                 what the agent saw, where the record has it
↑ ↓               move a board that does not fit
q Esc             leave"""

_USUAL_PACE = 1.0
_TICK = 0.2  # seconds between looks at the size of the terminal
_LEAP = 10
_GAP = 3  # columns between the board and what is beside it
_SIDE = 28  # columns that this needs at least
_LEAST_BELOW, _LEAST_BELOW_WHOLE = 4, 2  # lines for it below a board that is cut, or not cut
_MOST_EVIDENCE = 6  # lines


class Viewer:
    """The state of a replay on a screen: `press` keys, and `lines` are what to show."""

    def __init__(self, episode: Timeline, pace: float | None = None, *, colours: bool = True) -> None:
        self.episode = episode
        self.place = 0
        self.playing = pace is not None
        self.pace = pace or _USUAL_PACE
        self.done = False
        self._colours = colours
        self._painter = painter_for(episode.game)
        self._metrics = True
        self._layer: str | None = None
        self._help = False
        self._typed = ""
        self._said = ""
        self._scrolled = 0
        self._clocks = episode.clocks()

    # --- Keys -----------------------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """Do what a key asks for; a key without a meaning does nothing."""
        self._said = ""
        if self._typed and key in ("backspace", "enter", ESCAPE):
            self._end_number(key)
        elif key.isdecimal() or (key == ":" and not self._typed):
            self._typed = (self._typed or ":") + key.removeprefix(":")
        elif self._help:
            self._help = False
        elif key in self._KEYS:
            self._typed = ""
            self._KEYS[key](self)

    def tick(self) -> None:
        """Show the next position, while it plays by itself."""
        self._go(self.place + 1)
        self.playing = self.playing and self.place < self._end

    def _end_number(self, key: str) -> None:
        typed, self._typed = self._typed.removeprefix(":"), ""
        if key == "backspace":
            self._typed = f":{typed[:-1]}" if typed else ""
        elif key == "enter" and typed:
            first, last = self.episode.moments[0].round - 1, self.episode.last.round - 1
            number = min(max(int(typed), first), last)
            self._stop(self._end if number == last else self.episode.after(number, self._painter.round_word))

    @property
    def _end(self) -> int:
        return len(self.episode.moments) - 1

    def _go(self, place: int) -> None:
        self.place = min(max(place, 0), self._end)
        self._scrolled = 0

    def _stop(self, place: int) -> None:
        self.playing = False
        self._go(place)

    def _play(self) -> None:
        self.playing = not self.playing
        if self.playing and self.place == self._end:
            self._go(0)

    def _find_fault(self) -> None:
        later = range(self.place + 1, self._end + 1)
        found = next((place for place in later if any(move.fault for move in self._moves(place))), None)
        if found is None:
            self._said = "No fault after this position."
        else:
            self._stop(found)

    def _next_layer(self) -> None:
        """Show the next layer that the record has of the last move, or none after the last one."""
        names = [name for name in MEANINGS if self._seen(name) is not None]
        if not names:
            self._said = "The record does not hold what an agent saw: play with layers=yes."
        place = names.index(self._layer) + 1 if self._layer in names else 0
        self._layer = names[place] if place < len(names) else None

    def _quit(self) -> None:
        self.done = True

    def _toggle_metrics(self) -> None:
        self._metrics = not self._metrics

    def _show_help(self) -> None:
        self._help = True

    def _scroll(self, lines: int) -> None:
        self._scrolled += lines

    _KEYS: ClassVar[dict[str, Callable[["Viewer"], None]]] = {
        **dict.fromkeys(("right", " ", "enter", "n"), lambda self: self._stop(self.place + 1)),
        **dict.fromkeys(("left", "backspace", "p"), lambda self: self._stop(self.place - 1)),
        **dict.fromkeys(("home", "g"), lambda self: self._stop(0)),
        **dict.fromkeys(("end", "G"), lambda self: self._stop(self._end)),
        "page down": lambda self: self._stop(self.place + _LEAP),
        "page up": lambda self: self._stop(self.place - _LEAP),
        "up": lambda self: self._scroll(-2),
        "down": lambda self: self._scroll(2),
        "a": _play,
        "f": _find_fault,
        "m": _toggle_metrics,
        "l": _next_layer,
        **dict.fromkeys(("?", "h"), _show_help),
        **dict.fromkeys(("q", "Q", ESCAPE, "interrupt"), _quit),
    }

    # --- What is shown --------------------------------------------------------------------------------------------

    def lines(self, width: int, height: int) -> list[Text]:
        """The screen line by line, cut to its size."""
        body = height - 2
        shown = self._help_lines() if self._help else self._beside_or_below(width, body)
        if len(shown) < body:
            shown = [Text(), *shown]
        lines = [self._head(), *shown[:body], *[Text()] * (body - len(shown)), self._foot()][:height]
        for line in lines:
            line.truncate(width, overflow="ellipsis")
        return lines

    def _help_lines(self) -> list[Text]:
        return list(map(Text, HELP.splitlines()))

    def _head(self) -> Text:
        moment, word = self.episode.moments[self.place], self._painter.round_word
        last = f" of {self.episode.last.round - 1:,}"
        where = f"{word} {moment.round - 1:,}{last}" if moment.before is not None else f"start{last} {word}s"
        return Text.assemble((where, "bold"), ("  playing" if self.playing else "", "green"), "  ", self._game())

    def _game(self) -> Text:
        return Text(without_folder(self.episode.game.spec()), "cyan")

    def _foot(self) -> Text:
        if self._typed:
            return Text(f"go to move: {self._typed.removeprefix(':')}▁", "bold")
        if self._said:
            return Text(self._said, "yellow")
        return Text("? keys   q leave   ← → step   a play   f fault   m metrics   l layers", "dim")

    def _beside_or_below(self, width: int, height: int) -> list[Text]:
        """The board, and what is known of the position beside it or, on a narrow screen, below."""
        board = self._board()
        wide = max((line.cell_len for line in board), default=0)
        if wide + _GAP + _SIDE <= width:
            side = self._side(width - wide - _GAP, height)
            board = self._window(board, wide, height)
            rows = max(len(board), len(side))
            lines = []
            for number in range(rows):
                line = board[number] if number < len(board) else Text()
                line.pad_right(wide + _GAP - line.cell_len)
                lines.append(line.append_text(side[number]) if number < len(side) else line)
            return lines
        is_whole = len(board) + _LEAST_BELOW_WHOLE <= height
        board = self._window(board, width, height if is_whole else max(1, height - _LEAST_BELOW))
        return [*board, *self._side(width, height - len(board), brief=True)]

    def _board(self) -> list[Text]:
        moment = self.episode.moments[self.place]
        game = self.episode.game
        if self._colours:
            layer = None if self._layer is None else self._seen(self._layer)
            drawing = coloured(game, moment.state, moment.before, layer)
        else:
            drawing = Text(game.draw(moment.state).expandtabs())
        return list(drawing.split(allow_blank=True))

    def _window(self, board: list[Text], width: int, height: int) -> list[Text]:
        """The part of a board that fits, around what has changed."""
        focus = self._focus(board)
        top = _first(len(board), height, focus[0] + self._scrolled)
        left = _first(max((line.cell_len for line in board), default=0), width, focus[1])
        return [line[left : left + width] for line in board[top : top + height]]

    def _focus(self, board: Sequence[Text]) -> tuple[int, int]:
        """The middle of the letters of the board that have changed."""
        moment = self.episode.moments[self.place]
        if moment.before is None:
            return len(board) // 2, 0
        old = self.episode.game.draw(moment.before).expandtabs().split("\n")
        changed = [
            (row, column)
            for row, (line, before) in enumerate(zip(board, old, strict=False))
            if not is_prose(line.plain, self.episode.game.symbols)
            for column, (one, other) in enumerate(zip(line.plain, before, strict=False))
            if one != other
        ]
        rows, columns = zip(*changed, strict=True) if changed else ([0], [0])
        return (min(rows) + max(rows)) // 2, (min(columns) + max(columns)) // 2

    def _seen(self, name: str) -> Layer | None:
        """The view of the player of the last move, if the record holds it."""
        return recorded(self.episode, self.place - 1, name, None) if self.place else None

    def _moves(self, place: int) -> list[Move]:
        """The moves that led to a position; at the end also those that were not carried out."""
        moves = self.episode.moments[place].step
        return [*moves, *self.episode.answers(place)] if place == self._end else moves

    def _side(self, width: int, height: int, *, brief: bool = False) -> list[Text]:
        """Players, the last moves with their metrics and faults, and the result."""
        players = [line for seat in range(len(self.episode.names)) for line in self._player(seat, width)]
        said = self._last_moves(width, brief=brief)
        if brief:
            return [*said, *players]
        gap = [Text()]
        lines = [*players, *gap, *said]
        room = height - len(lines) - 1
        return [*lines, *gap, *self._history(room)] if room > 0 else lines

    def _player(self, seat: int, width: int) -> list[Text]:
        moment, at_end = self.episode.moments[self.place], self.place == self._end
        scores = self.episode.record.scores
        line = Text.assemble((f" {seat + 1} ", seat_style(self._painter, seat)), " ")
        line.append(self.episode.names[seat], "dim" if self.episode.game.is_out(moment.state, seat) else "bold")
        if at_end:
            line.append(f"  {scores[seat]:+g}" if len(scores) > 1 else f"  {scores[seat]:,g} points", "green")
        elif seat in self.episode.game.movers(moment.state):
            line.append("  to move", "green")
        used, left = self._clocks[self.place][seat]
        more = [self._painter.status(moment.state, seat), f"{spoken_time(used)} used" if used else ""]
        if left is not None and not at_end:
            more.append(f"{spoken_time(left)} left")
        about = Text("  ".join(filter(None, more)), "dim")
        if line.cell_len + 2 + about.cell_len <= width:
            return [line.append("  ").append_text(about)]
        return [line, Text("    ").append_text(about)]

    def _last_moves(self, width: int, *, brief: bool) -> list[Text]:
        """The moves that led here, and how the episode ended."""
        lines: list[Text] = []
        moment = self.episode.moments[self.place]
        carried_out = len(moment.step)
        for number, move in enumerate(self._moves(self.place)):
            name = "" if move.seat < 0 else self.episode.names[move.seat]
            opening = 0 < self.place <= len(self.episode.record.opening.moves)
            ply = moment.round - (number < carried_out)
            lines += _wrapped(line_of(move, ply, name, opening=opening), width)
            if self._metrics and move.metrics:
                lines += [metrics_of(move)] if brief else _wrapped(metrics_of(move), width)
            evidence = printable(move.evidence).splitlines()[1:]
            lines += [Text(line, "dim") for line in evidence[:_MOST_EVIDENCE]]
        if self._layer is not None:
            lines += _wrapped(Text(f"{self._layer}: {MEANINGS[self._layer]}", "cyan"), width)
        if self.place == 0:
            lines += [line for text in self._preparations() for line in _wrapped(text, width)]
        if self.place == self._end:
            lines += _wrapped(Text(self.episode.result, "bold"), width)
        return lines

    def _preparations(self) -> list[Text]:
        """The faults of players that were getting ready."""
        made = [(seat.name, seat.preparation) for seat in self.episode.record.seats if seat.preparation is not None]
        return [
            Text(f"{name}, while getting ready: {done.fault.words} ({first_line(done.evidence)})", "yellow")
            for name, done in made
            if done.fault is not None
        ]

    def _history(self, room: int) -> list[Text]:
        """The last moves before this one, the latest at the bottom."""
        lines = []
        for moment in self.episode.moments[max(1, self.place - room) : self.place]:
            by_chance = moment.step[0].seat < 0
            line = Text("     " if by_chance else f"{moment.round - 1:3}. ", "dim")
            for move in moment.step:
                line.append(f" {move.move} ", "" if by_chance else seat_style(self._painter, move.seat))
            lines.append(line)
        return lines


def _first(length: int, room: int, focus: int) -> int:
    """The first of the lines, or columns, that are shown where not all have room."""
    return min(max(0, focus - room // 2), max(0, length - room))


def _wrapped(text: Text, width: int) -> list[Text]:
    return list(text.wrap(Console(width=width), width)) if text.cell_len > width else [text]


def view(episode: Timeline, pace: float | None = None) -> None:
    """Show an episode on this terminal until it is left; with a pace, it plays by itself, in seconds for a position."""
    console = output()
    viewer = Viewer(episode, pace, colours=has_colours(console))
    with interruptible(), reading_keys(sys.stdin.fileno()) as keys, console.screen(hide_cursor=True):
        due, size = time.monotonic() + viewer.pace, None
        while not viewer.done:
            if size != console.size:
                size = console.size
                _show(console, viewer)
            key = _read(keys, min(_TICK, max(0.0, due - time.monotonic())) if viewer.playing else _TICK)
            if key is not None:
                viewer.press(key)
            elif viewer.playing and time.monotonic() >= due:
                viewer.tick()
            else:
                continue
            due = time.monotonic() + viewer.pace
            _show(console, viewer)


def _show(console: Console, viewer: Viewer) -> None:
    width, height = console.size
    console.control(Control.home())
    console.print(Screen(*viewer.lines(width, height)), end="")


def _read(keys: Keys, seconds: float) -> str | None:
    """The next key; a terminal that is gone leaves the replay."""
    try:
        return keys.read(seconds)
    except (EOFError, OSError):
        return ESCAPE
