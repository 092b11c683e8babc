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
