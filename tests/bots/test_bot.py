import sys
from pathlib import Path

import pytest

from ludus import LudusError
from ludus.agents.agent import agent_from
from ludus.bots.bot import Bot
from ludus.episode.limits import MEMORY, START_UP, THINKING, UNLIMITED, Limits
from ludus.games.game import game_from


def bot(text: str) -> Bot:
    made = agent_from(text)
    assert isinstance(made, Bot)
    return made


def test_nothing_is_without_a_limit() -> None:
    limits = UNLIMITED.for_bots()
    assert (limits.preparation, limits.move, limits.memory) == (START_UP, THINKING, MEMORY)
    assert Limits(total=5).for_bots().move is None
    assert Limits(preparation=1, move=2, memory=3).for_bots() == Limits(preparation=1, move=2, memory=3)


def test_variables_belong_to_the_spec() -> None:
    made = bot("stdio,safe=yes,env.LEVEL=3,env.MODE=:./mybot")
    assert made.variables == {"LEVEL": "3", "MODE": ""}
    assert bot(made.spec()).variables == made.variables
    engine = bot("uci,env.LEVEL=3,Hash=64:./engine")
    assert engine.variables == {"LEVEL": "3"}
    assert engine.spec() == "uci,env.LEVEL=3,Hash=64:./engine"
    with pytest.raises(LudusError, match=r"env\.NAME=value"):
        bot("stdio,env.=3:./mybot")


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


@pytest.mark.parametrize(
    ("command", "full"),
    [
        ("python3 mybot/bot.py -n 4", "python3 {}/mybot/bot.py -n 4"),
        ("python3 mybot/bot.py notes --file=mybot/bot.py", "python3 {}/mybot/bot.py notes --file=mybot/bot.py"),
        ("python3 main.py other.py", "python3 {}/main.py other.py"),
        ("wine x.EXE", "wine {}/x.EXE"),
        ("java -cp ./mybot Main", "java -cp {}/mybot Main"),
        ("mybot/none mybot/none ./notes", "{}/mybot/none mybot/none {}/notes"),
        ("notes", "notes"),
    ],
)
def test_only_paths_and_what_is_run_are_named_in_full(tmp_path: Path, command: str, full: str) -> None:
    (tmp_path / "mybot").mkdir()
    for name in ("4", "notes", "main.py", "other.py", "x.EXE", "mybot/bot.py"):
        (tmp_path / name).touch()
    assert bot(f"stdio:{command}").at(tmp_path).command == full.replace("{}", str(tmp_path))


@pytest.mark.parametrize("folder", ["a, b", "a:b"])
def test_a_folder_that_a_spec_cannot_hold_is_refused(tmp_path: Path, folder: str) -> None:
    with pytest.raises(LudusError) as caught:
        bot("stdio,folder=data:./mybot").at(tmp_path / folder)
    assert str(caught.value) == (
        f"A bot cannot run in {tmp_path}/{folder}/data, because a spec cannot contain its comma or colon: "
        "rename the folder, or use a link to it."
    )
    assert bot(bot("./mybot").at(tmp_path / folder).spec()).argv() == [f"{tmp_path}/{folder}/mybot"]


def test_a_script_runs_where_it_lies_whatever_runs_it(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.touch()
    assert bot(f"stdio:{sys.executable} {script}").working_directory() == tmp_path
    other = tmp_path / "other" / "other.py"
    other.parent.mkdir()
    other.touch()
    assert bot(f"stdio:python3 {script} {other}").working_directory() == tmp_path
    assert bot(f"stdio,folder=/:{sys.executable} {script}").working_directory() == Path("/")
    assert bot("uci:stockfish").working_directory() == Path.cwd()


def test_a_program_that_is_not_there_or_cannot_be_run_is_told(tmp_path: Path) -> None:
    game = game_from("connect-four")
    (tmp_path / "text").touch()
    assert bot(f"{tmp_path}/nothing").unsuited(game) == f"cannot be started: there is no program {tmp_path}/nothing"
    assert "is not executable; run chmod +x" in str(bot(f"{tmp_path}/text").unsuited(game))
    (tmp_path / "Bot.jar").touch()
    assert bot(f"{tmp_path}/Bot.jar").unsuited(game) == (
        f"cannot be started: {tmp_path}/Bot.jar is not a program by itself; write stdio:java -jar {tmp_path}/Bot.jar"
    )
    assert "there is no folder" in str(bot(f"stdio,folder={tmp_path}/none:true").unsuited(game))


def test_a_bot_never_plays_twice_at_once_unless_it_is_safe() -> None:
    assert bot("./mybot").exclusive
    assert bot("gomocup:./mybot").exclusive
    assert not bot("stdio,safe=yes:./mybot").exclusive


def test_an_engine_may_play_several_episodes_at_once_unless_that_is_denied() -> None:
    assert not bot("uci:stockfish").exclusive
    assert bot("uci,safe=no:stockfish").exclusive
    assert bot("uci,safe=no:stockfish").spec() == "uci,safe=no:stockfish"


@pytest.mark.slow
def test_a_program_found_on_the_path_is_a_file_of_the_bot_if_no_other_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, script = tmp_path / "engine", tmp_path / "bot.py"
    for file in (program, script):
        file.touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bot("uci:engine").files() == [program]
    assert bot("uci:engine").working_directory() == Path.cwd()
    assert bot(f"stdio:engine {script}").files() == [script]
    assert bot("stdio:nowhere").files() == []
