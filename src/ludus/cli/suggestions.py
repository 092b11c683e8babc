"""Suggestions for the next word of a command line, from the outline of its command."""

import importlib
import inspect
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ludus.cli.completion import Line
from ludus.cli.outline import Outline, Parameter


class Suggestion(NamedTuple):
    """A word that can come next, and its help."""

    word: str
    help: str = ""


class _Typed:
    """The words so far: the command that they lead to, and the values that it was given."""

    def __init__(self, outline: Outline, words: Iterable[str]) -> None:
        self.values: dict[str, str] = {}
        self.only_arguments = False  # after --
        self.waiting: list[Parameter] = []  # the option whose values come next, once for each
        self._enter(outline)
        for word in words:
            self._read(word)

    def _enter(self, outline: Outline) -> None:
        self.outline = outline
        self.flags = {flag: parameter for parameter in outline.parameters for flag in parameter.flags}
        self.arguments = [parameter for parameter in outline.parameters if not parameter.flags]
        self._taken = 0  # by the first argument that still takes values

    def _read(self, word: str) -> None:
        if self.waiting:
            self.values[self.waiting.pop().name] = word
        elif self.is_flag(word):
            self._read_flag(word)
        elif self.outline.commands:
            self._enter(self.outline.commands.get(word, Outline("", [], {})))
        elif self.arguments:
            first = self.arguments[0]
            self.values[first.name] = word
            self._taken += 1
            if self._taken == first.values:
                del self.arguments[0]
                self._taken = 0

    def _read_flag(self, word: str) -> None:
        if word == "--":
            self.only_arguments = True
            return
        flag, equals, value = word.partition("=")
        if parameter := self.flags.get(flag):
            if equals:
                self.values[parameter.name] = value
            else:
                self.waiting = [parameter] * parameter.values

    def is_flag(self, word: str) -> bool:
        """True if a word is an option, or the start of one; - alone is standard input."""
        return word.startswith("-") and word != "-" and not self.only_arguments


def suggestions(outline: Outline, words: Sequence[str], incomplete: str) -> list[Suggestion]:
    """The words that can stand in the place of the incomplete one."""
    typed = _Typed(outline, words)
    line = Line(typed.values)
    if typed.waiting:
        return _values(typed.waiting[0], line, words, incomplete)
    flag, equals, value = incomplete.partition("=")
    if typed.is_flag(incomplete) and equals:
        found = _values(typed.flags[flag], line, words, value) if flag in typed.flags else []
        return [Suggestion(f"{flag}={word}", help) for word, help in found]
    if incomplete.startswith("-") and not typed.only_arguments:
        return [Suggestion(name, found.help) for name, found in typed.flags.items() if name.startswith(incomplete)]
    if typed.outline.commands:
        commands = typed.outline.commands.items()
        return [Suggestion(name, command.help) for name, command in commands if name.startswith(incomplete)]
    return _values(typed.arguments[0], line, words, incomplete) if typed.arguments else []


def _values(parameter: Parameter, line: Line, words: Sequence[str], incomplete: str) -> list[Suggestion]:
    """The values of a parameter that start so."""
    found: Iterable[str | tuple[str, str]] = parameter.words
    if parameter.completer:
        module, _, name = parameter.completer.partition(":")
        function = getattr(importlib.import_module(module), name)
        # As Typer names what such a function can ask for.
        offered = {"ctx": line, "context": line, "args": list(words)}
        found = function(**{asked: offered.get(asked, incomplete) for asked in inspect.signature(function).parameters})
    made = [Suggestion(value) if isinstance(value, str) else Suggestion(*value) for value in found]
    return [suggestion for suggestion in made if suggestion.word.startswith(incomplete)]
