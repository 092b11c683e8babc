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


def test_run_parses_each_word_once_and_the_texts_of_its_tournament_a_few_times(
    parsed: Counter[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    agents = [word for agent in AGENTS for word in ("--agent", agent)]
    store = str(tmp_path / "store.db")
    run(monkeypatch, "run", "--game", "tic-tac-toe", *agents, "--episodes", "20", "--workers", "0", "--store", store)
    assert set(parsed) == {"tic-tac-toe", "double-round-robin", *AGENTS}
    assert max(parsed.values()) <= 4
