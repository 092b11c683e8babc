from pathlib import Path
from typing import Any

import polars as pl
import pytest

from ludus import LudusError
from ludus.episode.record import Ending
from ludus.run.compare import MOST_PAIRS, MOST_REPEATS, Pairs, comparison, play_pairs
from ludus.stats.ratings.sprt import Sprt
from ludus.store import Store, open_store
from ludus.tournaments.run_options import RunOptions
from ludus.tournaments.tournament import Entrant, Tournament

RANDOM = Entrant("random", "random")


def episode(
    match: int, number: int, lead: float, course: int | None = None, ending: str = Ending.RULES
) -> dict[str, Any]:
    """A row of the store's frame: `lead` is that of the first mover."""
    course = 1000 * match + number if course is None else course
    return {"match": match, "number": number, "scores": [lead, -lead], "ending": ending, "course": course}


def taken(*rows: dict[str, Any], most: int = MOST_PAIRS, deterministic: bool = False) -> Pairs:
    pairs = Pairs(Sprt(0, 10), most, deterministic=deterministic)
    pairs.take(pl.DataFrame(rows))
    return pairs


@pytest.mark.parametrize(
    ("first", "swapped", "bin"),
    [(-1, 1, 0), (0, 1, 1), (1, 1, 2), (0, 0, 2), (-1, -1, 2), (1, 0, 3), (0, -1, 3), (1, -1, 4)],
)
def test_pair_falls_into_the_bin_of_what_the_first_agent_made_from_both_seats(
    first: int, swapped: int, bin: int
) -> None:
    pairs = taken(episode(0, 0, first), episode(1, 0, swapped))
    assert [number for number, count in enumerate(pairs.test.bins) if count] == [bin]
    assert pairs.wins - pairs.losses == bin - 2
    assert pairs.wins + pairs.ties + pairs.losses == 2


def test_pairs_count_in_the_order_of_their_numbers_whichever_was_played_first() -> None:
    rows = [episode(0, 0, 1), episode(0, 1, 1), episode(1, 1, -1)]
    pairs = taken(*rows)
    assert not pairs.test.path
    pairs.take(pl.DataFrame([*rows, episode(1, 0, 1), episode(0, 2, 0)]))
    assert pairs.test.bins == [0, 0, 1, 0, 1]
    assert pairs.test.path == taken(episode(0, 0, 1), episode(1, 0, 1), episode(0, 1, 1), episode(1, 1, -1)).test.path


def test_pair_that_deterministic_agents_repeat_is_counted_once() -> None:
    again = [episode(0, 1, 1, course=0), episode(1, 1, -1, course=1000)]
    half = [episode(0, 2, 1, course=0), episode(1, 2, -1)]
    rows = [episode(0, 0, 1), episode(1, 0, -1), *again, *half]
    pairs = taken(*rows, deterministic=True)
    assert (len(pairs.test.path), pairs.repeated) == (2, 1)
    pairs = taken(*rows)
    assert (len(pairs.test.path), pairs.repeated, pairs.stuck) == (3, 0, False)


def test_agents_that_only_repeat_themselves_end_the_test() -> None:
    rows = [episode(match, number, 0, course=match) for match in (0, 1) for number in range(MOST_REPEATS + 5)]
    pairs = taken(*rows, deterministic=True)
    assert pairs.stuck
    assert pairs.over
    assert (len(pairs.test.path), pairs.repeated, pairs.test.verdict) == (1, MOST_REPEATS, None)


def test_pair_made_void_by_the_machine_has_no_result() -> None:
    pairs = taken(episode(0, 0, 0, ending=Ending.MACHINE), episode(1, 0, 1), episode(0, 1, 1), episode(1, 1, -1))
    assert (pairs.void, pairs.test.bins) == (1, [0, 0, 0, 0, 1])


def test_no_more_pairs_count_than_asked_for() -> None:
    pairs = taken(*(episode(match, number, 0) for match in (0, 1) for number in range(5)), most=3)
    assert pairs.over
    assert len(pairs.test.path) == 3


def test_equal_agents_get_different_names() -> None:
    made = comparison("tic-tac-toe", RANDOM, RANDOM).tournament
    assert made.agents == (Entrant("A (random)", "random"), Entrant("B (random)", "random"))
    assert comparison("tic-tac-toe", RANDOM, Entrant("other", "random")).tournament.agents[0] == RANDOM


@pytest.mark.parametrize(("game", "players"), [("2048", 1), ("nim:players=3", 3)])
def test_game_that_is_not_for_two_is_refused(game: str, players: int) -> None:
    with pytest.raises(LudusError, match=f"{game} has {players}"):
        comparison(game, RANDOM, Entrant("mc", "mc"))


# --- Playing --------------------------------------------------------------------------------------------------------


def strong_and_weak() -> Tournament:
    mcts = Entrant("strong", "mcts:simulations=30")
    return comparison("tic-tac-toe", mcts, RANDOM, name="small", seed=3, opening_plies=1).tournament


@pytest.mark.slow
def test_better_agent_is_found_before_all_is_played(store: Store) -> None:
    looks = []
    found = play_pairs(
        strong_and_weak(), store, Sprt(0, 200), RunOptions(workers=1), watch=lambda pairs, _: looks.append(pairs)
    )
    assert found.pairs.test.verdict == "H1"
    assert store.tournaments()[0].episodes < 2 * MOST_PAIRS
    assert store.tournaments()[0].finished
    assert looks


@pytest.mark.slow
def test_verdict_is_the_same_however_it_is_played(store: Store, tmp_path: Path) -> None:
    here = play_pairs(strong_and_weak(), store, Sprt(0, 200), RunOptions(workers=0), most=60)
    with open_store(str(tmp_path / "other.db")) as other:
        there = play_pairs(strong_and_weak(), other, Sprt(0, 200), RunOptions(workers=2), most=60)
    assert here.pairs.test.verdict == "H1"
    assert here.pairs.test.path == there.pairs.test.path


def test_decided_test_plays_nothing_and_others_go_on_from_its_pairs(store: Store) -> None:
    first = play_pairs(strong_and_weak(), store, Sprt(0, 300), RunOptions(workers=0), most=60)
    stored = store.tournaments()[0].episodes
    again = play_pairs(strong_and_weak(), store, Sprt(0, 300), RunOptions(workers=0), most=60)
    assert store.tournaments()[0].episodes == stored
    assert again.pairs.test.path == first.pairs.test.path
    finer = play_pairs(strong_and_weak(), store, Sprt(0, 5), RunOptions(workers=0), most=60)
    assert (finer.id, finer.pairs.test.verdict) == (first.id, None)
    assert len(finer.pairs.test.path) + finer.pairs.repeated == 60
    longer = play_pairs(strong_and_weak(), store, Sprt(0, 5), RunOptions(workers=0), most=90)
    assert longer.id == first.id
    assert longer.pairs.test.path[: len(finer.pairs.test.path)] == finer.pairs.test.path
    assert len(longer.pairs.test.path) + longer.pairs.repeated == 90


@pytest.mark.parametrize(("agent", "deterministic"), [("maxn:depth=1", True), ("random", False)])
def test_only_agents_that_leave_nothing_to_chance_repeat_pairs(store: Store, agent: str, deterministic: bool) -> None:
    planned = comparison("nim:piles=1-2", "maxn:depth=2", agent, opening_plies=0, name="small").tournament
    found = play_pairs(planned, store, Sprt(0, 5), RunOptions(workers=0), most=20).pairs
    assert (found.deterministic, len(found.test.path)) == (deterministic, 1 if deterministic else 20)


def test_notes_come_before_the_first_episode(store: Store) -> None:
    store.enter(comparison("tic-tac-toe", RANDOM, RANDOM, name="first").tournament, {"ludus": "0"})
    told: list[tuple[str, int]] = []
    for _ in range(2):  # there is something to play, and there is not
        play_pairs(
            comparison("tic-tac-toe", RANDOM, RANDOM, name="first").tournament,
            store,
            Sprt(0, 5),
            RunOptions(workers=0),
            most=10,
            tell=lambda sentence: told.append((sentence, store.tournaments()[0].episodes)),
        )
    (version, played), *again = told
    assert version.startswith("ludus was 0 when this tournament began")
    assert played == 0
    assert [sentence for sentence, _ in again] == [version]
