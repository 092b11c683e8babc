"""Parts of the results that only the records tell: what agents reported, what bots took, faults and remarks."""

from rich.console import Group, RenderableType
from rich.status import Status
from rich.text import Text

from ludus.cli.cells import cells
from ludus.cli.screen import errors, table
from ludus.cli.tables import Column, Labels, agents_table
from ludus.core.text import figure, first_line, printable, spoken_size, spoken_time, whole
from ludus.episode.record import Fault
from ludus.stats import wording
from ludus.stats.results import Results

_MOST_SHOWN = 100


def metrics(results: Results, labels: Labels) -> RenderableType:
    """Figures of every metric that is a number."""
    with _reading():
        frame = results.metrics()
    if frame.is_empty():
        return "No agent reported a number."
    heads = ["moves", "mean", "median", "lowest", "highest"]
    shown = table("agent", "metric", *heads, right=heads)
    last = None
    for agent, metric, moves, *figures in frame.iter_rows():
        name = Text("" if agent == last else labels[agent], "bold")
        shown.add_row(name, Text(printable(metric)), f"{moves:,}", *cells(figure, figures))
        last = agent
    return shown


def usage(results: Results, labels: Labels) -> RenderableType:
    """What bots took for a move."""
    with _reading():
        frame = results.usage()
    if frame.is_empty():
        return "No bot took part."
    columns = [
        Column("moves", cells(whole, frame["moves"])),
        Column("CPU\nmean", cells(spoken_time, frame["cpu"])),
        Column("waited\nmean", cells(spoken_time, frame["waited"])),
        Column("longest\nwait", cells(spoken_time, frame["longest_wait"])),
        Column("memory\nhighest", cells(spoken_size, frame["memory"])),
    ]
    shown = agents_table([], [labels[name] for name in frame["agent"]], columns)
    return Group(shown, "", Text(wording.WAITED, "dim"))


def faults(results: Results, labels: Labels) -> RenderableType:
    """Every fault, with the start of its evidence."""
    with _reading():
        frame = results.faults()
    if frame.is_empty():
        return "Nobody made a fault."
    shown = table("episode", "agent", "fault", "evidence")
    shown.columns[0].no_wrap = shown.columns[2].no_wrap = True
    for row in frame.head(_MOST_SHOWN).iter_rows(named=True):
        agent = Text(labels[row["agent"]], "bold")
        shown.add_row(row["episode"], agent, Fault(row["fault"]).words, Text(first_line(row["evidence"]), "dim"))
    notes = [f"'ludus replay {frame['episode'][0]} --log' shows the first one with all that its bots wrote."]
    if len(frame) > _MOST_SHOWN:
        notes.insert(0, f"The first {_MOST_SHOWN} of {len(frame):,}; --json has them all.")
    return Group(shown, "", *(Text(note, "dim") for note in notes))


def remarks(results: Results, labels: Labels) -> RenderableType:
    """What was odd about bots, equal remarks together."""
    with _reading():
        frame = results.remarks()
    if frame.is_empty():
        return "There is nothing to remark."
    shown = table("agent", "remark: it …", "episodes", "for example", right=["episodes"])
    shown.columns[3].no_wrap = True
    last = None
    for agent, remark, episodes, example in frame.head(_MOST_SHOWN).iter_rows():
        name = Text("" if agent == last else labels[agent], "bold")
        shown.add_row(name, Text(printable(remark)), f"{episodes:,}", example)
        last = agent
    if len(frame) <= _MOST_SHOWN:
        return shown
    return Group(shown, "", Text(f"The first {_MOST_SHOWN} of {len(frame):,}; --json has them all.", "dim"))


def _reading() -> Status:
    return errors().status("Reading the records …")
