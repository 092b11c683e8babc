import subprocess
import sys
from pathlib import Path

import pytest

from run import find_programs, run_program
from side_by_side import Row, short, show

pytestmark = pytest.mark.slow


def test_every_program_is_found() -> None:
    assert {"alphabeta", "deadline", "episodes", "mcts", "playouts", "start", "threads"} <= set(find_programs())


def test_wrong_name_is_refused_with_those_that_there_are() -> None:
    file = next(iter(find_programs().values())).with_name("run.py")
    done = subprocess.run([sys.executable, file, "plyouts"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "'playouts'" in done.stderr


def test_rows_of_a_program_come_as_json(tmp_path: Path) -> None:
    sys_path = str(next(iter(find_programs().values())).parent)
    program = tmp_path / "program.py"
    program.write_text(
        f"import sys; sys.path.append({sys_path!r})\n"
        "from side_by_side import compare, main\n"
        "main('Small', lambda: [compare('two to one', lambda: 2.0, lambda: 1.0, 'things/s', 'a peer', 3.0)])\n"
    )
    rows = run_program(program)
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
    assert [short(value) for value in (None, 0.01234, 12.3456, 1234.5)] == ["", "0.0123", "12.3", "1,234"]
