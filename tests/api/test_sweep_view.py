from pathlib import Path
from typing import Any

import altair as alt
import pytest

import ludus
from support.fragments import Fragment
from support.tournaments import MISBEHAVING


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> ludus.Sweep:
    """A grid of two parameters against two opponents."""
    return ludus.sweep(
        "tic-tac-toe",
        "mcts:simulations=10",
        {"simulations": [1, 40], "c": "0.5..1.5/2"},
        against=["random", "mc:iterations=3"],
        episodes=2,
        store=tmp_path_factory.mktemp("store") / "s.db",
        workers=0,
    )


def test_sweep_has_a_row_for_each_variant(swept: ludus.Sweep) -> None:
    rows = swept.table.rows(named=True)
    settings = {(row["param:simulations"], row["param:c"]) for row in rows if row["variant"]}
    assert settings == {("1", "0.5"), ("1", "1.5"), ("40", "0.5"), ("40", "1.5")}
    assert {row["episodes"] for row in rows} == {2 * 2 * 2}
    assert swept.best()["score"] == swept.table["score"].max()
    assert set(swept.by_opponent["opponent"]) == {"random", "mc:iterations=3"}
    assert swept.results.played == 5 * 2 * 2 * 2


def test_notebook_shows_the_best_the_table_and_the_chart(swept: ludus.Sweep) -> None:
    assert isinstance(swept.chart, alt.TopLevelMixin)
    shown = Fragment(swept._repr_html_())
    assert shown.text.startswith(swept.sentence)
    assert "simulations=" in swept.sentence
    assert shown.rows()[0]["simulations"] == "10 *"
    assert len(shown.rows()) == 5
    assert shown.pictures[0][1].startswith(b"\x89PNG")


def test_faults_that_ended_games_are_noted(tmp_path: Path) -> None:
    rogue = f"{MISBEHAVING}:Rogue"
    found = ludus.sweep(
        "connect-four",
        "mc:iterations=1",
        {"iterations": [2]},
        against=[rogue],
        episodes=2,
        store=tmp_path / "s.db",
        workers=0,
    )
    assert found.results.faulty.by == {rogue: found.results.faulty.episodes}
    assert [note for note in found.notes if "ended by faults" in note]


def test_values_may_be_numbers_truths_and_none(tmp_path: Path) -> None:
    parameters = {"rollout_depth": (1, None)}
    swept = ludus.sweep("2048", "mc:iterations=1", parameters, episodes=1, plies=5, store=tmp_path / "s.db", workers=0)
    assert set(swept.table["param:rollout_depth"]) == {"1", "none"}
    assert "mean points" in Fragment(swept._repr_html_()).rows()[0]
    with pytest.raises(ludus.InvalidError, match="two players"):
        _ = swept.by_opponent


@pytest.mark.parametrize(
    ("parameters", "options", "sentence"),
    [
        ({}, {"against": ["random"]}, "A sweep needs something to vary"),
        ({"c": [1]}, {}, "A sweep needs opponents"),
        ({"cc": [1]}, {"against": ["random"]}, "mcts has no parameter 'cc'.*mean 'c'"),
        ({"c": 1}, {"against": ["random"]}, "c = 1 is not a list of values"),
        ({"c": [1]}, {"against": "random"}, "against = 'random' is not a list"),
        (["c"], {"against": ["random"]}, "is not a table"),
        ({"c": [1]}, {"against": ["random"], "episodes": 0}, "episodes = 0 is not a whole number"),
    ],
)
def test_wrong_argument_gets_one_sentence(
    tmp_path: Path, parameters: Any, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ludus.InvalidError, match=sentence):
        ludus.sweep("tic-tac-toe", "mcts:simulations=5", parameters, store=tmp_path / "s.db", **options)
    assert not (tmp_path / "s.db").exists()
