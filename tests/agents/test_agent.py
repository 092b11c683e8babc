import shutil
import time
from pathlib import Path

import pytest

from ludus import Clock
from ludus.agents.agent import MARGIN, Agent, agent_from, deadline, refuse_bare_command
from ludus.core.errors import LudusError
from ludus.core.registry import classes
from ludus.core.spec import parse_agent
from ludus.episode.driver import play_episode
from ludus.episode.local_player import player_for
from ludus.games.game import game_from
from ludus.kernel.deadline import FOREVER
from support.installed_games import installed
from support.places import ROOT

SECOND = 1_000_000_000


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> int:
    """The moment at which time stands still."""
    moment = time.monotonic_ns()
    monkeypatch.setattr(time, "monotonic_ns", lambda: moment)
    return moment


def test_the_wish_is_granted_where_the_referee_sets_no_limit(now: int) -> None:
    assert deadline(2 * SECOND, Clock()) == now + 2 * SECOND


def test_the_referees_limit_is_law(now: int) -> None:
    assert deadline(20 * SECOND, Clock(move=SECOND)) == now + SECOND - MARGIN
    assert deadline(20 * SECOND, Clock(move=5 * SECOND, total=SECOND)) == now + SECOND - MARGIN


def test_without_a_wish_the_clock_is_budgeted(now: int) -> None:
    assert deadline(None, Clock(total=60 * SECOND, increment=SECOND)) == now + 3 * SECOND
    assert deadline(None, Clock(move=SECOND, total=60 * SECOND)) == now + SECOND - MARGIN


def test_without_any_limit_an_agent_thinks_for_a_second_unless_limited_otherwise(now: int) -> None:
    assert deadline(None, Clock()) == now + SECOND
    assert deadline(None, Clock(), limited=True) == FOREVER


@pytest.mark.parametrize(
    ("agent", "game", "reason"),
    [
        ("alphabeta", "2048", "at least 2 players"),
        ("alphabeta", "nim:players=3", "at most 2 players"),
        ("maxn", "goofspiel:prizes=descending", "does not support simultaneous moves"),
        ("brs", "2048", "at least 2 players"),
        ("paranoid", "goofspiel", "does not support chance"),
        ("mcts", "openspiel:kuhn_poker", "does not support hidden information"),
    ],
)
def test_agents_say_why_they_do_not_suit(agent: str, game: str, reason: str) -> None:
    assert reason in str(agent_from(agent).unsuited(game_from(game)))


def test_every_agent_suits_some_game() -> None:
    games = [game_from(spec) for spec in installed(["connect-four", "2048", "speed"])]
    for cls in classes(Agent).values():
        if not any(parameter.required for parameter in cls.parameters()):
            assert any(cls().unsuited(game) is None for game in games)


def test_the_agent_of_the_guide_plays_and_beats_chance() -> None:
    example = ROOT / "docs" / "examples" / "greedy.py"
    game = game_from("connect-four")
    players = [player_for(agent_from(spec)) for spec in (f"{example}:Greedy:noise=0.01", "random")]
    records = [play_episode(game, players, seed=seed) for seed in range(20)]
    assert sum(record.scores[0] for record in records) > 5
    assert records[0].steps[0][0].metrics["nodes"] == 7


@pytest.mark.parametrize("command", ["python3 bot.py", "java -jar Bot.jar", "sh run me", "no-such-program Bot.jar 5"])
def test_command_without_a_protocol_gets_the_right_spec(command: str) -> None:
    with pytest.raises(LudusError) as error:
        agent_from(command)
    assert str(error.value) == (
        f"There is no agent '{command}'; write a protocol before a bot's command: 'stdio:{command}'."
    )


def test_file_of_an_agent_may_lie_in_a_folder_named_like_a_command(tmp_path: Path) -> None:
    with pytest.raises(LudusError, match=r"There is no file no such/mine\.py"):
        agent_from("no such/mine.py")
    file = tmp_path / "test bots" / "mine.py"
    file.parent.mkdir()
    file.write_text("from ludus import Agent\n\n\nclass Mine(Agent):\n    name = 'mine'\n")
    refuse_bare_command("test bots/mine.py", parse_agent("test bots/mine.py"), tmp_path)
    assert agent_from(str(file)).name == "mine"


def test_files_of_an_agent_are_those_that_its_spec_names(tmp_path: Path) -> None:
    script, mine = tmp_path / "bot.py", tmp_path / "mine.py"
    script.touch()
    mine.write_text("from ludus import Agent\n\n\nclass Mine(Agent):\n    name = 'mine'\n")
    assert agent_from(f"stdio:python3 {script}").files() == [script]
    assert agent_from("uci:sh").files() == [Path(str(shutil.which("sh")))]
    assert agent_from(f"{mine}:Mine").files() == [mine]
    assert agent_from("mcts").files() == []
