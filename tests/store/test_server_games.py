from pathlib import Path

import msgspec
import pytest

from ludus.core.errors import LudusError
from ludus.episode.finished import Episode, episode
from ludus.episode.limits import Limits
from ludus.episode.record import Key
from ludus.stats.results import Results
from ludus.store import Store, open_store
from ludus.store.portable import export_folder, import_folder
from ludus.tournaments.tournament import Entrant, Tournament
from support.samples import sample
from support.store_children import PROCESSES, keep_all

replace = msgspec.structs.replace
KIND = Tournament(name="open door", game="connect-four", agents=(), format="open:door")
ANNA, BERTA, CARLA = (Entrant(name, "remote") for name in ("anna", "berta", "carla"))


def played(number: int) -> Episode:
    """An episode of two players that has no key yet, one of four different ones."""
    return episode(sample("one mover at a time").records[number], Key(0, 0, 0), wall=10**9)


def test_a_tournament_grows_with_whoever_comes(store: Store) -> None:
    first = store.keep(KIND, [ANNA, BERTA], played(0))
    assert (first.key, first.new, first.name) == (Key(0, 0, 0), True, f"{first.id}/1.1")
    identity = store.tournaments()[0].identity
    second = store.keep(KIND, [CARLA, ANNA], played(1))
    assert (second.id, second.key) == (first.id, Key(0, 1, 0))
    assert store.tournament(first.id) == replace(KIND, agents=(ANNA, BERTA, CARLA))
    assert store.tournaments()[0].identity == store.tournament(first.id).identity != identity
    assert store.matches(first.id)["seats"].to_list() == [[0, 1], [2, 0]]
    assert [seat.name for seat in store.record(second.id, second.key).seats] == ["carla", "anna"]


def test_times_are_of_the_same_moment_as_other_results(store: Store) -> None:
    first = store.keep(KIND, [ANNA, BERTA], played(0))
    seen = Results(store, first.id)
    seen.standings()
    store.keep(KIND, [CARLA, ANNA], played(1))
    assert set(seen.timing()["agent"]) == {"anna", "berta"}


def test_it_is_finished_as_far_as_it_goes_and_has_results(store: Store) -> None:
    for number in range(4):
        kept = store.keep(KIND, [ANNA, BERTA], played(number))
    results = Results(store, kept.id)
    assert results.summary.finished is not None
    assert (results.matches, results.planned, results.played) == (4, 4, 4)
    assert set(results.standings()["agent"]) == {"anna", "berta"}


def test_the_same_episode_is_kept_once(store: Store) -> None:
    kept = store.keep(KIND, [ANNA, BERTA], played(0))
    assert store.keep(KIND, [ANNA, BERTA], played(0)) == kept._replace(new=False)
    later = replace(played(0), played=played(0).played + 1)
    assert store.keep(KIND, [ANNA, BERTA], later).new
    assert store.keep(KIND, [BERTA, ANNA], played(0)).new
    assert store.tournaments()[0].episodes == 3


def test_names_that_are_taken_get_a_number(store: Store) -> None:
    mine = Entrant("anna", "random")
    store.keep(KIND, [ANNA, ANNA], played(0))
    kept = store.keep(KIND, [mine, ANNA], played(1))
    agents = (ANNA, Entrant("anna (2)", "remote"), Entrant("anna (3)", "random"))
    assert store.tournament(kept.id).agents == agents
    assert store.matches(kept.id)["seats"].to_list() == [[0, 1], [2, 0]]


def test_another_content_of_the_same_name_is_another_tournament(store: Store) -> None:
    one = store.keep(KIND, [ANNA, BERTA], played(0))
    other = store.keep(replace(KIND, limits=Limits(move=5)), [ANNA, BERTA], played(0))
    assert other.id != one.id
    assert store.tournament(other.id).name == "open door (2)"
    assert store.keep(replace(KIND, limits=Limits(move=5)), [ANNA, BERTA], played(1)).id == other.id


def test_it_can_be_exported_and_imported_and_goes_on_there(store: Store, tmp_path: Path) -> None:
    for number in range(3):
        kept = store.keep(KIND, [ANNA, BERTA], played(number))
    export_folder(store, kept.id, tmp_path, lambda done: None)
    with open_store(str(tmp_path / "other.db")) as other:
        assert import_folder(other, tmp_path, None, lambda done: None).episodes == 3
        assert other.keep(KIND, [CARLA, BERTA], played(3)).key == Key(0, 3, 0)
        assert [record for _, record in other.records(1)][:3] == [record for _, record in store.records(kept.id)]


def test_one_that_has_grown_is_imported_again_and_grows(store: Store, tmp_path: Path) -> None:
    here = store.keep(KIND, [ANNA, BERTA], played(0))
    with open_store(str(tmp_path / "other.db")) as other:
        for seats, number in (([ANNA, BERTA], 0), ([CARLA, ANNA], 1), ([BERTA, CARLA], 2)):
            there = other.keep(KIND, seats, played(number))
        export_folder(other, there.id, tmp_path, lambda done: None)
    store.keep(KIND, [BERTA, CARLA], played(3))
    imported = import_folder(store, tmp_path, None, lambda done: None)
    assert (imported.id, imported.episodes, imported.before) == (here.id, 2, 2)
    assert imported.tournament.agents == (ANNA, BERTA, CARLA)
    assert store.matches(here.id)["seats"].to_list() == [[0, 1], [1, 2], [2, 0], [1, 2]]
    again = import_folder(store, tmp_path, None, lambda done: None)
    assert (again.episodes, again.before) == (0, 4)
    assert import_folder(store, tmp_path, "another", lambda done: None) == again
    store.delete(here.id)
    renamed = import_folder(store, tmp_path, "another", lambda done: None)
    assert (renamed.tournament.name, renamed.episodes) == ("another", 3)
    assert store.keep(KIND, [ANNA, BERTA], played(3)).id == renamed.id
    store.delete(renamed.id)
    with pytest.raises(LudusError, match="cannot be called '7'"):
        import_folder(store, tmp_path, "7", lambda done: None)


@pytest.mark.slow
def test_processes_that_keep_at_the_same_time_lose_nothing(url: str) -> None:
    open_store(url).close()
    given = msgspec.msgpack.encode([replace(played(0), played=number) for number in range(10)])
    processes = [
        PROCESSES.Process(target=keep_all, args=(url, KIND, ["anna", name], given)) for name in ("berta", "carla")
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    with open_store(url) as store:
        assert [summary.episodes for summary in store.tournaments()] == [20]
        assert store.matches(1)["match"].to_list() == list(range(20))
        assert {agent.name for agent in store.tournament(1).agents} == {"anna", "berta", "carla"}
