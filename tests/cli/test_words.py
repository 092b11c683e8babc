"""The words of a command become objects once: they are not parsed again wherever an object is needed."""

from collections import Counter
from collections.abc import Collection
from pathlib import Path

import pytest

from ludus.cli import main
from ludus.core.spec import Spec
from ludus.tournaments.formats import format_from

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
    format_from.cache_clear()  # as in a new process
    return counts


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr("sys.argv", ["ludus", *words])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0


def test_play_parses_each_word_once(parsed: Counter[str], monkeypatch: pytest.MonkeyPatch) -> None:
    run(monkeypatch, "play", "nim:players=3", *AGENTS)
    assert parsed == Counter(["nim:players=3", *AGENTS])


def test_run_parses_each_word_once(parsed: Counter[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    line = f"run --game tic-tac-toe --agent {' --agent '.join(AGENTS)} --episodes 5"
    # Tables for a narrow screen would look for parameters in names once more, to shorten them.
    run(monkeypatch, *line.split(), "--json", "--workers", "0", "--store", str(tmp_path / "store.db"))
    assert parsed == Counter(["tic-tac-toe", *AGENTS, "double-round-robin"])


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        (
            f"compare --game tic-tac-toe {' '.join(AGENTS[:2])} --most 5",
            [*AGENTS[:2], "double-round-robin"],
        ),
        (
            f"sweep tic-tac-toe {AGENTS[1]} --param simulations=5,6 --against {AGENTS[0]} --episodes 5",
            [*AGENTS[:2], "gauntlet:runners=2"],
        ),
    ],
    ids=["compare", "sweep"],
)
def test_command_parses_each_text_once(
    parsed: Counter[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str, texts: list[str]
) -> None:
    run(monkeypatch, *line.split(), "--workers", "0", "--store", str(tmp_path / "store.db"))
    assert parsed == Counter(["tic-tac-toe", *texts])
