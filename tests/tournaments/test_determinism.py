from pathlib import Path

import msgspec
import pytest

from ludus.episode.driver import play_episode
from ludus.episode.finished import course
from ludus.episode.limits import Limits
from ludus.games.game import game_from
from ludus.tournaments.determinism import deterministic_agents
from ludus.tournaments.plan import make_tournament
from support.checked_bots import write_bot
from support.playing import players_for

SURE = ("maxn:depth=2", "alphabeta:nodes=50,shuffle=no", "brs:depth=1")
RANDOM = ("random", "mc:iterations=1", "mcts:simulations=1", "maxn", "maxn:depth=2,time=1s", "alphabeta:depth=2")


def test_searches_with_a_fixed_effort_are_deterministic() -> None:
    made = make_tournament("connect-four", [*RANDOM, *SURE])
    assert made.deterministic == SURE
    assert deterministic_agents(made) == [len(RANDOM) + place for place in range(len(SURE))]


@pytest.mark.parametrize("spec", SURE)
def test_deterministic_agents_repeat_an_episode_whatever_their_seeds(spec: str) -> None:
    game = game_from("connect-four")
    opponent, *players = players_for(SURE[0], spec, spec)
    courses = {
        course(play_episode(game, seated, limits=Limits(plies=12), agents_seed=seed))
        for seated in ([players[0], opponent], [players[1], opponent])
        for seed in (1, 2)
    }
    assert len(courses) == 1


def test_nobody_is_where_the_game_has_chance() -> None:
    assert make_tournament("2048", ["expectimax:depth=1"]).deterministic == ()


def test_agents_in_python_count_as_random_unless_they_say_otherwise(tmp_path: Path) -> None:
    agent = "from ludus import Agent\n\n\nclass {0}(Agent):\n    name = '{0}'\n"
    says = "    def is_deterministic(self, game):\n        return game.name == 'nim'\n"
    (tmp_path / "silent.py").write_text(agent.format("Silent"))
    (tmp_path / "sure.py").write_text(agent.format("Sure") + says)
    files = [f"{tmp_path}/silent.py", f"{tmp_path}/sure.py"]
    assert deterministic_agents(make_tournament("nim", files)) == [1]
    assert deterministic_agents(make_tournament("tic-tac-toe", files)) == []


def test_bots_are_deterministic_if_their_entrants_say_so(tmp_path: Path) -> None:
    bot = write_bot(tmp_path)
    made = make_tournament("tic-tac-toe", [f"stdio:{bot}", f"stdio,deterministic=yes:{bot}"])
    assert deterministic_agents(made) == [1]


@pytest.mark.parametrize("deterministic", [None, ()])
def test_the_declaration_is_not_part_of_the_identity(deterministic: tuple[str, ...] | None) -> None:
    made = make_tournament("tic-tac-toe", ["maxn:depth=1", "random"])
    assert made.deterministic == ("maxn:depth=1",)
    assert msgspec.structs.replace(made, deterministic=deterministic).identity == made.identity
