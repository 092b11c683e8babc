"""docs/positions.md: every example is a position, written as its game writes it."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from ludus.core.registry import classes
from ludus.episode.opening import read_position
from ludus.games.game import Game, game_from
from support.installed_games import installed
from support.places import ROOT
from support.sentences import one_sentence

PAGE = ROOT / "docs" / "positions.md"


class Example(NamedTuple):
    """The section of the page on one game."""

    game: str
    spec: str
    text: str
    file: str


def examples() -> list[Example]:
    """Those of games that are there: those of plugins may not be installed."""
    found = []
    for section in PAGE.read_text().split("\n## ")[1:]:
        block = r"\n\n```text\n(.+?)\n```"
        match = re.search(rf"\nFor `(.+?)`:{block}\n\nThe same in a file:{block}", section, re.DOTALL)
        assert match, section
        found.append(Example(section.partition("\n")[0], *match.groups()))
    return [example for example in found if installed([example.game])]


EXAMPLES = examples()


@pytest.fixture(params=EXAMPLES, ids=[example.game for example in EXAMPLES])
def example(request: pytest.FixtureRequest) -> Example:
    pytest.importorskip({"chess": "chess", "openspiel": "pyspiel"}.get(request.param.game, "ludus"))
    return request.param


def test_page_tells_the_form_of_every_game_whose_positions_have_a_text_form() -> None:
    saved = [name for name, cls in classes(Game).items() if cls.save is not Game.save]
    assert sorted(example.game for example in EXAMPLES) == sorted(saved)


def test_example_is_loaded_and_saved_as_it_stands(example: Example) -> None:
    game = game_from(example.spec)
    assert game.name == example.game
    assert game.save(game.load(example.text)) == example.text


def test_blanks_and_ends_of_lines_around_a_position_do_not_matter(example: Example) -> None:
    game = game_from(example.spec)
    for text in (f"{example.text}\n", f"{example.text} \t\r\n", f"  {example.text}\r\n\r\n"):
        assert game.save(game.load(text)) == example.text


def test_file_may_hold_a_position_on_one_line_or_several(example: Example, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    game = game_from(example.spec)
    many = example.file.split("\n")
    assert len(many) > 1
    forms = [
        example.text,
        f"{example.text}\n",
        "\n".join(many),
        "\r\n".join([*many, ""]),
        "\n\n".join(f" {line} \t" for line in many) + "\n\n",
    ]
    for form in forms:
        file.write_bytes(form.encode())
        assert read_position(file, game) == example.text
    file.write_bytes(b"\xef\xbb\xbf" + forms[0].encode())
    assert read_position(str(file), game) == example.text


def test_text_that_is_not_a_position_is_refused_with_the_file_and_the_game(example: Example, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    game = game_from(example.spec)
    for content in ("?", "?\n?\nx\n", "x x x\n\n"):
        file.write_text(content)
        with one_sentence(f"{file} {game.name}"):
            read_position(file, game)


def test_missing_and_binary_files_are_refused(tmp_path: Path) -> None:
    game = game_from("tic-tac-toe")
    with one_sentence(f"{tmp_path / 'none.txt'}"):
        read_position(tmp_path / "none.txt", game)
    file = tmp_path / "board.txt"
    file.write_bytes(b"\xff\xfe\x00")
    with one_sentence(f"{file} text"):
        read_position(file, game)


def test_empty_file_is_refused_as_a_position_of_a_board(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("\n \n")
    with one_sentence(f"{file} 3 rows letters"):
        read_position(file, game_from("tic-tac-toe"))


def test_end_of_a_game_cannot_be_a_start(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("xxx\noo.\n...\n")
    with one_sentence(f"{file} xxx/oo./... end"):
        read_position(file, game_from("tic-tac-toe"))
