"""The tables of a series of episodes on the screen."""

from rich.console import Group, RenderableType
from rich.text import Text

from ludus.cli.tables import frame_table
from ludus.stats.tally import Tally
from ludus.views.series_columns import BY_SEAT, series


def rendered(tally: Tally) -> RenderableType:
    """The tables: results and times, and results by seat where seats rotated."""
    agents, names = len(tally.lines), {line.name: line.name for line in tally.lines}
    parts = [frame_table(tally.results(), series(agents), names)]
    if 1 < agents <= tally.episodes:
        parts += ["", frame_table(tally.by_seat(), BY_SEAT, names)]
    notes = [Text(tally.stopped())] if tally.stopped() else []
    notes += [Text(sentence, "yellow") for sentence in tally.faults()]
    return Group(*parts, *([""] if notes else []), *notes)
