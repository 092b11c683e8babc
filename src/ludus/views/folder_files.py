"""Files that a tournament leaves in its folder of bots: `points.csv`, and `default.log` with what happened."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from ludus.core.paths import write_file
from ludus.core.text import cleaned, first_line, unformula
from ludus.episode.record import Ending, Fault
from ludus.stats.results import Results

Row = dict[str, Any]
Episode = tuple[int, int, int]
"""A repetition, a match and the number of an episode, counted from 1."""


def write_folder_files(results: Results, folder: Path) -> None:
    """Write both files, for all episodes that are stored; files of earlier runs are replaced."""
    write_file(folder / "points.csv", points_table(results))
    write_file(folder / "default.log", "".join(f"{line}\n" for line in log(results)))


def points_table(results: Results) -> str:
    """The points of each bot, which are the sum of its scores, with the best first; semicolons separate the columns."""
    points: Counter[str] = Counter(dict.fromkeys(results.agents, 0))
    matches = results.match_results()
    for seat in range(1, results.seats + 1):
        for agent, gained in matches.select(f"agent_{seat}", f"points_{seat}").iter_rows():
            points[agent] += gained
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    writer.writerow(["Bot", "Points"])
    writer.writerows((unformula(cleaned(agent)), f"{gained:g}") for agent, gained in points.most_common())
    return text.getvalue()


def log(results: Results) -> Iterator[str]:
    """A line for the tournament, and for each game, in the order of play, one for its start, its faults and its end."""
    tournament = results.tournament
    created = results.summary.created
    names = game_names(results)
    yield _line(created, "INFO", f"{tournament.name}: {tournament.game}, {tournament.format}, {len(names):,} games")
    faults: dict[Episode, list[Row]] = {}
    if results.timing()["faults"].sum():
        for fault in results.faults().iter_rows(named=True):
            faults.setdefault(_key(fault), []).append(fault)
    for game in results.episodes().sort("played").iter_rows(named=True):
        name, began = names[_key(game)], game["played"]
        yield _line(began, "INFO", f"{name}: {' - '.join(game['seats'])}")
        for fault in faults.get(_key(game), []):
            where = f" at step {fault['step']}" if fault["step"] else " before the first move"
            said = f": {first_line(fault['evidence'])}" if fault["evidence"] else ""
            yield _line(began, "WARNING", f"{name}: {fault['agent']} {Fault(fault['fault']).did}{where}{said}")
        scores = ", ".join(f"{bot} {score:g}" for bot, score in zip(game["seats"], game["scores"], strict=True))
        yield _line(began, "INFO", f"{name}: {scores}, ended {Ending(game['ending']).words}")


def _line(moment: Any, level: str, text: str) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} {level} {cleaned(text)}"


def _key(row: Mapping[str, Any]) -> Episode:
    return row["repetition"], row["match"], row["number"]


def game_names(results: Results) -> dict[Episode, str]:
    """The name of each game: ROUND_PAIRING_GAME; with repetitions, the number of the repetition stands before it.

    A pairing has the round of its first match; its games are counted over all its matches, for both openers.
    """
    repeated = results.tournament.repetitions > 1
    meetings: dict[tuple[int, frozenset[str]], str] = {}
    in_round: Counter[tuple[int, int]] = Counter()
    games: Counter[str] = Counter()
    rounds = {row[:2]: row[2] for row in results.match_results().select("repetition", "match", "round").iter_rows()}
    names = {}
    for repetition, match, number, seats in (
        results.episodes().select("repetition", "match", "number", pl.col("seats")).iter_rows()
    ):
        pair = repetition, frozenset(seats)
        if pair not in meetings:
            round = rounds[repetition, match]
            in_round[repetition, round] += 1
            prefix = f"{repetition}_" if repeated else ""
            meetings[pair] = f"{prefix}{round}_{in_round[repetition, round]}"
        games[meetings[pair]] += 1
        names[repetition, match, number] = f"{meetings[pair]}_{games[meetings[pair]]}"
    return names
