from pathlib import Path

from contests.speed.test_logs import log, messages_of, random_game
from ludus.episode.importer import import_episode
from ludus.episode.limits import Limits
from ludus.store import open_store
from ludus.store.timing import timing


def test_a_game_is_found_by_the_name_it_is_given(tmp_path: Path) -> None:
    record, wall = import_episode(log(tmp_path, messages_of(*random_game(0))))
    with open_store(str(tmp_path / "ludus.db")) as store:
        kept = store.keep_game("joined example.org:8080", record, wall)
        assert store.record(*store.find_episode(kept.name)) == record
        assert store.find_episode("joined example.org:8080, 2 players/1.1") == (kept.id, kept.key)


def test_games_are_sorted_by_the_number_of_players_and_their_limits(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        for seed in (0, 1, 5):
            record, wall = import_episode(log(tmp_path, messages_of(*random_game(seed))))
            store.keep_game("hosted, here", record, wall)
            record.limits = Limits(move=5 * 10**9)
            store.keep_game("hosted, here", record, wall)
        found = {summary.name: summary.episodes for summary in store.tournaments()}
    assert found == {
        "hosted, here, 2 players": 2,
        "hosted, here, 2 players, 5s a move": 2,
        "hosted, here, 3 players": 1,
        "hosted, here, 3 players, 5s a move": 1,
    }


def test_seats_that_were_not_measured_have_no_times(tmp_path: Path) -> None:
    record, wall = import_episode(log(tmp_path, messages_of(*random_game(0))))
    for step in record.steps:
        step[0].wall = 1000
    with open_store(str(tmp_path / "ludus.db")) as store:
        id = store.keep_game("joined", record, wall).id
        table = timing(store.timings(id))
        assert dict(table.select("agent", "moves").iter_rows()) == {0: len(record.steps), 1: 0}
