from collections.abc import Iterator

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from ludus.core.errors import LudusError
from ludus.stats.results import Results, load
from ludus.store import Store, open_store
from support.stored_results import FIELD, begin, enter, play


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(str(tmp_path_factory.mktemp("store") / "ludus.db")) as opened:
        yield opened


@pytest.fixture(scope="module")
def two(store: Store) -> Results:
    return load(play(store, name="Two", episodes=6, opening_plies=1), store)


@pytest.fixture(scope="module")
def repeated(store: Store) -> Results:
    return load(play(store, name="Repeated", episodes=3, repetitions=3), store)


@pytest.fixture(scope="module")
def several(store: Store) -> Results:
    agents = ("maxn:depth=2", "mc:iterations=20", "random")
    return load(play(store, "nim:players=3", agents, name="Several", episodes=2), store)


@pytest.fixture(scope="module")
def one(store: Store) -> Results:
    return load(play(store, "2048", ("random", "mc:iterations=2"), name="One", episodes=4), store)


def test_a_tournament_is_loaded_by_number_name_or_identity(store: Store, two: Results) -> None:
    assert load(str(two.id), store).id == load("Two", store).id == load(two.tournament.identity, store).id == two.id
    with pytest.raises(LudusError, match="did you mean 'Two'"):
        load("Twoo", store)


def test_standings_name_agents_and_count_what_was_played(two: Results) -> None:
    table = two.standings()
    assert sorted(table["agent"]) == sorted(FIELD)
    assert table["episodes"].to_list() == [24, 24, 24]
    assert table["rank"].to_list() == [1, 2, 3]
    assert table["agent"].to_list()[-1] == "random"
    assert two.order() == table["agent"].to_list()


def test_tables_agree_with_the_episodes(two: Results) -> None:
    episodes = two.episodes()
    assert len(episodes) == two.played == two.planned == 36
    # After one ply of the opening, the second seat chooses the first move.
    first, second = pl.col("seats").list.get(1), pl.col("seats").list.get(0)
    won = pl.col("scores").list.get(1) > pl.col("scores").list.get(0)
    counted = episodes.group_by(first=first, second=second).agg(wins=won.sum().cast(pl.Int64)).sort("first", "second")
    shown = two.crosstable().select("first", "second", "wins").sort("first", "second")
    assert shown.equals(counted)
    assert two.endings()["episodes"].sum() == 36


def test_people_count_from_one(two: Results) -> None:
    episodes = two.episodes()
    for name, last in (("repetition", 1), ("match", 6), ("number", 6)):
        assert (episodes[name].min(), episodes[name].max()) == (1, last)
    assert two.by_seat()["seat"].to_list() == [1, 2]
    assert two.timing("match")["match"].min() == 1


def test_duplicates_are_counted(two: Results) -> None:
    fresh = two.episodes()["fresh"].sum()
    assert two.duplicates == two.played - fresh


def test_symmetry_puts_the_better_agent_first(two: Results) -> None:
    place = {name: number for number, name in enumerate(two.order())}
    symmetry = two.symmetry()
    assert len(symmetry) == 3
    assert all(place[a] < place[b] for a, b in symmetry.select("a", "b").iter_rows())
    crosstable = {row[:2]: row[-1] for row in two.crosstable().rows()}
    assert all(w_ab == crosstable[a, b] for a, b, w_ab in symmetry.select("a", "b", "w_ab").iter_rows())


def test_times_follow_the_standings_and_unfold_by_match(two: Results) -> None:
    by_agent, by_match = two.timing(), two.timing("match")
    assert by_agent["agent"].to_list() == two.order()
    assert by_match["moves"].sum() == by_agent["moves"].sum()
    assert by_match.select("agent", "opponents").rows()[:2] == [
        (by_match["agent"][0], [by_match["agent"][1]]),
        (by_match["agent"][1], [by_match["agent"][0]]),
    ]
    assert (by_agent["fastest"] <= by_agent["median"]).all()
    assert two.strength_speed().columns == ["agent", "rating", "low", "high", "match_time"]


def test_the_course_ends_with_the_ratings(two: Results) -> None:
    course = two.course()
    last = course.filter(pl.col("matches") == 6).sort("rating", descending=True)
    assert last["rating"].to_list() == pytest.approx(two.standings()["rating"].to_list())


def test_standings_can_follow_another_rating_and_refuse_what_is_none(two: Results) -> None:
    assert two.standings(by="wtl")["wtl"].is_sorted(descending=True)
    with pytest.raises(LudusError, match="did you mean 'glicko'"):
        two.standings(by="gliko")


def test_repetitions_are_rated_each_for_itself(repeated: Results) -> None:
    found = repeated.repetitions()
    assert found.group_by("repetition").len().sort("repetition").rows() == [(1, 3), (2, 3), (3, 3)]
    assert {"rank", "rating", "glicko", "fide", "uscf", "wtl"} <= set(found.columns)
    one = repeated.standings(2).select("agent", "rank", "rating")
    assert_frame_equal(found.filter(pl.col("repetition") == 2).select("agent", "rank", "rating"), one)
    assert repeated.stability()["repetitions"].to_list() == [3, 3, 3]
    assert repeated.shifts().columns == ["repetition", "moved", "shift", "best_first"]
    with pytest.raises(LudusError, match="numbered from 1 to 3"):
        repeated.standings(4)


def test_what_repeats_itself_in_every_repetition_is_evidence_once(store: Store) -> None:
    agents = ("minimax:depth=1,shuffle=no", "minimax:depth=3,shuffle=no")  # leave nothing to chance
    found = load(play(store, agents=agents, name="The same again", episodes=2, repetitions=3), store)
    ratings = ["agent", "fide", "uscf", "glicko", "rating", "low", "high", "better"]
    assert found.standings().select(ratings).equals(found.standings(1).select(ratings))
    assert found.standings()["episodes"].to_list() == [12, 12]
    assert found.standings(1)["episodes"].to_list() == [4, 4]


def test_several_players_have_places(several: Results) -> None:
    table = several.standings()
    assert [name for name in table.columns if name.startswith("place_")] == ["place_1", "place_2", "place_3"]
    places = several.places()
    assert places["seat"].unique().sort().to_list() == [1, 2, 3]
    first = places.filter(pl.col("place") == 1).group_by("agent").agg(pl.col("episodes").sum())
    assert sorted(first.rows()) == sorted(table.select("agent", "place_1").rows())
    assert several.ahead().columns == ["agent", "opponent", "episodes", "wins", "ties", "losses", "score"]
    assert several.by_seat()["score"].sum() == pytest.approx(1.5)
    assert set(several.course()["agent"]) == set(table["agent"])


def test_one_player_is_compared_on_the_same_seeds(one: Results) -> None:
    table = one.standings()
    assert table["agent"].to_list() == ["mc:iterations=2", "random"]
    points = one.points()
    assert points.columns == ["repetition", "number", "agent", "score"]
    assert points.filter(pl.col("agent") == "random")["score"].mean() == table["mean"][1]
    assert one.ahead().filter(pl.col("agent") == "random")["episodes"].to_list() == [4]
    assert one.course().is_empty()
    assert one.strength_speed()["rating"].to_list() == table["mean"].to_list()


def test_tables_that_do_not_suit_the_game_are_refused_in_a_sentence(one: Results, several: Results) -> None:
    with pytest.raises(LudusError, match="an episode of 2048 has 1 player"):
        one.by_seat()
    with pytest.raises(LudusError, match="A cross table is not available: an episode of nim:players=3 has 3 players"):
        several.crosstable()


def test_an_unfinished_tournament_shows_what_there_is(store: Store) -> None:
    found = load(begin(store, name="Cut off", episodes=4), store)
    assert found.summary.finished is None
    assert 0 < found.played < found.planned == 24
    assert found.standings()["episodes"].sum() == 2 * found.played


def test_a_tournament_without_episodes_has_empty_tables(store: Store) -> None:
    found = load(enter(store, name="Nothing"), store)
    assert found.played == found.duplicates == 0
    assert found.standings()["rating"].null_count() == 3
    assert found.crosstable().is_empty()
    assert found.endings().is_empty()
    assert found.timing().is_empty()


# --- Winners ----------------------------------------------------------------------------------------------------------

SURE = [f"minimax:depth={depth},shuffle=no" for depth in (1, 2, 3)]


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


def test_ratings_of_repetitions_have_the_same_agents_in_their_mean(store: Store) -> None:
    field: tuple[str, ...] = ("mc:iterations=20", "mc:iterations=30", "mc:iterations=40", "random")
    results = load(play(store, agents=field, episodes=3, repetitions=4, name="Means"), store)
    whole = results.standings()
    within = whole.filter(pl.col("agent").is_in(field[:3]))["rating"].mean()
    if abs(float(within)) < 1e-6:  # type: ignore[arg-type]
        field = field[:3]  # random has no part in the mean
    for _, table in results.repetitions().group_by("repetition"):
        assert table.filter(pl.col("agent").is_in(field))["rating"].mean() == pytest.approx(0, abs=1e-6)
