from pathlib import Path

from contests.speed.test_logs import log, messages_of, random_game
from ludus.store import open_store
from support.running import ludus
from support.sentences import missing


def test_log_of_a_client_becomes_an_episode_once(tmp_path: Path) -> None:
    store, files = str(tmp_path / "ludus.db"), []
    for seed in (0, 5):
        folder = tmp_path / str(seed)
        folder.mkdir()
        files.append(str(log(folder, messages_of(*random_game(seed)))))
    done = ludus("store", "import", *files, "--store", store, columns=200)
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()
    assert missing(first, f"{files[0]} 1/1.1") == missing(second, f"{files[1]} 1/2.1") == []
    done = ludus("store", "import", files[1], "--store", store, columns=200)
    assert missing(done.stdout, f"{files[1]} 1/2.1 already") == []
    done = ludus("store", "import", files[1], "--name", "Theirs", "--store", store, columns=200)
    assert missing(done.stdout, f"{files[1]} 2/1.1") == []
    with open_store(store) as opened:
        assert [summary.name for summary in opened.tournaments()] == ["logs, 2 players", "Theirs, 2 players"]
    assert ludus("replay", "1/2.1", "--store", store).returncode == 0


def test_incomplete_log_gets_a_warning(tmp_path: Path) -> None:
    file = log(tmp_path, messages_of(*random_game(0))[:-1])
    done = ludus("store", "import", str(file), "--store", str(tmp_path / "ludus.db"), columns=200)
    assert done.returncode == 0
    assert missing(done.stdout, f"{file} 1/1.1") == []
    assert missing(done.stderr, "record ends before log") == []


def test_files_after_a_wrong_one_are_imported_and_refusals_listed(tmp_path: Path) -> None:
    store, wrong, empty = str(tmp_path / "ludus.db"), tmp_path / "wrong.json", tmp_path / "empty.json"
    wrong.write_text('[{"width": 3}]')
    empty.touch()
    good = log(tmp_path, messages_of(*random_game(0)))
    files = [str(file) for file in (wrong, tmp_path / "missing.json", empty, good)]
    done = ludus("store", "import", *files, "--store", store, columns=300)
    assert done.returncode == 2
    assert missing(done.stdout, f"{good} 1/1.1") == []
    assert [sum(file in line for line in done.stderr.splitlines()) for file in files] == [1, 1, 1, 0]
    assert missing(done.stderr.splitlines()[-1], "ludus: 3 4") == []
    with open_store(store) as opened:
        assert [summary.episodes for summary in opened.tournaments()] == [1]
