import pytest

from interval_coverage import Cell, cells, report, simulated


@pytest.mark.parametrize("cell", [Cell(2, 4, 600, 10, draws=0.4), Cell(3, 4, 600, 5, outlier=True, draws=0.4)])
def test_coverage_of_a_cell_is_near_95_per_cent_for_every_agent(cell: Cell) -> None:
    found = simulated((cell, 40))
    assert len(found.agents) == 4
    assert min(found.agents) > 0.8
    assert (found.linked or 0) > 0.85


def test_grid_has_every_spread_with_and_without_draws_outlier_and_advantage() -> None:
    grid = [*cells(quick=False)]
    assert len(set(grid)) == len(grid)
    assert {cell.spread for cell in grid} == {300, 600, 1200, 1500, 2500}
    assert {(cell.outlier, cell.draws, cell.advantage) for cell in grid if cell.players == 2} > {(True, 0.0, 0.0)}
    assert set(cells(quick=True)) < set(grid)


def test_report_has_a_row_for_each_spread(capsys: pytest.CaptureFixture[str]) -> None:
    report([simulated((Cell(2, 4, spread, 10), 2)) for spread in (300, 600)], "Small")
    rows = [line.split("|")[1].strip() for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert rows[2:] == ["300", "600"]
