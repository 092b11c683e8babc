from pathlib import Path

import pytest

from ludus.core.errors import InvalidError, NotFoundError
from ludus.store import open_store
from ludus.store.records import find_record, source_of
from support.sentences import one_sentence
from support.stored_results import play


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A store with a tournament of two matches, called cup."""
    url = str(tmp_path / "s.db")
    with open_store(url) as opened:
        play(opened, agents=("random", "minimax:depth=1"), name="cup")
    return url


def test_names_of_episodes_and_lines_of_files_lead_to_the_same_record(url: str, tmp_path: Path) -> None:
    stored = [find_record(name, store=url) for name in ("cup/1.1", "1/2.1")]
    file = tmp_path / "records.jsonl"
    file.write_text("\n\n".join(record.to_json() for record in stored) + "\n")
    assert [find_record(str(file), number).to_json() for number in (1, 2)] == [record.to_json() for record in stored]


def test_file_comes_before_an_episode_of_the_same_name(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = find_record("cup/2.1", store=url)
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / "1.1").write_text(record.to_json())
    monkeypatch.chdir(tmp_path)
    assert find_record("cup/1.1", store=url).seats == record.seats


def test_source_of_a_stored_episode_is_its_tournament(url: str, tmp_path: Path) -> None:
    assert [source_of(name, url) for name in ("cup/1.1", "1/2.1", str(tmp_path / "records.jsonl"))] == [
        "cup",
        "cup",
        "",
    ]


def test_number_of_a_record_is_refused_for_a_stored_episode(url: str) -> None:
    with one_sentence("cup/1.1 number"):
        find_record("cup/1.1", 2, url)


def test_what_is_missing_is_named(url: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    with pytest.raises(InvalidError, match="is empty"):
        find_record(str(empty))
    empty.write_text(find_record("1/1.1", store=url).to_json())
    for number in (0, 2):
        with pytest.raises(NotFoundError, match=rf"empty\.jsonl .*\b{number}\b"):
            find_record(str(empty), number)
    with pytest.raises(NotFoundError, match=r"cup/MATCH\.EPISODE"):
        find_record("cup", store=url)
