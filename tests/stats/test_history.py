from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ludus.core.errors import InvalidError
from ludus.episode.record import Ending
from ludus.stats.history import Found, HistoryPlace, Wanted, history
from ludus.store import Store, open_store
from support.stored_reports import stored
from support.stored_results import play


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(str(tmp_path_factory.mktemp("history") / "s.db")) as opened:
        stored(opened, ["Anna", "Ben", "Cleo"], name="Spring cup", episodes=4)
        stored(opened, ["Anna", "Dora"], name="Autumn cup", game="tic-tac-toe", episodes=3, repetitions=2)
        play(opened, "tic-tac-toe", ["random", "mcts:simulations=20"], episodes=30, seed=1)
        yield opened


def test_newest_tournament_and_last_episode_come_first(store: Store) -> None:
    names = [found.episode for found in history(store, Wanted(), most=1000)]
    assert names[0].startswith("3/")
    assert names[-36:-32] == ["2/2.2.3", "2/2.2.2", "2/2.2.1", "2/2.1.3"]
    assert names[-1] == "1/1.1"


def test_parts_join_without_gap_or_repetition(store: Store) -> None:
    whole, parts, after = history(store, Wanted(), most=1000), [], None
    while part := history(store, Wanted(), after, most=7):
        parts += part
        after = HistoryPlace.from_text(str(HistoryPlace(part[-1].tournament, part[-1].key)))
    assert parts == whole


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(tournament=1),
        Wanted(game="tic-tac-toe"),
        Wanted(agent="Anna", opponent="Ben"),
        Wanted(first="Dora"),
        Wanted(agent="Anna", result="won"),
        Wanted(agent="Anna", result="lost"),
        Wanted(agent="random", result="tied"),
        Wanted(ending=Ending.RULES, agent="Cleo"),
        Wanted(shortest=8),
        Wanted(longest=6, agent="random", opponent="mcts:simulations=20"),
    ],
)
def test_filter_keeps_what_fits_and_nothing_else(store: Store, wanted: Wanted) -> None:
    def fits(found: Found) -> bool:
        best = max(found.scores)
        own = [score for name, score in zip(found.seats, found.scores, strict=True) if name == wanted.agent]
        result = "" if not own else "lost" if own[0] < best else "won" if found.scores.count(best) == 1 else "tied"
        return (
            wanted.tournament in (None, found.tournament)
            and wanted.game in ("", found.game)
            and (not wanted.agent or wanted.agent in found.seats)
            and (not wanted.opponent or wanted.opponent in found.seats)
            and wanted.first in ("", found.seats[0])
            and wanted.result in ("", result)
            and wanted.ending in ("", found.ending)
            and (wanted.shortest or 0) <= found.plies <= (wanted.longest or 10**9)
        )

    everything = history(store, Wanted(), most=1000)
    expected = [found for found in everything if fits(found)]
    assert expected
    assert history(store, wanted, most=1000) == expected


def test_agent_met_itself_only_where_it_has_two_seats(store: Store) -> None:
    assert history(store, Wanted(agent="Anna", opponent="Anna")) == []


def test_times_are_those_between(store: Store) -> None:
    everything = history(store, Wanted(tournament=1), most=1000)
    middle = sorted(found.played for found in everything)[12]
    later = history(store, Wanted(tournament=1, since=middle), most=1000)
    earlier = history(store, Wanted(tournament=1, until=middle), most=1000)
    assert [found for found in everything if found.played >= middle] == later
    assert [found for found in everything if found.played < middle] == earlier
    assert history(store, Wanted(since=datetime(2999, 1, 1, tzinfo=UTC))) == []


def test_nobody_of_that_name_played_nothing(store: Store) -> None:
    assert history(store, Wanted(agent="Nobody")) == []


@pytest.mark.parametrize("wanted", [Wanted(result="won"), Wanted(agent="Anna", result="best"), Wanted(ending="tired")])
def test_fact_that_no_episode_can_have_is_refused(store: Store, wanted: Wanted) -> None:
    with pytest.raises(InvalidError):
        history(store, wanted)


@pytest.mark.parametrize("text", ["", "1", "1.2.3", "1.2.3.x", "1.2.3.4.5", "1.2.3.99999999999"])
def test_wrong_place_is_refused(text: str) -> None:
    with pytest.raises(InvalidError):
        HistoryPlace.from_text(text)


def test_rare_ending_is_found_in_a_large_match(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "s.db")) as opened:
        stored(opened, ["Anna", "Ben"], episodes=1500)
        everything = history(opened, Wanted(), most=10_000)
        late = history(opened, Wanted(ending=Ending.LATE), most=10_000)
        assert len(everything) == 3000
        assert late == [found for found in everything if found.ending is Ending.LATE] != []
