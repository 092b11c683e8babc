import pytest

from ludus.core.errors import LudusError
from ludus.stats.results import Results, load
from ludus.store import Store
from ludus.views.charts.chart_list import Charts
from support.drawing import texts
from support.played_formats import FIELD
from support.stored_results import play


def test_a_bracket_has_every_agent_and_round(knockout: Results) -> None:
    written = texts(Charts(knockout).draw("bracket"))
    assert {*FIELD, "final", "semi-finals", "quarter-finals"} <= set(written)


def test_repetitions_have_a_bracket_each(store: Store) -> None:
    results = load(play(store, agents=FIELD, format="knockout", repetitions=2, name="Twice"), store)
    assert len(Charts(results).draw("bracket").to_dict()["vconcat"]) == 2


@pytest.mark.parametrize("name", ["scores", "symmetry", "first-mover", "same-agent"])
@pytest.mark.parametrize("format", ["knockout", "swiss"])
def test_formats_in_rounds_have_no_matrices(request: pytest.FixtureRequest, name: str, format: str) -> None:
    results = request.getfixturevalue(format)
    assert name not in Charts(results).suitable()
    with pytest.raises(LudusError):
        Charts(results).draw(name)


def test_only_a_knockout_has_a_bracket(swiss: Results) -> None:
    assert "bracket" not in Charts(swiss).suitable()
