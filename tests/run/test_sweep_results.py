from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
import pytest

from ludus.run.runner import run
from ludus.run.sweep import plan_sweep
from ludus.run.sweep_results import Swept
from ludus.stats.win_rates import win_rates
from ludus.store import Store, open_store
from ludus.tournaments.plan import make_tournament


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "s.db")) as opened:
        yield opened


def play(
    store: Store,
    game: str,
    agent: str,
    parameters: Sequence[str],
    against: Sequence[str] = (),
    *,
    episodes: int = 4,
    one_by_one: bool = False,
) -> Swept:
    planned = plan_sweep(game, agent, parameters, against, one_by_one=one_by_one)
    tournament = make_tournament(
        game, planned.agents, format=planned.format, episodes=episodes, opening_plies=planned.opening_plies
    )
    return Swept(planned, store, run(tournament, store, workers=0).id)


def test_table_has_a_row_for_each_variant_in_the_order_of_values(store: Store) -> None:
    found = play(store, "tic-tac-toe", "mcts:simulations=20", ["simulations=1,100", "keep=yes,no"], ["random", "mc"])
    table = found.table
    assert table.columns[:4] == ["variant", "agent", "param:simulations", "param:keep"]
    assert list(table.select("param:simulations", "param:keep").iter_rows()) == [
        ("20", "yes"),
        ("1", "no"),
        ("1", "yes"),
        ("100", "no"),
        ("100", "yes"),
    ]
    assert table["variant"].to_list()[0] == 0
    assert table["better"].to_list()[0] is None
    assert all(0 < chance < 1 for chance in table["better"].to_list()[1:])
    assert table["episodes"].to_list() == [16] * 5
    best = found.best()
    assert best is not None
    assert best["score"] == table["score"].max()


def test_scores_by_opponent_add_up_to_the_score(store: Store) -> None:
    found = play(store, "tic-tac-toe", "mcts:simulations=20", ["simulations=1"], ["random", "mc:iterations=5"])
    by_opponent = found.by_opponent()
    assert set(by_opponent["opponent"]) == {"random", "mc:iterations=5"}
    for variant, episodes, score in found.table.select("variant", "episodes", "score").iter_rows():
        own = by_opponent.filter(variant=variant)
        assert own["episodes"].sum() == episodes
        assert (own["episodes"] * own["score"]).sum() == pytest.approx(episodes * score)


def test_along_has_numbers_where_values_are_numbers(store: Store) -> None:
    found = play(
        store, "tic-tac-toe", "mcts:simulations=5", ["c=0.5,1", "keep=yes,no"], ["random"], episodes=2, one_by_one=True
    )
    by_c, by_keep = (found.along(axis) for axis in found.sweep.axes)
    assert by_c["value"].to_list() == [0.5, 1.0]
    assert by_keep["value"].to_list() == ["no", "yes"]
    as_given = found.table.filter(variant=0)
    assert by_keep["score"].to_list()[1] == as_given["score"].item()


def test_pairs_add_up_what_the_other_parameters_make(store: Store) -> None:
    parameters = ["c=0.5,1", "keep=yes,no", "solve=yes,no"]
    found = play(store, "tic-tac-toe", "mcts:simulations=5", parameters, ["random"], episodes=2)
    cells = found.pair(*found.sweep.axes[:2])
    assert list(cells.select("x", "y").iter_rows()) == [("0.5", "no"), ("0.5", "yes"), ("1", "no"), ("1", "yes")]
    asked_for = found.table.filter(pl.col("variant") != 0)
    expected = asked_for.group_by(x="param:c", y="param:keep").agg(pl.col("episodes").sum()).sort("x", "y")
    assert cells["episodes"].to_list() == expected["episodes"].to_list()


def test_variants_of_several_players_have_every_seat(store: Store) -> None:
    found = play(store, "nim:players=3", "mcts:simulations=5", ["c=1"], ["random"], episodes=2)
    assert [len(seats) for seats in store.matches(found.id)["seats"]] == [3] * 6
    assert found.table["episodes"].to_list() == [6, 6]
    assert "wins" in found.table.columns


def test_one_player_has_points(store: Store) -> None:
    found = play(store, "2048", "mc:iterations=1", ["rollout_depth=1,5"], episodes=2)
    assert "wins" not in found.table.columns
    assert all(score > 1 for score in found.table["score"])


def test_nothing_played_yet_has_rows_without_scores(store: Store) -> None:
    planned = plan_sweep("tic-tac-toe", "mcts", ["c=1"], ["random"])
    entered = store.enter(make_tournament("tic-tac-toe", planned.agents, format=planned.format), {})
    found = Swept(planned, store, entered.id)
    assert found.table["episodes"].to_list() == [0, 0]
    assert found.table["score"].null_count() == 2
    assert found.best() is None


COLLIDING = """
from ludus import Agent, Choice, param


class Colliding(Agent):
    "Its parameters have the names of columns."

    name = "colliding"
    episodes: int = param(1, "nothing")
    score: float = param(0.5, "nothing")

    def begin(self, game, seat, seed):
        self.game = game

    def choose(self, view, clock):
        return Choice(self.game.moves(view.state, view.seat)[0])
"""


def test_parameters_may_have_the_names_of_columns(store: Store, tmp_path: Path) -> None:
    (tmp_path / "colliding.py").write_text(COLLIDING)
    agent = f"{tmp_path / 'colliding.py'}:Colliding"
    found = play(store, "tic-tac-toe", agent, ["episodes=1,2", "score=0.5,0.7"], ["random"], episodes=2)
    assert found.table["param:episodes"].to_list() == ["1", "1", "2", "2"]
    assert found.table["episodes"].to_list() == [4] * 4
    assert found.pair(*found.sweep.axes)["x"].to_list() == ["1", "1", "2", "2"]
    assert found.along(found.sweep.axes[1])["value"].to_list() == [0.5, 0.7]
    rates = win_rates(store, agents=[agent], by=["episodes", "score"])
    assert rates.by == ("param:episodes", "param:score")
    assert rates.table["param:episodes"].to_list() == [1, 1, 2, 2]
    assert rates.table["episodes"].to_list() == [4] * 4


def test_agent_as_given_has_a_place_where_its_value_is_a_number(store: Store) -> None:
    found = play(
        store, "tic-tac-toe", "mcts:simulations=5", ["c=0.5,1", "time=1s,2s"], ["random"], episodes=1, one_by_one=True
    )
    by_c, by_time = (found.as_given(axis) for axis in found.sweep.axes)
    assert by_c["value"].to_list() == [1.4]
    assert by_time["value"].to_list() == [None]
    assert by_c["score"].to_list() == found.table.filter(variant=0)["score"].to_list()
