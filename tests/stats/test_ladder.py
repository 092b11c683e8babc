from datetime import UTC, datetime
from pathlib import Path

import pytest

from ludus.core.errors import InvalidError, NotFoundError
from ludus.stats.ladder import ladder
from ludus.stats.ratings.glicko2 import START, after_period
from ludus.stats.results import load
from ludus.store import Store, open_store
from ludus.tournaments.tournament import Entrant
from support.stored_results import play

MC = "mc:iterations=5"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Two tournaments of one game, with a newcomer and an absentee in the second, and one of another size."""
    opened = open_store(str(tmp_path_factory.mktemp("store") / "s.db"))
    play(opened, "tic-tac-toe", ["random", MC, "mc:iterations=1"], episodes=5, name="first")
    play(opened, "tic-tac-toe", [Entrant("dice", "random"), MC, "mc:iterations=9"], episodes=5, name="second")
    play(opened, "nim:piles=3-4", ["random", MC], episodes=3, name="nim")
    return opened


def counts(store: Store, name: str, numbers: dict[str, int]) -> list[list[int]]:
    """The pairs of a tournament with the wins, ties and losses of the first; agents by numbers of the ladder."""
    rows = load(name, store).crosstable().select("first", "second", "wins", "ties", "losses").rows()
    return [list(column) for column in zip(*((numbers[a], numbers[b], *rest) for a, b, *rest in rows), strict=True)]


def test_ratings_are_carried_over_from_tournament_to_tournament(store: Store) -> None:
    found = {row["agent"]: row for row in ladder(store, game="tic-tac-toe").to_dicts()}
    numbers = {"random": 0, "dice": 0, MC: 1, "mc:iterations=1": 2, "mc:iterations=9": 3}
    players = after_period([START] * 3, *counts(store, "first", numbers))
    players = after_period([*players, START], *counts(store, "second", numbers))
    for agent, number in (("random", 0), (MC, 1), ("mc:iterations=1", 2), ("mc:iterations=9", 3)):
        row = found[agent]
        assert (row["rating"], row["deviation"], row["volatility"]) == pytest.approx(players[number])


def test_agent_is_known_by_its_spec_and_absence_only_widens_its_deviation(store: Store) -> None:
    found = {row["agent"]: row for row in ladder(store, game="tic-tac-toe").to_dicts()}
    before = {row["agent"]: row for row in ladder(store, ["first"]).to_dicts()}
    absent = "mc:iterations=1"
    assert found[absent]["rating"] == before[absent]["rating"]
    assert found[absent]["deviation"] > before[absent]["deviation"]
    assert (found["random"]["periods"], found[absent]["periods"], found["mc:iterations=9"]["periods"]) == (2, 1, 1)
    assert (found["random"]["games"], found[absent]["games"]) == (40, 20)
    assert found[absent]["last"] == before[absent]["last"] < found["random"]["last"] <= datetime.now(UTC)


def test_every_game_has_a_ladder_sorted_by_rating(store: Store) -> None:
    found = ladder(store)
    assert found["game"].unique(maintain_order=True).to_list() == ["tic-tac-toe", "nim:piles=3-4"]
    for (_,), agents in found.group_by("game"):
        assert agents["rank"].to_list() == list(range(1, len(agents) + 1))
        assert agents["rating"].is_sorted(descending=True)


def test_great_tau_lets_volatility_go_further(store: Store) -> None:
    calm, lively = (ladder(store, game="tic-tac-toe", tau=tau)["volatility"] for tau in (0.3, 1.2))
    assert (lively - 0.06).abs().max() > (calm - 0.06).abs().max()  # type: ignore[operator]


def test_games_of_an_agent_against_itself_do_not_count(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "s.db")) as opened:
        same = [Entrant(name, "random") for name in "ab"]
        play(opened, "tic-tac-toe", [*same, MC], episodes=2, name="cup")
        games = dict(ladder(opened).select("agent", "games").iter_rows())
    assert games == {"random": 8, MC: 8}


@pytest.mark.parametrize("tau", [0, -1, 100, float("nan")])
def test_tau_out_of_range_is_refused(store: Store, tau: float) -> None:
    with pytest.raises(InvalidError, match="tau"):
        ladder(store, tau=tau)


def test_store_without_games_between_two_is_told(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "s.db")) as opened:
        play(opened, "nim:players=3", ["random", MC, "mc:iterations=1"], episodes=1, name="three")
        with pytest.raises(NotFoundError):
            ladder(opened)
