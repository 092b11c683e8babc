import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludus.core.errors import LudusError
from ludus.stats.results import Results
from ludus.store import Store, open_store
from ludus.views.charts.chart_list import KINDS, Charts, names
from support.drawing import png_size, rows, texts, vega
from support.stored_reports import stored


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(str(tmp_path_factory.mktemp("charts") / "ludus.db")) as opened:
        yield opened


@pytest.fixture(scope="module")
def two(store: Store) -> Results:
    return stored(store, ["a", "b", "c", "d"], repetitions=3)


@pytest.fixture(scope="module")
def three(store: Store) -> Results:
    return stored(store, ["a", "b", "c", "d"], game="nim:players=3", seats=3, name="Three")


@pytest.fixture(scope="module")
def one(store: Store) -> Results:
    return stored(store, ["a", "b", "c"], game="2048", seats=1, name="One")


def test_every_chart_has_a_name_and_a_sentence() -> None:
    methods = [name for name, method in inspect.getmembers(Charts, inspect.isfunction) if not name.startswith("_")]
    assert set(names()) == {name.replace("_", "-") for name in methods} - {"draw", "suitable"}
    assert all(sentence.endswith(".") for sentence in names().values())


def test_every_chart_suits_some_tournament(one: Results, two: Results, three: Results) -> None:
    suitable = [Charts(results).suitable() for results in (one, two, three)]
    assert {name for found in suitable for name in found} == set(names()) - {"bracket"}  # test_brackets.py has it
    assert "scores" not in suitable[0]
    assert "places" in suitable[2]
    assert "repetitions" not in suitable[2]


def test_short_names_are_explained_below_the_title(store: Store) -> None:
    agents = [f"mcts:simulations={n},c={c},rollout_depth=8" for n, c in ((100, 1), (100, 2), (300, 1))]
    results = stored(store, agents, name="Short")
    chart = Charts(results).draw("ratings")
    assert vega(chart)["title"]["subtitle"][-1] == "Names are short for mcts simulations/c."
    assert "mcts 100/1" in texts(chart)


@pytest.mark.parametrize("kind", ["one", "two", "three"])
def test_every_suitable_chart_becomes_a_picture(kind: str, request: pytest.FixtureRequest) -> None:
    charts = Charts(request.getfixturevalue(kind))
    for name in charts.suitable():
        for options in [{}, *({option: True} for option in KINDS[name].options)]:
            chart = charts.draw(name, **options)
            assert vega(chart)["title"]["text"] == KINDS[name].title
            width, height = png_size(chart)
            assert 200 < width < 1300, name
            assert 100 < height < 1300, name


def test_forty_agents_fit(store: Store) -> None:
    many = stored(store, [f"agent {k}" for k in range(40)], episodes=1, name="Many")
    charts = Charts(many)
    for name in ("scores", "course", "move-times"):
        width, height = png_size(charts.draw(name))
        assert max(width, height) < 1300, name


def test_a_chart_is_the_same_by_its_method_and_by_its_name(two: Results) -> None:
    charts = Charts(two)
    columns = ("row", "column", "value")
    assert rows(charts.scores(sorted=True), *columns) == rows(charts.draw("scores"), *columns)


def test_sorted_scores_follow_the_standings(two: Results) -> None:
    scale = vega(Charts(two).scores(sorted=True))["scales"][0]
    assert scale["domain"] == two.order()
    assert vega(Charts(two).scores())["scales"][0]["domain"] == ["a", "b", "c", "d"]


def test_python_names_work_as_well(two: Results) -> None:
    assert Charts(two).draw("move_times").to_dict() == Charts(two).move_times().to_dict()


def test_bad_names_and_options_get_one_sentence(two: Results) -> None:
    charts = Charts(two)
    with pytest.raises(LudusError, match=r"no chart 'scroes'.*mean 'scores'.*choose from ratings, "):
        charts.draw("scroes")
    with pytest.raises(LudusError, match="'places' needs three players or more: for this tournament choose from"):
        charts.draw("places")
    with pytest.raises(LudusError, match="'course' has no option 'log': it belongs to strength-speed"):
        charts.draw("course", log=True)


def test_charts_of_a_tournament_without_results_are_empty_but_drawn(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        charts = Charts(stored(store, ["a", "b"], episodes=0))
        for name in charts.suitable():
            png_size(charts.draw(name))
