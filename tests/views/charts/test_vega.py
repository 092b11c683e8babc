"""Without the extra `charts`, a chart in a file and a report are refused in one sentence, and nothing is written."""

import sys
from pathlib import Path

import pytest

from ludus.store import open_store
from support.running import ludus
from support.samples import stored


@pytest.mark.parametrize("options", ["--html page.html", "--chart scores -o scores.png", "--chart scores -o x.html"])
def test_without_the_extra_nothing_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with open_store("ludus.db") as store:
        stored(store)
    before = set(tmp_path.iterdir())
    done = ludus("results", "1", *options.split(), "--store", "ludus.db", columns=200)
    assert done.returncode == 2
    assert "pip install 'ludus[charts]'" in done.stderr
    assert set(tmp_path.iterdir()) == before
