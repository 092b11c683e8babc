"""The kinds of errors: a program that uses Ludus can tell them apart."""

import pickle
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import ludus
from ludus.core.errors import BusyError, FileError, InvalidError, LudusError, NotFoundError, from_words, to_words
from ludus.core.paths import read_toml
from ludus.store import connect, open_store
from ludus.tournaments.plan import make_tournament


@pytest.mark.parametrize("kind", [NotFoundError, InvalidError, BusyError, FileError])
def test_every_kind_is_public_and_a_ludus_error(kind: type[LudusError]) -> None:
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


def test_error_about_a_file_survives_pickling() -> None:
    sent = pickle.loads(pickle.dumps(FileError("a.txt cannot be read: it is gone.", "a.txt")))
    assert (str(sent), sent.path) == ("a.txt cannot be read: it is gone.", Path("a.txt"))


@contextmanager
def locked(file: Path, how: str) -> Iterator[None]:
    """Lock a database as another program does."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        for command in how.split(";"):
            other.execute(command)
        yield


@pytest.mark.slow
@pytest.mark.parametrize("how", ["BEGIN IMMEDIATE", "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE"])
def test_locked_database_is_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    monkeypatch.setattr(connect, "_PATIENCE", 0.1)
    file = tmp_path / "ludus.db"
    open_store(str(file)).close()
    with locked(file, how), pytest.raises(ludus.BusyError) as error:
        ludus.tournament("tic-tac-toe", ["random", "mc"], episodes=2, store=file)
    assert str(file) in str(error.value)


@pytest.mark.slow
def test_locked_file_that_is_not_yet_a_store_is_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "_PATIENCE", 0.1)
    file = tmp_path / "ludus.db"
    with locked(file, "BEGIN EXCLUSIVE"), pytest.raises(ludus.BusyError):
        ludus.load(1, store=file)


@pytest.mark.slow
def test_tournament_that_is_being_played_is_busy(tmp_path: Path) -> None:
    file = tmp_path / "ludus.db"
    cup = ludus.tournament("tic-tac-toe", ["random", "mc"], name="Cup", episodes=2, store=file)
    with open_store(str(file)) as store, store.lock(cup.id), pytest.raises(ludus.BusyError) as error:
        ludus.tournament("tic-tac-toe", ["random", "mc"], name="Cup", episodes=2, store=file)
    assert "'Cup'" in str(error.value)


LOST_MODEL = """
from ludus import Agent, Choice, NotFoundError


class Trained(Agent):
    name = "trained"

    def prepare(self, game):
        raise NotFoundError("No model is called 'best'.")

    def begin(self, game, seat, seed): ...

    def choose(self, view, clock):
        return Choice(0)
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 1])
def test_error_of_an_agent_keeps_its_kind_in_a_worker(tmp_path: Path, workers: int) -> None:
    file = tmp_path / "trained.py"
    file.write_text(LOST_MODEL)
    with pytest.raises(NotFoundError) as error:
        ludus.tournament(
            "tic-tac-toe", ["random", f"{file}:Trained"], episodes=2, store=tmp_path / "a.db", workers=workers
        )
    assert "'best'" in str(error.value)


@pytest.mark.parametrize(
    "error", [LudusError("a"), NotFoundError("b"), InvalidError("c"), BusyError("d"), FileError("e", "f.txt")]
)
def test_error_read_back_from_words_is_the_same(error: LudusError) -> None:
    found = from_words(to_words(error))
    assert (type(found), str(found), vars(found)) == (type(error), str(error), vars(error))


def test_kind_of_error_that_ludus_does_not_know_is_a_ludus_error() -> None:
    class StrangeError(LudusError): ...

    assert type(from_words(to_words(StrangeError("odd")))) is LudusError


def test_error_is_one_line_of_limited_length_whatever_it_repeats() -> None:
    assert str(InvalidError("'a\n\tb' is\r\nwrong.")) == "'a b' is wrong."
    long = str(FileError(f"'{'x' * 100_000}' cannot be read.", "there"))
    assert len(long) < 1100
    assert long.startswith("'xxx")
    assert long.endswith("cannot be read.")
