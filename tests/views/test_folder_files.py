import re
from pathlib import Path

from ludus.episode.finished import episode
from ludus.episode.record import Key
from ludus.stats.results import load
from ludus.store import open_store
from ludus.tournaments.formats.format import Match
from ludus.tournaments.plan import make_tournament
from ludus.views.folder_files import game_names, write_folder_files
from support.samples import sample, stored
from support.stored_results import play


def test_points_are_sums_of_scores_with_the_best_first(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        found = load(play(store, episodes=2), store)
        write_folder_files(found, tmp_path)
        head, *rows = [line.split(";") for line in (tmp_path / "points.csv").read_text().splitlines()]
        sums = dict.fromkeys(found.agents, 0.0)
        for seats, scores in found.episodes().select("seats", "scores").iter_rows():
            for agent, score in zip(seats, scores, strict=True):
                sums[agent] += score
        assert head == ["Bot", "Points"]
        assert {agent: float(points) for agent, points in rows} == sums
        assert [float(points) for _, points in rows] == sorted(sums.values(), reverse=True)
        assert found.standings().select("agent", "points").rows() == [
            (agent, sums[agent]) for agent in found.standings()["agent"]
        ]


def test_the_log_has_the_start_the_faults_and_the_end_of_each_game(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        found = load(stored(store, "illegal"), store)
        write_folder_files(found, tmp_path)
        lines = (tmp_path / "default.log").read_text().splitlines()
        levels = [re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (INFO|WARNING) (.+)", line) for line in lines]
        told = [(level[1], level[2]) for level in levels if level]
        assert len(told) == len(lines) == 1 + 3 * found.played
        for number in range(1, found.played + 1):
            game = [(level, text) for level, text in told if text.startswith(f"1_1_{number}:")]
            assert [level for level, _ in game] == ["INFO", "WARNING", "INFO"]
            assert found.agents[1] in game[1][1]


def test_games_of_a_meeting_are_counted_whoever_opens(tmp_path: Path) -> None:
    tournament = make_tournament("tic-tac-toe", ["random", "minimax:depth=1", "minimax:depth=2", "minimax:depth=3"])
    record = sample("illegal").records[0]
    with open_store(str(tmp_path / "ludus.db")) as store:
        id = store.enter(tournament, {}).id
        pairs = [Match(0, (0, 1)), Match(0, (2, 3)), Match(1, (0, 2)), Match(3, (1, 0))]
        store.add_matches(id, 0, 0, pairs)
        store.add(id, [episode(record, Key(0, match, 0), 1) for match in range(len(pairs))])
        assert [*game_names(load(id, store)).values()] == ["1_1_1", "1_2_1", "2_1_1", "1_1_2"]
