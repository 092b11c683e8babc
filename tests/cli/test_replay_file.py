"""Pictures and videos that `ludus replay` writes."""

import io
import json
from pathlib import Path
from xml.etree import ElementTree

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

from ludus.store import open_store
from support.running import Terminal, ludus, program
from support.samples import stored
from support.seer import SEER, record_of
from support.sentences import missing


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two episodes: one with layers of the first player in the record, one without."""
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    records = [record_of("connect-four", f"{SEER}:layers=yes", "random"), record_of("connect-four", SEER, "random")]
    path.write_text("\n".join(record.to_json() for record in records))
    return path


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An episode of tic-tac-toe."""
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    path.write_text(record_of("tic-tac-toe", "random", "random").to_json())
    return path


def written(file: Path, *options: str) -> bytes:
    """The file that replaying with these options writes."""
    to = file.with_name(f"written{'-'.join(options).replace('/', '')}.png")
    done = ludus("replay", str(file), *options, "-o", str(to), columns=200)
    assert done.returncode == 0, done.stderr
    return to.read_bytes()


# --- Pictures -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_picture_shows_the_end_by_default(tmp_path: Path, file: Path) -> None:
    done = program("replay", str(file), "-o", str(tmp_path / "end.png"), columns=200)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{tmp_path / 'end.png'}\n", "")
    with Image.open(tmp_path / "end.png") as image:
        assert (image.format, image.size) == ("PNG", (2560, 1440))


def test_the_picture_of_a_move_shows_the_position_after_it(short: Path) -> None:
    last = len(record_of("tic-tac-toe", "random", "random").steps)
    assert written(short) == written(short, "--move", str(last))
    assert len({written(short, "--move", str(move)) for move in range(last + 1)}) == last + 1


def test_a_layer_lies_on_the_board_on_which_the_move_was_chosen(file: Path) -> None:
    bare = np.asarray(Image.open(io.BytesIO(written(file, "--move", "2"))))
    seen = np.asarray(Image.open(io.BytesIO(written(file, "--move", "3", "--layer", "heat"))))
    board = slice(60, 1380)
    changed = np.argwhere((bare[board, board] != seen[board, board]).any(axis=2))
    assert 0 < len(changed) < 200 * 200
    assert changed.max() < 400


def test_a_picture_is_written_as_shapes_too(tmp_path: Path, file: Path) -> None:
    svg = tmp_path / "heat.svg"
    done = ludus("replay", str(file), "--move", "3", "--layer", "heat", "-o", str(svg), columns=200)
    assert (done.returncode, done.stdout) == (0, f"{svg}\n")
    drawing = ElementTree.parse(svg).getroot()
    assert drawing.attrib["viewBox"] == "0 0 1280 720"
    assert len(drawing) > 100


def test_asking_an_agent_again_is_reported(tmp_path: Path, file: Path) -> None:
    png = str(tmp_path / "path.png")
    done = ludus("replay", str(file), "--number", "2", "--move", "3", "--layer", "path", "-o", png)
    assert done.returncode == 0
    assert not missing(done.stderr, "layer asked again")
    assert done.stderr.count("\n") == 1


def test_without_a_move_a_layer_is_that_of_the_last_one(tmp_path: Path) -> None:
    record = record_of("connect-four", f"{SEER}:layers=yes", f"{SEER}:layers=yes")
    file = tmp_path / "game.jsonl"
    file.write_text(record.to_json())
    assert written(file, "--layer", "path") == written(file, "--layer", "path", "--move", str(len(record.steps)))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["-o", "x.jpg"], "x.jpg .png, .svg, .mp4, .webm, .gif"),
        (["-o", "nowhere/x.png"], "nowhere/x.png"),
        (["-o", "x.png", "--move", "99"], "99 moves 1"),
        (["-o", "x.png", "--pace", "1"], "--pace videos"),
        (["-o", "x.png", "--seat", "3", "--layer", "heat"], "seat 3 2"),
        (["-o", "x.png", "--seat", "1"], "--seat --layer"),
        (["-o", "x.png", "--move", "1", "--layer", "probability"], "'probability' heat path"),
        (["-o", "x.png", "--move", "0", "--layer", "heat"], "start move 1"),
        (["-o", "x.png", "--move", "2", "--layer", "heat"], "random 2 layers"),
        (["-o", "x.png", "--layer", "warmth"], "warmth"),
        (["--layer", "heat"], "--layer -o"),
        (["--move", "99"], "99 moves 1"),
    ],
)
def test_impossible_picture_gets_one_sentence(file: Path, options: list[str], named: str) -> None:
    done = ludus("replay", str(file), *options, columns=200)
    assert done.returncode == 2
    assert not missing(done.stderr, named)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("old", "new"), [('"scores":[', '"scores":[1,'), ('"scores":', '"by":[7],"scores":')])
def test_inconsistent_record_is_refused(tmp_path: Path, old: str, new: str) -> None:
    broken = tmp_path / "broken.jsonl"
    text = record_of("connect-four", SEER, "random").to_json()
    assert old in text
    broken.write_text(text.replace(old, new))
    for name in ("x.png", "x.gif"):
        done = ludus("replay", str(broken), "-o", str(tmp_path / name), columns=200)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert "should not happen" not in done.stderr


@pytest.mark.parametrize("name", ["x.png", "x.GIF"])
def test_stored_episode_is_drawn_by_its_name(tmp_path: Path, name: str) -> None:
    url = str(tmp_path / "ludus.db")
    with open_store(url) as store:
        stored(store)
    done = ludus("replay", "one mover at a time/1.2", "--store", url, "-o", str(tmp_path / name))
    assert done.returncode == 0, done.stderr
    with Image.open(tmp_path / name) as image:
        assert image.size == ((2560, 1440) if name == "x.png" else (960, 540))


# --- Videos -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_video_is_written_and_its_file_named(tmp_path: Path, short: Path) -> None:
    mp4 = tmp_path / "game.mp4"
    done = ludus("replay", str(short), "-o", str(mp4), "--pace", "0.1", columns=200)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{mp4}\n", "")
    steps = len(record_of("tic-tac-toe", "random", "random").steps)
    assert imageio_ffmpeg.count_frames_and_secs(str(mp4))[0] == 25 + steps + 40


def test_a_video_shows_a_layer_of_the_record(tmp_path: Path, file: Path) -> None:
    bare, seen = tmp_path / "bare.gif", tmp_path / "seen.gif"
    assert ludus("replay", str(file), "-o", str(bare)).returncode == 0
    done = ludus("replay", str(file), "-o", str(seen), "--layer", "heat", "--seat", "1", columns=200)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{seen}\n", "")
    assert bare.read_bytes() != seen.read_bytes()


@pytest.mark.slow
def test_progress_is_shown_on_a_terminal(tmp_path: Path, short: Path) -> None:
    terminal = Terminal("replay", str(short), "-o", str(tmp_path / "x.gif"))
    terminal.wait_for("positions")
    terminal.wait_for("left")
    assert terminal.end() == 0


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["-o", "nowhere/game.mp4"], "nowhere/game.mp4"),
        (["-o", "game.mp4", "--pace", "0.01"], "--pace 0.01 0.02"),
        (["-o", "game.mp4", "--move", "2"], "--move .png .svg"),
        (["-o", "game.mp4", "--seat", "1"], "--seat --layer"),
        (["-o", "game.mp4", "--layer", "heat"], "'heat' layers=yes"),
        (["-o", "game.mp4", "--layer", "path", "--seat", "2"], "'path' 2 layers=yes"),
        (["-o", "game.mp4", "--number", "2"], "1 record 2"),
    ],
)
def test_impossible_video_gets_one_sentence(short: Path, options: list[str], named: str) -> None:
    done = ludus("replay", str(short), *options, columns=200)
    assert done.returncode == 2
    assert not missing(done.stderr, named)
    assert done.stderr.count("\n") == 1


def test_a_page_has_the_whole_episode_and_needs_nothing_else(tmp_path: Path, file: Path) -> None:
    page = tmp_path / "episode.html"
    done = ludus("replay", str(file), "-o", str(page))
    assert done.returncode == 0
    text = page.read_text(encoding="utf-8")
    data = json.loads(text.split('id="episode-data">')[1].split("</script>")[0])
    assert data["head"]["positions"] == sum(len(piece["frames"]) for piece in data["pieces"])
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "https://" not in text


@pytest.mark.parametrize("option", [["--move", "2"], ["--pace", "1"], ["--layer", "heat"]])
def test_a_page_takes_no_options_of_pictures(tmp_path: Path, file: Path, option: list[str]) -> None:
    page = tmp_path / "episode.html"
    done = ludus("replay", str(file), "-o", str(page), *option)
    assert done.returncode == 2
    assert str(page) in done.stderr.replace("\n", "")
    assert not page.exists()
