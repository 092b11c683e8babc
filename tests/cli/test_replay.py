import copy
import json
import sys
from pathlib import Path

import pytest

from ludus.store import open_store
from support.running import ludus, program
from support.samples import left_behind, sample, stored
from support.sentences import missing


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three episodes of tic-tac-toe."""
    done = ludus("play", "tic-tac-toe", "random", "random", "-n", "3", "--seed", "1", "--opening-plies", "1", "--json")
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    path.write_text(done.stdout)
    return path


@pytest.mark.slow
def test_a_record_is_drawn_move_by_move(file: Path) -> None:
    record = json.loads(file.read_text().splitlines()[0])
    done = program("replay", str(file))
    assert done.returncode == 0
    assert done.stdout.startswith("tic-tac-toe, player 1: random #1, player 2: random #2\n\n      a b c\n    1 . . .")
    assert f"  1. opening: {record['opening']['moves'][0][0]}" in done.stdout
    for number, step in enumerate(record["steps"], 2):
        assert f"{number:3}. random #{step[0]['seat'] + 1}: {step[0]['move']}" in done.stdout
    assert done.stdout.count("a b c") == len(record["steps"]) + 2


def test_another_record_of_the_file_is_chosen_by_number(file: Path) -> None:
    done = ludus("replay", str(file), "--number", "3", "--json")
    assert json.loads(done.stdout) == json.loads(file.read_text().splitlines()[2])
    done = ludus("replay", str(file), "--number", "4")
    assert done.returncode == 2
    assert not missing(done.stderr, f"{file} 3 records 4")


def test_records_can_be_read_from_a_pipe(file: Path) -> None:
    done = ludus("replay", "-", "--json", said=file.read_text())
    assert json.loads(done.stdout) == json.loads(file.read_text().splitlines()[0])


def test_record_may_contain_a_line_separator_of_unicode(tmp_path: Path, file: Path) -> None:
    odd = tmp_path / "odd.jsonl"
    lines = file.read_text().splitlines()[:2]
    odd.write_text("\r\n".join(line.replace("random", "ran\u2028dom") for line in lines), encoding="utf-8")
    shown = [ludus("replay", str(odd), "--number", number) for number in ("1", "2", "3")]
    assert [done.returncode for done in shown] == [0, 0, 2]
    assert "2 records" in shown[2].stderr


def test_record_with_an_illegal_move_is_refused(tmp_path: Path, file: Path) -> None:
    record = json.loads(file.read_text().splitlines()[0])
    record["steps"][1][0]["move"] = record["steps"][0][0]["move"]
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps(record))
    done = ludus("replay", str(bad), "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "step 2" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "named"),
    [(b"", "empty"), (b"\n{}\n", "Line 2"), (b"\xff\xfe\x00", "text")],
)
def test_bad_file_gets_one_sentence(tmp_path: Path, content: bytes, named: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    done = ludus("replay", str(path))
    assert done.returncode == 2
    assert not missing(done.stderr, f"{path} {named}")
    assert done.stderr.count("\n") == 1


def test_stored_episode_is_shown_by_its_name(tmp_path: Path) -> None:
    url = str(tmp_path / "ludus.db")
    with open_store(url) as store:
        stored(store)
    record = sample("one mover at a time").records[1]
    done = ludus("replay", "one mover at a time/1.2", "--json", "--store", url)
    assert (done.returncode, done.stdout) == (0, record.to_json() + "\n")
    done = ludus("replay", "1/1.9", "--store", url)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "1/1.9" in done.stderr


@pytest.mark.parametrize(
    ("given", "tournament"), [("1", "1"), ("Hex cup", "Hex cup"), ("3/12", "TOURNAMENT"), ("a.jsonl", "TOURNAMENT")]
)
def test_missing_file_gets_the_form_of_the_name_of_an_episode(given: str, tournament: str) -> None:
    done = ludus("replay", given, columns=200)
    assert done.returncode == 2
    assert not missing(done.stderr, f"{given} {tournament}/MATCH.EPISODE")
    assert done.stderr.count("\n") == 1


def test_file_with_the_name_of_an_episode_is_read_as_a_file(tmp_path: Path, file: Path) -> None:
    path = tmp_path / "1.2"
    path.write_text(file.read_text())
    done = ludus("replay", str(path), "--json", LUDUS_STORE="/no/such/store")
    assert (done.returncode, json.loads(done.stdout)) == (0, json.loads(file.read_text().splitlines()[0]))


BOT = """
import sys

print("ready", file=sys.stderr)
for line in sys.stdin:
    word = line.split()[0]
    if word == "INFO":
        print("OK", flush=True)
    elif word == "START":
        print("METRIC depth 7\\nMETRIC line \\x1b[2Jx\\na1", flush=True)
    elif word == "TURN":
        print("\\x1b[2Jgoodbye", file=sys.stderr)
        print("z9", flush=True)
"""


@pytest.fixture(scope="module")
def lost_by_a_bot(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file with an episode in which a bot makes an illegal move."""
    folder = tmp_path_factory.mktemp("bot")
    (folder / "bot.py").write_text(BOT)
    bot = f"stdio:{sys.executable} {folder / 'bot.py'}"
    done = ludus("play", "tic-tac-toe", bot, "random", "--json", "--seed", "1", "--prepare", "1m")
    (folder / "games.jsonl").write_text(done.stdout)
    return str(folder / "games.jsonl")


@pytest.mark.slow
def test_evidence_is_shown_in_full(lost_by_a_bot: str) -> None:
    done = ludus("replay", lost_by_a_bot, columns=200)
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert any("(illegal: 'z9' " in line for line in lines)
    assert any(line.startswith("depth 7 · line �[2Jx") for line in lines)
    assert "\x1b" not in done.stdout
    assert lines.index("last messages:") < lines.index("> START") < lines.index("< a1") < lines.index("< z9")
    assert lines.index("standard error:") < lines.index("ready")
    assert "random wins after 2 moves: " in done.stdout


def test_fault_during_preparation_is_shown_in_full(tmp_path: Path) -> None:
    record = copy.deepcopy(sample("failed while getting ready").records[0])
    assert record.seats[0].preparation is not None
    record.seats[0].preparation.evidence = "its process ended with status 1\nlast messages:\n> INFO game tic-tac-toe"
    (tmp_path / "game.jsonl").write_text(record.to_json())
    text = ludus("replay", str(tmp_path / "game.jsonl"), columns=200).stdout
    assert "failed (its process ended with status 1).\n" in text
    assert ": failed (its process ended with status 1)\n     last messages:\n     > INFO" in text


@pytest.mark.slow
def test_only_the_first_line_of_evidence_is_shown_elsewhere(lost_by_a_bot: str) -> None:
    bot = json.loads(Path(lost_by_a_bot).read_text())["seats"][0]["agent"]
    done = ludus("play", "tic-tac-toe", bot, "random", "--show", "--prepare", "1m", columns=200)
    assert "'z9'" in done.stdout
    assert "last messages" not in done.stdout


@pytest.mark.slow
def test_log_of_a_bot_is_shown_without_its_control_characters(lost_by_a_bot: str) -> None:
    assert "Standard error of" not in ludus("replay", lost_by_a_bot).stdout
    done = ludus("replay", lost_by_a_bot, "--log", columns=200)
    assert "Standard error of player 1, " in done.stdout
    assert "\n    ready\n    �[2Jgoodbye\n" in done.stdout
    assert "\x1b" not in done.stdout


def test_remarks_are_shown_with_the_log(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(left_behind(sample("one mover at a time").records[0]).to_json())
    text = ludus("replay", str(file), "--log", columns=200).stdout
    assert "Remarks on player 1, random #1:\n\n    wrote 'hm' unasked\n    did not exit\n" in text
    assert "player 2" not in text.split("Remarks on")[1]


def test_empty_log_gets_one_sentence(file: Path) -> None:
    without = ludus("replay", str(file)).stdout
    done = ludus("replay", str(file), "--log")
    assert done.stdout.startswith(without.rstrip())
    assert done.stdout.removeprefix(without.rstrip()).strip().count("\n") == 0
    assert "standard error" in done.stdout.splitlines()[-1]


def test_a_game_is_written_in_the_form_of_other_programs(tmp_path: Path) -> None:
    source, file = tmp_path / "game.jsonl", tmp_path / "game.sgf"
    source.write_text(sample("passes").records[0].to_json())
    done = ludus("replay", str(source), "-o", str(file))
    assert (done.returncode, done.stdout.strip()) == (0, str(file))
    assert file.read_text().startswith("(;FF[4]GM[2]")
    for other, words in (("--move 3", "--move"), ("--pace 1", "--pace")):
        done = ludus("replay", str(source), "-o", str(file), *other.split(), columns=200)
        assert done.returncode == 2
        assert words in done.stderr
    done = ludus("replay", str(source), "-o", str(tmp_path / "game.pgn"), columns=200)
    assert done.returncode == 2
    assert ".sgf" in done.stderr
