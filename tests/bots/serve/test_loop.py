"""`ludus bot agent` as a real process behind pipes."""

import os
import subprocess

import pytest

from ludus.episode.record import Ending
from ludus.games.game import game_from
from support.running import PROGRAM, program
from support.sentences import missing
from support.talking import AGENTS, Talk, play_episode

pytestmark = pytest.mark.slow

AGENT = [str(PROGRAM), "bot", "agent"]
"""The command that runs an agent as a bot."""


def test_brain_plays_over_pipes() -> None:
    talk = Talk("gomocup", "alphabeta:depth=2")
    talk.say("START 15", end="\r\n")
    assert talk.read_line() == "OK"
    talk.say("INFO timeout_turn 60000", "INFO rule 1", "INFO time_left 2147483647", "BEGIN", end="\r\n")
    assert talk.read_line("MESSAGE") == "7,7"
    taken = {"7,7"}
    for place in ("0,0", "14,14", "0,14"):
        talk.say(f"TURN {place}", end="\r\n")
        taken |= {place, talk.read_line("MESSAGE")}
    assert len(taken) == 7
    talk.say("BOARD", "7,7,2", "8,8,1", "7,8,2", "DONE", end="\r\n")
    assert talk.read_line().startswith("MESSAGE nodes ")
    x, y = map(int, talk.read_line().split(","))
    assert {0 <= x < 15, 0 <= y < 15} == {True}
    assert talk.end("END", "BEGIN") == (0, "", "")


def test_engine_plays_under_the_manager_of_python_chess() -> None:
    pytest.importorskip("chess")
    import chess.engine

    board = chess.Board()
    with chess.engine.SimpleEngine.popen_uci([*AGENT, "uci", "alphabeta:depth=1"], timeout=900) as engine:
        assert engine.id["name"].endswith("alphabeta:depth=1")
        for _ in range(6):
            result = engine.play(board, chess.engine.Limit(time=60, nodes=10), info=chess.engine.INFO_ALL)
            assert result.move is not None
            assert (result.info["depth"], result.info["pv"][0]) == (1, result.move)
            board.push(result.move)
        analysis = engine.analyse(chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), chess.engine.Limit(depth=1))
        assert analysis["score"].white().score() == 10_000


@pytest.mark.parametrize(
    ("spec", "agents"),
    [
        ("nim:piles=3-4,players=3", ["mcts:simulations=20", "maxn:depth=2", "random"]),
        ("goofspiel:cards=4", ["mcts:simulations=20", "random"]),
        ("2048", ["random"]),
    ],
)
def test_bots_play_whole_episodes_over_pipes(spec: str, agents: list[str]) -> None:
    talks = [Talk("stdio", agent) for agent in agents]
    record = play_episode(game_from(spec), [talk.ask for talk in talks])
    assert record.ending is Ending.RULES
    assert [talk.end("END") for talk in talks] == [(0, "", "")] * len(talks)


def test_several_messages_at_once_are_answered_in_order() -> None:
    done = program(
        "bot", "agent", "stdio", "random", "--game", "nim:piles=1-1", said="INFO seed 1\n\n  \r\nWHAT\nSTART\r\nEND\n"
    )
    [ok, error, move] = done.stdout.splitlines()
    assert (ok, error.split(maxsplit=2)[:2], move in ("1-1", "2-1")) == ("OK", ["ERROR", "unknown"], True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("protocol", ["stdio", "gomocup", "uci"])
def test_bot_exits_when_the_input_ends(protocol: str) -> None:
    done = program("bot", "agent", protocol, "random")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_other_output_goes_to_standard_error() -> None:
    done = program("bot", "agent", "gomocup", f"{AGENTS}:Talkative", said="START 9\nBEGIN\nEND\n")
    assert done.stdout == "OK\nMESSAGE turn 1\n0,0\n"
    assert sorted(done.stderr.splitlines()) == ["0,0", "1,1", "hm, let me see"]
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said", "heard"),
    [
        (["gomocup", f"{AGENTS}:ForOne"], "", "ERROR {}\n"),
        (["uci", f"{AGENTS}:ForOne"], "", "info string {}\n"),
        (["stdio", f"{AGENTS}:ForOne", "--game", "hex"], "", "ERROR {}\n"),
        (["stdio", f"{AGENTS}:ForOne"], "INFO game hex\nINFO timeout_turn 1\n", "OK\nERROR {}\n"),
        (["stdio", "random"], "START\n", "ERROR {}\n"),
        (["stdio", f"{AGENTS}:Broken", "--game", "hex"], "START\nTURN k11\n", "a1\nERROR {}\n"),
    ],
)
def test_bot_that_cannot_continue_reports_the_error_on_both_streams(
    arguments: list[str], said: str, heard: str
) -> None:
    if "uci" in arguments:
        pytest.importorskip("chess")
    done = program("bot", "agent", *arguments, said=said)
    assert done.returncode == 2
    complaint = done.stderr.removeprefix("ludus: ")
    assert complaint.count("\n") == 1
    assert done.stdout == heard.format(complaint.strip())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gomocup", "human"], "person"),
        (["gomocup", "stdio:./mybot -x"], "bot mybot -x"),
        (["gomocup", "random", "--game", "hex"], "--game stdio gomocup"),
        (["gomocup", "alphabet"], "'alphabet' 'alphabeta'"),
        (["stdio", "random", "--game", "hexx"], "'hexx' 'hex'"),
        (["xboard", "random"], "'xboard' 'stdio' 'gomocup' 'uci'"),
    ],
)
def test_wrong_command_is_refused_in_one_line(arguments: list[str], words: str) -> None:
    done = program("bot", "agent", *arguments, said="START\n", columns=300)
    assert done.returncode == 2
    assert missing(done.stderr, words) == []
    assert done.stderr.count("\n") == 1


def test_bot_exits_quietly_when_its_manager_is_gone() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*AGENT, "gomocup", "random"],
        input=b"ABOUT\n" * 3,
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=900,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
