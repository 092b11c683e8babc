import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from ludus.episode.limits import Limits, Policy
from ludus.store import Store, open_store
from ludus.tournaments.file import read_tournament, to_toml
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.tournament import Entrant
from support.running import ludus, program
from support.sentences import missing
from support.stored_results import play

AGENTS = ("minimax:depth=[1,2,3]", "mc:iterations=[2,20]", "random")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("store")
    (folder / "openings.txt").write_text("b2\na1 c3\n")
    with open_store(str(folder / "ludus.db")) as opened:
        play(opened, agents=AGENTS, name="A", episodes=2, opening_plies=1, seed=3)
        play(opened, agents=AGENTS, name="B", episodes=2, openings=folder / "openings.txt")
        yield opened


@pytest.mark.slow
def test_the_new_file_is_a_tournament_of_the_best_of_each_type(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "field.toml"
    done = program("results", "A", "B", "--best", "1", "--by", "type", "-o", str(file), "--store", store.url)
    assert done.returncode == 0, done.stderr
    assert f"{file} has 3 of 6 agents" in done.stdout
    made = read_tournament(file).tournament
    assert sorted(entrant.spec.split(":")[0] for entrant in made.agents) == ["mc", "minimax", "random"]
    first = store.tournament(store.find("A"))
    assert msgspec.structs.replace(made, name=first.name, agents=first.agents) == first
    assert made.name == "field"


def test_no_file_is_overwritten_without_force(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "field.toml"
    file.write_text("mine")
    command = ("results", "A", "--best", "2", "-o", str(file), "--store", store.url)
    done = ludus(*command)
    assert done.returncode == 2
    assert not missing(done.stderr, f"{file} --force")
    assert file.read_text() == "mine"
    assert ludus(*command, "--force").returncode == 0
    assert read_tournament(file).tournament.game == "tic-tac-toe"


def test_listed_openings_go_into_a_file_beside(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "field.toml"
    assert ludus("results", "B", "--best", "2", "-o", str(file), "--store", store.url).returncode == 0
    assert read_tournament(file).tournament.openings == store.tournament(store.find("B")).openings


def test_the_file_of_agents_with_one_name_can_be_run(store: Store, tmp_path: Path) -> None:
    for number, depth in enumerate((1, 2)):
        agents = (Entrant("mine", f"minimax:depth={depth}"), "random")
        play(store, agents=agents, name=f"Mine {number}")
    file = tmp_path / "field.toml"
    done = ludus("results", "Mine 0", "Mine 1", "--best", "3", "-o", str(file), "--store", store.url)
    assert done.returncode == 0, done.stderr
    names = [entrant.name for entrant in read_tournament(file).tournament.agents]
    assert sorted(names) == ["minimax:depth=1", "minimax:depth=2", "random"]
    assert "minimax:depth=1" in done.stdout


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_neither_file_is_written_if_one_cannot_be(store: Store, tmp_path: Path, force: tuple[str, ...]) -> None:
    command = ("results", "B", "--best", "2", *force, "--store", store.url, "-o")
    (tmp_path / "field.openings.txt").mkdir()
    done = ludus(*command, str(tmp_path / "field.toml"))
    assert done.returncode == 2
    assert "field.openings.txt" in done.stderr
    assert not (tmp_path / "field.toml").exists()
    (tmp_path / "other.toml").mkdir()
    done = ludus(*command, str(tmp_path / "other.toml"))
    assert done.returncode == 2
    assert "other.toml" in done.stderr
    assert not (tmp_path / "other.openings.txt").exists()


def test_without_a_file_the_tournament_goes_to_standard_output(store: Store) -> None:
    done = ludus("results", "A", "--by", "all", "--best", "2", "--name", "Finals", "--store", store.url)
    content = tomllib.loads(done.stdout)
    assert content["name"] == "Finals"
    assert len(content["agents"]) == 2
    assert content["opening_plies"] == 1


def test_names_and_limits_survive_a_round_trip_through_a_file(tmp_path: Path) -> None:
    limits = Limits(
        move=250_000_000, hard=1_500_000_000, grace=0, plies=40, memory=2**29, preparation=10**9, policy=Policy.SOFT
    )
    agents: list[str | Entrant] = [Entrant('the "best" one', "minimax:depth=3"), "random"]
    made = make_tournament("tic-tac-toe", agents, name="Grüße", episodes=3, repetitions=2, seed=9, limits=limits)
    file = tmp_path / "cup.toml"
    file.write_text("\n".join(to_toml(made)))
    assert read_tournament(file).tournament == made
