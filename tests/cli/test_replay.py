import json
from pathlib import Path

import pytest

from cli.running import ludus
from ludus.store import open_store
from store.samples import sample, stored


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three episodes of tic-tac-toe."""
    done = ludus("play", "tic-tac-toe", "random", "random", "-n", "3", "--seed", "1", "--opening-plies", "1", "--json")
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    path.write_text(done.stdout)
    return path


def test_a_record_is_drawn_move_by_move(file: Path) -> None:
    record = json.loads(file.read_text().splitlines()[0])
    done = ludus("replay", str(file))
    assert done.returncode == 0
    assert done.stdout.startswith("tic-tac-toe, player 1: random #1, player 2: random #2\n\n      a b c\n    1 . . .")
    assert f"  1. random #1: {record['opening']['moves'][0][0]}   opening" in done.stdout
    for number, step in enumerate(record["steps"], 2):
        assert f"{number:3}. random #{step[0]['seat'] + 1}: {step[0]['move']}" in done.stdout
    assert done.stdout.count("a b c") == len(record["steps"]) + 2


def test_another_record_of_the_file_is_picked_by_its_number(file: Path) -> None:
    done = ludus("replay", str(file), "--number", "3", "--json")
    assert json.loads(done.stdout) == json.loads(file.read_text().splitlines()[2])
    done = ludus("replay", str(file), "--number", "4")
    assert (done.returncode, done.stderr) == (2, f"ludus: {file} holds 3 records, so there is no number 4.\n")


def test_records_come_through_a_pipe_too(file: Path) -> None:
    done = ludus("replay", "-", "--json", said=file.read_text())
    assert json.loads(done.stdout) == json.loads(file.read_text().splitlines()[0])


def test_a_record_that_is_not_true_is_refused(tmp_path: Path, file: Path) -> None:
    record = json.loads(file.read_text().splitlines()[0])
    record["steps"][1][0]["move"] = record["steps"][0][0]["move"]
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps(record))
    done = ludus("replay", str(bad), "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("ludus: The record goes wrong at step 2: ")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"\n{}\n", "Line 2 of "),
        (b"\xff\xfe\x00", "cannot be read: it is not text"),
    ],
)
def test_a_bad_file_gets_one_sentence(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    done = ludus("replay", str(path))
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_episode_of_the_store_is_shown_by_its_name(tmp_path: Path) -> None:
    url = str(tmp_path / "ludus.db")
    with open_store(url) as store:
        stored(store)
    record = sample("one mover at a time").records[1]
    done = ludus("replay", "one mover at a time/1.2", "--json", "--store", url)
    assert (done.returncode, done.stdout) == (0, record.to_json() + "\n")
    done = ludus("replay", "1/1.9", "--store", url)
    assert (done.returncode, done.stderr) == (2, "ludus: There is no episode 1/1.9 in the store.\n")


@pytest.mark.parametrize(
    ("given", "tournament"), [("1", "1"), ("Hex cup", "Hex cup"), ("3/12", "TOURNAMENT"), ("a.jsonl", "TOURNAMENT")]
)
def test_where_there_is_no_file_the_form_of_an_episode_is_told(given: str, tournament: str) -> None:
    done = ludus("replay", given, columns=200)
    said = f"There is no file {given}, and an episode of the store is named {tournament}/MATCH.EPISODE, with"
    assert done.returncode == 2
    assert done.stderr.startswith(f"ludus: {said}")
    assert done.stderr.count("\n") == 1


def test_a_file_with_the_name_of_an_episode_is_a_file(tmp_path: Path, file: Path) -> None:
    path = tmp_path / "1.2"
    path.write_text(file.read_text())
    done = ludus("replay", str(path), "--json", LUDUS_STORE="/no/such/store")
    assert (done.returncode, json.loads(done.stdout)) == (0, json.loads(file.read_text().splitlines()[0]))
