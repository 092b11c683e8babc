from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from ludus import LudusError
from ludus.stats.intervals import wilson
from ludus.stats.results import load
from ludus.stats.win_rates import rates, rows_by_seat, win_rates, with_opponents
from ludus.store import Store, open_store
from ludus.tournaments.tournament import Entrant
from support.sentences import one_sentence
from support.stored_results import play
from support.takeaway import write_game


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A cup of tic-tac-toe, nim of two and of three, and something for one."""
    with open_store(str(tmp_path_factory.mktemp("store") / "s.db")) as opened:
        play(
            opened,
            "tic-tac-toe",
            ["random", "mcts:simulations=5", Entrant("strong", "mcts:simulations=60")],
            episodes=20,
            name="cup",
        )
        play(opened, "nim", ["random", "mc:iterations=20"], episodes=15, name="nim 2")
        play(opened, "nim:players=3", ["random", "mc:iterations=20", "mc:iterations=2"], episodes=5, name="nim 3")
        play(opened, "2048", ["random"], episodes=2, name="alone")
        yield opened


def rows(table: pl.DataFrame, *by: str) -> dict[Any, dict[str, Any]]:
    return {tuple(row[way] for way in by) if by[1:] else row[by[0]]: row for row in table.iter_rows(named=True)}


def test_rates_by_agent_are_those_of_the_episodes(store: Store) -> None:
    found = win_rates(store, ["cup"])
    assert (found.by, found.games, found.tournaments) == (("agent",), ("tic-tac-toe",), 1)
    episodes = load("cup", store).episodes()
    assert (found.episodes, found.repeated) == (120, 120 - episodes["fresh"].sum())
    for agent, row in rows(found.table, "agent").items():
        own = [
            scores[seats.index(agent)] for seats, scores in episodes.select("seats", "scores").rows() if agent in seats
        ]
        assert (row["episodes"], row["wins"], row["ties"]) == (len(own), own.count(1), own.count(0))
        assert row["low"] <= row["rate"] <= row["high"]
    assert found.table["agent"].to_list() == ["strong", "mcts:simulations=5", "random"]


def test_only_episodes_that_a_rate_is_made_of_are_counted(store: Store) -> None:
    found = win_rates(store, by=["simulations"])
    assert (found.games, found.tournaments, found.episodes) == (("tic-tac-toe",), 1, 120)


def test_the_same_moves_under_other_rules_are_another_episode(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "s.db")) as store:
        for game in ("nim", "nim:misere=yes"):
            play(store, game, [Entrant("a", "random"), Entrant("b", "random")], episodes=20, name=game)
        alone = [win_rates(store, [name]) for name in ("nim", "nim:misere=yes")]
        both = win_rates(store)
        assert both.repeated == sum(found.repeated for found in alone) < 40
        assert both.table["fresh"].sum() == sum(found.table["fresh"].sum() for found in alone)


def test_games_stay_apart_and_one_player_has_no_rate(store: Store) -> None:
    found = win_rates(store)
    assert found.by == ("game", "agent")
    assert set(found.games) == {"tic-tac-toe", "nim"}
    assert found.tournaments == 3
    with one_sentence("episode two players"):
        win_rates(store, ["alone"])


def test_rates_by_players(store: Store) -> None:
    found = win_rates(store, game="nim", by=["players"])
    assert found.numeric == ("players",)
    table = rows(found.table, "players")
    assert set(table) == {2, 3}
    assert sum(row["wins"] for row in table.values()) == found.episodes  # nim has no ties
    assert win_rates(store, game="nim:players=3", by=["players"]).table["players"].to_list() == [3]


def test_rates_by_agent_and_opponent(store: Store) -> None:
    table = rows(win_rates(store, game="nim:players=2", by=["agent", "opponent"]).table, "agent", "opponent")
    assert set(table) == {("random", "mc:iterations=20"), ("mc:iterations=20", "random")}
    assert table["random", "mc:iterations=20"]["wins"] == table["mc:iterations=20", "random"]["losses"]


def test_rates_by_parameter_are_in_the_order_of_its_values(store: Store) -> None:
    found = win_rates(store, game="nim", agents=["mc"], by=["iterations"])
    assert found.numeric == ("param:iterations",)
    assert found.table["param:iterations"].to_list() == [2, 20]
    times = win_rates(store, game="tic-tac-toe", by=["time"])
    assert times.numeric == ()
    assert times.table["param:time"].to_list() == ["none"]


def test_agents_are_chosen_by_kind_by_parameter_and_by_name(store: Store) -> None:
    def chosen(*agents: str) -> set[str]:
        return set(win_rates(store, ["cup"], agents=agents).table["agent"])

    assert win_rates(store, agents=["mcts"]).tournaments == 1
    assert win_rates(store, agents=["mc:iterations=2"]).episodes == 5 * 6
    assert chosen("mcts") == {"strong", "mcts:simulations=5"}
    assert chosen("mcts:simulations=60") == {"strong"}
    assert chosen("strong", "random") == {"strong", "random"}


def test_agents_in_files_are_distinct_and_found_by_relative_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    agent = (
        "from ludus.agents.random import Random\n\n\nclass Mine(Random):\n    name = 'mine'\n    size: int = param(1)\n"
    )
    for name in ("one", "two"):
        write_game(tmp_path, name=f"{name}.py")
        (tmp_path / f"my_{name}.py").write_text(f"from ludus import param\n{agent}")
    with open_store(str(tmp_path / "s.db")) as other:
        for name in ("one", "two"):
            play(other, f"{name}.py", ["my_one.py", "my_two.py", "random"], name=name)
        assert win_rates(other).games == tuple(f"{tmp_path}/{name}.py:TakeAway" for name in ("one", "two"))
        for text in ("one.py", "./one.py:TakeAway", f"{tmp_path}/one.py", "one.py:TakeAway:size=7"):
            assert win_rates(other, game=text).tournaments == 1
        assert win_rates(other, game="one.py", agents=["my_two.py"]).table["agent"].to_list() == ["my_two.py:Mine"]
        with pytest.raises(
            LudusError, match=r"^'size' is a parameter of /.*my_one.py:Mine and /.*my_two.py:Mine, which"
        ):
            win_rates(other, by=["size"])


def test_kind_means_all_of_it_even_where_one_agent_is_called_so(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "s.db")) as other:
        play(other, "tic-tac-toe", ["mc", "mc:iterations=3"], name="mc")
        assert win_rates(other, agents=["mc"], by=["iterations"]).table["param:iterations"].to_list() == [3, 1000]


def test_the_same_agent_under_two_names_is_one_and_so_are_its_equal_episodes(store: Store, tmp_path: Path) -> None:
    with open_store(str(tmp_path / "s.db")) as other:
        for name, agent in (("one", "random"), ("two", Entrant("dice", "random"))):
            play(other, "tic-tac-toe", [agent, "mcts:simulations=5"], episodes=10, name=name)
        once, both = win_rates(other, ["one"]), win_rates(other)
    assert set(both.table["agent"]) == {"random", "mcts:simulations=5"}
    assert (both.episodes, both.repeated) == (40, once.repeated + 20)
    ends = ("rate", "low", "high")
    assert both.table.sort("rate").select(ends).equals(once.table.sort("rate").select(ends))


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"by": ["simulation"]}, "'simulation' 'simulations'"),
        ({"by": ["player"]}, "'player' 'players'"),
        ({"by": ["rollout_depth"]}, "'rollout_depth' mcts mc"),
        ({"agents": ["mctz"]}, "'mctz' 'mcts'"),
        ({"game": "chess"}, "tournament chess"),
        ({"game": "tictactoe"}, "'tictactoe' 'tic-tac-toe'"),
        ({"which": ["cap"]}, "'cap' 'cup'"),
    ],
)
def test_senseless_question_gets_one_sentence(store: Store, asked: dict[str, Any], words: str) -> None:
    with one_sentence(words):
        win_rates(store, **asked)


def tally(
    seats: list[int],
    scores: list[float],
    episodes: int = 1,
    early: list[bool] | None = None,
    fresh: int | None = None,
) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "seats": [seats],
            "scores": [[float(score) for score in scores]],
            "early": [early or [False] * len(seats)],
            "episodes": [episodes],
            "fresh": [episodes if fresh is None else fresh],
        }
    )


def by_agent(*tallies: pl.DataFrame) -> dict[int, dict[str, float]]:
    table = rates(rows_by_seat(pl.concat(tallies)), ["agent"])
    return {row["agent"]: row for row in table.iter_rows(named=True)}


def test_first_place_alone_is_a_win_and_one_shared_is_a_tie() -> None:
    found = by_agent(tally([0, 1, 2], [1, 0, -1], 5), tally([0, 1, 2], [0.5, 0.5, -1], 2), tally([2, 0, 1], [1, 0, 0]))
    assert [(found[agent]["wins"], found[agent]["ties"], found[agent]["losses"]) for agent in range(3)] == [
        (5, 2, 1),
        (0, 2, 6),
        (1, 0, 7),
    ]
    assert found[0]["rate"] == pytest.approx(5 / 8)
    assert found[0]["low"] < 5 / 8 < found[0]["high"]


def test_early_ends_are_left_out_for_those_whom_they_favoured() -> None:
    found = by_agent(tally([0, 1], [1, -1], 6), tally([0, 1], [1, -1], 4, early=[True, False]))
    assert (found[0]["episodes"], found[0]["kept_episodes"], found[0]["kept_wins"]) == (10, 6, 6)
    assert (found[1]["episodes"], found[1]["kept_episodes"], found[1]["kept_losses"]) == (10, 10, 10)


def test_repeated_episodes_count_but_make_the_rate_no_surer() -> None:
    found = by_agent(tally([0, 1], [1, -1], 60, fresh=6), tally([0, 1], [-1, 1], 20, fresh=2))
    once = by_agent(tally([0, 1], [1, -1], 6), tally([0, 1], [-1, 1], 2))
    assert (found[0]["episodes"], found[0]["wins"], found[0]["rate"]) == (80, 60, 0.75)
    assert [found[0][end] for end in ("low", "high")] == pytest.approx([once[0][end] for end in ("low", "high")])


def test_without_an_episode_left_there_is_no_rate() -> None:
    found = by_agent(tally([0, 1], [1, -1], 4, early=[True, False]))
    assert found[0]["rate"] == 1.0
    assert [found[0][f"kept_{name}"] for name in ("rate", "low", "high")] == [None, None, None]


def test_agent_that_sits_twice_counts_for_both_seats() -> None:
    found = by_agent(tally([0, 1, 1], [-1, 1, 0], 3))
    assert (found[1]["episodes"], found[1]["wins"], found[1]["losses"]) == (6, 3, 3)


def test_two_seats_of_an_agent_are_one_episode_for_its_interval() -> None:
    found = by_agent(tally([0, 1, 1], [-1, 1, 0], 30, early=[False, True, False]))
    low, high = wilson([15], [30])
    assert (found[1]["low"], found[1]["high"]) == pytest.approx((low[0], high[0]))
    assert (found[1]["kept_episodes"], found[1]["kept_fresh"]) == (30, 30)


def test_opponents_count_once_an_episode_wherever_they_sit() -> None:
    rows = with_opponents(rows_by_seat(tally([0, 1, 1], [1, 0, -1], 3)))
    found = {
        (row["agent"], row["opponent"]): row["episodes"]
        for row in rates(rows, ["agent", "opponent"]).iter_rows(named=True)
    }
    assert found == {(0, 1): 3, (1, 0): 6, (1, 1): 6}


def test_wins_of_an_opponent_count_once_an_episode() -> None:
    games = tally([0, 1, 1], [-1, 1, 0], 3), tally([0, 1, 2], [1, 0, -1], 2), tally([0, 1, 2], [0, 0, -1], 4)
    table = rates(with_opponents(rows_by_seat(pl.concat(games))), ["agent", "opponent"])
    won = {(row["agent"], row["opponent"]): row["opponent_wins"] for row in table.iter_rows(named=True)}
    assert (won[0, 1], won[1, 0], won[0, 2], won[2, 0]) == (3, 2, 0, 2)


def test_rates_are_split_by_number_of_players() -> None:
    table = rates(rows_by_seat(pl.concat([tally([0, 1], [1, -1], 2), tally([0, 1, 2], [0, 1, -1])])), ["players"])
    assert dict(table.select("players", "episodes").iter_rows()) == {2: 4, 3: 3}
