import json
import math
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ludus.core.errors import LudusError
from ludus.episode.finished import episode
from ludus.episode.limits import Limits
from ludus.episode.record import Key
from ludus.store import Sitting, Store, open_store, portable
from ludus.store.portable import export_folder, import_folder
from ludus.tournaments.formats.format import Match
from ludus.tournaments.tournament import Entrant, Tournament
from support.filled import filled_record
from support.samples import KINDS, left_behind, sample, store_metrics, stored

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
    id = store.enter(replace(found.tournament, episodes=14, repetitions=2), {"ludus": "0.0.7", "bot.py": "abc"}).id
    for repetition in (1, 0):
        store.add_matches(id, repetition, 0, [Match(0, (0, 1)), Match(1, (0, 1)), Match(1, (0, 1))])
        for match in (1, 0):
            episodes = found.episodes(match, repetition)
            store.add(id, [replace(e, course=e.course // 2 * 2) for e in reversed(episodes)])
            store.add(id, [replace(e, key=e.key._replace(number=e.key.number + 10)) for e in episodes])
    with store.sitting(id, 2, 4, timed=True):
        pass
    cut_off = Sitting(datetime.now(UTC), None, 3, 4, False, "0.1.0")
    store.adopt(id, cut_off.started, [cut_off])
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


def test_every_field_of_every_struct_survives_the_journey(store: Store, tmp_path: Path) -> None:
    record = filled_record()
    field = tuple(Entrant(seat.name, seat.agent) for seat in record.seats)
    tournament = Tournament(name="x", game=record.game, agents=field, format="solo", limits=record.limits)
    with open_store(str(tmp_path / "original.db")) as other:
        id = other.enter(tournament, {}).id
        other.add_matches(id, 0, 0, [Match(0, (0, 1))])
        other.add(id, [episode(record, Key(0, 0, 0), 1, course=5)])
        export_folder(other, id, tmp_path, unwatched)
    imported = import_folder(store, tmp_path, None, unwatched)
    assert store.record(imported.id, Key(0, 0, 0)) == record


def test_what_bots_leave_behind_survives_the_journey(store: Store, tmp_path: Path) -> None:
    found = sample("one mover at a time")
    limits = Limits(cpu=5 * 10**9, output=1000, files=7, processes=3, disk=10**6)
    tournament = replace(found.tournament, limits=limits)
    record = replace(left_behind(found.records[0]), limits=limits)
    with open_store(str(tmp_path / "original.db")) as other:
        id = other.enter(tournament, {}).id
        other.add_matches(id, 0, 0, [Match(0, found.seats)])
        other.add(id, [episode(record, Key(0, 0, 0), 10**6)])
        export_folder(other, id, tmp_path, unwatched)
    imported = import_folder(store, tmp_path, None, unwatched)
    assert imported.tournament == tournament
    assert store.record(imported.id, Key(0, 0, 0)) == record


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


def test_what_has_another_version_than_the_stored_episodes_is_named(
    store: Store, original: tuple[Store, int, Path]
) -> None:
    _, _, folder = original
    lines = (folder / "records.jsonl").read_text().splitlines(keepends=True)
    (folder / "records.jsonl").write_text("".join(lines[::3]))
    assert import_folder(store, folder, None, unwatched).differing == ()
    head = json.loads((folder / "tournament.json").read_text())
    (folder / "tournament.json").write_text(json.dumps(head | {"versions": {"ludus": "0.0.7", "bot.py": "abd"}}))
    (folder / "records.jsonl").write_text("".join(lines))
    assert import_folder(store, folder, None, unwatched).differing == ["bot.py"]


def test_a_name_that_is_taken_can_be_replaced(store: Store, original: tuple[Store, int, Path]) -> None:
    _, _, folder = original
    store.enter(replace(sample("late").tournament, name="substituted"), {})
    with pytest.raises(LudusError, match="The name 'substituted' is taken"):
        import_folder(store, folder, None, unwatched)
    assert import_folder(store, folder, "new", unwatched).tournament.name == "new"


def test_a_tournament_that_took_another_course_is_not_mixed_in(store: Store, original: tuple[Store, int, Path]) -> None:
    other, id, folder = original
    here = store.enter(other.tournament(id), {}).id
    store.add_matches(here, 1, 0, [Match(0, (0, 1)), Match(1, (1, 0))])
    with pytest.raises(LudusError, match=f"is stored as {here}, but with other agents in match 2"):
        import_folder(store, folder, None, unwatched)
    assert len(store.episodes(here)) == 0


Change = Callable[[dict[str, Any]], object]


def edit(file: Path, number: int, change: Change) -> None:
    lines = file.read_text().splitlines()
    content = json.loads(lines[number - 1])
    change(content)
    file.write_text("\n".join([*lines[: number - 1], json.dumps(content), *lines[number:]]) + "\n")


def first_move(line: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = line["record"]["steps"][0][0]
    return found


def fall_out(line: dict[str, Any], seat: int, step: int) -> None:
    line["record"]["out"] = [{"seat": seat, "step": step, "fault": "late"}]


NOT_OURS = "Line 2 of .* is not an episode of this tournament"


@pytest.mark.parametrize(
    ("file", "change", "said"),
    [
        ("records.jsonl", lambda line: line.pop("wall"), "Line 2 of .*records.jsonl cannot be read: .*wall"),
        ("records.jsonl", lambda line: line.update(key=[0, 7, 0]), NOT_OURS),
        ("records.jsonl", lambda line: line.update(key=[0, -1, 0]), NOT_OURS),
        ("records.jsonl", lambda line: line.update(course=2**63), NOT_OURS),
        ("records.jsonl", lambda line: line["record"].update(game="hex"), NOT_OURS),
        ("records.jsonl", lambda line: line["record"].update(format=9), f"{NOT_OURS}: it was written by a newer Ludus"),
        ("records.jsonl", lambda line: line["record"]["seats"].pop(), NOT_OURS),
        ("records.jsonl", lambda line: line["record"]["scores"].pop(), f"{NOT_OURS}: its scores"),
        ("records.jsonl", lambda line: line.update(key=[0, 0, 14]), f"{NOT_OURS}: it has no such match or episode"),
        ("records.jsonl", lambda line: line.update(key=[2, 0, 0]), f"{NOT_OURS}: it has no such match or episode"),
        ("records.jsonl", lambda line: line.update(wall=2**64), f"{NOT_OURS}: a time or a size is out"),
        ("records.jsonl", lambda line: first_move(line).update(wall=2**64), f"{NOT_OURS}: a time or a size is out"),
        ("records.jsonl", lambda line: first_move(line).update(wall=-5), f"{NOT_OURS}: a time or a size is out"),
        ("records.jsonl", lambda line: first_move(line).update(cpu=-5), f"{NOT_OURS}: a time or a size is out"),
        ("records.jsonl", lambda line: first_move(line).update(waited=-5), f"{NOT_OURS}: a time or a size is out"),
        ("records.jsonl", lambda line: first_move(line).update(memory=2**64), f"{NOT_OURS}: a time or a size is out"),
        (
            "records.jsonl",
            lambda line: line["record"]["seats"][0].update(preparation={"wall": 2**63}),
            f"{NOT_OURS}: a time or a size is out",
        ),
        ("records.jsonl", lambda line: line["record"].update(seed=2**64), f"{NOT_OURS}: its course or a seed"),
        ("records.jsonl", lambda line: line["record"].update(steps=[[]]), f"{NOT_OURS}: a step is empty"),
        ("records.jsonl", lambda line: line["record"].update(played="2026-01-01T00:00:00"), f"{NOT_OURS}: its date"),
        ("records.jsonl", lambda line: line["record"].update(by=[7]), f"{NOT_OURS}: it names a seat"),
        ("records.jsonl", lambda line: line["record"].update(by=[-1]), f"{NOT_OURS}: it names a seat"),
        ("records.jsonl", lambda line: fall_out(line, 9, 0), f"{NOT_OURS}: it names a seat"),
        ("records.jsonl", lambda line: fall_out(line, 0, 10**6), f"{NOT_OURS}: a player is disqualified at a step"),
        ("matches.jsonl", lambda line: line.update(seats=[0]), "Line 2 of .* is not the next match"),
        ("matches.jsonl", lambda line: line.update(repetition=2, match=0), "Line 2 of .* is not the next match"),
        ("matches.jsonl", lambda line: line.update(round=2**40), "Line 2 of .* is not the next match"),
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
    with open_store(str(tmp_path / "new.db")) as store:
        with pytest.raises(LudusError, match=said):
            import_folder(store, folder, None, unwatched)
        assert store.tournaments() == []


def test_a_score_that_is_too_large_for_an_integer_is_kept(tmp_path: Path, original: tuple[Store, int, Path]) -> None:
    folder = original[2]
    edit(folder / "records.jsonl", 1, lambda line: line["record"].update(scores=[5e300, -5e300]))
    with open_store(str(tmp_path / "new.db")) as store:
        id = import_folder(store, folder, None, unwatched).id
        assert store.record(id, Key(0, 0, 0)).scores == store.episodes(id)["scores"][0].to_list() == [5e300, -5e300]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda head: head.update(created="2026-01-01T00:00:00"), "a date has no zone"),
        (lambda head: head["sittings"][0].__setitem__(0, "2026-01-01T00:00:00"), "a date has no zone"),
        (lambda head: head["sittings"][0].__setitem__(2, 2**40), "workers or cores are out of range"),
        (lambda head: head["tournament"].update(episodes=0), "the number of its episodes, repetitions or agents"),
        (
            lambda head: head["tournament"].update(repetitions=2**70),
            "the number of its episodes, repetitions or agents",
        ),
    ],
)
def test_a_damaged_head_is_refused(
    tmp_path: Path, original: tuple[Store, int, Path], change: Change, said: str
) -> None:
    file = original[2] / "tournament.json"
    head = json.loads(file.read_text())
    change(head)
    file.write_text(json.dumps(head))
    with open_store(str(tmp_path / "new.db")) as store:
        with pytest.raises(LudusError, match=f"tournament.json is not the head of an exported tournament: {said}"):
            import_folder(store, original[2], None, unwatched)
        assert store.tournaments() == []


def test_an_export_that_stops_halfway_cannot_be_taken_for_whole(
    store: Store, original: tuple[Store, int, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(done: int) -> None:
        raise KeyboardInterrupt

    other, id, folder = original
    monkeypatch.setattr(portable, "_AT_ONCE", 10)
    with pytest.raises(KeyboardInterrupt):
        export_folder(other, id, folder, stop)
    with pytest.raises(LudusError, match=r"tournament\.json cannot be read: No such file"):
        import_folder(store, folder, None, unwatched)
    export_folder(other, id, folder, unwatched)
    assert import_folder(store, folder, None, unwatched).episodes == 32


def test_an_import_that_stops_halfway_is_not_finished_and_can_go_on(store: Store, tmp_path: Path) -> None:
    folder = long_export(tmp_path)
    whole = (folder / "records.jsonl").read_text()
    (folder / "records.jsonl").write_text(whole[:-100])
    with pytest.raises(LudusError, match=r"Line 1200 of .* cannot be read"):
        import_folder(store, folder, None, unwatched)
    [summary] = store.tournaments()
    assert (summary.finished, summary.episodes) == (None, 1000)
    assert len(store.sittings(summary.id)) == 1
    (folder / "records.jsonl").write_text(whole)
    assert import_folder(store, folder, None, unwatched).episodes == 200
    [summary] = store.tournaments()
    assert summary.finished is not None


def test_an_import_that_is_stopped_keeps_what_came(store: Store, tmp_path: Path) -> None:
    def stop(done: int) -> None:
        raise KeyboardInterrupt

    folder = long_export(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        import_folder(store, folder, None, stop)
    [summary] = store.tournaments()
    assert (summary.finished, summary.episodes) == (None, 500)
    assert import_folder(store, folder, None, unwatched).episodes == 700


def test_a_tournament_that_was_there_before_stays_when_an_import_fails(store: Store, tmp_path: Path) -> None:
    folder = long_export(tmp_path)
    id = store.enter(sample_of_many(), {}).id
    (folder / "records.jsonl").write_text("{")
    with pytest.raises(LudusError, match=r"Line 1 of .* cannot be read"):
        import_folder(store, folder, None, unwatched)
    assert [summary.id for summary in store.tournaments()] == [id]


def sample_of_many() -> Tournament:
    return replace(sample("one mover at a time").tournament, episodes=1200)


def long_export(folder: Path) -> Path:
    """A finished tournament of 1,200 episodes, exported."""
    with open_store(str(folder / "long.db")) as store:
        id = store.enter(sample_of_many(), {}).id
        store.add_matches(id, 0, 0, [Match(0, (0, 1))])
        episode = sample("one mover at a time").episodes()[0]
        store.add(id, [replace(episode, key=Key(0, 0, number)) for number in range(1200)])
        with store.sitting(id, 1, 1, timed=False):
            pass
        store.finish(id)
        export_folder(store, id, folder, unwatched)
    return folder


def test_metrics_that_json_lacks_survive_the_journey(store: Store, tmp_path: Path) -> None:
    with open_store(str(tmp_path / "original.db")) as other:
        metrics = {"value": math.nan, "bounds": [-math.inf, math.inf, {"depth": 3}], "line": "a1 b2"}
        export_folder(other, store_metrics(other, metrics), tmp_path, unwatched)
    assert "null" not in (tmp_path / "records.jsonl").read_text()
    id = import_folder(store, tmp_path, None, unwatched).id
    found = store.record(id, Key(0, 0, 0)).steps[0][0].metrics
    assert math.isnan(found.pop("value"))
    assert found == {"bounds": [-math.inf, math.inf, {"depth": 3}], "line": "a1 b2"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "is not the head of an exported tournament"),
        (b"[]", "is not the head of an exported tournament"),
        (b"\xff", "is not the head of an exported tournament"),
        (b'{"format": 99}', "was written by a newer Ludus"),
        (None, "tournament.json cannot be read.*'ludus store export --json'"),
    ],
)
def test_a_folder_that_was_not_exported_gets_one_sentence(tmp_path: Path, content: bytes | None, said: str) -> None:
    if content is not None:
        (tmp_path / "tournament.json").write_bytes(content)
    with open_store(str(tmp_path / "new.db")) as store:
        with pytest.raises(LudusError, match=said):
            import_folder(store, tmp_path, None, unwatched)
        assert store.tournaments() == []


def test_watcher_gets_the_progress(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store, open_store(str(tmp_path / "b.db")) as other:
        import_folder(store, long_export(tmp_path), None, unwatched)
        told: list[int] = []
        export_folder(store, 1, tmp_path, told.append)
        assert told == [500, 1000]
        told.clear()
        import_folder(other, tmp_path, None, told.append)
        assert len(told) == 2
        assert 0 < told[0] < told[1] <= (tmp_path / "records.jsonl").stat().st_size
