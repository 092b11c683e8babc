import inspect
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.exceptions import TyperException

from ludus.cli.options import with_options
from ludus.core.text import parse_duration, parse_size
from ludus.episode.limits import Limits, Policy
from ludus.tournaments.run_options import RunOptions
from support.redeclared import printed_with, with_field
from support.running import ludus

Called = tuple[str, dict[str, Any], dict[str, Any], int]


def called(*arguments: str) -> Called:
    """The arguments that a command with run options and limits receives."""
    got = []

    @with_options()
    def command(title: str, *, options: dict[str, Any], limits: dict[str, Any], last: int = 1) -> None:
        """Do something."""
        got.append((title, options, limits, last))

    app = typer.Typer()
    app.command()(command)
    app(arguments, standalone_mode=False)
    [found] = got
    return found


def test_a_command_gets_what_is_given_and_nothing_else() -> None:
    assert called("x") == ("x", {}, {}, 1)
    assert called("x", "--cpu", "5s", "--files", "3", "--last", "7") == ("x", {}, {"cpu": 5 * 10**9, "files": 3}, 7)
    sizes = called("x", "--memory", "1GiB", "--output-limit", "4KiB", "--disk", "1MB", "--policy", "random")[2]
    assert sizes == {"memory": 1 << 30, "output": 4096, "disk": 10**6, "policy": Policy.RANDOM}
    given = called("x", "--name", "cup", "--seed", "3", "--timed", "-B", "x../.../...", "--patience", "1m")[1]
    assert given == {"name": "cup", "seed": 3, "timed": True, "position": "x../.../...", "patience": 60 * 10**9}


def test_a_number_alone_is_milliseconds() -> None:
    assert called("x", "-t", "300000", "-g", "60000")[2] == {"move": 300 * 10**9, "grace": 60 * 10**9}


def test_every_declared_option_takes_the_place_of_its_group() -> None:
    @with_options(without=["plies", "workers"])
    def command(title: str, *, options: dict[str, Any], limits: dict[str, Any], last: int = 1) -> None:
        """Do something."""

    first, *options, last = inspect.signature(command).parameters
    assert (first, last) == ("title", "last")
    declared = {*RunOptions.__struct_fields__, *Limits.__struct_fields__} - {"plies", "workers"}
    assert sorted(options) == sorted(declared)
    assert command.__doc__ == "Do something."


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--cpu", "5x"),
        ("--disk", "5s"),
        ("--files", "0"),
        ("--policy", "win"),
        ("--seed", "-1"),
        ("--seed", "1.5"),
        ("--workers", "many"),
        ("--patience", "soon"),
    ],
)
def test_a_bad_value_is_refused_by_its_option(option: str, value: str) -> None:
    with pytest.raises(TyperException) as caught:
        called("x", option, value)
    assert option in caught.value.format_message()
    assert f"'{value}'" in caught.value.format_message()


def test_help_shows_what_bots_have_if_nothing_is_set() -> None:
    shown = ludus("play", "--help", columns=200).stdout
    own = Limits().for_bots()
    for option, limit, read in (
        ("--prepare", own.preparation, parse_duration),
        ("--move-time", own.move, parse_duration),
        ("--memory", own.memory, parse_size),
    ):
        told = re.search(rf"{option} [^-]*?default:\s+(\w+)\s+for\s+bots", shown)
        assert told is not None, shown
        assert read(told[1]) == limit


# --- One more option, declared once ---------------------------------------------------------------------------------

NAPS = 'naps: Annotated[int, RunOption(whole(0, 9), "Naps between episodes.")] = 0'


@pytest.fixture
def source() -> str:
    return with_field("ludus.tournaments.run_options", "RunOptions", NAPS)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "compare", "sweep", "play"])
def test_one_more_run_option_is_in_the_help_of_every_command(source: str, command: str) -> None:
    program = f"import sys; sys.argv[1:] = [{command!r}, '--help']\nfrom ludus.cli import main\nmain()"
    shown = printed_with("ludus.tournaments.run_options", source, program)
    assert "--naps N" in shown
    assert "Naps between episodes." in shown


@pytest.mark.slow
def test_one_more_run_option_is_a_key_of_tournament_files(source: str, tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('game = "nim"\nagents = ["random", "mc"]\nnaps = 3\n')
    program = f"""
from ludus.tournaments.file import read_tournament
print(read_tournament({str(file)!r}).options.naps, read_tournament({str(file)!r}, {{"naps": 4}}).options.naps)
"""
    assert printed_with("ludus.tournaments.run_options", source, program) == "3 4\n"
