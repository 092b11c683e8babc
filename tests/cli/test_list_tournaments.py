import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len

from ludus.store import Store, open_store
from support.running import ludus
from support.stored_results import FIELD, begin, play


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(str(tmp_path_factory.mktemp("store") / "ludus.db")) as opened:
        play(opened, name="Two", episodes=4, opening_plies=1)
        play(opened, "2048", ("random", "mc:iterations=2"), name="One", episodes=3)
        begin(opened, name="Cut off", episodes=400)
        yield opened


@pytest.mark.parametrize("columns", [80, 140])
def test_list_names_every_tournament_and_its_progress(store: Store, columns: int) -> None:
    text = ludus("list", "tournaments", "--store", store.url, columns=columns).stdout
    assert max(map(cell_len, text.splitlines())) <= columns
    for summary in store.tournaments():
        assert summary.name in text
    assert text.count("finished") == 2
    assert text.count(" %") == 1


def test_list_is_available_as_json(store: Store) -> None:
    rows = json.loads(ludus("list", "tournaments", "--json", "--store", store.url).stdout)
    assert [(row["name"], row["game"], row["planned"]) for row in rows] == [
        ("Two", "tic-tac-toe", 24),
        ("One", "2048", 6),
        ("Cut off", "tic-tac-toe", 2400),
    ]


def test_one_tournament_is_described_with_its_agents(store: Store) -> None:
    text = ludus("list", "tournaments", "Two", "--store", store.url).stdout
    assert text.startswith("Two ")
    assert all(name in text for name in FIELD)
    described = json.loads(ludus("list", "tournaments", "1", "--json", "--store", store.url).stdout)
    assert described["tournament"]["game"] == "tic-tac-toe"
    assert [agent["name"] for agent in described["tournament"]["agents"]] == list(FIELD)


def test_unknown_tournament_gets_one_sentence(store: Store) -> None:
    done = ludus("list", "tournaments", "Nothing", "--store", store.url)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "'Nothing'" in done.stderr


def test_empty_store_names_the_command_that_plays(tmp_path: Path) -> None:
    done = ludus("list", "tournaments", "--store", str(tmp_path / "none.db"), columns=200)
    assert done.returncode == 0
    assert "'ludus run FILE'" in done.stdout
