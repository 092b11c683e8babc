"""Tournaments of two players: who met whom, the cross table, its symmetry, and the standings.

Agents are numbers. A tally is a row of the store's frame of tallies: so many episodes of a match with one result.
"""

from typing import Any

import polars as pl

from ludus.episode.record import Ending
from ludus.stats.ranking import chances, ranked
from ludus.stats.ratings import elo, glicko2
from ludus.stats.ratings.bradley_terry import BradleyTerry, bradley_terry
from ludus.stats.ratings.scale import TWO_SIDED_95

ORDERS = ("rating", "wtl", "glicko", "fide", "uscf")
"""What standings can be ordered by."""

_COUNTS = ("wins", "ties", "losses")


def meetings(tallies: pl.DataFrame) -> pl.DataFrame:
    """One row for each ordered pair that met: first, second, and wins, ties and losses of the first.

    The columns `fresh_wins` and so on leave duplicates out: they are the evidence that ratings count.
    """
    ahead = pl.col("scores").list.get(0) - pl.col("scores").list.get(1)
    outcomes = {"wins": ahead > 0, "ties": ahead == 0, "losses": ahead < 0}
    return (
        tallies.filter(pl.col("ending") != Ending.MACHINE)
        .group_by(first=pl.col("seats").list.get(0), second=pl.col("seats").list.get(1))
        .agg(
            *(pl.col("episodes").filter(happened).sum().alias(name) for name, happened in outcomes.items()),
            *(pl.col("fresh").filter(happened).sum().alias(f"fresh_{name}") for name, happened in outcomes.items()),
        )
        .sort("first", "second")
    )


def games(episodes: pl.DataFrame) -> pl.DataFrame:
    """The fresh episodes in the order of their keys: first, second, score of the first (1, ½, 0)."""
    ahead = pl.col("scores").list.get(0) - pl.col("scores").list.get(1)
    return episodes.filter(pl.col("fresh") & (pl.col("ending") != Ending.MACHINE)).select(
        first=pl.col("seats").list.get(0),
        second=pl.col("seats").list.get(1),
        score=(ahead.sign() + 1) / 2,
    )


def crosstable(meetings: pl.DataFrame) -> pl.DataFrame:
    """One row for each ordered pair that met: first, second, episodes, wins, ties, losses and score of the first."""
    return meetings.select("first", "second", _episodes(), *_COUNTS, score=_score())


def ahead(meetings: pl.DataFrame) -> pl.DataFrame:
    """Each ordered pair that met, whoever moved first: agent, opponent, episodes, wins, ties, losses, score."""
    return (
        _from_either_seat(meetings)
        .group_by("agent", "opponent")
        .agg(pl.col(_COUNTS).sum())
        .sort("agent", "opponent")
        .select("agent", "opponent", _episodes(), *_COUNTS, score=_score())
    )


def symmetry(meetings: pl.DataFrame, order: list[int]) -> pl.DataFrame:
    """Each pair that met in both seatings, a before b in the given order: a, b, w_ab, w_ba, by_seat, by_agent.

    w_ab is the score of a against b where a moves first. by_seat = |w_ab − w_ba| is 0 where who moves first gets the
    same, whichever of the two it is; by_agent = |w_ab − (1 − w_ba)| is 0 where an agent gets the same from either seat.
    """
    table = crosstable(meetings).select("first", "second", "score")
    place = pl.DataFrame({"agent": order, "place": range(len(order))}, schema={"agent": pl.Int64, "place": pl.Int64})
    return (
        table.join(table, left_on=["first", "second"], right_on=["second", "first"])
        .rename({"first": "a", "second": "b", "score": "w_ab", "score_right": "w_ba"})
        .join(place.rename({"agent": "a", "place": "place_a"}), on="a")
        .join(place.rename({"agent": "b", "place": "place_b"}), on="b")
        .filter(pl.col("place_a") < pl.col("place_b"))
        .sort("place_a", "place_b")
        .select(
            "a",
            "b",
            "w_ab",
            "w_ba",
            by_seat=(pl.col("w_ab") - pl.col("w_ba")).abs(),
            by_agent=(pl.col("w_ab") - (1 - pl.col("w_ba"))).abs(),
        )
    )


def fit(agents: int, meetings: pl.DataFrame) -> BradleyTerry:
    """The ratings by Bradley and Terry, with the advantage of moving first."""
    return bradley_terry(agents, *_evidence(meetings))


def by_seat(meetings: pl.DataFrame, fit: BradleyTerry) -> pl.DataFrame:
    """Results of moving first and second: seat, episodes, wins, ties, losses, score, advantage (Elo points), error."""
    total = meetings.select(pl.col(_COUNTS).sum()).row(0)
    rows = []
    for seat, (wins, ties, losses) in enumerate([total, total[::-1]]):
        played = wins + ties + losses
        rows.append(
            {
                "seat": seat,
                "episodes": played,
                "wins": wins,
                "ties": ties,
                "losses": losses,
                "score": (wins + ties / 2) / played if played else None,
                "advantage": (1 - 2 * seat) * fit.advantage if played else None,
                "error": TWO_SIDED_95 * fit.advantage_deviation if played else None,
            }
        )
    return pl.DataFrame(rows)


def elos(agents: int, games: pl.DataFrame) -> pl.DataFrame:
    """Both Elo ratings of every agent after these games, as columns `fide` and `uscf`."""
    sequence: tuple[Any, ...] = (agents, *(games[name].to_numpy() for name in ("first", "second", "score")))
    return pl.DataFrame({"fide": elo.fide(*sequence), "uscf": elo.uscf(*sequence)})


def standings(
    agents: int, meetings: pl.DataFrame, elos: pl.DataFrame, fit: BradleyTerry, by: str = "rating"
) -> pl.DataFrame:
    """The agents from the best to the last, with every rating; who has not played comes last, without ratings."""
    glickos = glicko2.tournament(agents, *_evidence(meetings))
    frame = (
        _results(agents, meetings)
        .with_columns(
            wtl=_score(),
            fide=elos["fide"],
            uscf=elos["uscf"],
            glicko=pl.Series([player.rating for player in glickos], dtype=pl.Float64),
            glicko_deviation=pl.Series([player.deviation for player in glickos], dtype=pl.Float64),
            rating=pl.Series(fit.ratings),
            error=pl.Series(TWO_SIDED_95 * fit.deviations),
        )
        .with_columns(
            pl.when(pl.col("episodes") > 0).then(pl.col(name)).alias(name)
            for name in ("wtl", "fide", "uscf", "glicko", "glicko_deviation", "rating", "error")
        )
    )
    frame = ranked(frame, by, "wtl")
    return frame.with_columns(better=chances(frame, fit))


def _results(agents: int, meetings: pl.DataFrame) -> pl.DataFrame:
    """Agent by agent: episodes, wins, ties, losses."""
    total = _from_either_seat(meetings).group_by("agent").agg(pl.col(_COUNTS).sum())
    return (
        pl.DataFrame({"agent": range(agents)}, schema={"agent": pl.Int64})
        .join(total, on="agent", how="left", maintain_order="left")
        .with_columns(pl.col(_COUNTS).fill_null(0))
        .select("agent", _episodes(), *_COUNTS)
    )


def _from_either_seat(meetings: pl.DataFrame) -> pl.DataFrame:
    """Each meeting twice, as each of the two sees it: agent, opponent, wins, ties, losses."""
    moving_first = meetings.select(agent="first", opponent="second", wins="wins", ties="ties", losses="losses")
    moving_second = meetings.select(agent="second", opponent="first", wins="losses", ties="ties", losses="wins")
    return pl.concat([moving_first, moving_second])


def _evidence(meetings: pl.DataFrame) -> tuple[Any, ...]:
    """First, second, and fresh wins, ties and losses as arrays."""
    return tuple(meetings[name].to_numpy() for name in ("first", "second", *(f"fresh_{name}" for name in _COUNTS)))


def _episodes() -> pl.Expr:
    return pl.sum_horizontal(_COUNTS).alias("episodes")


def _score() -> pl.Expr:
    return (pl.col("wins") + pl.col("ties") / 2) / pl.sum_horizontal(_COUNTS)
