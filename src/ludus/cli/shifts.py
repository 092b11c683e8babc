"""`ludus results A B --shift`: how far the ranks of two tournaments differ."""

from rich.text import Text

from ludus.cli.screen import output, print_json
from ludus.cli.standings import moved
from ludus.cli.tables import Column, agents_table
from ludus.stats.rank_shifts import extent, shifts_between
from ludus.stats.results import Results


def show_shifts(before: Results, after: Results, by: str | None, as_json: bool) -> None:
    """Print the ranks of both, and what must be known to read them."""
    found = shifts_between(before, after, by)
    shifts = extent(found.ranks["shift"])
    if as_json:
        print_json(
            {
                "before": before.id,
                "after": after.id,
                "moved": shifts.moved,
                "mean": shifts.mean,
                "agents": found.ranks.to_dicts(),
                "only_before": found.only_before,
                "only_after": found.only_after,
                "unrated": found.unrated,
                "warnings": found.warnings,
            }
        )
        return
    columns = [
        Column(f"#{before.id}", [str(rank) for rank in found.ranks["before"]]),
        Column(f"#{after.id}", [str(rank) for rank in found.ranks["after"]]),
        Column("shift", [_arrow(shift) for shift in found.ranks["shift"]]),
    ]
    for side in (before, after):
        output().print(Text.assemble((f"#{side.id} ", "bold"), (side.tournament.name, "bold cyan")))
    for warning in found.warnings:
        output().print(Text(warning, "yellow"))
    output().print()
    output().print(agents_table([], found.ranks["agent"].to_list(), columns))
    output().print(f"\n{moved(shifts, len(found.ranks)).capitalize()}.")
    for words, names in (
        (f"Only in #{before.id}", found.only_before),
        (f"Only in #{after.id}", found.only_after),
        ("Without a result in one of the two", found.unrated),
    ):
        if names:
            output().print(Text(f"{words}, and left out: {', '.join(names)}.", "dim"))


def _arrow(shift: int) -> Text:
    if not shift:
        return Text("·", "dim")
    return Text(f"↑ {shift}", "green") if shift > 0 else Text(f"↓ {-shift}", "red")
