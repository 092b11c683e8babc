"""Parts of the results about times and ends."""

from collections.abc import Collection

from rich.console import Group, RenderableType
from rich.text import Text

from ludus.cli.cells import cells
from ludus.cli.screen import table
from ludus.cli.tables import Column, Labels, agents_table
from ludus.core.text import listing, percent, spoken_time, whole
from ludus.episode.record import Ending
from ludus.stats.results import Results


def of_moves(results: Results, labels: Labels, more: Collection[str]) -> RenderableType:
    """Times of moves and of whole episodes, agent by agent; where `metrics` are not shown too, how to see them."""
    frame = results.timing()
    moves = [
        Column("moves", cells(whole, frame["moves"])),
        *(Column(name, cells(spoken_time, frame[name])) for name in ("fastest", "median", "mean", "slowest")),
    ]
    episodes = [
        Column(f"episode\n{name}", cells(spoken_time, frame[f"episode_{name}"]))
        for name in ("fastest", "median", "mean", "slowest")
    ]
    if frame["faults"].sum():
        moves.append(Column("faults", cells(whole, frame["faults"])))
    shown = agents_table([], [labels[name] for name in frame["agent"]], moves, episodes)
    if not results.has_bots or "metrics" in more:
        return shown
    note = (
        f"'ludus results {results.id} --metrics' shows what bots reported, their memory, and their waiting for a core."
    )
    return Group(shown, "", Text(note, "dim"))


def by_match(results: Results, labels: Labels) -> RenderableType:
    """The same, match by match."""
    frame = results.timing("match")
    several = results.tournament.repetitions > 1
    numbers = [
        f"{repetition}.{match}" if several else str(match)
        for repetition, match in frame.select("repetition", "match").iter_rows()
    ]
    once = ["" if i and numbers[i - 1] == number else number for i, number in enumerate(numbers)]
    columns = [
        Column("moves", cells(whole, frame["moves"])),
        *(Column(name, cells(spoken_time, frame[name])) for name in ("fastest", "median", "mean", "slowest")),
    ]
    episodes = [
        Column(f"episode\n{name}", cells(spoken_time, frame[f"episode_{name}"])) for name in ("median", "slowest")
    ]
    return agents_table([Column("match", once)], [labels[name] for name in frame["agent"]], columns, episodes)


def endings(results: Results, labels: Labels) -> RenderableType:
    """How episodes ended, whose fault that was, and how to look at one."""
    frame = results.endings()
    heads = ["ended", "episodes", "share"]
    blamed = frame.drop_nulls("agent")
    if len(blamed):
        heads = ["ended", "whose fault", "episodes", "share", "for example"]
    shown = table(*heads, right=["episodes", "share"])
    for agent, ending, episodes, example in frame.iter_rows():
        counts = f"{episodes:,}", percent(episodes / results.played)
        if len(blamed):
            shown.add_row(Ending(ending).words, Text(labels.get(agent, ""), "bold"), *counts, example)
        else:
            shown.add_row(Ending(ending).words, *counts)
    listed = ["every fault with its evidence"] if results.timing()["faults"].sum() else []
    listed += ["what was odd about bots"] if results.has_bots else []
    if not listed:
        return shown
    note = f"'ludus results {results.id} --faults' lists {listing(listed)}"
    if len(blamed):
        note += f", 'ludus replay {blamed['example'][0]}' shows an episode that ended by one"
    return Group(shown, "", Text(f"{note}.", "dim"))
