from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import pytest

import ludus
from ludus.agents.agent import agent_from
from ludus.episode.limits import Limits, Policy
from ludus.games.game import game_from
from ludus.store import open_store
from support.fragments import Fragment
from support.matrix_game import BiasedRockPaperScissors
from support.places import SUPPORT
from support.sentences import one_sentence
from support.simple_agents import AlwaysFirst
from support.stored_results import play

AGENTS = SUPPORT / "simple_agents.py"


def test_tournament_gives_results_as_frames_and_charts(tmp_path: Path) -> None:
    store = str(tmp_path / "results.db")
    agents = ["random", "mcts:simulations=50"]
    cup = ludus.tournament("tic-tac-toe", agents, name="cup", episodes=10, opening_plies=2, store=store, workers=0)
    standings = cup.standings()
    assert isinstance(standings, pl.DataFrame)
    assert standings["agent"].to_list() == ["mcts:simulations=50", "random"]
    assert isinstance(cup.charts.scores(), alt.TopLevelMixin)
    assert ludus.load("cup", store).standings().equals(standings)


def test_without_a_store_that_of_the_user_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    monkeypatch.delenv("LUDUS_STORE", raising=False)
    with open_store() as opened:
        id = play(opened, agents=("random", "minimax:depth=1"), name="Mine")
    assert ludus.load("Mine").id == id
    assert ludus.load(id).played == 2


def test_path_of_a_file_is_enough(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('game = "nim"\nagents = ["random", "maxn:depth=2"]\nepisodes = 2\nworkers = 0\n')
    results = ludus.tournament(file, store=str(tmp_path / "results.db"))
    assert results.tournament.name == "cup"
    assert results.standings()["episodes"].to_list() == [4, 4]


def test_what_is_given_replaces_what_the_file_says(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        'game = "nim"\nagents = ["random", "maxn:depth=2"]\nepisodes = 2\nworkers = 1\ntimed = true\n'
        'opening_plies = 1\nlimits = { move_time = "9s", grace = "2s" }\n'
    )
    results = ludus.tournament(
        str(file),
        ["random", {"agent": "mc", "iterations": 3, "name": "mine"}],
        name="other",
        episodes=3,
        repetitions=2,
        seed=7,
        opening_plies=2,
        format="single-round-robin",
        move_time="1s",
        policy="random",
        workers=0,
        timed=False,
        patience="10s",
        store=str(tmp_path / "results.db"),
    )
    made = results.tournament
    assert [(agent.name, agent.spec) for agent in made.agents] == [("random", "random"), ("mine", "mc:iterations=3")]
    assert (made.name, made.format, made.game) == ("other", "single-round-robin", "nim")
    assert (made.episodes, made.repetitions, made.seed, made.openings.plies) == (3, 2, 7, 2)
    assert made.limits == Limits(move=10**9, grace=2 * 10**9, policy=Policy.RANDOM)
    (sitting,) = results.sittings
    assert (sitting.workers, sitting.timed) == (0, False)


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (["hex"], {}, "Agents ludus.tournament('hex', ['mcts', 'random'])"),
        (["hex", []], {}, "agent"),
        (["hex", "random"], {}, "agents random list"),
        (["hex", ["random", 3]], {}, "agents 3"),
        (["hex", ["random", "mc"]], {"episodes": "3"}, "episodes 3"),
        (["hex", ["random", "mc"]], {"episodes": 3.0}, "episodes 3.0"),
        (["hex", ["random", "mc"]], {"workers": -1}, "workers -1"),
        (["hex", ["random", "mc"]], {"patience": 0}, "patience 0"),
        (["hex", ["random", "mc"]], {"limits": "1s"}, "limits move_time"),
        (["nowhere.toml"], {}, "nowhere.toml"),
    ],
)
def test_wrong_argument_gets_one_sentence(
    tmp_path: Path, arguments: list[Any], options: dict[str, Any], words: str
) -> None:
    with one_sentence(words):
        ludus.tournament(*arguments, **options, store=str(tmp_path / "results.db"))


def test_second_name_begins_a_tournament_of_its_own(tmp_path: Path) -> None:
    store, agents = str(tmp_path / "results.db"), ["random", "mc:iterations=3"]
    one, two, again = (
        ludus.tournament("tic-tac-toe", agents, name=name, store=store, workers=0) for name in ("one", "two", "one")
    )
    assert one.id == again.id != two.id


def test_unknown_name_is_in_the_error(tmp_path: Path) -> None:
    with pytest.raises(ludus.LudusError, match="nothing"):
        ludus.load("nothing", str(tmp_path / "results.db"))


@pytest.mark.slow
def test_instances_play_if_other_processes_find_their_classes(tmp_path: Path) -> None:
    store = tmp_path / "results.db"
    game, agent = game_from("nim:piles=1-2"), agent_from(f"{AGENTS}:AlwaysFirst")
    results = ludus.tournament(game, [agent, agent_from("mc:iterations=3")], episodes=1, store=store, workers=1)
    assert results.tournament.game == "nim:piles=1-2"
    assert results.agents == [f"{AGENTS}:AlwaysFirst", "mc:iterations=3"]
    assert results.played == 2


def test_error_for_instances_of_other_classes_names_the_spec_to_write(tmp_path: Path) -> None:
    store = tmp_path / "results.db"
    with pytest.raises(ludus.InvalidError, match=f"'{AGENTS}:AlwaysFirst'"):
        ludus.tournament("nim", ["random", AlwaysFirst()], store=store)
    with pytest.raises(ludus.InvalidError, match="BiasedRockPaperScissors"):
        ludus.tournament(BiasedRockPaperScissors(), ["random", "mc"], store=store)
    assert not store.exists()


def test_notebook_shows_the_standings(tmp_path: Path) -> None:
    agents = ["random", "mcts:simulations=50"]
    cup = ludus.tournament("tic-tac-toe", agents, name="cup", episodes=10, store=tmp_path / "s.db", workers=0)
    shown = Fragment(cup._repr_html_())
    assert shown.text.startswith("cup: tic-tac-toe mcts:simulations=50 is first with a rating of")
    assert [(row["#"], row["agent"]) for row in shown.rows()] == [("1", "mcts:simulations=50"), ("2", "random")]
    assert int(shown.rows()[0]["won"]) == cup.standings()["wins"][0]


def test_episodes_of_results_are_replayed(tmp_path: Path) -> None:
    cup = ludus.tournament("nim", ["random", "mc:iterations=3"], repetitions=2, store=tmp_path / "s.db", workers=0)
    assert cup.episode("2.1.1").agents == ["random", "mc:iterations=3"]
    with pytest.raises(ludus.InvalidError, match=r"REPETITION\.MATCH\.EPISODE"):
        cup.episode("1")
