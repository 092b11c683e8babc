"""Ratings that are kept: read again for the same games, worked out for others."""

from pathlib import Path

import polars as pl
import pytest

from ludus.stats import rating_cache, two_players
from ludus.stats.rating_cache import remembered

GAMES = pl.DataFrame({"first": [0, 1, 0], "second": [1, 2, 2], "score": [1.0, 0.5, 0.0]})
calls = 0


def counted(agents: int, games: pl.DataFrame) -> pl.DataFrame:
    global calls
    calls += 1
    return two_players.elos(agents, games)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    global calls
    calls = 0
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    monkeypatch.setattr(rating_cache, "_FEW", 0)
    return tmp_path / "cache" / "ratings"


def test_same_games_are_worked_out_once() -> None:
    first = remembered(counted, 3, GAMES)
    assert remembered(counted, 3, GAMES).equals(first)
    assert first.equals(two_players.elos(3, GAMES))
    assert calls == 1


@pytest.mark.parametrize(
    ("agents", "games"),
    [
        (4, GAMES),
        (3, GAMES.with_columns(score=pl.lit(1.0))),
        (3, GAMES.reverse()),
        (3, GAMES.head(2)),
    ],
)
def test_other_games_are_not_taken_for_the_same(agents: int, games: pl.DataFrame) -> None:
    remembered(counted, 3, GAMES)
    assert remembered(counted, agents, games).equals(two_players.elos(agents, games))
    assert calls == 2


def test_file_that_cannot_be_read_is_written_anew(own_cache: Path) -> None:
    right = remembered(counted, 3, GAMES)
    (file,) = own_cache.iterdir()
    file.write_bytes(b"half a file")
    assert remembered(counted, 3, GAMES).equals(right)
    assert remembered(counted, 3, GAMES).equals(right)
    assert calls == 2


def test_ratings_come_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "no folder"
    file.touch()
    monkeypatch.setenv("LUDUS_HOME", str(file))
    assert remembered(counted, 3, GAMES).equals(two_players.elos(3, GAMES))


def test_few_games_leave_no_file(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating_cache, "_FEW", len(GAMES))
    assert remembered(counted, 3, GAMES).equals(two_players.elos(3, GAMES))
    assert not own_cache.exists()
