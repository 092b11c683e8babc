"""Maps of ReversiXT: their text is read and written, and what is wrong with one is said with its line."""

import re
from pathlib import Path

import pytest

from games.reversixt.recorded import MAPS, needs_recorded_games
from ludus.errors import LudusError
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.maps import Map, Transition, find_map, parse_map, read_map, shipped_map, shipped_maps

TEXT = "2\n1\n3 2\n2 3\n0 1 2\nb - x\n0 0 6 <-> 2 1 2\n"


def test_a_map_says_players_stones_bombs_fields_and_transitions() -> None:
    assert parse_map(TEXT) == Map(2, 1, 3, 2, ("012", "b-x"), (Transition(0, 0, 6, 2, 1, 2),))


def test_a_map_is_written_as_it_was_read() -> None:
    assert parse_map(TEXT).text() == TEXT


@pytest.mark.parametrize(
    "text", [TEXT.replace("\n", "\r\n"), TEXT.replace("\n", "  \n"), TEXT.rstrip("\n"), TEXT + "\n\n"]
)
def test_line_ends_and_blanks_do_not_matter(text: str) -> None:
    assert parse_map(text) == parse_map(TEXT)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("2\n1\n3 2", "9\n1\n3 2", "line 1: 9 is no number of players from 2 to 8"),
        ("2\n1\n3 2", "two\n1\n3 2", "line 1: 'two' is not the number of players"),
        ("\n1\n3 2", "\n-1\n3 2", "line 2: '-1' is not the number of override stones"),
        ("3 2\n2 3", "3\n2 3", "line 3: '3' is not the number of bombs and their radius"),
        ("2 3\n0", "2 300000\n0", "line 4: a map of 2×300000 fields should have 1 to 65,536"),
        ("0 1 2\n", "0 1 3\n", "line 5: '3' is no field of a map for 2 players"),
        ("0 1 2\n", "0 1 q\n", "line 5: 'q' is no field of a map for 2 players"),
        ("0 1 2\n", "0 1\n", "line 5: the row has 2 fields, not 3"),
        ("b - x\n0 0 6 <-> 2 1 2\n", "", "line 6 is missing, which should hold a row of 3 fields"),
        ("<->", "->", "line 7: '0 0 6 -> 2 1 2' is no transition: write x1 y1 r1 <-> x2 y2 r2"),
        ("0 0 6 <->", "0 5 6 <->", "line 7: 0 5 is not on the map"),
        ("0 0 6 <->", "1 1 6 <->", "line 7: 1 1 is a hole, from which nothing leads"),
        ("0 0 6 <->", "0 0 8 <->", "line 7: 8 is no direction from 0 to 7"),
        ("2 1 2\n", "2 1 2\n2 1 2 <-> 1 0 0\n", "line 8: 2 1 2 has a transition already"),
    ],
)
def test_what_is_wrong_with_a_map_is_said_with_its_line(old: str, new: str, told: str) -> None:
    with pytest.raises(LudusError, match=f"^{re.escape(told)}"):
        parse_map(TEXT.replace(old, new, 1))


def test_a_map_can_stand_in_a_spec() -> None:
    chart = parse_map(TEXT)
    assert find_map(chart.packed()) == chart
    assert not set(chart.packed()) & set(",:= ")


def test_a_spec_holds_the_map_of_a_file_so_that_it_is_not_needed_again(tmp_path: Path) -> None:
    file = tmp_path / "mine.map"
    file.write_text(shipped_map("cross").text())
    spec = ReversiXT(map=str(file)).spec()
    file.unlink()
    game = ReversiXT(map=spec.removeprefix("reversixt:map="))
    assert game.chart == shipped_map("cross")
    assert game.spec() == spec


def test_the_name_of_a_shipped_map_stands_in_a_spec() -> None:
    assert ReversiXT(map="cross").spec() == "reversixt:map=cross"


@pytest.mark.parametrize("name", shipped_maps())
def test_every_shipped_map_can_be_played(name: str) -> None:
    assert parse_map(shipped_map(name).text()) == shipped_map(name)
    assert ReversiXT(map=name).facts().players == shipped_map(name).players


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("cros", "there is no map 'cros', perhaps you mean 'cross': name a file, or one of"),
        ("~nonsense", "is no map: what begins with '~' is the short form that Ludus writes"),
    ],
)
def test_a_map_that_is_not_there_is_told(given: str, told: str) -> None:
    with pytest.raises(LudusError, match=told):
        ReversiXT(map=given)


def test_a_file_that_is_no_map_is_told_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "broken.map").write_text("2\n0\n")
    (tmp_path / "picture.map").write_bytes(bytes(range(256)))
    with pytest.raises(LudusError, match=r"broken.map holds no map: line 3 is missing"):
        read_map(tmp_path / "broken.map")
    with pytest.raises(LudusError, match=r"picture.map holds no map: it is not text"):
        read_map(tmp_path / "picture.map")


def test_a_map_on_which_nothing_can_be_done_is_told() -> None:
    with pytest.raises(LudusError, match="nobody can move on this map, nor throw a bomb"):
        ReversiXT(map=Map(2, 0, 0, 0, ("100", "002")).packed()).facts()


@needs_recorded_games
@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
def test_real_maps_are_read_and_written(path: Path) -> None:
    chart = read_map(path)
    assert parse_map(chart.text()) == chart
    assert find_map(chart.packed()) == chart
