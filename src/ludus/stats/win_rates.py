"""Win rates over all stored episodes or a part of them, with intervals.

A win is the first place alone: between two players the better score, among several a score that no other player
reaches. A shared first place is a tie, counted apart from wins and losses. Agents are numbers.

All episodes count in a rate. Duplicates of earlier episodes do not make it more certain: intervals are as wide as those
of the fresh ones alone. Equal episodes are duplicates if nothing in them is random, or if two tournaments with one seed
played them with the same random numbers. An agent that has several seats of an episode counts for both, as one fresh
episode.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from ludus.core.errors import InvalidError, NotFoundError
from ludus.core.spec import Spec
from ludus.episode.record import Ending
from ludus.games.game import game_from
from ludus.stats.early_ends import Watch, with_early
from ludus.stats.endings import Faulty, faulty
from ludus.stats.evidence import Evidence
from ludus.stats.intervals import wilson
from ludus.stats.participants import Field, column_of, is_game
from ludus.store.server_games import is_loose

if TYPE_CHECKING:
    from ludus.store import Store, Summary

GAME, AGENT, PLAYERS, OPPONENT = "game", "agent", "players", "opponent"
WAYS = (AGENT, PLAYERS, OPPONENT)
"""Ways of splitting rates, besides the parameters of agents."""
OPPONENT_WINS = "opponent_wins"
"""The column of episodes that the opponent won, if rates are split by opponent."""
ORDERS = {"rate": "rate", "episodes": "episodes", "won": "wins", "lost": "losses"}
"""Columns by which rates can be sorted, most first."""
_COUNTS = ("episodes", "wins", "ties", "losses", "fresh")
"""The columns that are added up; those without early ends have the same names after `kept_`."""
_KEPT = "kept_"
_RESULT = (GAME, "seats", "scores", "early")


class WinRates(NamedTuple):
    """Rates as computed by `rates`; the columns that split them come first: names, numbers, or texts.

    `by` are these columns, those of parameters as named by `column_of`; `numeric` those of them that hold numbers.
    `repeated` episodes are duplicates of earlier ones of the same agents: they do not make rates more certain. Agents
    in `unknown` are left out, because they can no longer be loaded to find the value of a parameter.
    """

    table: pl.DataFrame
    by: tuple[str, ...]
    numeric: tuple[str, ...]
    games: tuple[str, ...]
    tournaments: int
    episodes: int
    repeated: int
    faulty: Faulty
    unknown: tuple[str, ...]


def win_rates(
    store: "Store",
    which: Sequence[str] = (),
    *,
    by: Sequence[str] = (AGENT,),
    game: str | None = None,
    agents: Collection[str] = (),
    sort: str | None = None,
    beaten_by: bool = False,
    watch: Watch | None = None,
) -> WinRates:
    """Rates over some tournaments or all, of one game, of some agents, in the terms of `Field.chosen`.

    Rows are sorted by one of `ORDERS`, or else by what splits them. With `beaten_by`, only opponents that won at least
    once are left. Episodes of one-player games, and those without a result because of the machine, are left out. Rates
    of different games are separate. `watch` is called with the numbers of records read.
    """
    by = tuple(dict.fromkeys(by))
    if beaten_by and OPPONENT not in by:
        raise InvalidError("--beaten-by leaves out opponents that never won: add --by opponent.")
    field = Field()
    frames = {summary.id: _episodes(store, summary, field, watch) for summary in chosen(store, which, game)}
    wanted = field.chosen(agents)
    values = {column_of(way): field.values(way, wanted, WAYS) for way in by if way not in WAYS}
    rated = [agent for agent in wanted if all(agent in found.values for found in values.values())]
    took_part = pl.col("seats").list.eval(pl.element().is_in(rated)).list.any()
    found_in = {id: rows for id, frame in frames.items() if not (rows := frame.filter(took_part)).is_empty()}
    played = pl.concat([_NONE, *found_in.values()])
    with_faults = [id for id, frame in found_in.items() if (frame["by"].list.len() > 0).any()]
    by = tuple(way if way in WAYS else column_of(way) for way in by)

    fresh = pl.struct("spec", "seats", "course", "draw").is_first_distinct()
    tallies = (
        played.with_columns(fresh=fresh)
        .group_by(_RESULT, maintain_order=True)
        .agg(pl.len().cast(pl.Int64).alias("episodes"), pl.col("fresh").sum().cast(pl.Int64))
    )
    seated = rows_by_seat(tallies)
    if OPPONENT in by:
        seated = with_opponents(seated)
    seated = seated.filter(pl.col(AGENT).is_in(rated))
    for way, found in values.items():
        kind = pl.Float64 if found.numeric else pl.Enum(found.order)
        column = pl.DataFrame({AGENT: list(found.values), way: pl.Series(list(found.values.values()), dtype=kind)})
        seated = seated.join(column, on=AGENT, maintain_order="left")
    if seated.is_empty():
        raise NotFoundError(
            "No episode with two players or more is stored here: 'ludus list tournaments' lists what is stored, and "
            "'ludus run' plays a tournament."
        )
    games = tuple(seated[GAME].unique(maintain_order=True))
    columns = (*([GAME] if len(games) > 1 else []), *by)
    table = rates(seated, columns)
    for way in {AGENT, OPPONENT} & set(by):
        table = table.with_columns(_labelled(seated, way, field.labels()))
    table = table.sort(columns)
    if beaten_by:
        table = table.filter(pl.col(OPPONENT_WINS) > 0)
    if sort is not None:
        table = table.sort(ORDERS[sort], descending=True, maintain_order=True)
    return WinRates(
        table,
        columns,
        tuple(way for way in by if way == PLAYERS or (way in values and values[way].numeric)),
        games,
        len(found_in),
        len(played),
        len(played) - int(tallies["fresh"].sum()),
        faulty(played.with_columns(episodes=pl.lit(1)), field.labels(), with_faults),
        tuple(dict.fromkeys(field.labels()[number] for found in values.values() for number in found.unknown)),
    )


_NONE = pl.DataFrame(
    schema={
        GAME: pl.String,
        "seats": pl.List(pl.Int64),
        "scores": pl.List(pl.Float64),
        "early": pl.List(pl.Boolean),
        "by": pl.List(pl.Int64),
        "draw": pl.UInt64,  # of random numbers; none if there are none
        "course": pl.Int64,
        "spec": pl.String,  # of the game: the same moves on another board are another episode
    }
)


def chosen(store: "Store", which: Sequence[str], game: str | None) -> list["Summary"]:
    """The requested tournaments that have episodes, or all of them, of one game or of any."""
    if game is not None:
        game_from(game)  # raises if it is invalid
    ids = {store.find(text) for text in which}
    found = [summary for summary in store.tournaments() if not which or summary.id in ids]
    if game is not None:
        found = [summary for summary in found if is_game(summary.game, game)]
        if not found:
            raise NotFoundError(f"No tournament of {game} is stored here: 'ludus list tournaments' lists all.")
    return [summary for summary in found if summary.episodes]


def _episodes(store: "Store", summary: "Summary", field: Field, watch: Watch | None) -> pl.DataFrame:
    """The episodes of a tournament that have a winner or could have one, with the agents as the field numbers them."""
    evidence = Evidence(store, summary.id, finished=False)  # all in one reading
    episodes = evidence.episodes_of(None).filter(pl.col("ending") != Ending.MACHINE, pl.col("seats").list.len() > 1)
    if episodes.is_empty():
        return _NONE
    tournament = store.tournament(summary.id)
    numbers = field.add(tournament.agents)
    source = summary.id if is_loose(tournament) else tournament.seed
    seed = (pl.lit(is_loose(tournament)).alias("loose"), pl.lit(source).alias("source"))
    draw = pl.struct(*seed, "repetition", "match", "number").hash()
    renumbered = pl.element().replace_strict(list(range(len(numbers))), numbers, return_dtype=pl.Int64)
    spec = Spec.parse(summary.game)
    game = ":".join(filter(None, (spec.file, spec.name, *spec.words)))
    return (
        with_early(episodes, store, summary.id, watch)
        .with_columns(pl.col("seats").list.eval(renumbered), pl.lit(game).alias(GAME), spec=pl.lit(summary.game))
        .with_columns(draw=pl.when("random").then(draw))
        .select(_NONE.columns)
    )


def _labelled(seated: pl.DataFrame, way: str, labels: Sequence[str]) -> pl.Expr:
    """A column of agents with their names, in the order of their rates."""
    order = rates(seated, [way]).sort("rate", "episodes", descending=True)[way].to_list()
    names = [labels[number] for number in order]
    return pl.col(way).replace_strict(order, names, return_dtype=pl.Enum(names))


# --- Rates, frames in and frames out ----------------------------------------------------------------------------------


def rows_by_seat(tallies: pl.DataFrame) -> pl.DataFrame:
    """One row for each seat of each tally: tally (its number), seat, agent, players, counts, and more.

    The other columns are the counts without early ends, and all other columns of a tally.

    A tally is a number of `episodes`, some of them `fresh`, with one result: `seats` (agents), `scores`, and `early`,
    which is true for each seat whose opponents ended it early through their own fault.
    """
    count, first = pl.col("episodes"), pl.col("scores") == pl.col("scores").max().over("tally")
    alone = first.sum().over("tally") == 1
    counted = {"wins": first & alone, "ties": first & ~alone, "losses": ~first}
    rows = (
        tallies.with_row_index("tally")
        .with_columns(
            pl.int_ranges(pl.col("seats").list.len()).alias("seat"),
            pl.col("seats").list.len().cast(pl.Int64).alias("players"),
        )
        .explode("seats", "scores", "early", "seat")
        .with_columns((count * what).alias(name) for name, what in counted.items())
    )
    kept = ~pl.col("early")
    rows = rows.with_columns((pl.col(name) * kept).alias(_KEPT + name) for name in _COUNTS)
    seats, kept_seats = pl.len().over("tally", "seats"), kept.sum().over("tally", "seats")
    rows = rows.with_columns(pl.col("fresh") / seats, pl.col(_KEPT + "fresh") / kept_seats.clip(1))
    return rows.rename({"seats": "agent"}).drop("scores", "early")


def with_opponents(seated: pl.DataFrame) -> pl.DataFrame:
    """One row for each opponent at the board, in the column `opponent`: once, even if it has several seats.

    `opponent_wins` are the episodes in which it had the first place alone.
    """
    others = seated.select("tally", "seat", pl.col("agent").alias(OPPONENT), pl.col("wins").alias(OPPONENT_WINS))
    met = seated.select("tally", "seat").join(others, on="tally", suffix="_other")
    met = met.filter(pl.col("seat") != pl.col("seat_other"))
    met = met.group_by("tally", "seat", OPPONENT, maintain_order=True).agg(pl.col(OPPONENT_WINS).max())
    return seated.join(met, on=["tally", "seat"], maintain_order="left_right")


def rates(seated: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """By these columns, in the order in which they come: the counts, rate, low, high; all without early ends too.

    The interval is one of 95 %. Without episodes, the rate is none.
    """
    names = [*_COUNTS, *(_KEPT + name for name in _COUNTS)]
    names += [OPPONENT_WINS] if OPPONENT_WINS in seated.columns else []
    added = seated.group_by(by, maintain_order=True).agg(pl.col(names).sum())
    return with_intervals(with_intervals(added), _KEPT)


def with_intervals(counts: pl.DataFrame, prefix: str = "") -> pl.DataFrame:
    """The counts with rate, low and high."""
    wins, episodes, fresh = (counts[prefix + name].to_numpy() for name in ("wins", "episodes", "fresh"))
    share = wins / np.maximum(episodes, 1)
    low, high = wilson(share * fresh, fresh)
    shares = {"rate": share, "low": low, "high": high}
    known = pl.Series(episodes > 0)
    return counts.with_columns(
        pl.when(known).then(pl.Series(values)).alias(prefix + name) for name, values in shares.items()
    )
