"""`ludus stats --by episode`: the work of searches in each episode."""

from collections.abc import Sequence

import polars as pl
from rich.text import Text

from ludus.cli.progress import progress
from ludus.cli.screen import output, print_json
from ludus.cli.tables import frame_table
from ludus.core.text import whole
from ludus.stats.search_costs import mean_costs, search_costs
from ludus.store import Store
from ludus.views.column import Column, explained
from ludus.views.move_columns import MEAN_COSTS, SEARCH_COSTS

_MOST_ROWS = 100


def show_search_costs(
    store: Store, which: Sequence[str], game: str | None, agents: Sequence[str], *, as_json: bool
) -> None:
    """Print the costs of each episode, and their means."""
    with progress(None, "records") as watch:
        found = search_costs(store, which, game=game, agents=agents, watch=watch)
    means = mean_costs(found)
    if as_json:
        print_json({"by": ["episode"], "episodes": found.to_dicts(), "means": means.to_dicts()})
        return
    _show(found.head(_MOST_ROWS), SEARCH_COSTS)
    if len(found) > _MOST_ROWS:
        output().print(Text(f"\nThe first {_MOST_ROWS} of {whole(len(found))}; --json has them all.", "dim"))
    output().print(Text("\nMeans over the episodes\n", "bold"))
    _show(means, MEAN_COSTS)
    output().print(Text(f"\n{explained(SEARCH_COSTS)}.", "dim"))


def _show(frame: pl.DataFrame, columns: Sequence[Column]) -> None:
    output().print(frame_table(frame, columns, {name: name for name in frame["agent"]}))
