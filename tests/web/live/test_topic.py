import json
from typing import Any

import pytest

from ludus.web.live import topic as module
from ludus.web.live.topic import Topic


def said(topic: Topic, after: int | None) -> list[dict[str, Any]]:
    """The messages for a viewer that has seen everything up to this number."""
    return [json.loads(sent.text) for sent in topic.since(after)]


def film(number: int, start: int = 0) -> Topic:
    """A topic with this many positions."""
    topic = Topic("game/a/b")
    topic.publish({"full": True, "players": ["x"], "frames": [start], "clock": 0})
    for place in range(1, number):
        topic.publish({"frames": [start + place], "clock": place})
    return topic


def test_new_viewer_gets_the_sum_of_all_messages() -> None:
    topic = film(4)
    assert said(topic, None) == [
        {"topic": "game/a/b", "seq": topic.seq, "full": True, "players": ["x"], "frames": [0, 1, 2, 3], "clock": 3}
    ]


def test_viewer_who_was_away_gets_what_it_missed() -> None:
    topic = film(4)
    assert [message["frames"] for message in said(topic, topic.seq - 2)] == [[2], [3]]
    assert said(topic, topic.seq) == []


@pytest.mark.parametrize("after", [-1, 0, 10**15])
def test_numbers_from_before_a_new_start_of_the_site_give_everything(after: int) -> None:
    (message,) = said(film(4), after)
    assert message["frames"] == [0, 1, 2, 3]


def test_full_message_ends_what_was_before() -> None:
    topic = film(3)
    topic.publish({"full": True, "frames": [7]})
    assert said(topic, None)[0]["frames"] == [7]
    assert "players" not in said(topic, None)[0]
    assert [message["frames"] for message in said(topic, topic.seq - 2)] == [[2], [7]]


def test_viewer_who_was_away_for_long_gets_everything_at_once() -> None:
    topic = film(1000)
    (message,) = said(topic, topic.seq - 999)
    assert message["full"]
    assert len(message["frames"]) == 1000
    assert len(said(topic, topic.seq - 100)) == 100


def test_kept_messages_are_bounded_in_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_LETTERS", 1000)
    topic = Topic("runs")
    for _ in range(50):
        topic.publish({"full": True, "text": "x" * 200})
    assert len(said(topic, topic.seq - 3)) == 3
    assert [message.get("full") for message in said(topic, topic.seq - 20)] == [True]


def test_topic_without_a_message_says_nothing() -> None:
    topic = Topic("runs")
    assert topic.empty
    assert said(topic, None) == []
