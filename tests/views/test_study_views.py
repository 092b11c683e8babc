from datetime import UTC, datetime

import polars as pl
import pytest

from ludus.stats.clock import ClockTest
from ludus.stats.results import Results
from ludus.stats.studies import StudySetting
from ludus.store import Store, open_store
from ludus.views import study_views
from ludus.views.clock_study import clock_study
from ludus.views.column import with_derived
from ludus.views.page.study_page import render_study
from ludus.views.study_views import Study
from support.drawing import domains, rows, texts
from support.stored_results import play


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return open_store(str(tmp_path_factory.mktemp("store") / "s.db"))


@pytest.fixture(scope="module")
def results(store: Store) -> Results:
    return Results(store, play(store, episodes=2, repetitions=3))


def series(results: Results) -> list[StudySetting]:
    return [StudySetting(setting, results.repetitions("glicko")) for setting in (0, 1)]


def clock() -> ClockTest:
    sorts = {300: [9000, 9100, 9050, 9020], 100: [1000, 1010, 1005, 50_000]}
    return ClockTest(datetime(2026, 1, 1, tzinfo=UTC), 20, 30, sorts)


def cells(study: Study, name: str) -> dict[str, list[str]]:
    """The texts of a table, by the names of its columns."""
    part = next(table for table in study.tables if table.name == name)
    frame = with_derived(part.frame, part.columns)
    names = {agent: agent for agent in study.order}
    return {column.name: column.cells(frame, names) for column in part.columns}


def test_commutativity_has_both_relations_with_deviations(results: Results, store: Store) -> None:
    study = study_views.commutativity(results)
    seat, agent = study.matrices
    pairs = {(a, b) for a in results.agents for b in results.agents if a != b}
    assert seat.cells.keys() == agent.cells.keys() == pairs
    mean, deviation = seat.cells[results.agents[0], results.agents[1]]
    assert -1 <= mean <= 1
    assert deviation is not None
    assert len(study.figures) == 4
    assert [figure.draw().to_dict()["layer"] for figure in study.figures]


def test_openings_stand_side_by_side(results: Results) -> None:
    study = study_views.openings(series(results), "glicko")
    chart = study.figures[0].draw()
    assert domains(chart, "color") == [["0", "1"]]
    assert len(rows(chart, "agent", "setting", "q1", "median", "q3")) == 2 * len(results.agents)
    assert cells(study, "compared")["moved"] == ["0", "0"]
    assert cells(study, "means")["mean_0"] == cells(study, "means")["mean_1"]


def test_fraction_follows_the_best_and_names_what_is_left_out(results: Results) -> None:
    shares = [one._replace(setting=setting) for one, setting in zip(series(results), (100, 50), strict=True)]
    study = study_views.fraction(shares, "glicko", [6])
    assert cells(study, "compared")["setting"] == ["100 %", "50 %"]
    assert any("6 %" in sentence for sentence in study.found)
    assert {"100 %", "50 %"} <= set(texts(study.figures[0].draw()))


def test_repetition_lists_the_best_run_by_run(results: Results) -> None:
    study = study_views.repetition(results, "glicko")
    table = cells(study, "top")
    assert table["repetition"] == ["1", "2", "3"]
    best = results.repetitions("glicko").filter(agent=study.order[0])["glicko"].to_list()
    assert table["top_0"] == [f"{value:.0f}" for value in best]


def test_clock_tells_its_limit_and_draws_both_errors() -> None:
    study = clock_study(clock())
    assert "1.0" in study.found[1]
    found = rows(study.figures[0].draw(), "numbers", "which", "relative")
    assert {(numbers, which) for numbers, which, _ in found} == {
        (numbers, which) for numbers in (100, 300) for which in ("all sorts", "without outliers")
    }
    assert max(relative for *_, relative in found) > 1


def test_page_of_a_study_has_tables_figures_and_matrices(results: Results, store: Store) -> None:
    page = render_study(study_views.commutativity(results), "cup", results.tournament.agents)
    assert page.count("<figure") == 4
    assert page.count('class="matrix"') == 2
    assert all(name in page for name in results.agents)
    assert "http-equiv" in page


def test_page_of_the_clock_needs_no_agents() -> None:
    page = render_study(clock_study(clock()), "", ())
    assert page.count("<figure") == 2


def test_interval_is_unknown_after_one_repetition(results: Results) -> None:
    single = [one._replace(repetitions=one.repetitions.filter(pl.col("repetition") == 1)) for one in series(results)]
    assert cells(study_views.openings(single, "glicko"), "compared")["moved_interval"] == ["–", "–"]
