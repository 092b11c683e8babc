"""The examples of docs/python.md and of the docstrings."""

import doctest
import re
from pathlib import Path
from types import ModuleType

import pytest

import ludus
from ludus.api import comparison_view, episode_view, series_view, sweep_view, tournament_view
from support.places import ROOT

pytestmark = pytest.mark.slow

BLOCKS = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder and a store of their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_STORE", str(tmp_path / "store.db"))


def test_examples_of_the_page_run_from_top_to_bottom(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for number, block in enumerate(BLOCKS.findall((ROOT / "docs" / "python.md").read_text(encoding="utf-8")), 1):
        exec(compile(block, f"block {number} of python.md", "exec"), names)
    said = capsys.readouterr().out
    assert "mcts:simulations=50 is stronger than random" in said
    assert "'mcts'" in said


@pytest.mark.parametrize("module", [series_view, tournament_view, comparison_view, sweep_view, episode_view])
def test_examples_of_docstrings_give_their_results(module: ModuleType) -> None:
    found = doctest.testmod(module, extraglobs={"ludus": ludus})
    assert found.attempted
    assert not found.failed
