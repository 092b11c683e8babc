from pathlib import Path
from typing import Any

import altair as alt
import pytest

import ludus
from support.fragments import Fragment
from support.sentences import one_sentence


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> ludus.Comparison:
    """A comparison that was decided."""
    store = tmp_path_factory.mktemp("store") / "s.db"
    return ludus.compare("tic-tac-toe", "mcts:simulations=30", "random", elo1=200, store=store, workers=0)


def test_comparison_has_the_verdict_the_figures_and_the_path(found: ludus.Comparison) -> None:
    assert found.verdict == "H1"
    assert found.sentence.startswith("Yes: mcts:simulations=30 is stronger than random (+")
    assert found.agents == ["mcts:simulations=30", "random"]
    assert found.estimate.low < found.estimate.elo <= found.estimate.high
    assert found.path[-1] >= found.bounds[1] > found.path[-2]
    (row,) = found.table.to_dicts()
    assert row["pairs"] == len(found.path) == sum(row[kind] for kind in ("LL", "LD", "WL or DD", "WD", "WW"))
    assert 2 * row["pairs"] == row["wins"] + row["ties"] + row["losses"]
    assert found.results.played >= 2 * row["pairs"]


def test_notebook_shows_the_verdict_and_the_chart(found: ludus.Comparison) -> None:
    assert isinstance(found.chart, alt.TopLevelMixin)
    shown = Fragment(found._repr_html_())
    assert shown.text.startswith(found.sentence)
    assert shown.rows()[0]["pairs"] == str(len(found.path))
    kind, content, told = shown.pictures[0]
    assert (kind, told) == ("image/png", found.sentence)
    assert content.startswith(b"\x89PNG")


def test_comparison_continues_with_other_hypotheses(tmp_path: Path) -> None:
    arguments: dict[str, Any] = {"store": tmp_path / "s.db", "workers": 0, "name": "mine", "seed": 5}
    short = ludus.compare("nim", "random", "random", elo1=1, most=20, **arguments)
    longer = ludus.compare("nim", "random", "random", elo1=1, most=30, **arguments)
    assert short.verdict is None
    assert short.sentence.startswith("Undecided: ")
    assert short.results.id == longer.results.id
    assert longer.path[: len(short.path)] == short.path
    assert longer.agents == ["A (random)", "B (random)"]


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("2048", {}, "2048 1"),
        ("nim", {"elo0": 20.0}, "elo0 elo1 20 10"),
        ("nim", {"model": "other"}, "model other logistic normalised"),
        ("nim", {"most": 0}, "most 0"),
        ("nim", {"alpha": 0.7}, "alpha 0.7"),
    ],
)
def test_wrong_argument_gets_one_sentence(tmp_path: Path, game: str, options: dict[str, Any], words: str) -> None:
    with one_sentence(words):
        ludus.compare(game, "random", "mc", store=tmp_path / "s.db", **options)
    assert not (tmp_path / "s.db").exists()
