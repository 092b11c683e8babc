import pytest

from ludus.core.errors import InvalidError
from ludus.episode.record import Ending, Record
from ludus.episode.replay import replay
from ludus.views.boards.timeline import Timeline
from ludus.views.episodes.variation import Variation
from support.seer import episode_of, record_of


@pytest.fixture(scope="module")
def noughts() -> Timeline:
    return episode_of(record_of("tic-tac-toe", "random", "random"))


def test_a_variation_goes_on_from_any_position(noughts: Timeline) -> None:
    found = Variation(noughts, 2, []).to_dict()
    (seat,) = found["moves"]
    assert seat["seat"] == 0
    assert len(seat["moves"]) == 7
    assert all(len(move["clicks"]) == 1 for move in seat["moves"])
    text = seat["moves"][3]["text"]
    after = Variation(noughts, 2, [[text]]).to_dict()
    assert after["step"] == [text]
    assert [move["text"] for move in after["moves"][0]["moves"]] == [
        move["text"] for move in seat["moves"] if move["text"] != text
    ]


def test_the_end_has_scores_and_a_sentence(noughts: Timeline) -> None:
    steps = [["a1"], ["b1"], ["a2"], ["b2"], ["a3"]]
    found = Variation(noughts, 0, steps).to_dict()
    assert found["over"] is True
    assert found["scores"] == ["+1", "−1"] or found["scores"][0] != found["scores"][1]
    assert "wins" in found["result"]
    assert found["moves"] == []
    with pytest.raises(InvalidError, match="after the end"):
        Variation(noughts, 0, [*steps, ["b3"]])


@pytest.mark.parametrize(
    ("place", "steps"),
    [(-1, []), (99, []), (0, [["z9"]]), (0, [["a1", "a2"]]), (0, [[]]), (0, [[""]]), (0, [["a1"], ["a1"]])],
)
def test_impossible_moves_are_refused(noughts: Timeline, place: int, steps: list[list[str]]) -> None:
    with pytest.raises(InvalidError):
        Variation(noughts, place, steps)


def test_chance_draws_where_no_outcome_is_named() -> None:
    episode = episode_of(record_of("2048", "random"))
    found = Variation(episode, 0, [[""], [""]])
    assert [step[0].seat for step in found.steps] == [-1, -1]
    assert all("@" in step[0].move for step in found.steps)


@pytest.mark.parametrize(("game", "place"), [("hex:size=3", 2), ("goofspiel", 3), ("tic-tac-toe", 1)])
def test_a_saved_variation_is_a_record_by_the_rules(game: str, place: int) -> None:
    episode = episode_of(record_of(game, "random", "random", plies=1))
    variation = Variation(episode, place, [])
    steps: list[list[str]] = []
    while not variation.is_over:
        movers = variation.game.movers(variation.state)
        steps.append(
            [
                variation.game.format(variation.state, seat, variation.game.moves(variation.state, seat)[0])
                for seat in movers
            ]
        )
        for kept in (steps[:-1], steps):
            name, text = Variation(episode, place, kept).file("record")
            record = Record.from_json(text)
            assert len(list(replay(record))) == 1 + place + len(kept)
        variation = Variation(episode, place, steps)
    assert name == "variation.jsonl"
    assert record.ending is Ending.RULES


def test_a_game_with_files_of_its_own_is_saved_in_them() -> None:
    episode = episode_of(record_of("chess", "random", "random", plies=2))
    variation = Variation(episode, 0, [["e2e4"], ["e7e5"]])
    name, text = variation.file(".pgn")
    assert name == "variation.pgn"
    assert "1. e4 e5" in text
    with pytest.raises(InvalidError, match=r"\.sgf"):
        variation.file(".sgf")


def test_of_simultaneous_moves_each_seat_has_its_own() -> None:
    episode = episode_of(record_of("goofspiel:prizes=descending,cards=3", "random", "random"))
    found = Variation(episode, 0, []).to_dict()
    assert [each["seat"] for each in found["moves"]] == [0, 1]
    after = Variation(episode, 0, [["3", "1"]])
    assert after.game.save(after.state).startswith("2/")


def test_the_episode_stays_as_it_is(noughts: Timeline) -> None:
    game = noughts.game
    before = [game.save(moment.state) for moment in noughts.moments]
    free = game.moves(noughts.moments[1].state, 1)[0]
    Variation(noughts, 1, [[game.format(noughts.moments[1].state, 1, free)]])
    assert [game.save(moment.state) for moment in noughts.moments] == before
