from pathlib import Path
from typing import Any

import altair as alt
import pytest

import ludus
from ludus.stats.clock import kept_clock
from support.fragments import Fragment
from support.sentences import missing

FIELD = ["random", "mc:iterations=5", "mcts:simulations=10"]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "s.db"


def studied(kind: Any, store: Path, **settings: Any) -> ludus.Study:
    return ludus.study(kind, "tic-tac-toe", FIELD, name="cup", store=store, **{"workers": 0, **settings})


def test_study_has_findings_tables_charts_and_its_tournaments(store: Path) -> None:
    found = studied("openings", store, random_plies=[0, 1], repetitions=2, by="glicko")
    assert found.sentences[0].startswith("1 random ply: ")
    assert found.tables["compared"]["setting"].to_list() == [0, 1]
    assert [results.tournament.name for results in found.results] == ["cup, repeated", "cup, repeated, 1 random ply"]
    assert list(found.charts) == ["Ratings by random plies", "Rank shifts"]
    assert all(isinstance(chart, alt.TopLevelMixin) for chart in found.charts.values())


def test_more_repetitions_play_only_what_is_new(store: Path) -> None:
    played = [
        studied("repetition", store, repetitions=repetitions).results[0].episodes()["repetition", "played", "scores"]
        for repetitions in (2, 3, 2)
    ]
    assert [frame["repetition"].n_unique() for frame in played] == [2, 3, 3]
    assert played[1].head(len(played[0])).equals(played[0])
    assert played[2].equals(played[1])


def test_tournament_of_a_file_with_repetitions_grows(store: Path, tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f'game = "tic-tac-toe"\nagents = {FIELD}\nrepetitions = 2\nworkers = 0\n')
    ludus.tournament(file, store=store)
    found = ludus.study("commutativity", file, store=store, repetitions=3)
    assert (found.results[0].id, found.results[0].played) == (1, 3 * 6)
    assert ludus.study("repetition", file, store=store).results[0].id == 1


def test_study_is_shown_in_a_notebook_and_saved_as_a_page(store: Path, tmp_path: Path) -> None:
    found = studied("fraction", store, shares=[50], subset="balanced", repetitions=2)
    shown = Fragment(found._repr_html_())
    assert "A fraction of the matches: cup" in shown.text
    assert found.sentences[0] in shown.text
    assert len(shown.tables) == 2
    assert shown.pictures[0][1].startswith(b"\x89PNG")
    found.save(tmp_path / "study.html")
    assert "<figure" in (tmp_path / "study.html").read_text()
    with pytest.raises(ludus.InvalidError, match="html"):
        found.save(tmp_path / "study.txt")


@pytest.mark.slow
def test_clock_is_measured_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    found = ludus.study("clock")
    assert len(found.tables["sorts"]) == 9
    assert kept_clock() is not None
    assert "clock" in repr(found)


@pytest.mark.parametrize(
    ("words", "settings", "named"),
    [
        (("repetition",), {}, "game repetition"),
        (("repetition", "nim"), {}, "Agents .toml"),
        (("clock", "nim"), {}, "ludus.study('clock')"),
        (("repetition", "nim", FIELD), {"by": "median"}, "median glicko"),
        (("repetition", "nim:players=3", FIELD), {"by": "glicko"}, "glicko rating points"),
        (("commutativity", "nim:players=3", FIELD), {}, "two 3"),
        (("openings", "nim", FIELD), {"random_plies": ["x"]}, "random_plies"),
    ],
)
def test_what_a_study_cannot_do_is_refused_before_anything_is_played(
    store: Path, words: tuple[Any, ...], settings: dict[str, Any], named: str
) -> None:
    with pytest.raises(ludus.InvalidError) as refusal:
        ludus.study(*words, store=store, **settings)
    assert not missing(str(refusal.value), named)
    assert not store.exists()
