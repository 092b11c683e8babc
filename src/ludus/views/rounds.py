"""Rounds of a knockout as a bracket, and those of a Swiss tournament as a wall chart."""

from typing import NamedTuple

import polars as pl

from ludus.core.text import decimal
from ludus.stats.results import Results

MOST_SHOWN = 3
"""Number of repetitions that are shown, each on its own."""

WALL_CHART = "+3: won against number 3; =3: tied; −3: lost; bye: without an opponent."
"""The meaning of the cells of a wall chart."""

_SIGNS = {1.0: "+", 0.5: "=", 0.0: "−", None: "?"}


def repetitions(rounds: pl.DataFrame) -> list[int]:
    """The repetitions to show."""
    return rounds["repetition"].unique().sort().to_list()[:MOST_SHOWN]


def halves(points: float) -> str:
    """Points such as 2, 1½ and ½."""
    full, rest = divmod(points, 1)
    return f"{int(full) if full or not rest else ''}{'½' if rest else ''}" if rest in (0, 0.5) else decimal(points, 2)


# --- The wall chart -------------------------------------------------------------------------------------------------


def wall_chart(results: Results, repetition: int) -> pl.DataFrame:
    """Agent by agent, the opponent of each round by its rank, with the result: rank, agent, round_1, round_2, …"""
    rounds = results.rounds().filter(repetition=repetition)
    standings = results.standings(repetition if results.tournament.repetitions > 1 else None).select("rank", "agent")
    ranks = dict(zip(standings["agent"], standings["rank"], strict=True))
    last = max(rounds["round"], default=0)
    cells: dict[str, dict[str, str]] = {agent: {} for agent in ranks}
    for row in rounds.iter_rows(named=True):
        column, agent, opponent = f"round_{row['round']}", row["agent"], row["opponent"]
        if opponent is None:
            cells[agent][column] = "bye"
        else:
            cells[agent][column] = f"{_SIGNS[row['gained']]}{ranks[opponent]}"
            cells[opponent][column] = f"{_SIGNS[row['opponent_gained']]}{ranks[agent]}"
    columns = [f"round_{number}" for number in range(1, last + 1)]
    return standings.with_columns(
        pl.Series(column, [cells[agent].get(column) for agent in ranks], pl.String) for column in columns
    )


# --- The bracket ----------------------------------------------------------------------------------------------------


class Entry(NamedTuple):
    """An agent in a pairing: its row in the drawing, its points, and True if it won the pairing."""

    agent: str
    row: int
    points: str
    won: bool


class Meeting(NamedTuple):
    """A pairing in the bracket: its two entries, and the row between them, from which the winner goes on."""

    entries: tuple[Entry, Entry]
    row: int


class BracketRound(NamedTuple):
    """A round of the bracket: its name and the pairings, without agents that have no opponent."""

    name: str
    meetings: list[Meeting]


def bracket(rounds: pl.DataFrame) -> list[BracketRound]:
    """The bracket of one repetition, with rows from 0 down; each agent of the first round has every other row."""
    drawn: list[BracketRound] = []
    centres: dict[str, int] = {}  # of the last pairing of each agent
    below = 0
    for (_, name), pairings in rounds.group_by("round", "name", maintain_order=True):
        meetings = []
        for row in pairings.iter_rows(named=True):
            agent, opponent = row["agent"], row["opponent"]
            if opponent is None:
                centres[agent], below = below, below + 2
                continue
            if not drawn:
                centres[agent], centres[opponent], below = below, below + 2, below + 4
            sides = (
                Entry(agent, centres[agent], halves(row["points"]), row["gained"] == 1),
                Entry(opponent, centres[opponent], halves(row["opponent_points"]), row["opponent_gained"] == 1),
            )
            upper, lower = sorted(sides, key=lambda entry: entry.row)
            centres[agent] = centres[opponent] = (upper.row + lower.row) // 2
            meetings.append(Meeting((upper, lower), centres[agent]))
        drawn.append(BracketRound(str(name), meetings))
    return drawn


class Final(NamedTuple):
    """The final of a knockout: who won it against whom, with the points of both; the better seed wins a tie."""

    winner: str
    loser: str
    score: str
    tied: bool

    @property
    def words(self) -> str:
        """The final as the end of a sentence after the name of the winner."""
        seed = ", as the better seed" if self.tied else ""
        return f"won the final against {self.loser}, {self.score}{seed}"


def final(rounds: pl.DataFrame, repetition: int) -> Final | None:
    """The final of a repetition; None as long as it is undecided."""
    decided = pl.col("name") == "final", pl.col("gained").is_not_null()
    for row in rounds.filter(*decided, repetition=repetition).iter_rows(named=True):
        sides = [(row["agent"], row["points"]), (row["opponent"], row["opponent_points"])]
        (winner, most), (loser, least) = sides if row["gained"] == 1 else sides[::-1]
        return Final(winner, loser, f"{halves(most)}–{halves(least)}", most == least)
    return None
