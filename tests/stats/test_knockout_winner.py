from pathlib import Path

import pytest

from ludus.stats.results import Results, load
from ludus.store import Store, open_store
from support.stored_results import begin, play

SURE = [f"minimax:depth={depth},shuffle=no" for depth in (1, 2, 3)]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(str(tmp_path / "ludus.db"))


def winner_of_final(found: Results) -> str:
    """Played by hand: the sum of the points of the last pair, and the field decides a tie."""
    episodes = found.episodes()
    final = set(episodes["seats"][-1])
    points = dict.fromkeys((name for name in found.agents if name in final), 0.0)
    for seats, scores in episodes.select("seats", "scores").iter_rows():
        if set(seats) == final:
            for name, score in zip(seats, scores, strict=True):
                points[name] += score
    return max(points, key=points.__getitem__)


def test_who_wins_the_final_wins_the_knockout(store: Store) -> None:
    agents = ("random", "mc:iterations=2", "minimax:depth=4", "minimax:depth=1")
    found = load(play(store, agents=agents, format="knockout", episodes=3, name="Cup"), store)
    assert found.winners == [winner_of_final(found)]


def test_a_tied_final_goes_to_the_better_seed(store: Store) -> None:
    agents = ("minimax:depth=9,shuffle=no", "minimax:depth=8,shuffle=no")  # neither ever loses
    for number, field in enumerate((agents, agents[::-1])):
        found = load(play(store, agents=field, format="knockout", name=f"Tie {number}"), store)
        assert set(found.standings()["ties"]) == {2}
        assert found.winners == [field[0]]


def test_the_lot_of_a_drawn_seeding_decides_a_tie(store: Store) -> None:
    agents = ("minimax:depth=9,shuffle=no", "minimax:depth=8,shuffle=no")
    drawn = set()
    for seed in range(6):
        id = play(store, agents=agents, format="knockout:seeding=random", name=f"Lot {seed}", seed=seed)
        drawn.update(load(id, store).winners)
    assert drawn == set(agents)


def test_each_repetition_of_a_knockout_has_a_winner_and_other_formats_have_none(store: Store) -> None:
    found = load(play(store, agents=SURE, format="knockout", repetitions=2, name="Twice"), store)
    assert len(found.winners) == 2
    assert load(play(store, agents=SURE, name="All"), store).winners == []
    assert load(begin(store, agents=SURE, format="knockout", episodes=20, name="Open"), store).winners == []
