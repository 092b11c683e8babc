import random
from collections import Counter
from pathlib import Path

import pytest

from kills import kill_at_random, run_and_kill

pytestmark = pytest.mark.slow


def test_kills_at_random_moments_lose_and_double_no_episode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kills.EPISODES", 500)
    tally = kill_at_random(20, tmp_path, seed=1)
    assert tally.kills["parent"] > 0
    assert tally.kills["worker"] > 0


def test_run_that_fails_by_itself_does_not_count_as_a_kill(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"exit status 2: .*nowhere\.toml"):
        run_and_kill(tmp_path / "nowhere.toml", tmp_path / "s.db", random.Random(1), Counter(), kills=0)
