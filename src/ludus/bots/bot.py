"""Bots: agents that are programs of their own, in any language, with their options."""

import dataclasses
import os
import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Self

from ludus.agents.agent import Agent
from ludus.bots.dialogue import Dialogue, Program
from ludus.core.errors import InvalidError
from ludus.core.spec import RUN_BY_OTHERS, RUNNERS, Spec, param
from ludus.episode.local_player import player_for
from ludus.episode.player import Player
from ludus.games.game import Game

VARIABLE = "env."
"""Begin of the name of an option that sets a variable of a bot's environment."""
_VARIABLE_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class Bot(Agent):
    """A program of its own: the class is its protocol, the instance its command and options."""

    noun: ClassVar[str] = "protocol"
    only_game: ClassVar[str] = ""
    """Name of the only game of the protocol; empty if the protocol is for every game."""
    has_processes: ClassVar[bool] = True

    folder: str | None = param(None, "its working directory; by default the folder of its file")
    safe: bool = param(False, "whether it may play several episodes at once")
    cores: int = param(1, "number of cores it may use if bots share cores", low=1)
    pondering: bool = param(False, "whether it may compute in the turns of others, when other bots are stopped")
    deterministic: bool = param(False, "whether nothing in it is random, so that its equal episodes count once")
    command: str = ""
    variables: dict[str, str] = dataclasses.field(default_factory=dict)
    """Variables of its environment, from `env.NAME=value`, beside the few that every bot gets."""

    def dialogue(self) -> Dialogue:
        """Start the dialogue with a new process."""
        raise NotImplementedError

    @property
    def exclusive(self) -> bool:  # type: ignore[override]
        return not self.safe

    def is_deterministic(self, game: Game) -> bool:
        return self.deterministic

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        variables = {key.removeprefix(VARIABLE): text for key, text in spec.options.items() if key.startswith(VARIABLE)}
        rest = {key: text for key, text in spec.options.items() if not key.startswith(VARIABLE)}
        bot = super().from_spec(dataclasses.replace(spec, options=rest, command=None))
        for wrong in (name for name in variables if not _VARIABLE_NAME.fullmatch(name)):
            raise InvalidError(f"{cls.name}: '{VARIABLE}{wrong}' names no variable: write {VARIABLE}NAME=value.")
        bot.variables = variables
        if not spec.command:
            raise InvalidError(f"{cls.name} needs a command: write {cls.name}:./mybot or {cls.name}:java -jar Bot.jar.")
        bot.command = spec.command
        bot.argv()
        return bot

    def argv(self) -> list[str]:
        """The words of the command."""
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise InvalidError(f"The command {self.command} cannot be read: {str(error).lower()}.") from None
        if not words:
            raise InvalidError(f"{self.name} needs a command: write {self.name}:./mybot.")
        return words

    def at(self, base: Path) -> Self:
        """The same bot with absolute paths in its command, which are relative to `base` now."""
        words = self.argv()
        script = _script(words, base)
        full = [
            _in_full(word, base) if place == script or _is_path(word, base, program=place == 0) else word
            for place, word in enumerate(words)
        ]
        folder = None if self.folder is None else _in_full(self.folder, base)
        if folder is not None and ("," in folder or ":" in folder):
            raise InvalidError(
                f"A bot cannot run in {folder}, because a spec cannot contain its comma or colon: "
                "rename the folder, or use a link to it."
            )
        located = dataclasses.replace(self, command=shlex.join(full), folder=folder)  # type: ignore[type-var]
        return located.limited(self.limits)

    def files(self) -> list[Path]:
        """Files named by the command; if there are none, its program, found as a shell does."""
        program = shutil.which(self.argv()[0])
        return self.named_files() or ([] if program is None else [Path(program)])

    def named_files(self) -> list[Path]:
        """Files named by the command."""
        return [Path(word) for word in self.argv() if "/" in word and os.path.isfile(word)]

    def working_directory(self) -> Path:
        """The folder given, else that of the bot's file, else the current one.

        The bot's file is the script or jar that its program runs, or else the first file in its command.
        """
        if self.folder is not None:
            return Path(self.folder)
        words = self.argv()
        script = _script(words, Path())
        own = next(iter(self.named_files()), None) if script is None else Path(words[script])
        return Path.cwd() if own is None else own.absolute().parent

    @property
    def place(self) -> str:
        return str(self.working_directory())

    def own_file(self, name: str) -> Path | None:
        file = self.working_directory() / name
        return file if os.path.isfile(file) else None

    def program(self) -> Program:
        """The program that players of this bot start."""
        return Program(self.argv(), self.working_directory(), self.variables, self.cores, self.pondering, self.dialogue)

    def unsuited(self, game: Game) -> str | None:
        if self.only_game and game.name != self.only_game:
            return f"plays {self.only_game} only"
        program = self.argv()[0]
        if shutil.which(program) is None:
            if os.path.isfile(program):
                if runner := RUNNERS.get(Path(program).suffix):
                    command = f"{self.name}:{runner} {shlex.quote(program)}"
                    return f"cannot be started: {program} is not a program by itself; write {command}"
                return f"cannot be started: {program} is not executable; run chmod +x on it"
            return f"cannot be started: there is no program {program}"
        if not os.path.isdir(self.working_directory()):
            return f"cannot be started: there is no folder {self.folder}"
        return super().unsuited(game)

    def prepare(self, game: Game) -> None:
        """Do nothing: a bot needs no compiling."""

    def _spec_parts(self) -> list[str]:
        return super()._spec_parts() + [f"{VARIABLE}{name}={text}" for name, text in self.variables.items()]

    def spec(self) -> str:
        return ",".join([self.name, *self._spec_parts()]) + f":{self.command}"


@player_for.register
def _player(agent: Bot, name: str = "") -> Player:
    from ludus.bots.bot_player import BotPlayer  # naming a bot must not load what runs one

    return BotPlayer(agent, agent.program(), name)


def _script(words: Sequence[str], base: Path) -> int | None:
    """The index of the word that is the file run by the program, such as a script or a jar; None if there is none."""
    for place, word in enumerate(words[1:], 1):
        if Path(word).suffix.lower() in RUN_BY_OTHERS and os.path.isfile(_in_full(word, base)):
            return place
    return None


def _is_path(word: str, base: Path, *, program: bool) -> bool:
    """True if a word is a path. The program's file need not exist; a program without a path is looked up in PATH."""
    if program:
        return "/" in word or word.startswith("~")
    return "/" in word and os.path.exists(_in_full(word, base))


def _in_full(word: str, base: Path) -> str:
    try:
        return os.path.abspath(base / Path(word).expanduser())
    except (RuntimeError, ValueError):
        return word
