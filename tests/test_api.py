from pathlib import Path

import altair as alt
import polars as pl
import pytest

import ludus


def test_tournament_gives_results_as_frames_and_charts(tmp_path: Path) -> None:
    store = str(tmp_path / "results.db")
    agents = ["random", "mcts:simulations=50"]
    cup = ludus.tournament("tic-tac-toe", agents, name="cup", episodes=10, opening_plies=1, store=store, workers=0)
    standings = cup.standings()
    assert isinstance(standings, pl.DataFrame)
    assert standings["agent"].to_list() == ["mcts:simulations=50", "random"]
    assert isinstance(cup.charts.scores(), alt.TopLevelMixin)
    assert ludus.load("cup", store).standings().equals(standings)


def test_path_of_a_file_is_enough(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('game = "nim"\nagents = ["random", "maxn:depth=2"]\nepisodes = 2\nworkers = 0\n')
    results = ludus.tournament(file, store=str(tmp_path / "results.db"))
    assert results.tournament.name == "cup"
    assert results.standings()["episodes"].to_list() == [4, 4]


def test_unknown_name_is_told(tmp_path: Path) -> None:
    with pytest.raises(ludus.LudusError, match="nothing"):
        ludus.load("nothing", str(tmp_path / "results.db"))


def test_module_has_no_other_names() -> None:
    with pytest.raises(AttributeError, match="'tournamet'"):
        ludus.tournamet  # noqa: B018
