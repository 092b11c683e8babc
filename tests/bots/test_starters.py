"""Each starter bot, compiled if its compiler is installed, plays over real pipes against random moves."""

import os
import random
import re
import select
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from ludus.bots.protocols.stdio import information
from ludus.cli.new import STARTERS, write_starter
from ludus.episode.limits import Limits
from ludus.episode.opening import random_opening, start_state
from ludus.episode.player import Briefing
from ludus.episode.record import FROM_THE_START, Opening
from ludus.games.game import Game, game_from
from ludus.kernel.rules import over, play
from support.places import ROOT

pytestmark = pytest.mark.slow

GUIDE = (ROOT / "docs" / "start" / "bot-author.md").read_text(encoding="utf-8")
SECONDS = 60
"""Seconds of silence after which a bot hangs: no test waits that long otherwise."""


class Built(NamedTuple):
    """A starter that can be started: its folder, and the words that start it from there."""

    folder: Path
    argv: list[str]


@pytest.fixture(scope="session", params=STARTERS)
def compiled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    starter = STARTERS[request.param]
    folder = tmp_path_factory.mktemp(request.param)
    compiling = starter.compiling.format(folder)
    argv = shlex.split(starter.spec.removeprefix("stdio:").format(folder))
    programs = [line.split()[0] for line in compiling.split(" && ") if line]
    programs += ["node"] if request.param == "javascript" else [argv[0]] if "/" not in argv[0] else []
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    write_starter(request.param, folder)
    if compiling:
        subprocess.run(compiling, shell=True, check=True)
    return Built(folder, argv)


@pytest.fixture
def built(compiled: Built, tmp_path: Path) -> Built:
    """The same bot in a folder where nothing has been played yet."""
    folder = shutil.copytree(compiled.folder, tmp_path / "bot")
    return Built(folder, [word.replace(str(compiled.folder), str(folder)) for word in compiled.argv])


class Talk:
    """A bot's process, and what is said to it and by it."""

    def __init__(self, bot: Built) -> None:
        self.process = subprocess.Popen(bot.argv, cwd=bot.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._heard = b""

    def __enter__(self) -> "Talk":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.__exit__(None, None, None)

    def say(self, text: str, end: str = "\n") -> None:
        assert self.process.stdin is not None
        self.process.stdin.write((text + end).encode())
        self.process.stdin.flush()

    def read_line(self) -> str:
        """Its next line."""
        assert self.process.stdout is not None
        while b"\n" not in self._heard:
            assert select.select([self.process.stdout], [], [], SECONDS)[0], "the bot is silent"
            data = os.read(self.process.stdout.fileno(), 65536)
            assert data, "the bot has ended"
            self._heard += data
        line, _, self._heard = self._heard.partition(b"\n")
        return line.decode()

    def ask(self, text: str, end: str = "\n") -> str:
        self.say(text, end)
        return self.read_line()

    def end_of_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def status(self) -> int:
        """Its exit status, once it has ended without another word."""
        status = self.process.wait(SECONDS)
        assert self.process.stdout is not None
        assert self._heard + self.process.stdout.read() == b""
        return status


def briefing(bot: Built, game: Game, seat: int = 0, opening: Opening = FROM_THE_START, seed: int = 7) -> Briefing:
    board = None
    if opening is not FROM_THE_START:
        board = bot.folder / "start board.txt"
        board.write_text(game.save(position(game, opening)) + "\n")
    return Briefing(game, seat, seed, Limits().for_bots(), position(game, opening), f"cup-{seat}", board)


def position(game: Game, opening: Opening) -> tuple[np.ndarray, ...]:
    state = start_state(game, opening)
    for (move,) in opening.moves:
        play(state, np.array([game.parse(state, game.movers(state)[0], move)]))
    return state


def play_episode(bot: Built, game: Game, seat: int = 0, opening: Opening = FROM_THE_START, seed: int = 7) -> list[str]:
    """The bot's moves in an episode to the end, each a legal one, against random moves; then it ends itself."""
    told = briefing(bot, game, seat, opening, seed)
    state = position(game, opening)
    opponent = random.Random(1)
    mine: list[str] = []
    message = "START"
    with Talk(bot) as talk:
        for key, value in information(told):
            assert talk.ask(f"INFO {key} {value}") == "OK"
        while not over(state):
            (mover,) = game.movers(state)
            if mover == seat:
                mine.append(talk.ask(message))
                move = game.parse(state, mover, mine[-1])
            else:
                move = opponent.choice(game.moves(state, mover))
                message = f"TURN {game.format(state, mover, move)}"
            play(state, np.array([move]))
        talk.say("END")
        assert talk.status() == 0
    return mine


GAMES = ("connect-four", "gomoku", "connect-four:rows=4,columns=9", "gomoku:size=9")


@pytest.mark.parametrize("spec", GAMES)
def test_starter_opens_and_answers_with_legal_moves(built: Built, spec: str) -> None:
    for seat in range(2):
        assert play_episode(built, game_from(spec), seat)


@pytest.mark.parametrize(("spec", "plies"), [("connect-four", 24), ("gomoku", 100), ("gomoku:size=7", 31)])
def test_starter_plays_on_from_a_start_board(built: Built, spec: str, plies: int) -> None:
    game = game_from(spec)
    opening = random_opening(game, plies, seed=3)
    for seat in range(2):
        play_episode(built, game, seat, opening)


def test_missing_start_board_is_reported_and_play_goes_on(built: Built) -> None:
    with Talk(built) as talk:
        assert talk.ask("INFO initial_board no such board.txt") == "OK"
        assert talk.ask("START") == "ERROR the start board no such board.txt cannot be read"
        assert re.fullmatch(r"\d+-\d+", talk.read_line())


def test_same_seed_gives_the_same_moves(built: Built) -> None:
    game = game_from("gomoku")
    first = play_episode(built, game, seed=2**63 - 1)
    assert play_episode(built, game, seed=2**63 - 1) == first
    assert play_episode(built, game, seed=8) != first


def test_seed_of_the_settings_comes_before_that_of_the_match(built: Built) -> None:
    game = game_from("gomoku")
    told = play_episode(built, game, seed=5)
    (built.folder / "settings.txt").write_text("seed = 5  # always\n")
    assert play_episode(built, game, seed=6) == told


def test_log_and_metrics_are_written_if_the_settings_say_so(built: Built) -> None:
    (built.folder / "settings.txt").write_text("# my settings\n\nlog = yes\nmetrics=yes # for the cup\n")
    moves = play_episode(built, game_from("connect-four"), seat=1)
    header, *rows = (built.folder / "cup-1.csv").read_text().splitlines()
    assert header == "Turn;Time;Iterations"
    assert [row.split(";")[0] for row in rows] == moves
    assert all(re.fullmatch(r"\d+;\d+\.\d{3,6};[1-7]", row) for row in rows)
    log = (built.folder / "cup-1.log").read_text().splitlines()
    assert [line for line in log if re.fullmatch(r"> \d+", line)] == [f"> {move}" for move in moves]
    assert sum(line.startswith("< TURN ") for line in log) == len(moves)
    assert log[-1] == "< END"


@pytest.mark.parametrize("settings", [None, "log = no\nmetrics = no\n", "nonsense\n=\n"])
def test_nothing_is_written_otherwise(built: Built, settings: str | None) -> None:
    if settings is not None:
        (built.folder / "settings.txt").write_text(settings)
    before = set(built.folder.iterdir())
    play_episode(built, game_from("connect-four"))
    assert set(built.folder.iterdir()) == before


def test_plain_protocol_is_enough(built: Built) -> None:
    game = game_from("gomoku")
    state = position(game, FROM_THE_START)
    with Talk(built) as talk:
        assert talk.ask("INFO timeout_turn 1000", end="\r\n") == "OK"
        assert talk.ask("INFO space_limit 100", end="\r\n") == "OK"
        game.parse(state, 0, talk.ask("START", end="\r\n"))
        talk.say("END", end="\r\n")
        assert talk.status() == 0


def test_several_moves_of_the_opponent_or_none_are_understood(built: Built) -> None:
    with Talk(built) as talk:
        assert talk.ask("INFO game gomoku") == "OK"
        assert talk.ask("INFO size 3") == "OK"
        moves = ["0-0", "1-1", "2-2"]
        moves.append(talk.ask(f"TURN {';'.join(moves)}"))
        while len(moves) < 9:
            moves.append(talk.ask("TURN -"))
        assert sorted(moves) == [f"{x}-{y}" for x in range(3) for y in range(3)]


def test_unknown_message_is_reported_and_play_goes_on(built: Built) -> None:
    with Talk(built) as talk:
        assert talk.ask("HELLO there") == "ERROR I do not know HELLO"
        assert talk.ask("INFO game nim") == "OK"
        assert talk.ask("START") == "ERROR this bot plays connect-four and gomoku, but not nim"
        talk.read_line()
        assert talk.ask("TURN 99-99") == "ERROR 99-99 cannot be played on my board"
        assert re.fullmatch(r"\d+-\d+", talk.read_line())


def test_end_of_input_ends_it(built: Built) -> None:
    with Talk(built) as talk:
        assert talk.ask("INFO game gomoku") == "OK"
        talk.end_of_input()
        assert talk.status() == 0


def test_more_than_ten_empty_lines_end_it(built: Built) -> None:
    with Talk(built) as talk:
        talk.say("\n" * 9)
        assert talk.ask("INFO game gomoku") == "OK"
        talk.say("\n" * 10)
        assert talk.status() == 0


@pytest.mark.parametrize("language", STARTERS)
def test_outline_is_the_same_in_every_language(language: str) -> None:
    starter = STARTERS[language]
    text = (ROOT / "bots" / language / starter.file).read_text(encoding="utf-8")
    for number, title in enumerate(["Your bot: fill in", "The board of Connect Four", "The protocol: it is done."], 1):
        assert f"---- {number}. {title}" in text
    names = re.sub(r"(?<=[a-z])([A-Z])", r"_\1", text).lower()
    outline = "opening_move answer_to random_move is_connect_four to_move set_up_board read_start_board legal_moves put"
    protocol = "obey inform number say append read_settings"
    for name in f"{outline} {protocol}".split():
        assert f"{name}(" in names, name


@pytest.mark.parametrize("language", STARTERS)
def test_head_of_the_file_has_the_commands_that_compile_and_start_it(language: str) -> None:
    starter = STARTERS[language]
    text = (ROOT / "bots" / language / starter.file).read_text(encoding="utf-8")
    head = text[: text.index("Settings:")]
    assert starter.compiling.replace("{0}/", "") in head
    spec = starter.spec.replace("{0}/", "" if starter.spec.startswith("stdio:") else "./")
    assert re.search(rf'ludus check bot "?{re.escape(spec)}"? --game connect-four', head)
    assert re.search(rf'ludus play connect-four "?{re.escape(spec)}"? random', head)


@pytest.mark.parametrize("language", STARTERS)
def test_guide_has_the_commands_that_compile_and_start_it(language: str) -> None:
    starter = STARTERS[language]
    row = next(line for line in GUIDE.splitlines() if f"(../../bots/{language}/{starter.file})" in line)
    for command in filter(None, starter.compiling.format("mybot").split(" && ")):
        assert f"`{command}`" in row
    assert f"`{starter.spec.format('mybot' if starter.spec.startswith('stdio:') else './mybot')}`" in row


def test_better_bot_of_the_guide_plays(tmp_path: Path) -> None:
    bot = write_starter("python", tmp_path)
    before, rest = bot.read_text(encoding="utf-8").split("    def opening_move", 1)
    written = GUIDE.split("```python\n", 1)[1].split("```", 1)[0]
    bot.write_text(f"{before}{written}\n    def random_move{rest.split('    def random_move', 1)[1]}", encoding="utf-8")
    first, second, *_ = play_episode(Built(tmp_path, [sys.executable, str(bot)]), game_from("connect-four"))
    assert (first, second) == ("4", "4")
