"""Bots: agents that are programs of their own, in any language, and what each of them is granted."""

import dataclasses
import os
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


class Bot(Agent):
    """A program of its own: the class is the protocol that it speaks, the instance its command and options."""

    noun: ClassVar[str] = "protocol"
    only_game: ClassVar[str] = ""
    """The name of the one game that the protocol is for; empty if it is for all."""
    has_processes: ClassVar[bool] = True

    folder: str | None = param(None, "its working directory; if not given, where its file lies")
    safe: bool = param(False, "whether it may play several episodes at once")
    cores: int = param(1, "how many cores it may use, where it takes turns with others", low=1)
    command: str = ""

    def dialogue(self) -> Dialogue:
        """A talk with a new process."""
        raise NotImplementedError

    @property
    def exclusive(self) -> bool:  # type: ignore[override]
        return not self.safe

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        bot = super().from_spec(dataclasses.replace(spec, command=None))
        if not spec.command:
            raise InvalidError(f"{cls.name} needs a command: write {cls.name}:./mybot or {cls.name}:java -jar Bot.jar.")
        bot.command = spec.command
        bot.argv()
        return bot

    def argv(self) -> list[str]:
        """The command in words."""
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise InvalidError(f"The command {self.command} cannot be read: {str(error).lower()}.") from None
        if not words:
            raise InvalidError(f"{self.name} needs a command: write {self.name}:./mybot.")
        return words

    def at(self, base: Path) -> Self:
        """The same bot with the paths of its command, which are relative to `base`, in full."""
        words = self.argv()
        script = _script(words, base)
        full = [
            _in_full(word, base) if place == script or _is_path(word, base, program=place == 0) else word
            for place, word in enumerate(words)
        ]
        folder = None if self.folder is None else _in_full(self.folder, base)
        if folder is not None and ("," in folder or ":" in folder):
            raise InvalidError(
                f"A bot cannot run in {folder}, since a spec has no place for a comma or a colon there: "
                "rename the folder, or name a link to it."
            )
        return dataclasses.replace(self, command=shlex.join(full), folder=folder)  # type: ignore[type-var]

    def files(self) -> list[Path]:
        """The files that the command names; if there are none, its program, found as a shell does."""
        program = shutil.which(self.argv()[0])
        return self._named() or ([] if program is None else [Path(program)])

    def _named(self) -> list[Path]:
        return [Path(word) for word in self.argv() if "/" in word and os.path.isfile(word)]

    def working_directory(self) -> Path:
        """The folder given, else that of the bot's file, else the current one.

        Its file is the script or the jar that its program runs, or else the first that its command names.
        """
        if self.folder is not None:
            return Path(self.folder)
        words = self.argv()
        script = _script(words, Path())
        own = next(iter(self._named()), None) if script is None else Path(words[script])
        return Path.cwd() if own is None else own.absolute().parent

    def program(self) -> Program:
        """The program that players of this bot start."""
        return Program(self.argv(), self.working_directory(), self.cores, self.dialogue)

    def unsuited(self, game: Game) -> str | None:
        if self.only_game and game.name != self.only_game:
            return f"plays {self.only_game} only"
        program = self.argv()[0]
        if shutil.which(program) is None:
            if os.path.isfile(program):
                if runner := RUNNERS.get(Path(program).suffix):
                    command = f"{self.name}:{runner} {shlex.quote(program)}"
                    return f"cannot be started: {program} does not run by itself, write how it is run: {command}"
                return f"cannot be started: {program} is not executable, chmod +x makes it so"
            return f"cannot be started: there is no program {program}"
        if not os.path.isdir(self.working_directory()):
            return f"cannot be started: there is no folder {self.folder}"
        return super().unsuited(game)

    def prepare(self, game: Game) -> None:
        """Nothing is compiled for a bot."""

    def spec(self) -> str:
        return ",".join([self.name, *self._spec_parts()]) + f":{self.command}"


@player_for.register
def _player(agent: Bot, name: str = "") -> Player:
    from ludus.bots.bot_player import BotPlayer  # to name a bot takes nothing that runs one

    return BotPlayer(agent, agent.program(), name)


def _script(words: Sequence[str], base: Path) -> int | None:
    """Which word is the file that the program runs, such as a script or a jar; None if there is none."""
    for place, word in enumerate(words[1:], 1):
        if Path(word).suffix.lower() in RUN_BY_OTHERS and os.path.isfile(_in_full(word, base)):
            return place
    return None


def _is_path(word: str, base: Path, *, program: bool) -> bool:
    """Whether a word is a path: the program's need not exist; a program without one is looked up in the PATH."""
    if program:
        return "/" in word or word.startswith("~")
    return "/" in word and os.path.exists(_in_full(word, base))


def _in_full(word: str, base: Path) -> str:
    try:
        return os.path.abspath(base / Path(word).expanduser())
    except (RuntimeError, ValueError):
        return word
