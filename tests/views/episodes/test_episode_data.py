import json
import math

from ludus.episode.limits import Limits
from ludus.episode.record import Fault
from ludus.views.episodes.episode_data import head_of, moves_of
from ludus.views.episodes.measures import measures_of
from support.samples import sample
from support.seer import SEER, episode_of, record_of


def test_moves_lead_to_places_in_order() -> None:
    episode = episode_of(record_of("connect-four", "random", "random", plies=2))
    moves = moves_of(episode)
    assert [move["place"] for move in moves] == list(range(1, len(episode.moments)))
    assert head_of(episode)["opening"] == 2
    assert "time" not in moves[0]
    assert moves[2]["time"] > 0


def test_chance_and_players_are_told_apart_and_rounds_count_only_players() -> None:
    episode = episode_of(record_of("2048", "random"))
    head, moves = head_of(episode), moves_of(episode)
    assert {move["seat"] for move in moves} == {-1, 0}
    assert head["rounds"][-1] == sum(move["seat"] == 0 for move in moves)


def test_a_move_that_was_not_carried_out_comes_last_with_its_evidence() -> None:
    episode = episode_of(sample("failed").records[0])
    last = moves_of(episode)[-1]
    assert last["played"] is False
    assert last["place"] == len(episode.moments) - 1
    assert last["fault"] == Fault.FAILED.words
    assert last["evidence"]


def test_layers_are_named_but_not_sent() -> None:
    episode = episode_of(record_of("connect-four", f"{SEER}:layers=yes", "random"))
    move = moves_of(episode)[0]
    assert move["layers"] == ["heat", "path"]
    assert "layers" not in move["metrics"]


def test_metrics_have_one_name_each_beside_the_board() -> None:
    found = measures_of({"value": 0.5, "simulations": 100, "line": "a1 b2", "mood": "fine"})
    assert found == {"evaluation": 0.5, "nodes": 100, "line": "a1 b2"}
    assert measures_of({"score": 31, "eval": 2, "pv": "e2e4"}) == {"evaluation": 2, "line": "e2e4"}


def test_whatever_an_agent_reported_becomes_json() -> None:
    record = record_of("tic-tac-toe", "random", "random")
    record.steps[0][0].metrics = {
        "value": math.nan,
        "big": 10**30,
        "text": "\x00" * 5 + "x" * 999,
        "list": [1, {"a": 2}],
    }
    move = moves_of(episode_of(record))[0]
    text = json.dumps(move, allow_nan=False)
    assert "\\u0000" not in text
    assert len(text) < 1000


def test_clocks_are_sent_if_players_have_them() -> None:
    record = record_of("tic-tac-toe", "random", "random")
    record.limits = Limits(total=10**9)
    lefts = [move["left"] for move in moves_of(episode_of(record)) if move["seat"] == 0]
    assert 10**9 > lefts[0] > lefts[-1] > 0
