import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from ludus.run.runner import run
from ludus.run.sweep import plan_sweep
from ludus.run.sweep_results import Swept, better, scored, scores
from ludus.stats.intervals import student_chance
from ludus.stats.win_rates import win_rates
from ludus.store import Store
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.run_options import RunOptions


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
    tournament = planned.tournament(episodes).tournament
    return Swept(planned, store, run(tournament, store, RunOptions(workers=0)).id)


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


# --- Tables, from frames written by hand ------------------------------------------------------------------------------

SCHEMA: dict[str, Any] = {
    "repetition": pl.Int64,
    "match": pl.Int64,
    "number": pl.Int64,
    "seats": pl.List(pl.Int64),
    "scores": pl.List(pl.Float64),
    "ending": pl.String,
    "random": pl.Boolean,
    "course": pl.Int64,
}


def episodes(*rows: tuple[int, list[int], list[float]], ending: str = "rules") -> pl.DataFrame:
    """Episodes of these numbers, seats and scores, each of its own course, with nothing random in them."""
    return pl.DataFrame(
        [
            (0, 0, number, seats, [float(score) for score in points], ending, False, course)
            for course, (number, seats, points) in enumerate(rows)
        ],
        SCHEMA,
        orient="row",
    )


# Variants 0 and 1 against agent 2, from both seats.
FIELD = episodes(
    (0, [0, 2], [1, -1]),
    (1, [0, 2], [0, 0]),
    (0, [2, 0], [1, -1]),
    (1, [2, 0], [1, -1]),
    (0, [1, 2], [1, -1]),
    (1, [1, 2], [1, -1]),
    (0, [2, 1], [-1, 1]),
    (1, [2, 1], [0, 0]),
)


def test_scores_are_those_of_the_variants_from_every_seat() -> None:
    found = {row["variant"]: row for row in scores(scored(FIELD, 2)).iter_rows(named=True)}
    assert [found[0][name] for name in ("episodes", "wins", "ties", "losses", "score")] == [4, 1, 1, 2, 0.375]
    assert [found[1][name] for name in ("episodes", "wins", "ties", "losses", "score")] == [4, 3, 1, 0, 0.875]
    assert found[1]["low"] < 0.875 < found[1]["high"] <= 1


def test_variants_are_compared_episode_by_episode() -> None:
    # Leads of variant 1: 0, ½, 1 and ½; with ±√(3/8) the mean is 1/3, and its error √(19/72/5).
    assert better(scored(FIELD, 2), 0) == {1: pytest.approx(student_chance((1 / 3) / math.sqrt(19 / 72 / 5), 5))}
    assert better(scored(FIELD, 2), 1)[0] == pytest.approx(1 - better(scored(FIELD, 2), 0)[1])


def test_what_only_one_of_them_has_played_is_not_compared() -> None:
    found = scored(FIELD.filter(~((pl.col("number") == 1) & pl.col("seats").list.contains(1))), 2)
    # Leads of 0 and 1; with ±√½ the mean is ¼, and its error √(7/16/3).
    assert better(found, 0) == {1: pytest.approx(student_chance((1 / 4) / math.sqrt(7 / 16 / 3), 3))}


def test_repeated_episodes_count_but_make_nothing_surer() -> None:
    again = FIELD.with_columns(pl.col("number") + 2)
    once, twice = (scores(scored(field, 2)) for field in (FIELD, pl.concat([FIELD, again])))
    assert twice["episodes"].to_list() == [8, 8]
    assert twice.select("score", "low", "high").equals(once.select("score", "low", "high"))
    chances = [better(scored(field, 2), 0) for field in (FIELD, pl.concat([FIELD, again]))]
    assert chances[0] == pytest.approx(chances[1])


def test_equal_episodes_make_results_surer_if_anything_in_them_is_random() -> None:
    drawn = FIELD.with_columns(random=pl.lit(True))
    field = pl.concat([drawn, drawn.with_columns(pl.col("number") + 2)])
    once, twice = (scores(scored(episodes, 2)) for episodes in (drawn, field))
    assert twice["score"].equals(once["score"])
    assert ((twice["high"] - twice["low"]) < (once["high"] - once["low"])).all()
    assert better(scored(field, 2), 0)[1] > better(scored(drawn, 2), 0)[1]


def test_machine_faults_have_no_result() -> None:
    assert scored(episodes((0, [0, 2], [0, 0]), ending="machine"), 2).is_empty()


def test_among_several_players_the_first_place_counts() -> None:
    found = scored(episodes((0, [3, 0, 2], [-1, 1, 0]), (1, [3, 0, 2], [1, 0, -1]), (2, [3, 0, 2], [0.5, 0.5, -1])), 1)
    assert found["score"].to_list() == [1.0, 0.0, 0.5]
    assert found["opponents"].to_list() == [[2, 3]] * 3


def test_points_of_one_player_are_compared_seed_by_seed() -> None:
    solo = episodes(*((number, [0], [100.0 + number]) for number in range(8)))
    other = episodes(*((number, [1], [110.0 + 2 * number]) for number in range(8)))
    found = scored(pl.concat([solo, other]), 2)
    table = {row["variant"]: row for row in scores(found).iter_rows(named=True)}
    assert table[0]["score"] == 103.5
    assert table[0]["low"] < 103.5 < table[0]["high"]
    assert better(found, 0)[1] > 0.99


def test_scores_can_be_set_apart_by_opponent() -> None:
    field = episodes((0, [0, 2], [1, -1]), (0, [0, 3], [-1, 1]))
    found = scores(scored(field, 1), ["variant", "opponents"])
    assert dict(zip([o[0] for o in found["opponents"]], found["score"], strict=True)) == {2: 1.0, 3: 0.0}


def leads(*points: float) -> float:
    """The chance that a player is better who is ahead by so much, seed by seed."""
    both = [(number, [0], [50.0]) for number in range(len(points))]
    both += [(number, [1], [50.0 + lead]) for number, lead in enumerate(points)]
    return better(scored(episodes(*both), 2), 0)[1]


def test_leads_that_are_all_equal_tell_something_and_more_of_them_more() -> None:
    assert leads(0, 0, 0) == 0.5
    assert 0.5 < leads(10) < leads(10, 10) < leads(10, 10, 10) < leads(*[10] * 9) < 1
    assert leads(10, 10, 10) == pytest.approx(leads(1, 1, 1)) == pytest.approx(1 - leads(-10, -10, -10))


def test_four_pairs_never_make_it_sure() -> None:
    results = list(itertools.product([-1.0, 0.0, 1.0], repeat=4))
    assert max(leads(*four) for four in results) < 0.95


def test_results_belong_to_their_agents_whatever_the_order_of_the_opponents(store: Store) -> None:
    def scores_of(against: list[str]) -> dict[str, float]:
        planned = plan_sweep("tic-tac-toe", "mcts:simulations=20", ["simulations=1"], against)
        tournament = planned.tournament(6, name="Sweep").tournament
        found = Swept(planned, store, run(tournament, store, RunOptions(workers=0)).id).by_opponent()
        return {f"{row['variant']} {row['opponent']}": row["score"] for row in found.iter_rows(named=True)}

    opponents = ["random", "mcts:simulations=300"]
    assert scores_of(opponents) == scores_of(opponents[::-1])
