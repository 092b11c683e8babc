from collections.abc import Iterator
from pathlib import Path

import pytest

from ludus.core.errors import LudusError
from ludus.stats.results import load
from ludus.stats.selection import Among, ScoredAgent, best, field_of, kind_of, scored_agents
from ludus.store import Store, open_store
from ludus.tournaments.tournament import Entrant
from support.stored_results import play


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(str(tmp_path_factory.mktemp("store") / "ludus.db")) as opened:
        play(opened, agents=("minimax:depth=1", "minimax:depth=3", "random"), name="A", episodes=4)
        play(opened, agents=("minimax:depth=1", "minimax:depth=3", "mc:iterations=20"), name="B", episodes=4)
        play(opened, "nim:players=3", ("maxn:depth=2", "mc:iterations=20", "random"), name="Nim")
        yield opened


def agent(name: str, score: float) -> ScoredAgent:
    entrant = Entrant(name, name)
    return ScoredAgent(entrant, kind_of(entrant), score, 1)


def named(name: str, spec: str) -> ScoredAgent:
    return ScoredAgent(Entrant(name, spec), spec, 0.5, 1)


FOUND = [agent(f"{kind}:depth={n}", 1 - n / 10) for n in range(1, 6) for kind in ("maxn", "minimax")]


def test_the_best_of_each_type_are_taken() -> None:
    chosen = best(FOUND, 2, Among.TYPE)
    assert [c.entrant.name for c in chosen] == ["maxn:depth=1", "maxn:depth=2", "minimax:depth=1", "minimax:depth=2"]


def test_the_best_of_all_are_taken() -> None:
    assert best(FOUND, 3, Among.ALL) == FOUND[:3]


def test_a_type_with_too_few_gives_all_it_has() -> None:
    assert len(best([*FOUND, agent("random", 0.1)], 4, Among.TYPE)) == 9


def test_agents_from_a_file_are_of_the_type_of_their_class(tmp_path: Path) -> None:
    assert kind_of(Entrant("mine", f"{tmp_path}/mine.py:Clever:depth=3")) == "Clever"
    assert kind_of(Entrant("theirs", f"{tmp_path}/theirs.py")) == f"{tmp_path}/theirs.py"


def test_scores_are_means_over_the_tournaments_in_which_an_agent_played(store: Store) -> None:
    tournaments = [load(name, store) for name in ("A", "B")]
    found = {c.entrant.name: c for c in scored_agents(tournaments)}
    scores = [dict(t.standings().select("agent", "wtl").iter_rows()) for t in tournaments]
    assert found["minimax:depth=3"].score == pytest.approx(sum(s["minimax:depth=3"] for s in scores) / 2)
    assert found["minimax:depth=3"].tournaments == 2
    assert found["random"].score == pytest.approx(scores[0]["random"])
    assert found["mc:iterations=20"].tournaments == 1


def test_several_players_are_compared_by_points_for_places(store: Store) -> None:
    found = load("Nim", store)
    points = found.standings(by="points")["points"].to_list()
    assert [c.score for c in scored_agents([found])] == points


def test_tournaments_with_other_parameters_of_the_game_are_refused(store: Store) -> None:
    play(store, "nim:players=2", ("random", "maxn:depth=1"), name="Nim of two")
    with pytest.raises(
        LudusError, match=r"'Nim' of nim:players=3 and 'Nim of two' of nim\): use tournaments of one game"
    ):
        scored_agents([load("Nim", store), load("Nim of two", store)])


def test_agents_that_share_a_name_go_by_their_specs() -> None:
    chosen = [named("a", "random"), named("a", "mc"), named("b", "maxn")]
    assert [entrant.name for entrant in field_of(chosen)] == ["random", "mc", "b"]
    assert [entrant.spec for entrant in field_of(chosen)] == ["random", "mc", "maxn"]


def test_a_name_that_is_the_spec_of_another_is_no_name_either() -> None:
    chosen = [named("a", "random"), named("a", "mc"), named("mc", "maxn")]
    assert [entrant.name for entrant in field_of(chosen)] == ["random", "mc", "maxn"]


def test_tournaments_of_different_games_are_refused(store: Store) -> None:
    with pytest.raises(LudusError, match="'A' of tic-tac-toe and 'Nim' of nim"):
        scored_agents([load("A", store), load("Nim", store)])
