from pathlib import Path

from kills import kill_at_random


def test_kills_at_random_moments_lose_and_double_no_episode(tmp_path: Path) -> None:
    tally = kill_at_random(36, tmp_path, seed=5)
    assert tally.kills["parent"] > 0
    assert tally.kills["worker"] > 0
