"""The words of a command become objects once: they are not parsed again wherever an object is needed."""

from collections import Counter
from collections.abc import Collection
from pathlib import Path

import pytest

from ludus.cli import main
from ludus.core.spec import Spec

AGENTS = ["random", "mcts:simulations=5", "mcts:simulations=6"]


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """The number of times each text was parsed."""
    counts: Counter[str] = Counter()
    parse = Spec.parse

    def count(text: str, protocols: Collection[str] = ()) -> Spec:
        counts[text] += 1
        return parse(text, protocols)

    monkeypatch.setattr(Spec, "parse", count)
    return counts


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr("sys.argv", ["ludus", *words])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0


def test_play_parses_each_word_once(parsed: Counter[str], monkeypatch: pytest.MonkeyPatch) -> None:
    run(monkeypatch, "play", "nim:players=3", *AGENTS)
    assert parsed == Counter(["nim:players=3", *AGENTS])


@pytest.mark.parametrize(
    ("line", "texts", "most"),
    [
        (
            f"run --game tic-tac-toe --agent {' --agent '.join(AGENTS)} --episodes 5",
            {"double-round-robin", *AGENTS},
            2,
        ),
        (
            f"compare --game tic-tac-toe {' '.join(AGENTS[:2])} --most 5",
            {"double-round-robin", *AGENTS[:2]},
            2,
        ),
        (
            f"sweep tic-tac-toe {AGENTS[1]} --param simulations=5,6 --against {AGENTS[0]} --episodes 5",
            {"gauntlet:runners=2", *AGENTS},
            3,
        ),
    ],
    ids=["run", "compare", "sweep"],
)
def test_command_parses_each_text_a_few_times_at_most(
    parsed: Counter[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    line: str,
    texts: set[str],
    most: int,
) -> None:
    run(monkeypatch, *line.split(), "--workers", "0", "--store", str(tmp_path / "store.db"))
    assert parsed.keys() <= {"tic-tac-toe", *texts}
    assert max(parsed.values()) <= most, parsed
