from pathlib import Path

import imageio_ffmpeg
import pytest
from PIL import Image

from ludus.store import open_store
from support.running import Terminal, ludus
from support.samples import stored
from support.seer import SEER, record_of


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An episode of tic-tac-toe."""
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    path.write_text(record_of("tic-tac-toe", "random", "random").to_json())
    return path


@pytest.mark.slow
def test_a_video_is_written_and_named(tmp_path: Path, file: Path) -> None:
    mp4 = tmp_path / "game.mp4"
    done = ludus("video", str(file), "-o", str(mp4), "--fps", "10", columns=200)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{mp4}\n", "")
    steps = len(record_of("tic-tac-toe", "random", "random").steps)
    assert imageio_ffmpeg.count_frames_and_secs(str(mp4))[0] == 25 + steps + 40


@pytest.mark.slow
def test_an_episode_of_the_store_is_filmed_by_its_name(tmp_path: Path) -> None:
    url = str(tmp_path / "ludus.db")
    with open_store(url) as store:
        stored(store)
    done = ludus("video", "one mover at a time/1.2", "--store", url, "-o", str(tmp_path / "x.GIF"))
    assert done.returncode == 0, done.stderr
    with Image.open(tmp_path / "x.GIF") as image:
        assert image.size == (960, 540)


@pytest.mark.slow
def test_a_video_shows_a_layer_of_the_record(tmp_path: Path) -> None:
    played = tmp_path / "game.jsonl"
    played.write_text(record_of("connect-four", f"{SEER}:layers=yes", "random").to_json())
    bare, seen = tmp_path / "bare.gif", tmp_path / "seen.gif"
    assert ludus("video", str(played), "-o", str(bare)).returncode == 0
    done = ludus("video", str(played), "-o", str(seen), "--layer", "heat", "--seat", "1", columns=200)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{seen}\n", "")
    assert bare.read_bytes() != seen.read_bytes()


@pytest.mark.slow
def test_progress_is_shown_on_a_terminal(tmp_path: Path, file: Path) -> None:
    terminal = Terminal("video", str(file), "-o", str(tmp_path / "x.gif"))
    terminal.wait_for("positions")
    terminal.wait_for("left")
    assert terminal.end() == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-o", "game.avi"], "game.avi does not say what to write: let it end in .mp4, .webm, .gif."),
        (["-o", "nowhere/game.mp4"], "nowhere/game.mp4 cannot be written: there is no folder nowhere."),
        (["-o", "game.mp4", "--fps", "0"], "--fps"),
        (["-o", "game.mp4", "--seat", "1"], "--seat says whose layer is shown: give --layer too."),
        (["-o", "game.mp4", "--layer", "heat"], "The record has no layer 'heat': play with layers=yes, or take 'ludus"),
        (["-o", "game.mp4", "--layer", "path", "--seat", "2"], "The record has no layer 'path' of player 2: play with"),
        (["-o", "game.mp4", "--number", "2"], "holds 1 records, so there is no number 2."),
    ],
)
def test_bad_wishes_get_one_sentence(file: Path, options: list[str], said: str) -> None:
    done = ludus("video", str(file), *options, columns=200)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_help_has_an_example() -> None:
    assert "Example: ludus video 3/12.4 -o game.mp4" in ludus("video", "--help").stdout
