import sys
from pathlib import Path

import pytest

from ludus import LudusError
from ludus.agents.bot import MEMORY, START_UP, THINKING, Bot, granted
from ludus.catalog import agent_from, game_from
from ludus.record import UNLIMITED, Limits


def bot(text: str) -> Bot:
    made = agent_from(text)
    assert isinstance(made, Bot)
    return made


def test_nothing_is_without_a_limit() -> None:
    limits = granted(UNLIMITED)
    assert (limits.preparation, limits.move, limits.memory) == (START_UP, THINKING, MEMORY)
    assert granted(Limits(total=5)).move is None
    assert granted(Limits(preparation=1, move=2, memory=3)) == Limits(preparation=1, move=2, memory=3)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("./mybot --fast", "stdio:./mybot --fast"),
        ("stdio:java -jar Bot.jar", "stdio:java -jar Bot.jar"),
        ("stdio,safe=yes,cores=2:./mybot", "stdio,safe=yes,cores=2:./mybot"),
        ("uci,Hash=64,nodes=5:stockfish", "uci,nodes=5,Hash=64:stockfish"),
        ("gomocup:./pbrain-x", "gomocup:./pbrain-x"),
    ],
)
def test_a_command_is_kept_as_it_is_written(text: str, spec: str) -> None:
    assert bot(text).spec() == spec
    assert bot(spec).spec() == spec


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("stdio:", "stdio needs a command"),
        ("stdio:'./mybot", "cannot be read: no closing quotation"),
        ("stdio,speed=9:./mybot", "stdio has no parameter 'speed'"),
        ("stdio,cores=0:./mybot", "cores=0 is not a whole number of at least 1"),
    ],
)
def test_a_command_that_cannot_be_one_gets_one_sentence(text: str, words: str) -> None:
    with pytest.raises(LudusError, match=words):
        agent_from(text)


def test_files_are_named_in_full_from_where_the_user_is(tmp_path: Path) -> None:
    (tmp_path / "my bots").mkdir()
    (tmp_path / "my bots" / "Bot.jar").touch()
    found = bot("stdio:java -jar 'my bots/Bot.jar' --depth 5").at(tmp_path)
    assert found.command == f"java -jar '{tmp_path}/my bots/Bot.jar' --depth 5"
    assert found.working_directory() == tmp_path / "my bots"
    assert bot("./mybot").at(tmp_path).command == f"{tmp_path}/mybot"


def test_a_script_runs_where_it_lies_whatever_runs_it(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.touch()
    assert bot(f"stdio:{sys.executable} {script}").working_directory() == tmp_path
    assert bot(f"stdio,folder=/:{sys.executable} {script}").working_directory() == Path("/")
    assert bot("uci:stockfish").working_directory() == Path.cwd()


def test_a_program_that_is_not_there_or_cannot_be_run_is_told(tmp_path: Path) -> None:
    game = game_from("connect-four")
    (tmp_path / "text").touch()
    assert bot(f"{tmp_path}/nothing").unsuited(game) == f"cannot be started: there is no program {tmp_path}/nothing"
    assert "is not executable, chmod +x" in str(bot(f"{tmp_path}/text").unsuited(game))
    assert "there is no folder" in str(bot(f"stdio,folder={tmp_path}/none:true").unsuited(game))


def test_a_bot_never_plays_twice_at_once_unless_it_is_safe() -> None:
    assert bot("./mybot").exclusive
    assert not bot("stdio,safe=yes:./mybot").exclusive
