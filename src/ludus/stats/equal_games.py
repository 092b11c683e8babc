"""Agents that count as random although all their games from one opening are equal. Agents are numbers."""

import polars as pl

from ludus.episode.record import Ending


def may_repeat(tallies: pl.DataFrame) -> bool:
    """True if the number of `different` episodes in each match allows any such agents."""
    matches = tallies.group_by("repetition", "match").agg(
        pl.col("seats").first(), pl.col("episodes", "different").sum()
    )
    seatings = matches.group_by("seats").agg(pl.col("episodes").sum(), pl.col("different").max())
    return bool((2 * seatings["different"] <= seatings["episodes"]).any())


def repeating(episodes: pl.DataFrame, *, each_repetition: bool) -> list[tuple[int, ...]]:
    """The groups of agents of which each seating played the same few games again and again, in the order of openings.

    `episodes` come in the order of keys. With `each_repetition`, the repetitions have different openings.
    """
    seating = ["seats", "repetition"] if each_repetition else ["seats"]
    played = episodes.filter("random", pl.col("ending") != Ending.MACHINE)
    courses = played.group_by(seating, maintain_order=True).agg("course", different=pl.col("course").n_unique())
    courses = courses.filter(pl.col("course").list.len() > 1).with_columns(
        equal=2 * pl.col("different") <= pl.col("course").list.len()
    )
    groups: dict[tuple[int, ...], bool] = {}
    for seats, course, different, equal in courses.select("seats", "course", "different", "equal").iter_rows():
        agents = tuple(sorted(set(seats)))
        groups[agents] = groups.get(agents, True) and equal and course[different:] == course[:-different]
    return [agents for agents, equal in groups.items() if equal]
