from pathlib import Path

from contests.speed.test_logs import log, messages_of, random_game
from ludus.store import open_store
from support.running import ludus


def test_logs_of_clients_of_spe_ed_become_episodes_once(tmp_path: Path) -> None:
    store, files = str(tmp_path / "ludus.db"), []
    for seed in (0, 5):
        folder = tmp_path / str(seed)
        folder.mkdir()
        files.append(str(log(folder, messages_of(*random_game(seed)))))
    done = ludus("store", "import", *files, "--store", store, columns=200)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{files[0]} is episode 1/1.1.\n{files[1]} is episode 1/2.1.\n"
    done = ludus("store", "import", files[1], "--store", store, columns=200)
    assert done.stdout == f"{files[1]} is episode 1/2.1, which was stored already.\n"
    done = ludus("store", "import", files[1], "--name", "Theirs", "--store", store, columns=200)
    assert done.stdout == f"{files[1]} is episode 2/1.1.\n"
    with open_store(store) as opened:
        assert [summary.name for summary in opened.tournaments()] == ["logs, 2 players", "Theirs, 2 players"]
    assert ludus("replay", "1/2.1", "--store", store).returncode == 0


def test_what_is_missing_in_a_log_is_told(tmp_path: Path) -> None:
    file = log(tmp_path, messages_of(*random_game(0))[:-1])
    done = ludus("store", "import", str(file), "--store", str(tmp_path / "ludus.db"), columns=200)
    assert (done.returncode, done.stdout) == (0, f"{file} is episode 1/1.1.\n")
    assert done.stderr == "Mind: the record ends before the game did: the log goes no further.\n"
