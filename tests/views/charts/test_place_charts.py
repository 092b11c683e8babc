import polars as pl

from ludus.views.charts.place_charts import places
from support.drawing import rows, texts


def test_places_are_shares_of_the_episodes() -> None:
    standings = pl.DataFrame(
        {"agent": ["a", "b"], "episodes": [10, 10], "place_1": [6, 4], "place_2": [3, 1], "place_3": [1, 5]}
    )
    chart = places(standings)
    drawn = rows(chart, "agent", "place", "times", "share")
    assert ("a", 1, 6, 0.6) in drawn
    assert ("b", 3, 5, 0.5) in drawn
    assert len(drawn) == 6
    assert {"1", "2", "3", "a", "b"} <= set(texts(chart))
