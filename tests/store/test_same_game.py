import copy
from collections.abc import Sequence
from datetime import timedelta

from ludus.episode.record import Opening, Record
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng
from ludus.stats.results import load
from ludus.stats.win_rates import win_rates
from ludus.store import Store
from ludus.store.server_games import Kept
from support.samples import sample

GAME = game_from("connect-four")
START = Opening(GAME.save(GAME.start(new_rng(0))))
WALL = 10**9


def told(number: int, agents: Sequence[str], names: Sequence[str] = ("anna", "berta"), seconds: float = 0.1) -> Record:
    """A game as told by one side, which saw it begin this much later."""
    record = copy.deepcopy(sample("one mover at a time", 8).records[2 * number])  # without opening moves
    record.played += timedelta(seconds=seconds)
    record.opening = START if seconds else record.opening
    for seat, agent, name in zip(record.seats, agents, names, strict=True):
        seat.agent, seat.name = agent, name
    return record


def hosted(store: Store, number: int = 0) -> Kept:
    """The server started the first player itself; the second one came with a key."""
    return store.keep_game("hosted", told(number, ["random", "remote:berta"], seconds=0), WALL)


def joined(store: Store, number: int = 0, seconds: float = 0.1) -> Kept:
    """The second player knows its own agent."""
    record = told(number, ["remote:anna", "mc:iterations=5"], ["anna", "mine"], seconds)
    return store.keep_game("joined here", record, WALL)


def stored(store: Store) -> list[tuple[str, int]]:
    return [(summary.name, summary.episodes) for summary in store.tournaments()]


def test_a_game_that_is_hosted_and_joined_is_stored_once_with_both_agents(store: Store) -> None:
    for number in (0, 1):
        kept = hosted(store, number)
        assert joined(store, number) == kept._replace(new=False)
    assert stored(store) == [("hosted, 2 players", 2)]
    record = store.record(kept.id, kept.key)
    assert [(seat.agent, seat.name) for seat in record.seats] == [("random", "anna"), ("mc:iterations=5", "mine")]
    assert load(kept.id, store).standings()["episodes"].to_list() == [2, 2]
    assert win_rates(store, agents=["mc"]).episodes == 2


def test_whoever_tells_it_first(store: Store) -> None:
    first, second = joined(store), hosted(store)
    assert (second.id, second.key, second.new) == (first.id, first.key, False)
    assert {agent.spec for agent in store.tournament(first.id).agents} == {"random", "mc:iterations=5"}


def test_a_game_with_two_players_from_here_is_stored_once(store: Store) -> None:
    joined(store)
    record = told(0, ["maxn:depth=1", "remote:unknown"], ["other", "unknown"], seconds=0.2)
    assert not store.keep_game("joined here", record, WALL).new
    assert stored(store) == [("joined here, 2 players", 1)]


def test_agents_of_a_name_are_found_with_clients_of_that_name(store: Store) -> None:
    joined(store)
    store.keep_game("hosted", told(1, ["random", "remote:anna"], ["filling", "anna"], seconds=0), WALL)
    assert win_rates(store, agents=["anna"]).episodes == 2
    store.keep_game("hosted", told(2, ["mcts:simulations=2", "remote:mc"], ["anna", "mc"], seconds=0), WALL)
    assert set(win_rates(store, agents=["mc"]).table["agent"]) == {"mine", "mc"}


def test_games_that_differ_in_time_moves_or_players_are_different(store: Store) -> None:
    hosted(store)
    assert joined(store, seconds=60).new
    assert joined(store, number=1).new
    rival = told(0, ["maxn:depth=1", "remote:berta"])
    assert store.keep_game("joined here", rival, WALL).new


def test_a_player_of_other_games_keeps_its_place_in_them(store: Store) -> None:
    alone, kept = hosted(store, 1), hosted(store, 0)
    joined(store)
    names = {
        number: [seat.agent for seat in store.record(kept.id, key).seats]
        for number, key in enumerate([alone.key, kept.key])
    }
    assert names == {0: ["random", "remote:berta"], 1: ["random", "mc:iterations=5"]}
