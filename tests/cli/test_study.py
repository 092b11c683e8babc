import json
from pathlib import Path

import msgspec
import pytest

from ludus.stats.clock import keep_clock, kept_clock
from support.running import ludus, program
from support.sentences import missing

CUP = """
name = "cup"
game = "tic-tac-toe"
episodes = 2
repetitions = 2
seed = 1
workers = 1
agents = ["random", "mc:iterations=5", "mcts:simulations=20", "alphabeta:depth=2"]
"""


ASKED = [["--repetitions", "2"], ["--repetitions", "3"], ["--repetitions", "2"]]


@pytest.fixture
def cup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDUS_STORE", str(tmp_path / "s.db"))
    file = tmp_path / "cup.toml"
    file.write_text(CUP)
    return file


@pytest.mark.slow
def test_studies_share_the_tournaments_that_they_have_in_common(cup: Path) -> None:
    found = {}
    for study in ("commutativity", "openings", "fraction", "repetition"):
        done = ludus("study", study, str(cup), "--json")
        assert done.returncode == 0, done.stderr
        found[study] = json.loads(done.stdout)
    assert found["commutativity"]["tournaments"] == found["repetition"]["tournaments"] == [1]
    assert found["openings"]["tournaments"] == [1, 2, 3]
    assert found["fraction"]["tournaments"] == [1, 4, 5, 6]
    assert [row["setting"] for row in found["fraction"]["compared"]] == [100, 75, 50, 25]
    assert len(found["commutativity"]["pairs"]) == 12
    assert len(found["openings"]["values"]) == 3 * 2 * 4
    assert len(found["repetition"]["stability"]) == 4


@pytest.mark.slow
def test_more_repetitions_play_only_what_is_new(cup: Path, tmp_path: Path) -> None:
    cup.write_text(CUP.replace("repetitions = 2", ""))
    told = [json.loads(ludus("study", "repetition", str(cup), *words, "--json").stdout) for words in ASKED]
    assert [found["tournaments"] for found in told] == [[1]] * 3
    first, second, third = ([row["repetition"] for row in found["values"][::4]] for found in told)
    assert (first, second, third) == ([1, 2], [1, 2, 3], [1, 2, 3])
    assert told[1]["values"][: 2 * 4] == told[0]["values"]


@pytest.mark.slow
def test_study_is_shown_and_written_as_page_and_pictures(cup: Path, tmp_path: Path) -> None:
    page, picture = tmp_path / "s.html", tmp_path / "s.svg"
    done = program("study", "openings", str(cup), "--plies", "0,1", "--html", str(page), "-o", str(picture), columns=60)
    assert done.returncode == 0, done.stderr
    assert "random plies" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 60
    assert "<figure" in page.read_text()
    assert all(file.read_text().startswith("<svg") for file in (picture, tmp_path / "s-2.svg"))


@pytest.mark.slow
def test_study_ranks_by_any_rating_of_the_tournament(cup: Path) -> None:
    by_elo = json.loads(ludus("study", "repetition", str(cup), "--by", "fide", "--json").stdout)
    means = [row["fide_mean"] for row in by_elo["stability"]]
    assert means == sorted(means, reverse=True)
    refused = ludus("study", "repetition", str(cup), "--by", "median")
    assert refused.returncode == 2
    assert not missing(refused.stderr, "median glicko")


@pytest.mark.slow
def test_clock_is_kept_and_results_mark_shorter_times(
    cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ludus("study", "commutativity", str(cup)).returncode == 0
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path / "home"))
    done = ludus("study", "clock", "--json")
    assert done.returncode == 0, done.stderr
    assert [row["numbers"] for row in json.loads(done.stdout)["sorts"]][::8] == [3000, 100]
    measured = kept_clock()
    assert measured is not None
    keep_clock(msgspec.structs.replace(measured, sorts={100: [10**12] * 75}))  # nothing below a quarter of an hour
    assert "~: shorter than" in ludus("results", "1", columns=200).stdout
    assert json.loads(ludus("results", "1", "--json").stdout)["shortest_reliable_time"] == 10**12


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["openings", "FILE", "--plies", "0,x"], "--plies"),
        (["fraction", "FILE", "--shares", "0"], "--shares"),
        (["fraction", "FILE", "--shares", "3"], "4 agents"),
        (["fraction", "FILE", "--subset", "worst"], "worst"),
        (["repetition", "FILE", "-o", "chart.txt"], "chart.txt"),
        (["commutativity", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_what_a_study_cannot_do_is_one_sentence(cup: Path, words: list[str], named: str) -> None:
    done = ludus("study", *[str(cup) if word == "FILE" else word for word in words])
    assert done.returncode == 2
    assert named in done.stderr
    assert done.stderr.count("\n") == 1
