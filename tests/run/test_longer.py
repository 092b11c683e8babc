"""Tournaments that are played on with more episodes, repetitions or agents than before."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ludus.core.errors import BusyError
from ludus.episode.record import Key
from ludus.run import runner
from ludus.run.runner import Progress
from ludus.stats.results import load
from ludus.store import Store, open_store
from ludus.store.portable import export_folder, import_folder
from ludus.tournaments import plan
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.run_options import RunOptions
from support.running import PATIENCE, PROGRAM, ludus, program
from support.sentences import missing, one_sentence
from support.stored_results import FIELD, begin, play

MORE = (*FIELD, "mc:iterations=3", "mc:iterations=2")
HERE = RunOptions(workers=0)
CUP: dict[str, Any] = {"name": "Cup", "opening_plies": 2, "seed": 5}


def games(store: Store, id: int) -> dict[Key, tuple[Any, ...]]:
    """All of each episode that does not depend on when it was played."""
    return {
        key: (
            [(seat.agent, seat.name) for seat in record.seats],
            record.seed,
            record.opening,
            [[move.move for move in step] for step in record.steps],
        )
        for key, record in store.records(id)
    }


def played_now(store: Store, agents: tuple[str, ...] = FIELD, **content: Any) -> int:
    """Play a tournament on: how many episodes that took."""
    return runner.run(make_tournament("tic-tac-toe", agents, **(CUP | content)), store, HERE).played


@pytest.mark.parametrize("longer", [{"episodes": 5}, {"repetitions": 3}, {"episodes": 3, "repetitions": 2}])
@pytest.mark.parametrize("ended", [True, False])
def test_a_longer_tournament_equals_one_played_at_once(store: Store, longer: dict[str, int], ended: bool) -> None:
    first = (play if ended else begin)(store, **CUP, episodes=2)
    old = games(store, first)
    new = played_now(store, **(dict[str, Any](episodes=2) | longer))
    at_once = play(store, **(CUP | {"episodes": 2} | longer | {"name": "At once"}))
    assert games(store, first) == games(store, at_once)
    assert len(old) + new == len(games(store, first))
    frames = [load(id, store).standings() for id in (first, at_once)]
    assert frames[0].equals(frames[1])
    assert load(first, store).summary.finished is not None


@pytest.mark.parametrize(
    ("game", "format", "field", "promised"),
    [
        ("tic-tac-toe", "double-round-robin", MORE, False),
        ("tic-tac-toe", "single-round-robin", MORE, False),
        ("tic-tac-toe", "gauntlet", MORE, True),
        ("nim:piles=1-2,players=3", "seatings", ("random", "maxn:depth=1", "maxn:depth=2", "maxn:depth=3"), False),
    ],
)
def test_agents_join_and_old_games_stay(
    store: Store, game: str, format: str, field: tuple[str, ...], promised: bool
) -> None:
    content: dict[str, Any] = {"format": format, "episodes": 2, "repetitions": 2, "seed": 3}
    id = play(store, game, field[:3], name="Cup", **content)
    old = games(store, id)
    assert play(store, game, field, name="Cup", **content) == id
    new = games(store, id)
    assert {key: new[key] for key in old} == old
    results = load(id, store)
    assert results.agents == list(field)
    assert results.played == results.planned == len(new)
    assert results.complete_repetitions == [1, 2]
    assert 0 not in results.standings()["episodes"].to_list()
    if promised:
        at_once = play(store, game, field, name="At once", **content)
        assert new == games(store, at_once)


def test_openings_stay_balanced_when_agents_join(store: Store) -> None:
    play(store, **CUP, episodes=3)
    id = play(store, agents=MORE, **CUP, episodes=3)
    openings: dict[tuple[frozenset[str], int], set[str]] = {}
    for key, record in store.records(id):
        pair = frozenset(seat.name for seat in record.seats)
        openings.setdefault((pair, key.number), set()).add(repr(record.opening))
    assert len(openings) == 3 * 10
    assert {len(found) for found in openings.values()} == {1}, "both seatings of a pair begin alike"
    assert len({min(found) for found in openings.values()}) == 3


def test_who_joins_an_unfinished_tournament_is_not_complete_before_playing(store: Store) -> None:
    play(store, **CUP, episodes=2, repetitions=2)

    def stop(progress: Progress) -> None:
        if progress.done > 30:
            raise KeyboardInterrupt

    longer = make_tournament("tic-tac-toe", MORE, **CUP, episodes=2, repetitions=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "_WRITE_AFTER", -1.0)
        with pytest.raises(KeyboardInterrupt):
            runner.run(longer, store, HERE, watch=stop)
    found = load("Cup", store)
    assert found.complete_repetitions == []
    assert found.planned == 2 * 2 * 20
    assert played_now(store, MORE, episodes=2, repetitions=2) == found.planned - found.played
    assert load("Cup", store).complete_repetitions == [1, 2]


def test_fewer_episodes_lose_nothing(store: Store) -> None:
    id = play(store, **CUP, episodes=3)
    before = games(store, id)
    with one_sentence("Cup 3 2"):
        play(store, **CUP, episodes=2)
    assert games(store, id) == before
    assert load(id, store).summary.finished is not None


def test_a_tournament_without_a_seed_keeps_the_one_that_was_drawn(store: Store) -> None:
    drawn = iter([11, 12, 13, 14])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "drawn_seed", lambda: next(drawn))
        assert played_now(store, seed=None) == 6
        assert played_now(store, seed=None, episodes=2) == 6, "it plays on"
        assert played_now(store, seed=None, name="Other") == 6
        assert played_now(store, seed=None, name=None) == 6
        id = play(store, **(CUP | {"seed": 11, "episodes": 2, "name": "Given"}))
    assert [store.tournament(number).seed for number in (1, 2, 3)] == [11, 13, 14]
    assert games(store, 1) == games(store, id)


def test_without_a_name_more_episodes_lengthen_the_same_tournament(store: Store) -> None:
    assert played_now(store, name=None, seed=None) == 6
    assert played_now(store, name=None, seed=None, episodes=3) == 12
    assert len(store.tournaments()) == 1
    assert played_now(store, MORE, name=None, seed=None) == 20, "another field is another tournament"


def test_a_renamed_tournament_is_played_on_under_its_new_name(store: Store) -> None:
    id = play(store, **CUP)
    store.rename(id, "Trophy")
    assert played_now(store, name="Trophy", episodes=2) == 6
    assert play(store, **CUP) != id, "the old name is free"


def test_a_grown_tournament_is_imported_anywhere(store: Store, tmp_path: Path) -> None:
    folders = []
    with open_store(str(tmp_path / "other.db")) as other:
        for agents, episodes in ((FIELD, 2), (MORE, 3)):
            id = play(store, agents=agents, **CUP, episodes=episodes)
            folders.append(tmp_path / str(episodes))
            folders[-1].mkdir()
            export_folder(store, id, folders[-1], lambda done: None)
        small = import_folder(other, folders[0], None, lambda done: None)
        large = import_folder(other, folders[1], None, lambda done: None)
        again = import_folder(other, folders[0], None, lambda done: None)
        assert (small.episodes, large.before, large.episodes, again.episodes) == (12, 12, 48, 0)
        assert small.id == large.id == again.id
        assert games(other, small.id) == games(store, id)
        assert other.tournament(small.id) == store.tournament(id)
        assert load(small.id, other).standings().equals(load(id, store).standings())
        assert played_now(other, MORE, episodes=3) == 0


def test_a_small_export_does_not_finish_a_tournament_that_grows(store: Store, tmp_path: Path) -> None:
    id = play(store, **CUP, episodes=2)
    export_folder(store, id, tmp_path, lambda done: None)
    longer = make_tournament("tic-tac-toe", FIELD, **CUP, episodes=4)
    store.grow(id, longer, {})
    import_folder(store, tmp_path, None, lambda done: None)
    assert load(id, store).summary.finished is None
    assert played_now(store, episodes=4) == 12


def test_the_seed_is_among_the_facts(tmp_path: Path) -> None:
    run = ("run", "--game", "tic-tac-toe", "--agent", "random", "--agent", "minimax:depth=1", "--workers", "0")
    store = ("--store", str(tmp_path / "ludus.db"))
    assert ludus(*run, "--name", "Cup", "--seed", "4711", *store).returncode == 0
    assert "4711" in ludus("results", "Cup", *store).stdout
    assert json.loads(ludus("results", "Cup", "--json", *store).stdout)["tournament"]["seed"] == 4711


def test_a_comparison_is_not_turned_round(tmp_path: Path) -> None:
    store = ("--name", "Pair", "--most", "9", "--workers", "0", "--store", str(tmp_path / "ludus.db"))
    assert ludus("compare", "random", "mc:iterations=9", "--game", "tic-tac-toe", *store).returncode == 0
    refused = ludus("compare", "mc:iterations=9", "random", "--game", "tic-tac-toe", *store)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)


def test_what_another_process_plays_does_not_grow(store: Store) -> None:
    id = play(store, **CUP, episodes=2)
    before = store.tournament(id)
    with store.lock(id), pytest.raises(BusyError):
        played_now(store, episodes=3)
    assert store.tournament(id) == before
    assert played_now(store, episodes=3) == 6


@pytest.mark.slow
def test_two_processes_that_lengthen_a_tournament_at_once_lose_and_double_nothing(store: Store) -> None:
    id = play(store, **CUP, episodes=2)
    old = games(store, id)
    cup = ["run", "--game", "tic-tac-toe", "--name", "Cup", "--opening-plies", "2", "--seed", "5", "--workers", "1"]
    cup += ["--store", store.url, *(word for agent in FIELD for word in ("--agent", agent)), "--episodes"]
    for lengths in ((50, 80), (110, 140)):
        pair = [
            subprocess.Popen([PROGRAM, *cup, str(length)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            for length in lengths
        ]
        refusals = [process.communicate(timeout=PATIENCE)[1] for process in pair]
        assert any(process.returncode == 0 for process in pair), refusals
        for process, refusal in zip(pair, refusals, strict=True):
            assert process.returncode == 0 or not missing(refusal, "'Cup'")  # busy, or longer by now than it wants
        assert program(*cup, str(lengths[-1])).returncode == 0
    found = games(store, id)
    assert found == games(store, play(store, **(CUP | {"name": "At once"}), episodes=140))
    assert load(id, store).played == len(found) == 6 * 140
    assert {key: found[key] for key in old} == old
