from collections.abc import Iterator

import pytest
from rich.cells import cell_len
from rich.color_triplet import ColorTriplet
from rich.style import Style
from rich.text import Text

from ludus.cli.screen import output
from ludus.cli.tables import Cells, Matrix, agents_table, folded, heat, letters, shared_out

NAMES = ["mcts:simulations=2000,rollout_depth=200", "random"]


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("COLUMNS", "40")
    output.cache_clear()
    yield
    output.cache_clear()


def printed(capsys: pytest.CaptureFixture[str], *things: object) -> list[str]:
    output().print(*things)
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_names_are_broken_where_a_person_would_break_them() -> None:
    assert folded("mcts:simulations=2000,rollout_depth=200", 24) == ["mcts:simulations=2000,", " rollout_depth=200"]
    assert folded("double-round-robin", 14) == ["double-round-", " robin"]
    assert folded("random", 6) == ["random"]


def test_names_without_a_place_to_break_are_cut() -> None:
    lines = folded("abcdefghijklmnop", 6)
    assert max(map(len, lines)) == 6
    assert "".join(line.strip() for line in lines) == "abcdefghijklmnop"


def test_names_find_an_end_where_there_is_no_room_at_all() -> None:
    for width in (-3, 0, 1):
        assert "".join(line.strip() for line in folded("cup of 漢字", width)) == "cupof漢字"


def test_wide_letters_are_measured_by_the_room_they_take() -> None:
    name = "日本語エージェントの名前は長い"
    for width in (8, 9, 30):
        lines = folded(name, width)
        assert max(map(cell_len, lines)) <= width
        assert "".join(line.strip() for line in lines) == name
    assert len(folded(name, 30)) == 1


def test_letters_go_on_after_z() -> None:
    found = letters(53)
    assert (found[0], found[25], found[26], found[52]) == ("A", "Z", "AA", "BA")
    assert len(set(found)) == 53


def test_the_widest_column_goes_short_first() -> None:
    assert shared_out(30, [5, 40]) == [5, 25]
    assert shared_out(30, [40, 40]) == [15, 15]
    assert shared_out(100, [5, 40]) == [5, 40]


@pytest.mark.usefixtures("narrow")
def test_columns_without_room_go_into_a_second_table(capsys: pytest.CaptureFixture[str]) -> None:
    first = [Cells("rating", ["+100 ± 10", "−100 ± 10"])]
    second = [Cells("Glicko-2", ["1600 ± 10", "1400 ± 10"])]
    lines = printed(capsys, agents_table([], ["short", "random"], first, second))
    assert lines[0].split() == ["agent", "rating", "Glicko-2"]
    lines = printed(capsys, agents_table([], NAMES, first, second))
    assert [line.split() for line in lines if line.startswith("agent")] == [["agent", "rating"], ["agent", "Glicko-2"]]
    assert max(map(len, lines)) <= 40


@pytest.mark.usefixtures("narrow")
def test_a_matrix_has_names_only_where_they_cost_no_further_part(capsys: pytest.CaptureFixture[str]) -> None:
    few = Matrix(["a", "b"], {("a", "b"): Text("5–0–0"), ("b", "a"): Text("0–0–5")})
    assert few.has_names
    assert printed(capsys, few) == ["         A     B", "A a      · 5–0–0", "B b  0–0–5     ·"]
    wide = [f"a name of thirty letters {n:05}" for n in range(12)]
    many = Matrix(wide, {(a, b): Text("5–0–0") for a in wide for b in wide if a != b})
    assert not many.has_names
    lines = printed(capsys, many)
    assert [line.split() for line in lines if line.startswith("  ")] == [list("ABCDEF"), list("GHIJKL")]


def test_colours_lead_from_orange_over_pale_to_blue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLORTERM", "truecolor")
    output.cache_clear()
    losing, even, winning = (_background(heat("", share)) for share in (0, 0.5, 1))
    output.cache_clear()
    assert losing.red > losing.blue
    assert min(even) > 230
    assert winning.blue > winning.red


def _background(cell: Text) -> ColorTriplet:
    assert isinstance(cell.style, Style)
    assert cell.style.bgcolor is not None
    return cell.style.bgcolor.get_truecolor()
