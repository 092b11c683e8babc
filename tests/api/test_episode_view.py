from pathlib import Path
from typing import Any

import imageio_ffmpeg
import msgspec
import pytest
from PIL import Image

import ludus
from ludus.episode.record import Move
from support.fragments import Fragment, svg_text
from support.installed_games import needs
from support.matrix_game import BiasedRockPaperScissors
from support.sentences import one_sentence
from support.simple_agents import AlwaysFirst, Failing


@pytest.fixture
def episode() -> ludus.Episode:
    """A game that the first player wins by a row: a1, b1 and so on, after an opening of two plies."""
    return ludus.play("tic-tac-toe", [AlwaysFirst(), "mcts:simulations=20"], seed=1, opening_plies=2)[0]


def test_episode_is_the_sequence_of_its_positions(episode: ludus.Episode) -> None:
    assert len(episode) == 1 + len(episode.record.opening.moves) + len(episode.record.steps)
    assert [position.number for position in episode] == list(range(len(episode)))
    assert str(episode[0]) == episode.game.draw(episode[0].state)
    assert str(episode[0]).count(".") == 9
    assert str(episode[1]).count(".") == 8
    assert [position.number for position in episode[1:3]] == [1, 2]
    assert episode[-1].number == len(episode) - 1
    with pytest.raises(IndexError):
        episode[len(episode)]


def test_positions_know_what_led_there_and_who_moves(episode: ludus.Episode) -> None:
    first, second = episode.agents
    assert episode[0].moves == []
    assert [move.move for move in episode[1].moves] == episode.record.opening.moves[0]
    assert [episode[0].movers, episode[1].movers, episode[-1].movers] == [[first], [second], []]


def test_moves_are_a_frame(episode: ludus.Episode) -> None:
    moves = episode.moves
    assert moves["step"].to_list() == list(range(1, len(episode)))
    assert moves["move"].to_list()[:2] == [text for step in episode.record.opening.moves for text in step]
    assert moves["note"].to_list()[:3] == ["opening", "opening", None]
    assert moves["time"].to_list()[2:] == [move.wall for step in episode.record.steps for move in step]
    assert moves["seat"].to_list()[:3] == [1, 2, 1]


def test_moves_of_chance_and_faults_are_among_them() -> None:
    dice = ludus.play("2048", ["random"], plies=3)[0].moves
    assert dice["agent"].null_count() == dice["seat"].null_count() > 0
    failed = ludus.play("tic-tac-toe", [Failing(), "random"])[0]
    assert failed.moves.row(-1, named=True) | {"time": None} == {
        **{"step": 1, "seat": 1, "agent": "failing", "move": None},
        **{"time": None, "note": "failed"},
    }
    assert (failed.winners, failed.scores) == (["random"], [-1.0, 1.0])
    assert "failing failed (ZeroDivisionError" in failed.outcome


def test_notebook_shows_the_last_board_and_the_moves(episode: ludus.Episode) -> None:
    shown = Fragment(episode._repr_html_())
    assert shown.text.startswith(f"tic-tac-toe: {episode.agents[0]}, {episode.agents[1]}")
    assert episode.outcome in shown.text
    assert all(name in shown.svg() for name in episode.agents)
    rows = shown.rows()
    assert [row["move"] for row in rows] == episode.moves["move"].to_list()
    assert [row["player"] for row in rows] == episode.moves["agent"].to_list()


def test_positions_are_drawn_as_they_are(episode: ludus.Episode) -> None:
    start, end = episode[0]._repr_svg_(), episode[-1].to_svg()
    assert start.count("<circle") < end.count("<circle")
    assert episode.outcome.split()[0] in svg_text(end)
    assert 'viewBox="0 0 1280 720" width="736" height="414"' in end


@pytest.mark.slow
def test_ending_of_the_file_decides_the_format(episode: ludus.Episode, tmp_path: Path) -> None:
    episode[2].save(tmp_path / "p.svg")
    assert (tmp_path / "p.svg").read_text() == episode[2].to_svg()
    episode.save(tmp_path / "p.png")
    assert Image.open(tmp_path / "p.png").size == (2560, 1440)
    episode.save(tmp_path / "e.gif", speed=50)
    assert Image.open(tmp_path / "e.gif").format == "GIF"
    episode.save(tmp_path / "e.mp4", speed=50)
    assert imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "e.mp4"))[0] > len(episode)


@needs("speed")
def test_layer_is_drawn_on_the_board() -> None:
    games = ludus.play("speed:width=10,height=10", ["speed.probability:layers=yes", "random"], seed=1)
    start = games[0][0]
    plain, seen = start.to_svg(), start.to_svg(layer="probability", seat=1)
    assert "probability of speed.probability" in svg_text(seen)
    assert "probability of" not in svg_text(plain)


@pytest.mark.parametrize(
    ("file", "options", "words"),
    [
        ("e.doc", {}, "e.doc .mp4 .gif .svg .png"),
        ("no/e.gif", {}, "no/e.gif folder"),
        ("e.gif", {"speed": 0}, "speed = 0"),
        ("e.gif", {"seat": 3, "layer": "heat"}, "seat 3 2"),
        ("e.svg", {"seat": 1}, "layer"),
    ],
)
def test_wrong_file_or_option_gets_one_sentence(
    episode: ludus.Episode, tmp_path: Path, file: str, options: dict[str, Any], words: str
) -> None:
    with one_sentence(words):
        episode.save(tmp_path / file, **options)
    assert not list(tmp_path.iterdir())


def test_replay_takes_stored_episodes_and_records(tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    cup = ludus.tournament("nim", ["random", "mc:iterations=5"], episodes=2, name="cup", store=store, workers=0)
    stored = ludus.replay("cup/2.1", store=store)
    assert stored.agents == ["mc:iterations=5", "random"]
    assert stored.record == cup.episode("2.1").record
    assert str(ludus.replay(stored.record)[-1]) == str(stored[-1])


def test_record_of_a_game_that_only_this_process_knows_needs_the_game() -> None:
    record = ludus.play(BiasedRockPaperScissors(), [AlwaysFirst(), AlwaysFirst()]).records[0]
    with pytest.raises(ludus.NotFoundError):
        ludus.replay(record)
    assert len(ludus.replay(record, game=BiasedRockPaperScissors())) == 1 + len(record.steps)


def test_record_that_breaks_the_rules_is_refused(episode: ludus.Episode) -> None:
    wrong = msgspec.structs.replace(episode.record, steps=[[Move(0, "z9")]])
    with pytest.raises(ludus.InvalidError, match="step 1"):
        ludus.replay(wrong)
    with pytest.raises(ludus.NotFoundError, match="nowhere"):
        ludus.replay("nowhere")
