import polars as pl
import pytest

from ludus.core.errors import LudusError
from ludus.stats.results import Results, load
from ludus.store import Store
from ludus.tournaments.plan import make_tournament
from support.played_formats import FIELD
from support.sentences import missing
from support.stored_results import begin, play


def test_a_knockout_ranks_by_place_and_then_by_rating(knockout: Results) -> None:
    table = knockout.standings()
    assert table["place"].to_list() == sorted(table["place"])
    assert table["rank"].to_list() == [1, 2, 3, 4, 5]
    for _, equals in table.group_by("place"):
        assert equals["rating"].is_sorted(descending=True)
    assert knockout.winners == [table["agent"][0]]
    assert knockout.standings(by="rating")["rating"].is_sorted(descending=True)


def test_rounds_end_with_the_final(knockout: Results) -> None:
    last = knockout.rounds().row(-1, named=True)
    assert last["name"] == "final"
    assert {last["agent"], last["opponent"]} == set(knockout.standings()["agent"][:2])
    assert knockout.rounds()["opponent"].null_count() == 3  # the byes of five agents


def test_a_swiss_tournament_ranks_by_points_then_buchholz_then_rating(swiss: Results) -> None:
    for repetition in (1, 2):
        table = swiss.standings(repetition)
        keys = table.select(pl.struct("points", "buchholz", "rating")).to_series().to_list()
        assert keys == sorted(keys, key=lambda key: tuple(key.values()), reverse=True)
    means = [swiss.standings(repetition).sort("agent")["points"] for repetition in (1, 2)]
    assert swiss.standings().sort("agent")["points"].to_list() == ((means[0] + means[1]) / 2).to_list()


def test_orders_of_other_formats_are_refused(knockout: Results, drop: Results) -> None:
    with pytest.raises(LudusError) as refusal:
        knockout.standings(by="buchholz")
    assert not missing(str(refusal.value), "buchholz place rating")
    with pytest.raises(LudusError):
        drop.standings(by="place")


def test_departures_say_when_and_with_how_many_episodes(drop: Results) -> None:
    found = drop.departures()
    assert found["repetition"].to_list() == [1, 1, 1, 2, 2, 2]
    assert found.filter(repetition=1)["round"].to_list() == [1, 2, 3]
    played = drop.episodes().explode("seats").group_by("repetition", agent="seats").len("all")
    both = found.join(played, on=["repetition", "agent"])
    assert both["episodes"].to_list() == both["all"].to_list()


def test_savings_are_counted_against_the_double_round_robin(drop: Results) -> None:
    saved, full = drop.by_format.saved
    assert full == 2 * 2 * 5 * 4
    assert saved == full - drop.played > 0


def test_other_formats_have_neither_rounds_nor_departures(store: Store) -> None:
    results = load(play(store, name="Round robin"), store)
    assert results.rounds().is_empty()
    assert results.departures().is_empty()
    assert results.by_format.orders == ()


def test_an_unfinished_knockout_has_an_open_round(store: Store) -> None:
    results = load(begin(store, agents=FIELD, format="knockout", episodes=6, name="Cut off"), store)
    assert results.rounds()["gained"].to_list()[-1] is None
    assert results.winners == []
    assert len(results.standings()) == 5


def test_a_finished_knockout_keeps_its_winner_when_a_repetition_is_added(store: Store) -> None:
    content = {"agents": FIELD, "format": "knockout", "episodes": 2, "name": "Longer"}
    winners = load(play(store, **content), store).winners  # type: ignore[arg-type]
    tournament = make_tournament("tic-tac-toe", repetitions=2, **content)  # type: ignore[arg-type]
    with store.lock(store.find("Longer")):
        store.grow(store.find("Longer"), tournament, {})
    assert load("Longer", store).winners == winners != []
