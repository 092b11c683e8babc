from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from ludus.store import open_store
from support.running import ludus, program
from support.samples import stored
from support.seer import SEER, record_of


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two episodes: one with layers of the first player in the record, one without."""
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    records = [record_of("connect-four", f"{SEER}:layers=yes", "random"), record_of("connect-four", SEER, "random")]
    path.write_text("\n".join(record.to_json() for record in records))
    return path


@pytest.mark.slow
def test_a_picture_of_the_end_is_written_if_nothing_else_is_asked_for(tmp_path: Path, file: Path) -> None:
    done = program("picture", str(file), "-o", str(tmp_path / "end.png"), columns=200)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{tmp_path / 'end.png'}\n", "")
    with Image.open(tmp_path / "end.png") as image:
        assert (image.format, image.size) == ("PNG", (2560, 1440))


def test_a_layer_comes_from_the_record(tmp_path: Path, file: Path) -> None:
    done = ludus("picture", str(file), "--round", "3", "--layer", "heat", "-o", str(tmp_path / "heat.png"))
    assert (done.returncode, done.stderr) == (0, "")
    done = ludus("picture", str(file), "--round", "3", "-o", str(tmp_path / "bare.png"))
    assert (tmp_path / "heat.png").read_bytes() != (tmp_path / "bare.png").read_bytes()


def test_a_picture_is_written_as_shapes_too(tmp_path: Path, file: Path) -> None:
    svg = tmp_path / "heat.svg"
    done = ludus("picture", str(file), "--round", "3", "--layer", "heat", "-o", str(svg), columns=200)
    assert (done.returncode, done.stdout) == (0, f"{svg}\n")
    drawing = ElementTree.parse(svg).getroot()
    assert drawing.attrib["viewBox"] == "0 0 1280 720"
    assert len(drawing) > 100


def test_that_an_agent_was_asked_again_is_said(tmp_path: Path, file: Path) -> None:
    png = str(tmp_path / "path.png")
    done = ludus("picture", str(file), "--number", "2", "--round", "3", "--layer", "path", "-o", png)
    assert done.returncode == 0
    assert done.stderr.startswith("The record has no such layer, so ")
    assert done.stderr.endswith(" was asked again.\n")


def test_without_a_round_a_layer_is_that_of_the_last_move(tmp_path: Path) -> None:
    record = record_of("connect-four", f"{SEER}:layers=yes", f"{SEER}:layers=yes")
    file = tmp_path / "game.jsonl"
    file.write_text(record.to_json())
    last = str(len(record.steps))
    for name, options in (("some.png", []), ("last.png", ["--round", last])):
        assert ludus("picture", str(file), "--layer", "path", "-o", str(tmp_path / name), *options).returncode == 0
    assert (tmp_path / "some.png").read_bytes() == (tmp_path / "last.png").read_bytes()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-o", "x.jpg"], "x.jpg does not say what to write: let it end in .png, .svg."),
        (["-o", "nowhere/x.png"], "nowhere/x.png cannot be written: there is no folder nowhere."),
        (["-o", "x.png", "--round", "99"], "There is no move 99: the episode has moves 1 to "),
        (["-o", "x.png", "--seat", "3", "--layer", "heat"], "There is no seat 3: the episode has 2."),
        (["-o", "x.png", "--seat", "1"], "--seat says whose layer is shown: give --layer too."),
        (["-o", "x.png", "--round", "1", "--layer", "probability"], "has no layer 'probability': there is heat and"),
        (["-o", "x.png", "--round", "2", "--layer", "heat"], "random 2 has no layers, and the record holds none."),
        (["-o", "x.png", "--layer", "warmth"], "warmth"),
    ],
)
def test_bad_wishes_get_one_sentence(file: Path, options: list[str], said: str) -> None:
    done = ludus("picture", str(file), *options, columns=200)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("old", "new"), [('"scores":[', '"scores":[1,'), ('"scores":', '"by":[7],"scores":')])
def test_a_record_that_is_not_true_is_refused(tmp_path: Path, old: str, new: str) -> None:
    broken = tmp_path / "broken.jsonl"
    text = record_of("connect-four", SEER, "random").to_json()
    assert old in text
    broken.write_text(text.replace(old, new))
    for command, name in (("picture", "x.png"), ("video", "x.gif")):
        done = ludus(command, str(broken), "-o", str(tmp_path / name), columns=200)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert "should not happen" not in done.stderr


def test_an_episode_of_the_store_is_drawn_by_its_name(tmp_path: Path) -> None:
    url = str(tmp_path / "ludus.db")
    with open_store(url) as store:
        stored(store)
    done = ludus("picture", "one mover at a time/1.2", "--store", url, "-o", str(tmp_path / "x.png"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "x.png").exists()


def test_help_has_an_example() -> None:
    assert "Example: ludus picture 3/12.4 --round 37 --layer heat -o heat.png" in ludus("picture", "--help").stdout
