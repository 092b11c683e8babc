import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ludus.errors import LudusError
from ludus.formats.base import Match
from ludus.store import Store, open_store
from ludus.store.portable import export_folder, import_folder
from ludus.tournaments.base import Key
from store.samples import KINDS, sample, stored

replace = msgspec.structs.replace


def unwatched(done: int) -> None:
    pass


def everything(store: Store, id: int) -> list[object]:
    """All that a store knows of a tournament but its number."""
    [summary] = [summary for summary in store.tournaments() if summary.id == id]
    frames = [frame.rows() for frame in (store.matches(id), store.tallies(id), store.timings(id), store.episodes(id))]
    told = [store.tournament(id), store.versions(id), store.sittings(id), list(store.wholes(id))]
    return [summary[1:], *frames, *told]


@pytest.fixture
def original(tmp_path: Path) -> tuple[Store, int, Path]:
    """A tournament of two repetitions with duplicates, and where it was exported to."""
    store = open_store(str(tmp_path / "original.db"))
    found = sample("substituted")
    id = store.enter(replace(found.tournament, repetitions=2), {"ludus": "0.0.7", "bot.py": "abc"}).id
    for repetition in (1, 0):
        store.add_matches(id, repetition, 0, [Match(0, (0, 1)), Match(1, (0, 1)), Match(1, (0, 1))])
        for match in (1, 0):
            episodes = found.episodes(match, repetition)
            store.add(id, [replace(e, course=e.course // 2 * 2) for e in reversed(episodes)])
            store.add(id, [replace(e, key=e.key._replace(number=e.key.number + 10)) for e in episodes])
    store.begin_sitting(id, 3, 4, timed=False)
    store.end_sitting(store.begin_sitting(id, 2, 4, timed=True))
    store.finish(id)
    folder = tmp_path / "exported"
    folder.mkdir()
    export_folder(store, id, folder, unwatched)
    return store, id, folder


def test_an_exported_tournament_is_the_same_in_any_store(store: Store, original: tuple[Store, int, Path]) -> None:
    other, id, folder = original
    stored(store, "late")  # so that numbers differ
    imported = import_folder(store, folder, None, unwatched)
    assert (imported.episodes, imported.before) == (32, 0)
    assert imported.id != id
    assert everything(store, imported.id) == everything(other, id)


def test_records_of_every_kind_survive_the_journey(store: Store, tmp_path: Path) -> None:
    with open_store(str(tmp_path / "original.db")) as other:
        for kind in KINDS:
            id = stored(other, kind)
            export_folder(other, id, tmp_path, unwatched)
            imported = import_folder(store, tmp_path, None, unwatched)
            assert everything(store, imported.id) == everything(other, id)


def test_importing_what_is_stored_adds_only_what_is_missing(store: Store, original: tuple[Store, int, Path]) -> None:
    other, id, folder = original
    lines = (folder / "records.jsonl").read_text().splitlines(keepends=True)
    (folder / "records.jsonl").write_text("".join(lines[::3]))
    assert import_folder(store, folder, None, unwatched).episodes == 11
    (folder / "records.jsonl").write_text("".join(lines))
    imported = import_folder(store, folder, "another name", unwatched)
    assert (imported.episodes, imported.before, imported.tournament.name) == (21, 11, "substituted")
    assert import_folder(store, folder, None, unwatched).episodes == 0
    assert everything(store, imported.id) == everything(other, id)


def test_a_name_that_is_taken_can_be_replaced(store: Store, original: tuple[Store, int, Path]) -> None:
    _, _, folder = original
    store.enter(replace(sample("late").tournament, name="substituted"), {})
    with pytest.raises(LudusError, match="Another tournament is stored as 'substituted'"):
        import_folder(store, folder, None, unwatched)
    assert import_folder(store, folder, "new", unwatched).tournament.name == "new"


def test_a_tournament_that_took_another_course_is_not_mixed_in(store: Store, original: tuple[Store, int, Path]) -> None:
    other, id, folder = original
    here = store.enter(other.tournament(id), {}).id
    store.add_matches(here, 1, 0, [Match(0, (0, 1)), Match(1, (1, 0))])
    with pytest.raises(LudusError, match=f"is stored as {here}, but other agents met in its match 2"):
        import_folder(store, folder, None, unwatched)
    assert len(store.episodes(here)) == 0


Change = Callable[[dict[str, Any]], object]


def edit(file: Path, number: int, change: Change) -> None:
    lines = file.read_text().splitlines()
    content = json.loads(lines[number - 1])
    change(content)
    file.write_text("\n".join([*lines[: number - 1], json.dumps(content), *lines[number:]]) + "\n")


NOT_OURS = "Line 2 of .* is not an episode of this tournament"


@pytest.mark.parametrize(
    ("file", "change", "said"),
    [
        ("records.jsonl", lambda line: line.pop("wall"), "Line 2 of .*records.jsonl cannot be read: .*wall"),
        ("records.jsonl", lambda line: line.update(key=[0, 7, 0]), NOT_OURS),
        ("records.jsonl", lambda line: line.update(key=[0, -1, 0]), NOT_OURS),
        ("records.jsonl", lambda line: line.update(course=2**63), NOT_OURS),
        ("records.jsonl", lambda line: line["record"].update(game="hex"), NOT_OURS),
        ("records.jsonl", lambda line: line["record"]["seats"].pop(), NOT_OURS),
        ("records.jsonl", lambda line: line["record"]["scores"].pop(), NOT_OURS),
        ("records.jsonl", lambda line: line["record"]["steps"][0][0].update(seat=2), NOT_OURS),
        ("matches.jsonl", lambda line: line.update(seats=[0, 9]), "Line 2 of .* is not the next match"),
        ("matches.jsonl", lambda line: line.update(match=5), "Line 2 of .* is not the next match"),
    ],
)
def test_a_bad_line_is_named(
    tmp_path: Path, original: tuple[Store, int, Path], file: str, change: Change, said: str
) -> None:
    folder = original[2]
    edit(folder / file, 2, change)
    with open_store(str(tmp_path / "new.db")) as store, pytest.raises(LudusError, match=said):
        import_folder(store, folder, None, unwatched)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "is not the head of an exported tournament"),
        (b"[]", "is not the head of an exported tournament"),
        (b"\xff", "is not the head of an exported tournament"),
        (b'{"format": 99}', "was written by a newer Ludus"),
        (None, "cannot be read: No such file or directory; give a folder that 'ludus export --json' wrote"),
    ],
)
def test_a_folder_that_was_not_exported_gets_one_sentence(tmp_path: Path, content: bytes | None, said: str) -> None:
    if content is not None:
        (tmp_path / "tournament.json").write_bytes(content)
    with open_store(str(tmp_path / "new.db")) as store:
        with pytest.raises(LudusError, match=said):
            import_folder(store, tmp_path, None, unwatched)
        assert store.tournaments() == []


def test_the_watcher_is_told_how_far_it_is(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store, open_store(str(tmp_path / "b.db")) as other:
        id = stored(store)
        episode = sample("one mover at a time").episodes()[0]
        store.add(id, [replace(episode, key=Key(0, 0, number)) for number in range(1200)])
        told: list[int] = []
        export_folder(store, id, tmp_path, told.append)
        assert told == [500, 1000]
        told.clear()
        import_folder(other, tmp_path, None, told.append)
        assert len(told) == 2
        assert 0 < told[0] < told[1] <= (tmp_path / "records.jsonl").stat().st_size
