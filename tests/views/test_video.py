import sys
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image, ImageSequence

from ludus.core.errors import LudusError
from ludus.kernel.state import Array
from ludus.views.boards.colours import PAPER, rgb
from ludus.views.boards.seen_layers import see
from ludus.views.video import usual_speed, write_video
from support.drawn_pictures import picture, title
from support.seer import SEER, episode_of, record_of

pytestmark = pytest.mark.slow


def decoded(file: Path) -> tuple[dict[str, object], list[Array]]:
    """The properties of a video, and its pictures."""
    frames = imageio_ffmpeg.read_frames(str(file))
    told = next(frames)
    width, height = told["size"]
    return told, [np.frombuffer(frame, np.uint8).reshape(height, width, 3).astype(int) for frame in frames]


@pytest.mark.parametrize(("ending", "codec"), [(".mp4", "h264"), (".webm", "vp9")])
def test_a_video_has_a_title_every_position_and_the_result(tmp_path: Path, ending: str, codec: str) -> None:
    episode = episode_of(record_of("tic-tac-toe", "random", "random"))
    file = tmp_path / f"game{ending}"
    done = list(write_video(episode, file, 2.0))
    assert done == list(range(1, len(episode.moments) + 1))
    told, pictures = decoded(file)
    assert (told["codec"], told["size"], told["fps"]) == (codec, (1280, 720), 10.0)
    assert str(told["pix_fmt"]).startswith("yuv420p")
    assert len(pictures) == 25 + 5 * (len(episode.moments) - 1) + 40
    wanted = [title(episode), *(picture(episode, moment) for moment in episode.moments)]
    for place, drawn in zip([3, *range(25, len(pictures), 5)], wanted, strict=False):
        assert np.abs(pictures[place] - np.asarray(drawn)).mean() < 1.5
    assert np.abs(pictures[3] - pictures[27]).mean() > 2
    end_as_drawn = np.asarray(wanted[-1]).astype(int)
    coloured = np.ptp(end_as_drawn, axis=2) > 100
    assert coloured.sum() > 1000
    assert np.abs(pictures[-1] - end_as_drawn)[coloured].mean() < 5
    assert list(tmp_path.iterdir()) == [file]


def test_a_gif_has_the_positions_as_often_as_was_asked_for(tmp_path: Path) -> None:
    episode = episode_of(record_of("tic-tac-toe", "random", "random"))
    file = tmp_path / "game.gif"
    list(write_video(episode, file, 2.0))
    with Image.open(file) as image:
        assert (image.format, image.size, image.info["loop"]) == ("GIF", (960, 540), 0)
        seconds, pictures = 0.0, []
        for frame in ImageSequence.Iterator(image):
            seconds += frame.info["duration"] / 1000
            pictures.append(np.asarray(frame.convert("RGB")).astype(int))
    assert seconds == pytest.approx(2.5 + (len(episode.moments) - 1) / 2 + 4)
    wanted = np.asarray(picture(episode, episode.last, scale=0.75)).astype(int)
    assert np.abs(pictures[-1] - wanted).mean() < 1.5
    assert tuple(pictures[0][0, 0]) == rgb(PAPER)


def test_a_video_shows_what_an_agent_saw_where_the_record_has_it(tmp_path: Path) -> None:
    episode = episode_of(record_of("connect-four", f"{SEER}:layers=yes", "random"))
    list(write_video(episode, tmp_path / "game.mp4", 10.0, "heat"))
    pictures = decoded(tmp_path / "game.mp4")[1]
    first, second, *_ = (picture(episode, moment) for moment in episode.moments)
    with_layer = picture(episode, episode.moments[0], see(episode, 0, "heat", None))
    assert np.abs(pictures[25] - np.asarray(first)).mean() > 3
    assert np.abs(pictures[25] - np.asarray(with_layer)).mean() < 1.5
    assert np.abs(pictures[26] - np.asarray(second)).mean() < 1.5


def test_layers_of_a_wrong_size_are_one_sentence_and_leave_no_file(tmp_path: Path) -> None:
    episode = episode_of(record_of("connect-four", f"{SEER}:layers=yes,wrong=yes", "random"))
    with pytest.raises(LudusError, match=r"'heat'.* 7×7 .* 7×6"):
        list(write_video(episode, tmp_path / "game.mp4", 10.0, "heat"))
    assert list(tmp_path.iterdir()) == []


def test_an_episode_without_a_move_is_a_video_too(tmp_path: Path) -> None:
    record = record_of("connect-four", f"{SEER}:fails=yes", "random")
    episode = episode_of(record)
    assert len(episode.moments) == 1
    assert list(write_video(episode, tmp_path / "game.gif", 1.0)) == [1]
    with Image.open(tmp_path / "game.gif") as image:
        assert image.size == (960, 540)


@pytest.mark.parametrize(("moves", "speed"), [(0, 1.0), (9, 1.0), (60, 3.0), (400, 20.0), (5000, 30.0)])
def test_a_usual_video_takes_some_twenty_seconds(moves: int, speed: float) -> None:
    assert usual_speed(moves) == speed


def test_what_cannot_be_written_is_one_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "game.gif").mkdir()
    episode = episode_of(record_of("tic-tac-toe", "random", "random"))
    with pytest.raises(LudusError, match=r"game.gif cannot be written: Is a directory"):
        list(write_video(episode, tmp_path / "game.gif", 50))
    assert [path.name for path in tmp_path.iterdir()] == ["game.gif"]


def test_an_ffmpeg_that_fails_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "ffmpeg"
    program.write_text("#!/bin/sh\necho 'no such codec.' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(program))
    episode = episode_of(record_of("tic-tac-toe", "random", "random"))
    with pytest.raises(LudusError, match=r"game.mp4 cannot be written: ffmpeg reports 'no such codec'"):
        list(write_video(episode, tmp_path / "game.mp4", 50))
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(tmp_path / "nothing"))
    with pytest.raises(LudusError, match="ffmpeg cannot be started"):
        list(write_video(episode, tmp_path / "game.mp4", 50))


def test_without_the_extra_the_system_s_ffmpeg_encodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ffmpeg").symlink_to(imageio_ffmpeg.get_ffmpeg_exe())
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    list(write_video(episode_of(record_of("tic-tac-toe", "random", "random")), tmp_path / "game.mp4", 50))
    assert decoded(tmp_path / "game.mp4")[0]["codec"] == "h264"


def test_without_any_ffmpeg_a_gif_is_still_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    episode = episode_of(record_of("tic-tac-toe", "random", "random"))
    with pytest.raises(LudusError, match=r"pip install 'ludus\[video\]', or write a GIF"):
        list(write_video(episode, tmp_path / "game.webm", 50))
    list(write_video(episode, tmp_path / "game.gif", 50))
    assert [path.name for path in tmp_path.iterdir()] == ["game.gif"]


def test_a_video_that_is_broken_off_leaves_no_file(tmp_path: Path) -> None:
    writing = write_video(episode_of(record_of("othello", "random", "random")), tmp_path / "game.mp4", 50)
    next(writing)
    writing.close()
    assert list(tmp_path.iterdir()) == []
