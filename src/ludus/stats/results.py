"""The results of a stored tournament, as Polars frames with the names of agents.

Numbers for people count from 1 here: repetitions, matches, episodes, seats. Times are nanoseconds. Each frame is
computed on first use, from the state of the store when the first of them was.
"""

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, TypeVar

import polars as pl

from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.core.text import plural
from ludus.episode.record import PREPARING, Key
from ludus.stats import places, rank_shifts, two_players
from ludus.stats.endings import endings, faults, first_blamed
from ludus.stats.evidence import MATCH
from ludus.stats.first_moves import FirstMoves
from ludus.stats.format_results import RoundsRun
from ludus.stats.intervals import half_widths
from ludus.stats.match_table import match_table
from ludus.stats.measurements import Measured
from ludus.stats.one_player import OnePlayer
from ludus.stats.several_players import SeveralPlayers
from ludus.stats.standings import RatedRun, Run
from ludus.stats.stored_tournament import StoredTournament
from ludus.stats.two_players import TwoPlayers
from ludus.store.entries import episode_name
from ludus.store.timing import thinking, timing

if TYPE_CHECKING:
    from ludus.store import Store

Kind = TypeVar("Kind", bound=Run)

_REPEATED = ("rating", "glicko", "fide", "uscf", "wtl", "points", "median")
"""Columns of standings that are compared over repetitions."""
_EXAMPLES = {"agent": pl.Int64, "ending": pl.String, "example": pl.String}
_NO_REPETITION = {"repetition": pl.Int64, "agent": pl.String, "rank": pl.Int64, "rating": pl.Float64}


def orders(seats: int) -> tuple[str, ...]:
    """The columns that standings of games for this many players can be ordered by; some formats add their own."""
    return {1: OnePlayer, 2: TwoPlayers}.get(seats, SeveralPlayers).orders


def load(which: int | str, store: "Store") -> "Results":
    """The results of a stored tournament, named by number or name."""
    return Results(store, store.find(str(which)))


class Results(StoredTournament):
    """The results of one tournament, finished or not."""

    def __init__(self, store: "Store", id: int) -> None:
        super().__init__(store, id)
        self._runs: dict[int | None, Run] = {}

    def rounds(self) -> pl.DataFrame:
        """The pairings of a knockout or a Swiss tournament, in each round in the order of the bracket.

        Columns: repetition, round, name, agent, opponent (null for a bye), points and opponent_points in all,
        gained and opponent_gained: 1 for winning the pairing, ½ for a tie, null as long as it is undecided.
        """
        return self._named(self.by_format.rounds(), "agent", "opponent")

    def departures(self) -> pl.DataFrame:
        """Agents that the format `drop` removed: repetition, round, agent, rating (interim), episodes (until then)."""
        return self._named(self.by_format.departures(), "agent")

    # --- Strength -------------------------------------------------------------------------------------------------

    def standings(self, repetition: int | None = None, by: str | None = None) -> pl.DataFrame:
        """The agents from the best to the last, over all repetitions or in one.

        Two players: rank, agent, episodes, wins, ties, losses, wtl, points (the sum of scores), fide, uscf, glicko,
        glicko_deviation, rating (Bradley–Terry), low and high (95 %; an agent that won everything has no high, one that
        lost everything no low), better (the probability of being better than the next one). Several: points (the mean),
        and ratings by Plackett–Luce, place_1, place_2, … One: mean, median, best, worst, q1, q3, deviation, ahead (the
        share of seeds on which it beats the next one). A knockout adds place, a Swiss tournament points, buchholz and
        byes, and ranks by them; over several repetitions these are means.
        """
        return self._named(self._run(repetition).standings(by), "agent")

    def order(self, by: str | None = None) -> list[str]:
        """Names of the agents from the best to the last."""
        return self.standings(by=by)["agent"].to_list()

    def crosstable(self, repetition: int | None = None) -> pl.DataFrame:
        """Two players: first (who chose the first move), second, episodes, wins, ties, losses, score (of the first).

        Over all repetitions it also has score_mean and score_deviation, over the complete ones.
        """
        if repetition is not None:
            run = self._run_of(TwoPlayers, "A cross table", repetition)
            return self._named(two_players.crosstable(run.meetings), "first", "second")
        return self._pairs("A cross table", two_players.crosstable, "first", "second")

    def nash(self) -> pl.DataFrame:
        """Two players: agent, nash (share in the Nash mixture), against (score against it), alpha_rank.

        There are no rows if some pair of agents has not met.
        """
        return self._nash

    @cached_property
    def _nash(self) -> pl.DataFrame:
        return self._named(
            two_players.nash(len(self.agents), self._run_of(TwoPlayers, "Nash averaging").meetings), "agent"
        )

    def symmetry(self) -> pl.DataFrame:
        """Two players, a the better one: a, b, w_ab, w_ba, by_seat = |w_ab − w_ba|, by_agent = |w_ab − (1 − w_ba)|.

        With repetitions also w_ab_mean, w_ab_deviation and so on, over the complete ones.
        """
        order = self._run_of(TwoPlayers, "Symmetry").standings()["agent"].to_list()
        return self._pairs("Symmetry", partial(two_players.symmetry, order=order), "a", "b")

    def _pairs(self, what: str, table: Callable[[pl.DataFrame], pl.DataFrame], *key: str) -> pl.DataFrame:
        frame = table(self._run_of(TwoPlayers, what).meetings)
        if self.tournament.repetitions > 1:
            runs = [run for run in map(self._run, self.complete_repetitions) if isinstance(run, TwoPlayers)]
            frame = two_players.with_deviations(frame, [table(run.meetings) for run in runs], key)
        return self._named(frame, *key)

    def match_results(self) -> pl.DataFrame:
        """Every match: repetition, match, round, agent_1 …, episodes, wins_1 … and points_1 … (sums) of each seat."""
        frame = match_table(self._evidence.tallies, self.seats)
        return self._named(frame, *(f"agent_{seat}" for seat in range(1, self.seats + 1)))

    def ahead(self) -> pl.DataFrame:
        """Pairwise results from any seats: agent, opponent, episodes, wins (placed ahead), ties, losses, score.

        For one player, on the same seeds.
        """
        return self._named(self._run(None).ahead(), "agent", "opponent")

    def against(self, agent: str) -> pl.DataFrame:
        """One agent against each opponent: opponent, episodes, wins, ties, losses, score."""
        if self.seats != 2:
            return self.ahead().filter(agent=agent).drop("agent")
        table = self.crosstable()
        swapped = table.rename({"first": "second", "second": "first", "wins": "losses", "losses": "wins"})
        both = pl.concat([table, swapped.select(table.columns)]).filter(first=agent)
        sums = both.group_by(opponent="second", maintain_order=True).agg(
            pl.col("episodes", "wins", "ties", "losses").sum()
        )
        return sums.with_columns(score=(pl.col("wins") + pl.col("ties") / 2) / pl.col("episodes"))

    def by_seat(self) -> pl.DataFrame:
        """Results of each seat: seat, episodes, wins, ties, losses, score; for two players advantage, error (Elo).

        Of two players, seat 1 is the one that chose the first move after the opening.
        """
        run = self._run(None)
        if not isinstance(run, RatedRun):
            raise self._unsuited("Results by seat")
        return self._named(run.by_seat())

    def places(self) -> pl.DataFrame:
        """Several players: agent, seat, place, episodes."""
        return self._named(places.places(self._run_of(SeveralPlayers, "Places by seat").results), "agent")

    def points(self) -> pl.DataFrame:
        """One player: repetition, number (which identify the seed), agent, score."""
        return self._named(self._run_of(OnePlayer, "Points by seed").points, "agent")

    def course(self) -> pl.DataFrame:
        """Ratings over the course of the tournament: matches (number played), agent, rating; none for one player."""
        return self._course

    @cached_property
    def _course(self) -> pl.DataFrame:
        run = self._run(None)
        if not isinstance(run, RatedRun):
            return pl.DataFrame(schema={"matches": pl.Int64, "agent": pl.String, "rating": pl.Float64})
        return self._named(run.course(), "agent")

    # --- Repetitions ----------------------------------------------------------------------------------------------

    def repetitions(self, by: str | None = None) -> pl.DataFrame:
        """One row for each complete repetition and agent: repetition, agent, rank, rating, and more of the standings.

        Ranks are by the column `by`. The rating of a single player is the mean of its points.
        """
        frames = []
        for repetition in self.complete_repetitions:
            table = self.standings(repetition, by or ("rating" if self.seats > 1 else None))
            table = table.rename({"mean": "rating"}) if self.seats == 1 else self._centred(table)
            kept = [name for name in _REPEATED if name in table.columns]
            frames.append(table.select(pl.lit(repetition, pl.Int64).alias("repetition"), "agent", "rank", *kept))
        return pl.concat(frames) if frames else pl.DataFrame(schema=_NO_REPETITION)

    def _centred(self, table: pl.DataFrame) -> pl.DataFrame:
        """Standings of one repetition whose ratings have the same agents in their mean as those over all."""
        run = self._run(None)
        assert isinstance(run, RatedRun)
        shares = pl.DataFrame({"agent": self.agents, "share": run.fit.shares})
        rated = table.select("agent", "rating").drop_nulls().join(shares, on="agent").filter(pl.col("share") > 0)
        mean = (pl.col("rating") * pl.col("share")).sum() / pl.col("share").sum()
        return table.with_columns(pl.col("rating") - rated.select(mean).item()) if len(rated) else table

    def stability(self) -> pl.DataFrame:
        """Agent by agent over the complete repetitions: mean and deviation of each rating, and shifts of rank."""
        return rank_shifts.stability(self.repetitions())

    def shifts(self) -> pl.DataFrame:
        """Complete repetitions compared with the order over all: repetition, moved, shift (mean), best_first."""
        repetitions = self.repetitions()
        return rank_shifts.shifts_of_runs(repetitions, rank_shifts.stability(repetitions))

    # --- Times and ends -------------------------------------------------------------------------------------------

    def timing(self, by: Literal["agent", "match"] = "agent") -> pl.DataFrame:
        """Times of moves and of whole episodes, by agent in the order of the standings, or by match and seat."""
        frame = self._named(timing(self._timings, by), "agent")
        if by == "agent":
            return pl.DataFrame({"agent": self.order()}).join(frame, on="agent", maintain_order="left")
        key, seats = ["repetition", "match", "seat", "agent"], pl.col("seats")
        before, after = seats.list.head(pl.col("seat") - 1), seats.list.slice(pl.col("seat"))
        seated = frame.join(self._named(self._evidence.seatings, "seats"), on=key[:2], maintain_order="left")
        return seated.select(*key, pl.concat_list(before, after).alias("opponents"), pl.exclude(*key, "seats"))

    def strength_speed(self) -> pl.DataFrame:
        """agent, rating (of one player: mean), low, high (95 %), match_time: its own thinking time in an episode.

        The time is the median over its matches.
        """
        table = self.standings()
        if self.seats == 1:
            half = half_widths(table["deviation"], table["episodes"])
            table = table.with_columns(rating="mean", low=pl.col("mean") - half, high=pl.col("mean") + half)
        return table.select("agent", "rating", "low", "high").join(
            self._named(thinking(self._timings), "agent"), on="agent", how="left", maintain_order="left"
        )

    def endings(self) -> pl.DataFrame:
        """Endings of episodes: agent (the one to blame, or none), ending, episodes, example.

        The example is the first such episode of the agent, in the form that `ludus replay` takes.
        """
        found, examples = endings(self._evidence.tallies), pl.DataFrame(schema=_EXAMPLES)
        if found["agent"].count():
            first = first_blamed(self._evidence.episodes_of(None))
            rows = [(agent, ending, self._episode_name(*key)) for agent, ending, *key in first.iter_rows()]
            examples = pl.DataFrame(rows, _EXAMPLES, orient="row")
        return self._named(found.join(examples, on=["agent", "ending"], how="left", maintain_order="left"), "agent")

    def episodes(self) -> pl.DataFrame:
        """Every episode: repetition, match, number, seats (names), scores, ending, by, plies, wall, played, fresh."""
        frame = self._named(self._evidence.everything(), "seats")
        frame = frame.with_columns(pl.col("by").list.eval(pl.element() + 1))
        first = ["repetition", "match", "number", "seats", "scores", "ending", "by", "plies", "wall", "played", "fresh"]
        return frame.select(*first, pl.exclude(first))

    # --- From the records, which are slow to read -----------------------------------------------------------------

    def metrics(self) -> pl.DataFrame:
        """Numbers reported by agents about their moves: agent, metric, moves, mean, median, lowest, highest."""
        return self._ranked(self._measured.metrics())

    def usage(self) -> pl.DataFrame:
        """Resources used by bots for a move: agent, moves, cpu, waited, longest_wait, memory.

        CPU time and waiting for a core are means, memory is the maximum in bytes. Other agents have no row.
        """
        return self._ranked(self._measured.usage())

    def faults(self) -> pl.DataFrame:
        """Every fault: episode (as `ludus replay` takes it), step, seat, agent, fault, out, evidence, and its key.

        A fault in getting ready has no step; `out` is true if the player was disqualified for it.
        """
        key = ["repetition", "match", "number"]
        count = int(timing(self._timings)["faults"].sum())
        found = faults(self._store, self.id, count, self._evidence.episodes_of(None))
        names = [self._episode_name(*numbers) for numbers in found.select(key).iter_rows()]
        step = pl.when(pl.col("step") != PREPARING).then(pl.col("step") + 1)
        named = self._named(found.with_columns(step, pl.Series("episode", names, pl.String)))
        return named.select("episode", pl.exclude("episode", *key), *key)

    def remarks(self) -> pl.DataFrame:
        """Remarks on bots, which are not faults: agent, remark, episodes (their number), example (the first)."""
        found = self._ranked((self._measured if self.has_bots else Measured()).remarks())
        names = [self._episode_name(*key) for key in found.select("repetition", "match", "number").iter_rows()]
        return found.select("agent", "remark", "episodes", pl.Series("example", names, pl.String))

    @cached_property
    def _measured(self) -> Measured:
        return Measured.of(self._store.records(self.id))

    def _ranked(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The rows of the agents in the order of the standings."""
        return pl.DataFrame({"agent": self.order()}).join(frame, on="agent", maintain_order="left_right")

    def _episode_name(self, repetition: int, match: int, number: int) -> str:
        return episode_name(self.id, Key(repetition, match, number), self.tournament.repetitions)

    # --- From the store -------------------------------------------------------------------------------------------

    @cached_property
    def _timings(self) -> pl.DataFrame:
        known = self._evidence.seatings.select(MATCH)  # a running tournament may have grown since
        return self._store.timings(self.id).join(known, on=MATCH, how="semi", maintain_order="left")

    @cached_property
    def _first_moves(self) -> FirstMoves:
        return FirstMoves(self._store, self.id, self.tournament, self._evidence)

    def _run(self, repetition: int | None) -> Run:
        if repetition is not None and not 1 <= repetition <= self.tournament.repetitions:
            raise NotFoundError(
                f"There is no repetition {repetition}: they are numbered from 1 to {self.tournament.repetitions}."
            )
        if repetition not in self._runs:
            number = None if repetition is None else repetition - 1
            tallies = self._evidence.tallies_of(number)
            if self.seats == 2:
                tallies = self._first_moves.tallies(number)
            content = len(self.agents), self.seats, tallies, lambda: self._evidence.episodes_of(number)
            if orders := self.by_format.orders:
                self._runs[repetition] = RoundsRun(*content, self.by_format.tallied(number), orders)
            else:
                self._runs[repetition] = {1: OnePlayer, 2: TwoPlayers}.get(self.seats, SeveralPlayers)(*content)
        return self._runs[repetition]

    def _run_of(self, kind: type[Kind], what: str, repetition: int | None = None) -> Kind:
        run = self._run(repetition)
        if not isinstance(run, kind):
            raise self._unsuited(what)
        return run

    def _unsuited(self, what: str) -> LudusError:
        players = plural(self.seats, "player")
        return InvalidError(f"{what} is not available: an episode of {self.tournament.game} has {players}.")
