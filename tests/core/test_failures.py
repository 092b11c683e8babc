from pathlib import Path

import pytest

from ludus.core.failures import gist, place_in_users_file, show_traceback
from ludus.core.user_file import import_file

SOURCE = """
def outer():
    return inner({})

def inner(table):
    return table["missing"]

def given(function):
    return function()

def lazy():
    raise NotImplementedError("write me")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "theirs.py"
    made.write_text(SOURCE)
    return made


def caught(file: Path, name: str, *arguments: object) -> Exception:
    """The exception of a function in a user's file."""
    module = import_file(str(file))
    with pytest.raises(Exception) as found:  # noqa: PT011
        getattr(module, name)(*arguments)
    error = found.value
    assert error.__traceback__
    return error


def test_gist_names_the_file_and_the_line_that_raised(file: Path) -> None:
    assert gist(caught(file, "outer")) == "KeyError: 'missing' (theirs.py, line 6)"


def test_place_is_in_the_users_file_even_if_a_library_raised(file: Path) -> None:
    error = caught(file, "given", lambda: int("x"))
    assert place_in_users_file(error) == (str(file), 9)


def test_error_that_no_users_code_caused_has_no_place_in_it() -> None:
    with pytest.raises(ValueError, match="invalid") as found:
        int("x")
    assert place_in_users_file(found.value) is None
    assert gist(found.value) == "ValueError: invalid literal for int() with base 10: 'x'"


def test_missing_method_says_what_is_missing_and_not_where_it_was_called(file: Path) -> None:
    assert gist(caught(file, "lazy")) == "NotImplementedError: write me"


def test_gist_is_one_line_of_limited_length() -> None:
    assert gist(ValueError("\n\n first line. \n second")) == "ValueError: first line"
    assert len(gist(ValueError("x" * 10_000))) < 400


@pytest.mark.parametrize("wanted", ["", "1"])
def test_traceback_is_shown_on_request_only(
    file: Path, wanted: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LUDUS_DEBUG", wanted)
    show_traceback(caught(file, "outer"))
    said = capsys.readouterr()
    assert said.out == ""
    assert (f'File "{file}", line 6, in inner' in said.err) == bool(wanted)
