"""The kinds of errors: a program that uses Ludus can tell them apart."""

import pickle
from pathlib import Path

import pytest

import ludus
from ludus.core.errors import BusyError, FileError, InvalidError, LudusError, NotFoundError
from ludus.core.paths import read_toml
from ludus.tournaments.plan import make_tournament


@pytest.mark.parametrize("kind", [NotFoundError, InvalidError, BusyError, FileError])
def test_every_kind_is_public_and_one_of_ludus(kind: type[LudusError]) -> None:
    assert kind.__name__ in ludus.__all__
    assert getattr(ludus, kind.__name__) is kind
    assert issubclass(kind, LudusError)


@pytest.mark.parametrize(
    ("game", "agents", "kind"),
    [
        ("conect-four", ["random"], NotFoundError),
        ("connect-four", ["ramdon"], NotFoundError),
        ("no/such/game.py", ["random"], NotFoundError),
        ("connect-four:rows=many", ["random"], InvalidError),
        ("connect-four", ["random:speed=9"], InvalidError),
        ("connect-four", ["random"], InvalidError),
    ],
)
def test_unknown_name_is_not_found_and_unusable_value_is_invalid(
    game: str, agents: list[str], kind: type[LudusError]
) -> None:
    with pytest.raises(kind):
        make_tournament(game, agents)


def test_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError) as error:
        read_toml(tmp_path)
    assert error.value.path == tmp_path
    assert str(error.value).startswith(f"{tmp_path} cannot be read: ")


def test_error_about_a_file_survives_the_way_between_processes() -> None:
    sent = pickle.loads(pickle.dumps(FileError("a.txt cannot be read: it is gone.", "a.txt")))
    assert (str(sent), sent.path) == ("a.txt cannot be read: it is gone.", Path("a.txt"))
