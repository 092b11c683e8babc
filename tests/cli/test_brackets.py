import pytest
from rich.cells import cell_len
from rich.console import Console

from ludus.cli import brackets
from ludus.cli.brackets import bracket_text, name_width
from ludus.views.rounds import BracketRound, Entry, Meeting

FIRST = Meeting((Entry("a", 0, "2", True), Entry("b", 2, "0", False)), 1)
SECOND = Meeting((Entry("c", 4, "½", False), Entry("d", 6, "1½", True)), 5)
FINAL = Meeting((Entry("a", 1, "1", False), Entry("d", 5, "1", True)), 3)
ROUNDS = [BracketRound("semi-finals", [FIRST, SECOND]), BracketRound("final", [FINAL])]


def drawn(width: int, monkeypatch: pytest.MonkeyPatch, names: str = "abcd") -> list[str]:
    console = Console(width=width, force_terminal=False)
    monkeypatch.setattr(brackets, "output", lambda: console)
    labels = dict(zip("abcd", names.split() if " " in names else names, strict=True))
    with console.capture() as captured:
        console.print(bracket_text(ROUNDS, labels))
    return [line.rstrip() for line in captured.get().splitlines()]


def test_a_bracket_joins_each_pairing_with_its_winner(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(60, monkeypatch) == [
        "semi-finals     final",
        "a         2 ─┐",
        "             ├─ a         1",
        "b         0 ─┘",
        "",
        "c         ½ ─┐",
        "             ├─ d         1",
        "d        1½ ─┘",
    ]


@pytest.mark.parametrize("width", [12, 25, 40, 60, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    names = "mcts:simulations=100000 b c mcts:simulations=200000"
    lines = drawn(width, monkeypatch, names)
    assert all(cell_len(line) <= width for line in lines)
    assert any("…" in line for line in lines) == (40 <= width < 60)


def test_rounds_are_listed_where_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(24, monkeypatch) == ["semi-finals", "  a 2–0 b", "  c ½–1½ d", "final", "  a 1–1 d"]


def test_names_get_the_room_that_the_rounds_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brackets, "output", lambda: Console(width=80))
    assert name_width(2) > name_width(3) > name_width(5)
