import re
from pathlib import Path

from ludus.run.sweep import plan_sweep
from ludus.tournaments.tournament import NO_OPENINGS
from support.running import ludus


def test_episodes_differ_by_their_start_and_need_no_openings() -> None:
    planned = plan_sweep("speed", "mcts:simulations=5", ["c=1"], ["random"]).tournament(1)
    assert planned.tournament.openings == NO_OPENINGS


def test_figures_are_whole_where_the_terminal_is_narrow(tmp_path: Path) -> None:
    order = "change_nothing-turn_right-turn_left"
    arguments = ["speed:width=8,height=8", "speed.dont-hit", "--param", f"priorities={order},turn_left-change_nothing"]
    opponents = ["--against", "random", "--against", "speed.basic", "--against", "speed.straight"]
    options = ["--episodes", "1", "--workers", "0", "--store", str(tmp_path / "s.db")]
    for columns in (80, 50):
        done = ludus("sweep", *arguments, *opponents, *options, columns=columns)
        assert done.returncode == 0, done.stderr
        assert "…" not in done.stdout
        assert max(map(len, done.stdout.split("\n"))) <= columns
        assert [done.stdout.count(head) for head in ("vs A", "vs B", "vs C", "score  ")] == [1, 1, 1, 1]
        assert len(re.findall(r" [01]\.\d{3}", done.stdout)) == 2 * 4
