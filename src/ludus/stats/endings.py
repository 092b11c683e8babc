"""How episodes ended, and whose fault it was."""

import polars as pl


def endings(tallies: pl.DataFrame) -> pl.DataFrame:
    """How often: agent (a number, or none where nobody is to blame), ending, episodes; the most frequent first.

    An episode that ended by the faults of several counts once for each of them.
    """
    blamed = tallies.select("seats", "ending", "episodes", "by").explode("by", empty_as_null=True, keep_nulls=True)
    return (
        blamed.select(pl.col("seats").list.get(pl.col("by")).alias("agent"), "ending", "episodes")
        .group_by("agent", "ending")
        .agg(pl.col("episodes").sum())
        .sort("episodes", "ending", "agent", descending=[True, False, False])
    )


def first_blamed(episodes: pl.DataFrame) -> pl.DataFrame:
    """The first episode that each agent ended in each way by a fault: agent, ending, repetition, match, number."""
    blamed = episodes.filter(pl.col("by").list.len() > 0).explode("by")
    agent = pl.col("seats").list.get(pl.col("by")).alias("agent")
    found = blamed.select(agent, "ending", "repetition", "match", "number")
    return found.unique(["agent", "ending"], keep="first", maintain_order=True)
