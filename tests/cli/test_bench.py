import json
import sys
from pathlib import Path

import pytest

from ludus.cli.bench import Row, find_programs, number, run_program, show
from ludus.core.errors import LudusError
from support.running import program


def test_every_program_is_found() -> None:
    assert {"alphabeta", "deadline", "episodes", "mcts", "playouts", "start", "threads"} <= set(find_programs())


def test_wrong_name_is_one_sentence() -> None:
    done = program("bench", "plyouts")
    assert done.returncode == 2
    assert "There is no benchmark 'plyouts', perhaps you mean 'playouts'" in " ".join(done.stderr.split())


def test_rows_of_a_program_come_as_json(tmp_path: Path) -> None:
    sys_path = str(next(iter(find_programs().values())).parent)
    program = tmp_path / "program.py"
    program.write_text(
        f"import sys; sys.path.append({sys_path!r})\n"
        "from side_by_side import compare, main\n"
        "main('Small', lambda: [compare('two to one', lambda: 2.0, lambda: 1.0, 'things/s', 'a peer', 3.0)])\n"
    )
    rows = [Row(**json.loads(line)) for line in run_program(program)]
    assert [(row.name, row.ludus, row.peer, row.ratio, row.goal, row.reached) for row in rows] == [
        ("two to one", 2.0, 1.0, 2.0, 3.0, False)
    ]


@pytest.mark.parametrize(
    ("ratio", "ludus", "less_is_better", "reached"),
    [(2.0, 9.0, False, True), (0.5, 9.0, False, False), (None, 0.5, True, True), (None, 1.5, True, False)],
)
def test_goal_is_for_the_ratio_or_for_ludus_alone(
    ratio: float | None, ludus: float, less_is_better: bool, reached: bool
) -> None:
    assert Row("a", ludus, None, "x/s", ratio, 1.0, "", less_is_better).reached is reached
    assert Row("a", ludus, None, "x/s", ratio).reached is None


def test_table_shows_what_was_reached(capsys: pytest.CaptureFixture[str]) -> None:
    show("Title", [Row("playouts", 7_028_016.4, 131_010.2, "playouts/s", 53.21, 40.0, "a peer")])
    line = next(line for line in capsys.readouterr().out.splitlines() if "playouts/s" in line)
    assert line.split() == ["playouts", "7,028,016", "131,010", "playouts/s", "53.2", "≥", "40", "✓", "a", "peer"]


def test_numbers_are_short() -> None:
    assert [number(value) for value in (None, 0.01234, 12.3456, 1234.5)] == ["", "0.0123", "12.3", "1,234"]


def test_programs_are_looked_for_in_the_sources_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys.modules["ludus"], "__file__", str(tmp_path / "lib" / "ludus" / "__init__.py"))
    with pytest.raises(LudusError, match="run this in a checkout"):
        find_programs()
