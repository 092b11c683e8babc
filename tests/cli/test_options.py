import inspect
import re
from typing import Any

import pytest
import typer
from typer.exceptions import TyperException

from ludus.cli.options import with_limits
from ludus.core.text import parse_duration, parse_size
from ludus.episode.limits import Limits, Policy
from support.running import ludus


def called(*arguments: str) -> tuple[str, dict[str, Any], int]:
    """What a command with limits is called with."""
    got = []

    @with_limits
    def command(name: str, *, limits: dict[str, Any], last: int = 1) -> None:
        """Do something."""
        got.append((name, limits, last))

    app = typer.Typer()
    app.command()(command)
    app(arguments, standalone_mode=False)
    [found] = got
    return found


def test_a_command_gets_the_limits_that_are_given_and_no_others() -> None:
    assert called("x") == ("x", {}, 1)
    assert called("x", "--cpu", "5s", "--files", "3", "--last", "7") == ("x", {"cpu": 5 * 10**9, "files": 3}, 7)
    sizes = called("x", "--memory", "1GiB", "--output-limit", "4KiB", "--disk", "1MB", "--policy", "random")[1]
    assert sizes == {"memory": 1 << 30, "output": 4096, "disk": 10**6, "policy": Policy.RANDOM}


def test_every_limit_has_an_option_in_place_of_them_all() -> None:
    @with_limits
    def command(name: str, *, limits: dict[str, Any], last: int = 1) -> None:
        """Do something."""

    first, *limits, last = inspect.signature(command).parameters
    assert (first, last) == ("name", "last")
    assert sorted(limits) == sorted(Limits.__struct_fields__)
    assert command.__doc__ == "Do something."


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--cpu", "5x", "5x is not a time such as 250ms"),
        ("--disk", "5s", "5s is not a size such as 512MB"),
        ("--files", "0", "greater than or equal to 1"),
        ("--policy", "win", "'lose', 'random', 'soft'"),
    ],
)
def test_a_bad_limit_is_refused(option: str, value: str, said: str) -> None:
    with pytest.raises(TyperException) as caught:
        called("x", option, value)
    assert said in caught.value.format_message()


def test_help_tells_what_bots_have_where_nothing_is_set() -> None:
    shown = ludus("play", "--help", columns=200).stdout
    own = Limits().for_bots()
    for option, limit, read in (
        ("--prepare", own.preparation, parse_duration),
        ("--move-time", own.move, parse_duration),
        ("--memory", own.memory, parse_size),
    ):
        line = next(line for line in shown.splitlines() if f" {option} " in line)
        told = re.search(r"default: \((\w+) for bots\)", line)
        assert told is not None, line
        assert read(told[1]) == limit
