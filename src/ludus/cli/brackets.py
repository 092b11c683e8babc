"""The bracket of a knockout as text."""

from collections.abc import Mapping, Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.text import Text

from ludus.cli.screen import output
from ludus.views.rounds import BracketRound, Entry, Meeting

_NARROWEST, _WIDEST = 12, 34  # columns of an agent with its points
_TOP, _MIDDLE, _THROUGH, _BOTTOM = " ─┐", "  ├─", "  │", " ─┘"
_JOINT = 5  # columns between two rounds
_POINTS = 3  # columns for most points, with a space


def bracket_text(rounds: Sequence[BracketRound], labels: Mapping[str, str]) -> RenderableType:
    """The rounds side by side, winners in bold; where there is no room, one below the other."""
    room = _room(len(rounds))
    if room < _NARROWEST:
        return Group(*_listed(rounds, labels))
    entries = [entry for drawn in rounds for meeting in drawn.meetings for entry in meeting.entries]
    wanted = max(cell_len(f"{labels[entry.agent]} {entry.points}") for entry in entries)
    width = min(room, max(wanted, *(cell_len(drawn.name) for drawn in rounds)), _WIDEST)
    lines = [Text("".join(set_cell_size(drawn.name, width + _JOINT) for drawn in rounds).rstrip(), "dim")]
    rows = max(entry.row for entry in entries) + 1
    for row in range(rows):
        line = Text.assemble(*(part for drawn in rounds for part in _cells(drawn, row, width, labels)))
        line.right_crop(_JOINT)  # nobody goes on from the last round
        line.rstrip()
        lines.append(line)
    return Group(*lines)


def name_width(rounds: int) -> int:
    """Columns for the name of an agent in a bracket with that many rounds."""
    return min(_room(rounds), _WIDEST) - _POINTS


def _room(rounds: int) -> int:
    """Columns for an agent with its points."""
    return (output().width + _JOINT) // rounds - _JOINT


def _cells(drawn: BracketRound, row: int, width: int, labels: Mapping[str, str]) -> tuple[Text, str]:
    """The part of a row that belongs to a round: an agent or nothing, and the line to the next round."""
    nothing = Text(" " * width)
    for meeting in drawn.meetings:
        first, second = meeting.entries
        if first.row <= row <= second.row:
            entry = next((entry for entry in meeting.entries if entry.row == row), None)
            cell = nothing if entry is None else _cell(entry, width, labels)
            return cell, set_cell_size(_joint(meeting, row), _JOINT)
    return nothing, " " * _JOINT


def _joint(meeting: Meeting, row: int) -> str:
    first, second = meeting.entries
    if row == first.row:
        return _TOP
    if row == second.row:
        return _BOTTOM
    return _MIDDLE if row == meeting.row else _THROUGH


def _cell(entry: Entry, width: int, labels: Mapping[str, str]) -> Text:
    room = width - cell_len(entry.points) - 1
    name = labels[entry.agent]
    name = name if cell_len(name) <= room else set_cell_size(name, room - 1) + "…"
    return Text(f"{set_cell_size(name, room)} {entry.points}", "bold" if entry.won else "")


def _listed(rounds: Sequence[BracketRound], labels: Mapping[str, str]) -> list[Text]:
    lines = []
    for drawn in rounds:
        lines.append(Text(drawn.name, "dim"))
        for meeting in drawn.meetings:
            one, other = (Text(labels[entry.agent], "bold" if entry.won else "") for entry in meeting.entries)
            points = "–".join(entry.points for entry in meeting.entries)
            lines.append(Text.assemble("  ", one, f" {points} ", other))
    return lines
