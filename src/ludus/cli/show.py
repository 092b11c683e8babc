"""An episode on the screen: every position with its move, time and metrics."""

import textwrap
from collections.abc import Sequence

from rich.padding import Padding
from rich.text import Text

from ludus.agents.layers import LAYERS
from ludus.cli.screen import output, print_board
from ludus.core.spec import without_folder
from ludus.core.text import first_line, printable, spoken, spoken_time
from ludus.episode.opening import start_state
from ludus.episode.outcome import outcome, winners
from ludus.episode.record import Move, Opening, Record
from ludus.games.game import Game
from ludus.kernel.rules import CHANCE, State, duplicate

_MOST_SHOWN = 6
_INDENT = 5


class Show:
    """Prints one episode as it goes on; of evidence the first line, or `in_full`."""

    def __init__(self, game: Game, names: Sequence[str], opening: Opening, *, in_full: bool = False) -> None:
        self._game = game
        self._names = names
        self._opening = opening
        self._in_full = in_full
        self._steps = 0
        self._number = game.first_round(start_state(game, opening)) - 1
        self._before: State | None = None

    def start(self) -> None:
        """Print who plays, and the position before the first move."""
        self.head()
        self._draw(start_state(self._game, self._opening))

    def head(self) -> None:
        """Print who plays."""
        seats = [Text.assemble(f"player {seat}: ", (name, "bold")) for seat, name in enumerate(self._names, 1)]
        output().print(Text(", ").join([Text(without_folder(self._game.spec()), "bold cyan"), *seats]))

    def step(self, state: State, step: list[Move]) -> None:
        """Print the moves of a step and the position they led to."""
        self._count(step)
        self._print(step)
        self._draw(state)

    def skip(self, state: State, step: list[Move]) -> None:
        """Count the moves of a step, and print nothing."""
        self._count(step)
        self._before = duplicate(state)

    def _count(self, step: list[Move]) -> None:
        self._steps += bool(step)
        self._number += bool(step) and step[0].seat != CHANCE

    def end(self, record: Record) -> None:
        """Print how it ended, after the moves of a last step that was not carried out."""
        if record.steps and not all(move.move for move in record.steps[-1]):
            self._count(record.steps[-1])
            self._print(record.steps[-1])
            output().print()
        output().print(verdict(record), end="\n\n")
        if self._in_full:
            self._print_preparations(record)

    def _print_preparations(self, record: Record) -> None:
        for seat in record.seats:
            made = seat.preparation
            if made is not None and made.fault is not None:
                text = f"{seat.name}, during preparation: {made.fault.words} ({first_line(made.evidence)})"
                output().print(Text(text, "yellow"))
                self._print_rest(made.evidence)
                output().print()

    def _print(self, step: list[Move]) -> None:
        for move in step:
            in_opening = self._steps <= len(self._opening.moves)
            output().print(line_of(move, self._number, self._names[move.seat], opening=in_opening))
            if move.metrics:
                output().print(Padding(metrics_of(move), (0, 0, 0, _INDENT), expand=False))
            self._print_rest(move.evidence)

    def _print_rest(self, evidence: str) -> None:
        """Print the evidence after its first line."""
        rest = evidence.partition("\n")[2]
        if rest and self._in_full:
            output().print(Text(textwrap.indent(printable(rest), " " * _INDENT), "dim"), soft_wrap=True)

    def _draw(self, state: State) -> None:
        output().print()
        print_board(self._game, state, self._before)
        output().print()
        self._before = duplicate(state)


def line_of(move: Move, number: int, name: str, *, opening: bool = False) -> Text:
    """A move with its number, the name of its player, its fault and its time; nobody chose a move of the opening."""
    if move.seat == CHANCE:
        return Text.assemble(("     chance: ", "dim"), (move.move, "bold magenta"))
    line = Text.assemble((f"{number:3}. ", "dim"), ("opening:", "dim") if opening else f"{name}:")
    if move.move:
        line.append(f" {move.move}", "bold green")
    if move.fault:
        line.append(f" {fault_in_words(move)}", "yellow")
    if move.wall:
        line.append(f"   {spoken_time(move.wall)}", "dim")
    return line


def metrics_of(move: Move) -> Text:
    """The metrics of a move in one line."""
    text = []
    for name, value in move.metrics.items():
        if name == LAYERS and isinstance(value, dict):
            text.append(f"layers {' '.join(value)}")  # their content is for pictures
            continue
        shown = dict(list(value.items())[:_MOST_SHOWN]) if isinstance(value, dict) else value
        text.append(f"{name.replace('_', ' ')} {spoken(shown)}")
    return Text(printable(" · ".join(text)), "dim")


def fault_in_words(move: Move) -> str:
    """The fault of a move in brackets, with a note if a random move was played instead."""
    text = move.fault.words if move.fault else ""
    evidence = first_line(move.evidence)
    if evidence:
        text += f": {evidence}" if " " in evidence else f" {evidence}"
    return f"(random, instead of {text})" if move.move else f"({text})"


def print_log(record: Record) -> None:
    """Print what bots wrote to standard error, and remarks on them."""
    is_empty = True
    for number, seat in enumerate(record.seats, 1):
        who = Text.assemble(f"player {number}, ", (seat.name, "bold"))
        for title, text in (("Standard error of ", seat.log.rstrip()), ("Remarks on ", "\n".join(seat.remarks))):
            if text:
                is_empty = False
                output().print(Text(title).append_text(who).append(":"), end="\n\n")
                output().print(Text(textwrap.indent(printable(text), "    ")), soft_wrap=True, end="\n\n")
    if is_empty:
        output().print("No player wrote to standard error, and there are no remarks.")


def verdict(record: Record) -> Text:
    """The end of an episode as a sentence, with the winners in bold."""
    text = Text(outcome(record))
    text.highlight_words(winners(record), "bold")
    return text
