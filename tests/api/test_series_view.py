import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ludus
from support.fragments import Fragment
from support.matrix_game import BiasedRockPaperScissors
from support.sentences import one_sentence
from support.simple_agents import AlwaysFirst, Failing, Sleeper


def test_series_is_the_sequence_of_its_episodes() -> None:
    games = ludus.play("tic-tac-toe", ["mcts:simulations=20", AlwaysFirst()], episodes=5, seed=3)
    assert len(games) == len(games.records) == len(list(games)) == 5
    assert games.agents == ["mcts:simulations=20", "always-first"]
    assert [games[0].agents, games[1].agents] == [games.agents, games.agents[::-1]]
    assert [episode.record for episode in games[1:3]] == games.records[1:3]
    assert games[-1].record is games.records[4]
    with pytest.raises(IndexError):
        games[5]
    again = ludus.play("tic-tac-toe", ["mcts:simulations=20", AlwaysFirst()], episodes=5, seed=3)
    assert [episode.moves["move"].to_list() for episode in again] == [
        episode.moves["move"].to_list() for episode in games
    ]


def test_table_adds_up_what_the_records_say() -> None:
    games = ludus.play("connect-four", ["random", "random"], episodes=20)
    table = games.table
    assert table["agent"].to_list() == ["random #1", "random #2"]
    first = sum(record.scores[number % 2] == 1 for number, record in enumerate(games.records))
    assert table["wins"].to_list() == [first, table["losses"][0]]
    assert table.select(pl.sum_horizontal("wins", "ties", "losses")).to_series().to_list() == [20, 20]
    assert table["moves"].sum() == sum(len(record.steps) for record in games.records)
    by_seat = games.by_seat
    assert by_seat["seat"].to_list() == [1, 2, 1, 2]
    assert by_seat["episodes"].to_list() == [10] * 4
    assert by_seat.group_by("agent", maintain_order=True).sum()["wins"].to_list() == table["wins"].to_list()


def test_one_player_has_points() -> None:
    games = ludus.play("2048", ["random"], episodes=3, plies=40)
    scores = sorted(record.scores[0] for record in games.records)
    (row,) = games.table.to_dicts()
    assert (row["mean"], row["median"], row["best"]) == (pytest.approx(sum(scores) / 3), scores[1], scores[2])
    shown = Fragment(games._repr_html_())
    assert list(shown.rows()[0])[:4] == ["agent", "mean", "median", "best"]


def test_agents_and_games_of_classes_that_only_this_process_knows_play() -> None:
    class Nowhere(AlwaysFirst):
        """Defined in a cell."""

        name = ""

    games = ludus.play(BiasedRockPaperScissors(), [Nowhere(), AlwaysFirst()])
    assert games.agents == ["Nowhere", "always-first"]
    assert games[0].game.name == BiasedRockPaperScissors.name
    assert len(games[0]) > 1


def test_limits_and_openings_reach_the_episodes(tmp_path: Path) -> None:
    openings = tmp_path / "openings.txt"
    openings.write_text("a1 b2\n")
    games = ludus.play("tic-tac-toe", [Sleeper(ms=30), "random"], openings=openings, move_time="1ms", grace="0s")
    assert games.records[0].opening.moves == [["a1"], ["b2"]]
    assert (games.records[0].ending, games.records[0].by) == ("late", [0])


def test_notebook_shows_results_faults_and_the_last_board() -> None:
    games = ludus.play("tic-tac-toe", [Failing(), "mc:iterations=5"], episodes=4)
    shown = Fragment(games._repr_html_())
    assert shown.text.startswith("tic-tac-toe, 4 episodes, seed ")
    assert "failing failed in 4 episodes, first: ZeroDivisionError" in shown.text
    rows = shown.rows()
    assert [(row["agent"], row["won"], row["lost"]) for row in rows] == [
        ("failing", "0", "4"),
        ("mc:iterations=5", "4", "0"),
    ]
    assert [row["seat"] for row in shown.rows(1)] == ["1", "2", "1", "2"]
    assert "mc:iterations=5" in shown.svg()
    assert shown.pictures[0][2] == games[-1].outcome


def test_names_are_text_in_a_notebook_and_no_markup() -> None:
    games = ludus.play("tic-tac-toe", [{"agent": "random", "name": "<b>&"}, "random"])
    shown = Fragment(games._repr_html_())
    assert shown.rows()[0]["agent"] == "<b>&"
    assert "<b>&" in shown.svg()


def test_saved_records_are_read_by_replay(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    games = ludus.play("nim", ["random", "random"], episodes=3)
    games.save(file)
    assert [json.loads(line)["game"] for line in file.read_text().splitlines()] == ["nim"] * 3
    assert ludus.replay(file, number=3).record.to_json() == games.records[2].to_json()


@pytest.mark.parametrize(
    ("game", "agents", "options", "words"),
    [
        ("no-game", ["random", "random"], {}, "game no-game"),
        ("nim", ["random"], {}, "nim 2 8 1"),
        ("nim", "random", {}, "agents random list"),
        ("nim", ["random", AlwaysFirst], {}, "class AlwaysFirst()"),
        (BiasedRockPaperScissors, ["random", "random"], {}, "class BiasedRockPaperScissors()"),
        (3, ["random", "random"], {}, "game 3"),
        ("nim", [first := AlwaysFirst(), first], {}, "object twice"),
        ("nim", ["random", 3], {}, "agents 3"),
        ("nim", ["random", "random"], {"episodes": 0}, "episodes 0"),
        ("nim", ["random", "random"], {"memory": "1GB"}, "memory bots"),
        ("nim", ["random", "random"], {"workers": 2}, "workers"),
        ("nim", ["random", "remote:me"], {}, "remote:me port"),
    ],
)
def test_wrong_argument_gets_one_sentence(game: Any, agents: Any, options: dict[str, Any], words: str) -> None:
    with one_sentence(words):
        ludus.play(game, agents, **options)
