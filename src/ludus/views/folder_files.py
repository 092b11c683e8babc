"""Files in a folder of bots: a tournament's `points.csv` and `default.log`, and the moves of a single match."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ludus.core.paths import write_file
from ludus.core.spec import without_folder
from ludus.core.text import cleaned, first_line, unformula
from ludus.episode.record import Ending, Fault, Record
from ludus.kernel.numbers import CHANCE
from ludus.stats.results import Results
from ludus.tournaments.game_names import MatchNames

Row = dict[str, Any]
Episode = tuple[int, int, int]
"""A repetition, a match and the number of an episode, counted from 1."""


def write_folder_files(results: Results, folder: Path) -> None:
    """Write both files, for all episodes that are stored; files of earlier runs are replaced."""
    write_file(folder / "points.csv", points_table(results))
    write_file(folder / "default.log", "".join(f"{line}\n" for line in log(results)))


def moves_table(record: Record) -> str:
    """The moves of players as CSV, with the milliseconds that each took: `Bot;Turn;Time`.

    A late answer counts with its time, and a move that was never made has no text.
    """
    moves = [move for move in record.answers() if move.seat != CHANCE]
    return _csv(
        ["Bot", "Turn", "Time"], ((record.seats[move.seat].name, move.move, f"{move.wall / 1e6:.3f}") for move in moves)
    )


def points_table(results: Results) -> str:
    """The points of each bot as CSV, which are the sum of its scores, with the best first."""
    points: Counter[str] = Counter(dict.fromkeys(results.agents, 0))
    matches = results.match_results()
    for seat in range(1, results.seats + 1):
        for agent, gained in matches.select(f"agent_{seat}", f"points_{seat}").iter_rows():
            points[agent] += gained
    return _csv(
        ["Bot", "Points"], ((unformula(cleaned(agent)), f"{gained:g}") for agent, gained in points.most_common())
    )


def _csv(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """CSV with semicolons, as bots write their metrics too."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def log(results: Results) -> Iterator[str]:
    """A line for the tournament, and for each game, in the order of play, one for its start, its faults and its end."""
    tournament = results.tournament
    created = results.summary.created
    names = game_names(results)
    played = without_folder(tournament.game)
    yield _line(created, "INFO", f"{tournament.name}: {played}, {tournament.format}, {len(names):,} games")
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
    """The name of each game, as its bots were told, but without that of the tournament."""
    meetings = MatchNames(results.tournament)
    seats = [f"agent_{seat}" for seat in range(1, results.seats + 1)]
    matches = results.match_results().sort("repetition", "match").select("repetition", "match", "round", *seats)
    found = {
        (repetition, match): meetings.add(repetition - 1, round - 1, players)
        for repetition, match, round, *players in matches.iter_rows()
    }
    episodes = results.episodes().select("repetition", "match", "number").iter_rows()
    return {
        (repetition, match, number): found[repetition, match].game(number - 1) for repetition, match, number in episodes
    }
