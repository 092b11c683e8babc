from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from ludus.run.seeding import seeded_by_ratings
from ludus.stats.results import load
from ludus.store import Store, open_store
from ludus.tournaments.formats import format_from
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.tournament import Tournament
from support.sentences import one_sentence
from support.stored_results import play

STRONG, MIDDLE, WEAK, UNKNOWN = "minimax:depth=9", "mc:iterations=9", "random", "mc:iterations=1"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(str(tmp_path_factory.mktemp("store") / "ludus.db")) as opened:
        play(opened, agents=(WEAK, MIDDLE, STRONG), episodes=10, opening_plies=2, name="Before")
        yield opened


def seeded(store: Store, format: str, agents: Sequence[str] = (UNKNOWN, WEAK, MIDDLE, STRONG)) -> Tournament:
    tournament = make_tournament("tic-tac-toe", agents, format=format, name=format.replace(":", " "))
    return seeded_by_ratings(tournament, None, store).tournament


def specs(tournament: Tournament) -> list[str]:
    return [entrant.spec for entrant in tournament.agents]


@pytest.mark.parametrize("format", ["knockout", "swiss:rounds=2"])
@pytest.mark.parametrize("source", ["Before", "1"])
def test_the_field_has_the_order_of_the_ratings_and_unknown_agents_last(store: Store, format: str, source: str) -> None:
    joined = f"{format}{',' if ':' in format else ':'}seeding={source}"
    found = seeded(store, joined)
    assert specs(found) == [*load("Before", store).order("rating"), UNKNOWN]
    assert found.format == format


@pytest.mark.parametrize("seeding", ["field", "random"])
def test_other_seedings_leave_the_field_alone(store: Store, seeding: str) -> None:
    assert specs(seeded(store, f"knockout:seeding={seeding}")) == [UNKNOWN, WEAK, MIDDLE, STRONG]


def test_the_identity_contains_the_order_and_not_the_name(store: Store) -> None:
    assert seeded(store, "knockout:seeding=Before").identity == seeded(store, "knockout:seeding=1").identity


def test_a_stored_tournament_keeps_its_order(tmp_path: Path) -> None:
    agents = (WEAK, STRONG, UNKNOWN)
    with open_store(str(tmp_path / "ludus.db")) as store:
        play(store, agents=agents, episodes=4, name="A")
        content = {"agents": agents, "format": "knockout:seeding=A", "name": "Cup"}
        first = play(store, **content)  # type: ignore[arg-type]
        store.delete(store.find("A"))
        play(store, agents=agents[::-1], episodes=5, seed=3, name="A")
        assert play(store, **content) == first  # type: ignore[arg-type]


def test_an_unknown_tournament_gets_one_sentence(store: Store) -> None:
    with one_sentence("Befor 'Before' field random"):
        seeded(store, "knockout:seeding=Befor")


def test_a_tournament_without_any_of_the_agents_is_refused(store: Store) -> None:
    with one_sentence("Before"):
        seeded(store, "knockout:seeding=Before", (UNKNOWN, "mc:iterations=2"))


def test_a_schedule_without_a_store_is_refused() -> None:
    with one_sentence("knockout:seeding=Before"):
        next(format_from("knockout:seeding=Before").schedule(4, 2, 0))


def test_a_stored_tournament_goes_on_after_its_source_is_renamed(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        play(store, agents=(WEAK, STRONG), episodes=4, name="league")
        content = {"agents": (WEAK, STRONG), "format": "knockout:seeding=league", "name": "Cup"}
        first = play(store, **content)  # type: ignore[arg-type]
        store.rename(store.find("league"), "old")
        assert play(store, **content) == first  # type: ignore[arg-type]
